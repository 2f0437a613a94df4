/**
 * The moves of an order's status: who made each, when and why. What was stored before actors were kept names none; it
 * is read as the system's doing.
 */
import { Option, Schema } from "effect"
import { nextVersion } from "../database/Precondition.ts"
import { Actor, type ActorSource, actorSources, sourceOf, systemActor } from "../store/Actor.ts"
import { type OrderState, type OrderStatus, orderStatuses } from "./Order.ts"

interface StatusChange {
  readonly at: string
  readonly to: OrderStatus
  /** Null where the order was placed. */
  readonly from: OrderStatus | null
  readonly actor: Actor
  readonly reason: string | null
  readonly source: ActorSource
}

/** Characters of a reason that people give. */
export const maxReason = 500

const Stored = Schema.Struct({
  at: Schema.String,
  to: Schema.Literals(orderStatuses),
  from: Schema.NullOr(Schema.Literals(orderStatuses)),
  actor: Schema.optionalKey(Actor),
  reason: Schema.optionalKey(Schema.NullOr(Schema.String)),
  source: Schema.optionalKey(Schema.Literals(actorSources))
})
const decode = Schema.decodeUnknownOption(Stored)

/** Undefined for what this release cannot read. */
export const readStatusChange = (stored: unknown): StatusChange | undefined =>
  Option.getOrUndefined(
    Option.map(decode(stored), ({ actor = systemActor, reason = null, source = sourceOf(actor), ...change }) => ({
      ...change,
      actor,
      reason,
      source
    }))
  )

/** Who placed the order; the system where that was not kept. */
export const placedBy = ({ statusHistory }: Pick<OrderState, "statusHistory">): Actor =>
  readStatusChange(statusHistory[0])?.actor ?? systemActor

export interface Moved {
  readonly reason: string | null
  readonly actor: Actor
  readonly now: number
}

export const statusChange = (
  from: OrderStatus | null,
  to: OrderStatus,
  { reason, actor, now }: Moved
): StatusChange => ({ at: new Date(now).toISOString(), to, from, actor, reason, source: sourceOf(actor) })

/** The order after this move, which the caller has found to be legal. */
export const moved = (order: OrderState, to: OrderStatus, move: Moved): OrderState => ({
  ...order,
  status: to,
  statusHistory: [...order.statusHistory, statusChange(order.status, to, move)],
  updatedAt: nextVersion(order.updatedAt, move.now)
})
