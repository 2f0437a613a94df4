/** Faults in draft orders. */
import type { Fault } from "../plantedFaults.ts"

const room = "packages/core/src/draftorder"
const drafts = ["packages/handler/test/draftorder/DraftOrders.pg.test.ts"]
const invoices = ["packages/handler/test/draftorder/DraftInvoices.pg.test.ts"]

export const draftOrderFaults: ReadonlyArray<Fault> = [
  {
    id: "draft.checkouts-without-end",
    breaks: "The link of an invoice begins any number of checkouts, and each write locks them all",
    file: `${room}/DraftCheckouts.ts`,
    find: "return existing.length < maxDraftCheckouts ? yield*",
    replace: "return existing.length >= 0 ? yield*",
    tests: invoices,
    noticedBy: "is the hundredth of its draft at most"
  },
  {
    id: "draft.external-id-in-the-way",
    breaks: "A buyer pays an invoice and gets no order, because another order has the external id of its draft",
    file: "packages/core/src/order/NewOrderRepository.ts",
    find: "isTaken ? { ...order, externalId: null",
    replace: "isTaken ? { ...order",
    tests: invoices,
    noticedBy: "makes an order without the draft's external id where another order has got it"
  },
  {
    id: "draft.prices-of-today",
    breaks: "A buyer pays today's prices, and not those of the draft that was agreed on",
    file: `${room}/internal/draftBody.ts`,
    find: "({ ...item, price: formatMoney(lines[i]?.unitPrice ?? 0n, currency) })",
    replace: "item",
    tests: drafts,
    noticedBy: "keeps the prices that it was drafted with"
  },
  {
    id: "draft.completed-twice",
    breaks: "A second click on complete is an error, although the draft has its order",
    file: `${room}/DraftOrders.ts`,
    find: "order === undefined ? yield* place(store, draft, input, now) : toOrderView(order)",
    replace: "yield* place(store, draft, input, now)",
    tests: drafts,
    noticedBy: "a second call answers the same order"
  },
  {
    id: "draft.invoice-outlives-change",
    breaks: "A buyer pays what the merchant has since changed",
    file: `${room}/DraftOrderRepository.ts`,
    find: "AND invoice_token_hash = ${tokenHash} AND invoice_expires_at > ${now}",
    replace: "AND invoice_token_hash = ${tokenHash} AND ${now}::timestamptz IS NOT NULL",
    tests: invoices,
    noticedBy: "its time is over"
  },
  {
    id: "draft.paid-on-any-channel",
    breaks: "An invoice is paid on another storefront of the store than the one it is for",
    file: `${room}/DraftInvoices.ts`,
    find: "(yield* found) !== id || (yield* channelOf(draft)) !== access.salesChannelId",
    replace: "(yield* found) !== id",
    tests: invoices,
    noticedBy: "is paid on its channel alone"
  },
  {
    id: "draft.checkout-left-open",
    breaks: "A buyer pays by a checkout that was opened before the merchant changed the draft",
    file: `${room}/DraftCheckouts.ts`,
    find: 'if (status === "PENDING" || isReopened)',
    replace: "if (isReopened)",
    tests: invoices,
    noticedBy: "is cancelled by whatever the merchant writes"
  },
  {
    id: "draft.written-while-charged",
    breaks: "A merchant deletes a draft while its buyer's card is being charged",
    file: `${room}/DraftCheckouts.ts`,
    find: 'if (status === "PROCESSING" && !isReopened) return yield* new CheckoutProcessing({ id })',
    replace: "",
    tests: invoices,
    noticedBy: "one that is being charged is 409"
  },
  {
    id: "draft.invoice-at-catalogue-prices",
    breaks: "The checkout of an invoice fails because its prices are not those of the catalogue",
    file: "packages/core/src/completion/CompletionChecks.ts",
    find: "if (checkout.draft !== null) {",
    replace: "if (checkout.draft !== null && checkout.email === null) {",
    tests: invoices,
    noticedBy: "becomes the order of the draft"
  },
  {
    id: "draft.stated-forgotten",
    breaks: "What a merchant has taken off an invoice is charged all the same",
    file: "packages/core/src/checkout/CheckoutQuote.ts",
    find: "statedDiscount: minor(draft.discountAmount)",
    replace: "statedDiscount: undefined",
    tests: invoices,
    noticedBy: "has what was drafted, at the prices of then"
  },
  {
    id: "draft.currency-changed",
    breaks: "A draft of dollars is completed in a store that sells in euros now",
    file: `${room}/DraftOrders.ts`,
    find: "inStoreCurrency && currency !== store.currency",
    replace: "inStoreCurrency && currency === undefined",
    tests: drafts,
    noticedBy: "does not sell in any more"
  },
  {
    id: "draft.late-money-makes-a-second-order",
    breaks: "Money that comes late for a cancelled checkout is kept, and its buyer gets neither an order nor a refund",
    file: "packages/core/src/checkout/CheckoutPaymentRepository.ts",
    find: "sql`SELECT 1 FROM orders WHERE store_id = ${storeId} AND draft_id = ${draftId}`",
    replace: "sql`SELECT 1 FROM orders WHERE store_id = ${storeId} AND draft_id = ${draftId} AND false`",
    tests: invoices,
    noticedBy: "is refunded where another one has made the order of the draft"
  },
  {
    id: "draft.forgotten-customer",
    breaks: "A draft still says who a customer was who asked to be forgotten",
    file: `${room}/DraftOrderRepository.ts`,
    find: "body = body - '{customer,customerId,shippingAddress,billingAddress,notes}'::text[]",
    replace: "body = body - '{customerId}'::text[]",
    tests: drafts,
    noticedBy: "says no more whose it was"
  }
]
