/**
 * What has happened to an order, derived from its own rows when it is read: moves of its status, payments, refunds,
 * disputes, parcels and notes. There is no second log that could differ from them. Pure.
 */
import { Schema } from "effect"
import { nullable, nullableMoney, nullableString, oneOf, string, timestamp } from "../kernel/Fields.ts"
import { formatMoney } from "../kernel/Money.ts"
import { type OrderState, orderStatuses } from "../order/Order.ts"
import { orderRefunds } from "../order/orderRefunds.ts"
import { readStatusChange } from "../order/StatusHistory.ts"
import { Actor, actorSources, providerActor, sourceOf, systemActor } from "../store/Actor.ts"
import type { NoteState } from "./OrderEdit.ts"

const historyTypes = ["status", "payment", "refund", "dispute", "fulfillment", "note"] as const

export const HistoryEntry = Schema.Struct({
  type: oneOf(
    historyTypes,
    "What happened: the status moved or says why it did not, money came, went back or is claimed back, something was " +
      "sent, or noted."
  ),
  at: timestamp("When it happened."),
  actor: Actor,
  source: oneOf(actorSources, "Where it came from: this API, a payment provider, or a storefront."),
  message: string("What happened, for people. The wording may change.", "PAID to SHIPPED"),
  id: nullableString("Id of the payment, refund, dispute, parcel or note; null for a move of the status."),
  from: nullable(Schema.Literals(orderStatuses), "The status before; null for anything but a move of it."),
  to: nullable(Schema.Literals(orderStatuses), "The status after; null for anything but a move of it."),
  amount: nullableMoney("The amount of money, in the order's currency; null for anything else.", "48.53"),
  reason: nullableString("The reason, if one was given.")
}).annotate({ identifier: "OrderHistoryEntry", description: "Something that has happened to an order." })
export type HistoryEntry = typeof HistoryEntry.Type

type Told = Pick<HistoryEntry, "type" | "at" | "actor" | "message"> & Partial<HistoryEntry>

const entry = (told: Told): HistoryEntry => ({
  source: sourceOf(told.actor),
  id: null,
  from: null,
  to: null,
  amount: null,
  reason: null,
  ...told
})

const moves = ({ statusHistory }: OrderState): ReadonlyArray<HistoryEntry> =>
  statusHistory.flatMap((stored) => {
    const change = readStatusChange(stored)
    if (change === undefined) return []
    const { from, to, reason } = change
    const message = from === null ? `Placed as ${to}` : from === to ? (reason ?? to) : `${from} to ${to}`
    return [entry({ type: "status", ...change, message })]
  })

const payments = ({ payments, currency }: OrderState): ReadonlyArray<HistoryEntry> =>
  payments.flatMap(({ id, provider, method, captured, paidAt, actor }) =>
    paidAt === null || captured === 0n
      ? []
      : [
          entry({
            type: "payment",
            at: new Date(paidAt).toISOString(),
            actor: actor ?? providerActor(provider),
            message: `${formatMoney(captured, currency)} paid by ${method}`,
            id,
            amount: formatMoney(captured, currency)
          })
        ]
  )

/** One request is one refund, also where several payments give it back. */
const refunds = (order: OrderState): ReadonlyArray<HistoryEntry> =>
  orderRefunds(order).map(({ id, amount, reason, status, source, createdAt }) => {
    const row = order.refunds.find((one) => (one.requestId ?? one.id) === id)
    const provider = order.payments.find((payment) => payment.id === row?.paymentId)?.provider ?? "provider"
    return entry({
      type: "refund",
      at: createdAt,
      actor: source === "provider" ? providerActor(provider) : (row?.actor ?? systemActor),
      message: `Refund of ${amount}: ${status}`,
      id,
      amount,
      reason
    })
  })

const disputes = ({ disputes, currency, payments }: OrderState): ReadonlyArray<HistoryEntry> =>
  disputes.map(({ id, amount, reason, status, paymentId, createdAt }) =>
    entry({
      type: "dispute",
      at: new Date(createdAt).toISOString(),
      actor: providerActor(payments.find((payment) => payment.id === paymentId)?.provider ?? "provider"),
      message: `${formatMoney(amount, currency)} claimed back by the shopper's bank: ${status}`,
      id,
      amount: formatMoney(amount, currency),
      reason
    })
  )

const parcels = ({ parcels }: OrderState): ReadonlyArray<HistoryEntry> =>
  parcels.map(({ id, actor, createdAt, items, carrier, trackingNumber }) => {
    const units = items.reduce((sum, { quantity }) => sum + quantity, 0)
    const by = [carrier, trackingNumber].filter((part) => part !== null).join(" ")
    const message = `${units} ${units === 1 ? "unit" : "units"} sent${by === "" ? "" : ` with ${by}`}`
    return entry({ type: "fulfillment", at: createdAt, actor, message, id })
  })

const noted = (notes: ReadonlyArray<NoteState>): ReadonlyArray<HistoryEntry> =>
  notes.map(({ id, text, actor, createdAt }) =>
    entry({ type: "note", at: createdAt.toISOString(), actor, message: text, id })
  )

/** The oldest first; what happened at the same time, in the order of the types. */
export const historyOf = (order: OrderState, notes: ReadonlyArray<NoteState>): ReadonlyArray<HistoryEntry> =>
  [
    ...moves(order),
    ...payments(order),
    ...refunds(order),
    ...disputes(order),
    ...parcels(order),
    ...noted(notes)
  ].toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
