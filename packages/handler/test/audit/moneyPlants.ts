/** One fault for each law of gift cards, coupons, their uses, the newsletter, and presented orders. */
import type { Plant, Sold } from "./plants.ts"

const issuedCard = (store: string, balance: number) =>
  `INSERT INTO gift_card (store_id, id, code_hash, code_last4, currency, initial_balance, balance, entries, created_at, updated_at)
    VALUES ('${store}', 'gc_1', 'h', '1234', 'USD', 500, ${balance}, 1, now(), now())`
const cardEntry = (store: string, position: number, type: string, amount: number, balance: number, order = "NULL") =>
  `INSERT INTO gift_card_transaction (store_id, id, gift_card_id, position, type, amount, balance, order_id, created_at)
    VALUES ('${store}', 'gct_${position}', 'gc_1', ${position}, '${type}', ${amount}, ${balance}, ${order}, now())`

const used = (store: string, order: string) => [
  `INSERT INTO redemption (store_id, kind, source_id, holder_id, order_id, created_at)
    VALUES ('${store}', 'coupon', 'cpn_1', 'holder_1', '${order}', now())`,
  `INSERT INTO redemption_counter (store_id, kind, source_id, uses) VALUES ('${store}', 'coupon', 'cpn_1', 1)`
]
const coupon = (store: string) =>
  `INSERT INTO coupon (store_id, id, code, code_key, type, percentage, is_disabled, conditions, applicable_products,
      excluded_products, applicable_categories, excluded_categories, region_ids, combines_with_other, channels,
      channel_ids, source, created_at, updated_at)
    VALUES ('${store}', 'cpn_1', 'TEN', 'TEN', 'PERCENTAGE', '10', false, '{}', '{}', '{}', '{}', '{}', '{}', false,
      '{}', '{}', 'INTERNAL', now(), now())`
const takenOff = (store: string, order: string, item: string, amount: number) =>
  `INSERT INTO order_adjustment (store_id, order_id, position, item_id, target, part, kind, source_id, type, value,
      units, amount)
    VALUES ('${store}', '${order}', 90, '${item}', 'line', 'discount', 'coupon', 'cpn_1', 'PERCENTAGE', '10', 1,
      ${amount})`
const signup = (store: string, email: string) =>
  `INSERT INTO newsletter_signup (store_id, email, id, token_hash, token_expires_at, mails, mails_since, confirmed_at,
      coupon_id, created_at)
    VALUES ('${store}', '${email}', 'sub_${email}', '${email}', now(), 1, now(), now(), 'cpn_1', now())`

/** As if the provider had been asked for the paid order in yen, at 150 for a dollar: for 33,300, captured in full. */
const inYen = ({ order, payment }: Sold, more: Readonly<Record<string, string>>) => {
  const money = { due: "22200", amount: "33300", captured: "33300", refunded: "7500" }
  const stated = { paymentId: payment, currency: "JPY", rate: "150", bufferPercent: "0", rounding: "1" }
  return [`UPDATE orders SET presentment = '${JSON.stringify({ ...stated, ...money, ...more })}' WHERE id = '${order}'`]
}

export const moneyPlants: ReadonlyArray<Plant> = [
  {
    law: "order.presented",
    plant: ({ paid }) => inYen(paid, { amount: "33301" }),
    told: ({ paid }) => ({ id: paid.order, expected: "22200 as 33300", found: "22200 as 33301" })
  },
  {
    law: "order.presented-money",
    plant: ({ paid }) => inYen(paid, { refunded: "7400" }),
    told: ({ paid }) => ({ id: paid.order, expected: "22200, returned 4933", found: "22200, returned 5000" })
  },
  {
    law: "order.presented-payment",
    plant: ({ paid }) => inYen(paid, { paymentId: "pay_none" }),
    told: ({ paid }) => ({ id: paid.order, expected: "a payment of the order", found: "pay_none" })
  },
  {
    law: "giftcard.balance",
    plant: ({ store }) => [issuedCard(store, 700), cardEntry(store, 1, "ISSUE", 500, 500)],
    told: () => ({ id: "gc_1", expected: "500", found: "700" })
  },
  {
    law: "giftcard.trail",
    plant: ({ store }) => [
      issuedCard(store, 500),
      cardEntry(store, 1, "ISSUE", 500, 500),
      cardEntry(store, 2, "ADJUST", -100, 300)
    ],
    told: () => ({ id: "gct_2", expected: "400", found: "300" })
  },
  {
    law: "giftcard.order",
    plant: ({ store, admin }) => [issuedCard(store, 300), cardEntry(store, 2, "REDEEM", -200, 300, `'${admin.order}'`)],
    told: ({ admin }) => ({ id: `gc_1 ${admin.order}`, expected: null, found: "200" })
  },
  {
    law: "giftcard.refund",
    plant: ({ store, admin }) => [issuedCard(store, 600), cardEntry(store, 2, "REFUND", 100, 600, `'${admin.order}'`)],
    told: ({ admin }) => ({ id: `gc_1 ${admin.order}`, expected: "0", found: "100" })
  },
  {
    law: "redemption.counter",
    plant: ({ store }) => [
      `INSERT INTO redemption_counter (store_id, kind, source_id, uses) VALUES ('${store}', 'coupon', 'cpn_1', 2)`
    ],
    told: () => ({ id: "coupon cpn_1", expected: "0", found: "2" })
  },
  {
    law: "redemption.order",
    plant: ({ store, manual }) => used(store, manual.order),
    told: ({ manual }) => ({ id: "coupon cpn_1 holder_1", expected: manual.order, found: null })
  },
  {
    law: "coupon.order",
    plant: ({ store, manual }) => [coupon(store), takenOff(store, manual.order, manual.item, 100)],
    told: ({ manual }) => ({ id: manual.order, expected: null, found: "no use of cpn_1" })
  },
  {
    law: "coupon.discount",
    plant: ({ store, manual }) => [takenOff(store, manual.order, manual.item, 1_001)],
    told: ({ manual }) => ({ id: `${manual.order} cpn_1`, expected: "1000", found: "1001" })
  },
  {
    law: "newsletter.coupon",
    plant: ({ store }) => [signup(store, "ada@example.com"), signup(store, "grace@example.com")],
    told: () => ({ id: "ada@example.com", expected: "1", found: "2" })
  }
]
