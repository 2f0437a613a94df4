/** One way to a total: what a source of the list grants reaches carts, checkouts, orders, their rows and the audit. */
import { describe, expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { CartAccess } from "../../src/cart/CartAccess.ts"
import { Carts } from "../../src/cart/Carts.ts"
import { Checkouts } from "../../src/checkout/Checkouts.ts"
import { Completion } from "../../src/completion/Completion.ts"
import { Database } from "../../src/database/Database.ts"
import { OrderRepository } from "../../src/order/OrderRepository.ts"
import { OrderEntry } from "../../src/orderentry/OrderEntry.ts"
import { Orders } from "../../src/order/Orders.ts"
import { StorefrontOrders } from "../../src/quickorder/StorefrontOrders.ts"
import { PaymentNotices } from "../../src/notice/PaymentNotices.ts"
import { TestProvider } from "../../src/testpayment/TestProvider.ts"
import { auditOf, grantedShop, openStore } from "./grantedShop.ts"

const address = {
  firstName: "Ada",
  lastName: "Byron",
  line1: "1 Main St",
  city: "Town",
  region: "CA",
  postalCode: "94105",
  country: "US"
}

/** Two lamps and a bulb, 5 % off by the rule, 10 % off the rest by the code: 26.90 - 1.29 - 2.46. */
const discounts = { subtotal: "25.90", discountAmount: "2.46", ruleDiscountAmount: "1.29" }
/** Taxed at 10 %: 17.10, 5.05 and 5.00 of shipping; and 2.50 for the gift wrap, which is not. */
const totals = { ...discounts, shippingAmount: "5.00", surchargeAmount: "2.50", taxAmount: "2.72" }
const appliedRules = [{ id: "rule_summer", name: "Summer sale", type: "PERCENTAGE_OFF", discountAmount: "1.29" }]
const appliedSurcharges = [{ key: "wrap", name: "Gift wrap", value: null, amount: "2.50" }]

const open = Effect.gen(function* () {
  const { store, channelId, lamp, bulb } = yield* openStore
  const access: CartAccess = { salesChannelId: channelId, isStorefront: true, isTest: true, customerId: null }
  const [carts, checkouts] = [yield* Carts, yield* Checkouts]
  const filled = Effect.gen(function* () {
    const { id } = yield* carts.create(store, access, null)
    yield* carts.addLine(store, access, id, { productId: lamp, quantity: 2 })
    yield* carts.addLine(store, access, id, { productId: bulb, quantity: 1 })
    return id
  })
  const checkedOut = Effect.fnUntraced(function* (email: string) {
    const cartId = yield* filled
    yield* carts.applyCoupon(store, access, cartId, "LOYAL")
    const { id } = yield* checkouts.create(store, access, { cartId })
    yield* checkouts.setCustomer(store, access, id, { email })
    const { availableShippingRates: rates } = yield* checkouts.setShipping(store, access, id, {
      shippingAddress: address
    })
    const standard = rates.find(({ name }) => name === "Standard")
    return yield* checkouts.setShippingMethod(store, access, id, standard?.id ?? "")
  })
  const rowsOf = (orderId: string) =>
    Database.use(
      ({ sql }) =>
        sql`SELECT a.kind, a.source_id, a.part, a.target, p.name AS item, a.amount, a.reason FROM order_adjustment a
          LEFT JOIN order_item p ON p.store_id = a.store_id AND p.order_id = a.order_id AND p.id = a.item_id
          WHERE a.store_id = ${store.id} AND a.order_id = ${orderId} ORDER BY a.position`
    )
  return { store, access, lamp, bulb, carts, checkouts, filled, checkedOut, rowsOf }
})

const rows = [
  ["summer", "rule_summer", "rule_discount", "line", "Lamp", 100n, "Summer sale"],
  ["summer", "rule_summer", "rule_discount", "line", "Bulb", 29n, "Summer sale"],
  ["loyal", "code_loyal", "discount", "line", "Lamp", 190n, "For loyal customers"],
  ["loyal", "code_loyal", "discount", "line", "Bulb", 56n, "For loyal customers"],
  ["gift-wrap", "wrap", "surcharge", "order", null, 250n, "Gift wrap"]
].map(([kind, sourceId, part, target, item, amount, reason]) => ({
  kind,
  sourceId,
  part,
  target,
  item,
  amount,
  reason
}))

layer(grantedShop, { timeout: "60 seconds" })("an adjustment source", (it) => {
  describe("that the list names", () => {
    it.effect("is in the cart, with a code that is kept and can be taken off again", () =>
      Effect.gen(function* () {
        const { store, access, carts, filled } = yield* open
        const id = yield* filled
        expect(yield* carts.get(store, access, id)).toMatchObject({
          ...discounts,
          discountAmount: "0.00",
          promoDiscountTotal: "1.29",
          couponCode: null
        })
        const applied = yield* carts.applyCoupon(store, access, id, "loyal")
        expect(yield* carts.get(store, access, id)).toEqual(applied)
        expect(applied).toMatchObject({ ...discounts, promoDiscountTotal: "3.75", couponCode: "loyal" })
        expect(applied.appliedDiscounts).toEqual([
          {
            ruleId: "rule_summer",
            ruleName: "Summer sale",
            type: "PERCENTAGE_OFF",
            discountAmount: "1.29",
            description: "Summer sale"
          },
          {
            ruleId: "code_loyal",
            ruleName: "For loyal customers",
            type: "PERCENTAGE_OFF",
            discountAmount: "2.46",
            description: "For loyal customers"
          }
        ])
        const refused = yield* Effect.flip(carts.applyCoupon(store, access, id, "NONE"))
        expect(refused).toMatchObject({ _tag: "CouponUnknown", code: "NONE" })
        const without = yield* carts.removeCoupon(store, access, id)
        expect(without).toMatchObject({ discountAmount: "0.00", couponCode: null })
      })
    )

    it.effect("is in the checkout and in the order it becomes, and the audit agrees", () =>
      Effect.gen(function* () {
        const { store, access, checkouts, checkedOut, rowsOf } = yield* open
        const checkout = yield* checkedOut("ada@example.com")
        expect(checkout).toMatchObject({
          ...totals,
          total: "32.37",
          couponCode: "LOYAL",
          appliedRules,
          appliedSurcharges,
          tenders: [],
          providerAmountDue: "32.37"
        })
        expect(checkout.lineItems.map(({ discountAmount }) => discountAmount)).toEqual(["2.90", "0.85"])
        const refused = yield* Effect.flip(checkouts.applyCoupon(store, access, checkout.id, "NONE"))
        expect(refused).toMatchObject({ _tag: "CouponUnknown", code: "NONE" })
        const done = yield* (yield* Completion).complete(store, access, checkout.id, {})
        expect(done.total).toBe("32.37")
        const order = yield* (yield* Orders).get(store, done.orderId)
        expect(order).toMatchObject({
          ...totals,
          totalAmount: "32.37",
          couponCode: "LOYAL",
          appliedRules,
          appliedSurcharges
        })
        expect(yield* rowsOf(done.orderId)).toEqual(rows)
        expect(yield* auditOf(store.id)).toEqual([])
      })
    )

    it.effect("is in an order that waits for a payment provider", () =>
      Effect.gen(function* () {
        const { store, access, checkedOut, rowsOf } = yield* open
        const { id } = yield* checkedOut("ada@example.com")
        const paid = { paymentMethod: "test", paymentReference: "approve" } as const
        const done = yield* (yield* Completion).complete(store, access, id, paid)
        expect([done.status, done.total]).toEqual(["PAID", "32.37"])
        expect(yield* rowsOf(done.orderId)).toEqual(rows)
        expect(yield* auditOf(store.id)).toEqual([])
      })
    )

    it.effect(
      "is in orders that are placed in one call, by a storefront and by an admin key, with the same totals",
      () =>
        Effect.gen(function* () {
          const { store, access, lamp, bulb, rowsOf } = yield* open
          const storefront = yield* StorefrontOrders
          const placing = {
            items: [
              { productId: lamp, variantId: null, quantity: 2, price: "10.00" },
              { productId: bulb, variantId: null, quantity: 1, price: "5.90" }
            ],
            customer: { email: "ada@example.com", name: "Ada" },
            shippingAddress: address
          }
          const buyer = { salesChannelId: access.salesChannelId ?? "", isTest: true, customerId: null, locale: null }
          const placed = yield* storefront.place(store, buyer, { ...placing, couponCode: "LOYAL" })
          expect(placed).toMatchObject({ ...totals, totalAmount: "32.37", couponCode: "LOYAL", appliedRules })
          expect(yield* rowsOf(placed.id)).toEqual(rows)
          const unknown = yield* Effect.flip(storefront.place(store, buyer, { ...placing, couponCode: "NONE" }))
          expect(unknown).toMatchObject({ _tag: "CouponUnknown", code: "NONE" })

          const orders = yield* OrderEntry
          const making = {
            items: [
              { productId: lamp, quantity: 2 },
              { productId: bulb, quantity: 1 }
            ],
            currency: "USD",
            shippingAmount: "5.00",
            shippingAddress: address
          }
          const made = yield* orders.create(store, { ...making, couponCode: "LOYAL" })
          expect(made).toMatchObject({ ...totals, totalAmount: "32.37", couponCode: "LOYAL", appliedRules })
          const stated = { kind: "manual_shipping", sourceId: "shippingAmount", part: "shipping", target: "shipping" }
          expect(yield* rowsOf(made.id)).toEqual([{ ...stated, item: null, amount: 500n, reason: null }, ...rows])
          const refused = yield* Effect.flip(orders.create(store, { ...making, couponCode: "NONE" }))
          expect(refused).toMatchObject({ _tag: "CouponUnknown", code: "NONE" })
          expect(yield* auditOf(store.id)).toEqual([])
        })
    )

    it.effect("of tenders leaves the rest to be paid, and is a payment of the order", () =>
      Effect.gen(function* () {
        const { store, access, checkedOut } = yield* open
        const checkout = yield* checkedOut("card@example.com")
        expect(checkout).toMatchObject({
          total: "32.37",
          tenders: [{ tenderId: "card_1", amountApplied: "10.00" }],
          providerAmountDue: "22.37"
        })
        const done = yield* (yield* Completion).complete(store, access, checkout.id, {})
        const order = yield* (yield* Orders).get(store, done.orderId)
        expect([order.totalAmount, order.financialStatus, order.status]).toEqual(["32.37", "pending", "PENDING"])
        const paid = new Map(order.tenders.map(({ type, amountBase }) => [type, amountBase]))
        expect(paid).toEqual(new Map(Object.entries({ manual: "22.37", card: "10.00" })))
        expect(yield* auditOf(store.id)).toEqual([])
      })
    )

    for (const reference of ["approve", "pending"])
      it.effect(
        `of tenders leaves a provider to be asked for the rest, that is told at once or later: ${reference}`,
        () =>
          Effect.gen(function* () {
            const { store, access, checkedOut } = yield* open
            const { id: checkoutId } = yield* checkedOut("card@example.com")
            const asked = { paymentMethod: "test", paymentReference: reference } as const
            const done = yield* (yield* Completion).complete(store, access, checkoutId, asked)
            const booked = Effect.gen(function* () {
              const { financialStatus, tenders } = yield* (yield* Orders).get(store, done.orderId)
              return [financialStatus, Object.fromEntries(tenders.map(({ type, amountBase }) => [type, amountBase]))]
            })
            const both = { card: "10.00", test: "22.37" }
            expect(yield* booked).toEqual([reference === "approve" ? "paid" : "pending", both])
            expect(yield* auditOf(store.id)).toEqual([])
            const provider = yield* TestProvider
            const notice = yield* provider.move(store.id, { checkoutId, type: "captured" })
            if (notice !== undefined) yield* (yield* PaymentNotices).receiveAndApply("test", notice)
            expect(yield* booked).toEqual(["paid", both])
            const charges = yield* Database.use(
              ({ sql }) => sql`SELECT amount, captured FROM test_charge WHERE checkout_id = ${checkoutId}`
            )
            expect(charges).toEqual([{ amount: 2_237n, captured: 2_237n }])
            expect(yield* auditOf(store.id)).toEqual([])
          })
      )
  })

  it.effect("the payment of an order is what was left to pay, and not one of its tenders, whenever it is read", () =>
    Effect.gen(function* () {
      const { store, lamp } = yield* open
      const orders = yield* Orders
      const entry = yield* OrderEntry
      const payment = { paymentProviderType: "manual", paymentExternalId: null, paymentAmount: "12.00" }
      for (const _ of Array.from({ length: 12 })) {
        const made = yield* entry.create(store, {
          items: [{ productId: lamp, quantity: 2 }],
          customer: { email: "card@example.com" },
          currency: "USD",
          shippingAmount: "0.50"
        })
        expect(made).toMatchObject({ totalAmount: "22.00", ...payment })
        expect(yield* orders.get(store, made.id)).toMatchObject({ ...payment, paymentId: made.paymentId })
      }
    })
  )

  it.effect("an amount that a caller states is read with its order also where nothing was taken off", () =>
    Effect.gen(function* () {
      const { store, lamp } = yield* open
      const made = yield* (yield* OrderEntry).create(store, {
        items: [{ productId: lamp, quantity: 1, price: "0.00" }],
        customer: { email: "free@example.com" },
        currency: "USD",
        taxAmount: "0.77"
      })
      const amounts = ["0.00", "0.00", "0.00", "0.77"]
      expect([made.discountAmount, made.ruleDiscountAmount, made.surchargeAmount, made.totalAmount]).toEqual(amounts)
      const read = yield* Effect.provide(
        Effect.flatMap(OrderRepository, ({ find }) => find(store.id, made.id)),
        OrderRepository.layer
      )
      const place = { part: "tax", target: "order", lineId: null, units: 0, type: null, value: null }
      const stated = { kind: "manual_tax", sourceId: "taxAmount", ...place }
      expect(read?.adjustments).toEqual([{ ...stated, amount: 77n, reason: null }])
    })
  )

  describe("what is given away as a whole", () => {
    for (const [email, surchargeAmount, payments] of [
      ["free@example.com", "0.00", { test: "0.00" }],
      ["wrapped@example.com", "2.50", { card: "2.50" }]
    ] as const)
      it.effect(`asks no provider for money, and adds up: ${surchargeAmount} to pay`, () =>
        Effect.gen(function* () {
          const { store, access, checkedOut, rowsOf } = yield* open
          const checkout = yield* checkedOut(email)
          const expected = { subtotal: "25.90", shippingAmount: "0.00", taxAmount: "0.00", surchargeAmount }
          // 24.61 is what the rule leaves of the lines; what is taken off the shipping is in no sum.
          const given = { ...expected, ruleDiscountAmount: "1.29", discountAmount: "24.61" }
          expect(checkout).toMatchObject({ ...given, total: surchargeAmount, providerAmountDue: "0.00" })
          const asked = { paymentMethod: "test", paymentReference: "approve" } as const
          const done = yield* (yield* Completion).complete(store, access, checkout.id, asked)
          const order = yield* (yield* Orders).get(store, done.orderId)
          expect(order).toMatchObject({
            ...given,
            totalAmount: surchargeAmount,
            status: "PAID",
            financialStatus: "paid"
          })
          expect(Object.fromEntries(order.tenders.map(({ type, amountBase }) => [type, amountBase]))).toEqual(payments)
          const kept = (yield* rowsOf(done.orderId)) as ReadonlyArray<(typeof rows)[number]>
          expect(kept.map(({ kind, target, amount }) => [kind, target, amount])).toEqual([
            ["summer", "line", 100n],
            ["summer", "line", 29n],
            ["loyal", "line", 190n],
            ["loyal", "line", 56n],
            ["gratis", "line", 1_710n],
            ["gratis", "line", 505n],
            ["gratis", "shipping", 500n],
            ...(email === "free@example.com" ? [] : [["gift-wrap", "order", 250n]])
          ])
          expect(
            yield* Database.use(({ sql }) => sql`SELECT 1 FROM test_charge WHERE checkout_id = ${checkout.id}`)
          ).toEqual([])
          expect(yield* auditOf(store.id)).toEqual([])
        })
      )
  })

  it.effect("amounts that a caller states are adjustments of their own kinds, split over the lines", () =>
    Effect.gen(function* () {
      const { store, lamp, bulb, rowsOf } = yield* open
      const made = yield* (yield* OrderEntry).create(store, {
        items: [
          { productId: lamp, quantity: 2, price: "10.00" },
          { productId: bulb, quantity: 1, price: "5.90" }
        ],
        currency: "USD",
        discountAmount: "10.00",
        shippingAmount: "3.00",
        taxAmount: "0.77"
      })
      expect(made).toMatchObject({ discountAmount: "10.00", shippingAmount: "3.00", taxAmount: "0.77" })
      // 25.90 less 1.29 and 10.00, with 3.00 of shipping, 2.50 for the gift wrap and the stated tax.
      expect(made.totalAmount).toBe("20.88")
      const kept = (yield* rowsOf(made.id)) as ReadonlyArray<(typeof rows)[number]>
      expect(kept.map(({ kind, item, amount }) => [kind, item, amount])).toEqual([
        ["manual_shipping", null, 300n],
        ["summer", "Lamp", 100n],
        ["summer", "Bulb", 29n],
        ["manual_discount", "Lamp", 772n],
        ["manual_discount", "Bulb", 228n],
        ["manual_tax", null, 77n],
        ["gift-wrap", null, 250n]
      ])
      expect(yield* auditOf(store.id)).toEqual([])
    })
  )
})
