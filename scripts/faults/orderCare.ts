/** Faults in what merchants do with orders: sending, cancelling, changing, noting. */
import type { Fault } from "../plantedFaults.ts"

const lost = ["packages/handler/test/cancellation/LostAnswers.pg.test.ts"]
const cancelling = ["packages/handler/test/cancellation/Cancellations.pg.test.ts"]
const races = ["packages/handler/test/cancellation/Care.race.test.ts"]
const sending = ["packages/handler/test/fulfilment/Fulfilments.pg.test.ts"]
const editing = ["packages/handler/test/orderedit/OrderEdits.pg.test.ts"]
const labels = ["packages/handler/test/orderlabel/OrderLabels.pg.test.ts"]
const pure = ["packages/core/test/order/OrderStates.test.ts"]
const cancellations = "packages/core/src/cancellation/OrderCancellations.ts"
const fulfilments = "packages/core/src/fulfilment/OrderFulfilments.ts"
const edits = "packages/core/src/orderedit/OrderEdits.ts"

export const orderCareFaults: ReadonlyArray<Fault> = [
  {
    id: "cancellation.key-forgotten",
    breaks:
      "A cancellation that is sent again under its key after a crash is refused, as if somebody else had cancelled",
    file: cancellations,
    find: "if (requestKey !== null && (yield* repository.isDoneBy(",
    replace: `if (requestKey === "" && (yield* repository.isDoneBy(`,
    tests: lost,
    noticedBy: "a cancellation"
  },
  {
    id: "cancellation.refunded-units-back",
    breaks:
      "Units that a refund has kept out of stock, because they are broken, are sold again once their order is cancelled",
    file: cancellations,
    find: "const quantity = item.quantity - item.refundedQuantity",
    replace: "const { quantity } = item",
    tests: cancelling,
    noticedBy: "stay where it has put them"
  },
  {
    id: "care.cancelled-when-sent",
    breaks: "An order of which a parcel is on its way can be cancelled",
    file: cancellations,
    find: "fulfilledQuantity > 0",
    replace: "fulfilledQuantity > 1",
    tests: cancelling,
    noticedBy: "keeps an order from being cancelled from the first unit on"
  },
  {
    id: "care.cancelled-with-money",
    breaks: "An order is cancelled while the merchant keeps what was paid",
    file: cancellations,
    find: "kept > 0n && !refund",
    replace: "kept < 0n && !refund",
    tests: cancelling,
    noticedBy: "that is not refunded keeps an order from being cancelled, by hand and by its status"
  },
  {
    id: "care.not-restocked",
    breaks: "Goods of a cancelled order stay out of stock",
    file: cancellations,
    find: "if (restock) yield*",
    replace: "if (!restock) yield*",
    tests: cancelling,
    noticedBy: "is cancelled: its goods are back, its payment is void, its buyer is told"
  },
  {
    id: "care.uses-kept",
    breaks: "An order that was cancelled unpaid uses a coupon up for good",
    file: cancellations,
    find: "order.paidAt !== null || order.capturedAmount > 0n",
    replace: "order.paidAt === null || order.capturedAmount > 0n",
    tests: cancelling,
    noticedBy: "a coupon of an order that was never paid can be used again"
  },
  {
    id: "care.reservation-kept",
    breaks: "Money that was only reserved for a cancelled order stays reserved",
    file: "packages/core/src/settlement/OrderMoney.ts",
    find: "for (const { reference } of order.payments.filter(isOpenCharge)) {",
    replace: "for (const { reference } of order.payments.filter((row) => !isOpenCharge(row))) {",
    tests: cancelling,
    noticedBy:
      "that is only reserved is released, and void once the provider says so; a capture that comes is warned of"
  },
  {
    id: "care.charges-locked-late",
    breaks: "The lock of an order is not taken before it is read: it is cancelled and paid at once",
    file: "packages/core/src/settlement/OrderMoney.ts",
    find: "yield* lockThenRead(lock(storeId, id), find(storeId, id))",
    replace: "yield* lockThenRead(Effect.succeed(true), find(storeId, id))",
    tests: races,
    noticedBy: "a cancel and a payment that is recorded: it is paid or cancelled, never both"
  },
  {
    id: "care.changed-unlocked",
    breaks: "The lock of an order is not taken before it is read: two callers send the same units",
    file: "packages/core/src/order/OrderChanges.ts",
    find: "yield* lockThenRead(lock(store.id, id), find(store.id, id))",
    replace: "yield* lockThenRead(Effect.succeed(true), find(store.id, id))",
    tests: races,
    noticedBy: "two fulfilments of the same units: they are sent once"
  },
  {
    id: "care.sent-beyond-open",
    breaks: "More is sent than was bought",
    file: fulfilments,
    find: "requested > open ?",
    replace: "requested > open + 1 ?",
    tests: sending,
    noticedBy: "more than is left: 422 that says how much is"
  },
  {
    id: "care.refunded-is-open",
    breaks: "What was refunded is sent all the same",
    file: "packages/core/src/order/OrderStates.ts",
    find: "quantity - fulfilledQuantity - refundedQuantity",
    replace: "quantity - fulfilledQuantity",
    tests: pure,
    noticedBy: "say how far it is sent: what was refunded is not to be sent any more"
  },
  {
    id: "care.fulfilled-twice",
    breaks: "An order that was shipped is announced as fulfilled once more when it is delivered",
    file: fulfilments,
    find: " && !wasSent(before)",
    replace: "",
    tests: sending,
    noticedBy: "and then delivered emits no second order.fulfilled, and its parcel is delivered"
  },
  {
    id: "care.address-after-shipping",
    breaks: "The address of an order changes after its parcels have left",
    file: edits,
    find: '!unsent.includes(order.status) || order.fulfillmentStatus === "fulfilled"',
    replace: "false",
    tests: editing,
    noticedBy: "of the address is too late once everything is shipped, and it cannot be cleared"
  },
  {
    id: "care.note-mailed-to-nobody",
    breaks: "A note for the buyer is never mailed",
    file: edits,
    find: "const notified = body.notifyCustomer === true",
    replace: "const notified = body.notifyCustomer === false",
    tests: editing,
    noticedBy: "is in the history, and with notifyCustomer in a mail"
  },
  {
    id: "care.label-of-another-status",
    breaks: "An order shows a label that stands for another status",
    file: "packages/core/src/order/OrderView.ts",
    find: "order.statusLabel?.canonicalStatus === order.status",
    replace: "order.statusLabel !== null",
    tests: labels,
    noticedBy: "is shown by an order while it has the label's status, and the system's at any other time"
  }
]
