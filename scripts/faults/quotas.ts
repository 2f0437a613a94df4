/** Faults in quotas of stores, and in when keys were last used. */
import type { Fault } from "../plantedFaults.ts"

const repository = "packages/core/src/quota/QuotaRepository.ts"
const quotas = "packages/core/src/quota/Quotas.ts"
const uses = "packages/core/src/identity/KeyUses.ts"
const products = ["packages/handler/test/quota/ProductQuota.pg.test.ts"]
const orders = ["packages/handler/test/quota/OrderQuota.pg.test.ts"]
const races = ["packages/handler/test/quota/OrderQuota.race.test.ts"]
const keys = ["packages/handler/test/identity/KeyUses.pg.test.ts"]

export const quotaFaults: ReadonlyArray<Fault> = [
  {
    id: "quota.orders-at-once",
    breaks: "Shoppers who buy at the same moment get more orders than the store may have",
    file: repository,
    find: `none(lockStoreFor(sql, "order_quota", storeId))`,
    replace: "Effect.void",
    tests: races,
    noticedBy: "the second counts when the first has ended"
  },
  {
    id: "quota.charged-in-vain",
    breaks: "A shopper is charged for an order that the store may not have",
    file: "packages/core/src/completion/ChargedCompletion.ts",
    find: "yield* takeOrder(store, { checkoutId: checkout.id, now: new Date(now) })",
    replace: "",
    tests: orders,
    noticedBy: "is refused in every way in which an order comes to be"
  },
  {
    id: "quota.late-money",
    breaks: "Money of a payment that was begun in time makes no order, because the quota is used up by now",
    file: "packages/core/src/completion/PaymentOutcomes.ts",
    find: "placement.placeDraft(store, { ...order, syncWarning }, draft)",
    replace: "placement.placeNew(store, { ...order, syncWarning })",
    tests: orders,
    noticedBy: "money that comes later makes an order above the quota"
  },
  {
    id: "quota.month-goes-on",
    breaks: "The orders of last month count against this one",
    file: "packages/core/src/order/NewOrderRepository.ts",
    find: "CASE WHEN c.month < ${month} THEN 1",
    replace: "CASE WHEN false THEN 1",
    tests: orders,
    noticedBy: "sells again in the next month of UTC"
  },
  {
    id: "quota.release-before",
    breaks: "Orders that the release before sells during an upgrade are not counted, and the audit reports them",
    file: "packages/core/migrations/0074_order_month.sql",
    find: "AND NEW.month_orders = OLD.month_orders)",
    replace: "AND false)",
    tests: orders,
    noticedBy: "counts what a server of the release before sells"
  },
  {
    id: "quota.own-payment",
    breaks: "The payment of an order takes the place of the order itself",
    file: repository,
    find: "AND o.open_since > ${heldSince} AND o.subject_id IS DISTINCT FROM ${checkoutId}::text)",
    replace: "AND o.open_since > ${heldSince} AND ${checkoutId}::text IS DISTINCT FROM '')",
    tests: orders,
    noticedBy: "keeps the place of its order, which the shopper gets"
  },
  {
    id: "quota.held-for-ever",
    breaks: "Shoppers who leave the payment page keep others from buying for a day",
    file: repository,
    find: "AND o.open_since > ${heldSince}",
    replace: "AND ${heldSince}::timestamptz IS NOT NULL",
    tests: orders,
    noticedBy: "leaves it when stock is no longer held for it"
  },
  {
    id: "quota.one-product-more",
    breaks: "A store gets one product more than it may have",
    file: quotas,
    find: "used < maxProducts",
    replace: "used <= maxProducts",
    tests: products,
    noticedBy: "gets that many: one more is 402 and writes nothing"
  },
  {
    id: "quota.bulk-products",
    breaks: "One bulk call passes the quota of products",
    file: quotas,
    find: "Effect.sync(() => void used++)",
    replace: "Effect.void",
    tests: products,
    noticedBy: "holds for bulk calls"
  },
  {
    id: "quota.deleted-products",
    breaks: "Products that are deleted keep their place",
    file: repository,
    find: "which: sql`store_id = ${storeId} AND deleted_at IS NULL`",
    replace: "which: sql`store_id = ${storeId}`",
    tests: products,
    noticedBy: "a deleted one leaves its place"
  },
  {
    id: "key-use.earlier-wins",
    breaks: "A key seems to be used less lately than it is, by the process that writes last",
    file: "packages/core/src/identity/ApiKeyRepository.ts",
    find: "greatest(k.last_used_at, u.at)",
    replace: "u.at",
    tests: keys,
    noticedBy: "keeps the latest time, whichever process writes last"
  },
  {
    id: "key-use.lost-at-the-end",
    breaks: "A process that ends forgets which keys were used in its last minute",
    file: uses,
    find: "Effect.catchCause(flush, (cause)",
    replace: "Effect.catchCause(Effect.void, (cause)",
    tests: keys,
    noticedBy: "is written when the process ends"
  },
  {
    id: "key-use.not-tried-again",
    breaks: "Uses of keys are lost where the database does not answer once",
    file: uses,
    find: ".pipe(Effect.onError(() => again))",
    replace: "",
    tests: keys,
    noticedBy: "is written later where the database did not take it"
  }
]
