/**
 * The port from payment operations to the rooms that ask for them.
 *
 * What it decides: what the outcome of an operation means for its subject, such as an order for a checkout. When it is
 * called: in the transaction that settles the operation, after the subject and the operation were locked. The outcome
 * may have been learned by the request, a notice of the provider, or the recovery worker. How it differs from its
 * neighbours: PaymentProvider moves the money; this records what that means and calls nobody. What the default does:
 * there is none; each room that begins operations registers its handler, and the application gathers them in
 * `OutcomeHandlers`.
 */
import { Context, Effect } from "effect"
import type { Statement } from "effect/sql"
import type { Database } from "../database/Database.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import type { DeclineCode } from "../payment/DeclineCode.ts"
import type { Charge } from "../payment/PaymentProvider.ts"
import type { OperationRefusal, ProviderOperation } from "./ProviderOperation.ts"

/** An operation under lock, as it was before this outcome, with the columns of its subject. */
export interface LockedOperation<Subject> {
  readonly store: StoreContext
  readonly operation: ProviderOperation & Subject
  /**
   * JSON that the room stored with the operation, null where the charge was given up; undefined where it is longer than
   * `longest` characters. Only a success that comes late needs it.
   */
  readonly details: (longest: number) => Effect.Effect<unknown>
  /** The time of the transaction, in milliseconds. */
  readonly now: number
}

/**
 * `Unwanted`: the room has no use for what was done. The money of an authorization is then refunded or released. A
 * change of a charge stays done: its room asks for the opposite by an operation of its own where it wants that.
 */
export type Verdict<Result> =
  | { readonly _tag: "Accepted"; readonly result: Result }
  | { readonly _tag: "Unwanted"; readonly reason: string }

/**
 * Why an operation ended without a result for the room. `unwanted`: it was done, and what it authorized is being
 * undone.
 */
export interface OperationEnd {
  readonly state: OperationRefusal["state"] | "unwanted"
  /** What a shopper may read of it. */
  readonly code: DeclineCode
  /** For the merchant. */
  readonly reason: string
}

/**
 * `Subject`: the columns that `lock` selects. `Result`: what the room makes of a success. `InHand`: what the request
 * that began the operation has in memory and other callers must read again.
 */
export interface OutcomeHandler<Subject, Result, InHand> {
  /** `checkout`, `order`: stored with each operation. */
  readonly subjectType: string
  /**
   * A SELECT of one row that locks the subject, and whatever comes before the operation in the lock order. Its column
   * names must differ from those of an operation.
   */
  readonly lock: (storeId: string, subjectId: string) => Statement.Fragment
  /**
   * The provider has done it; for an authorization: the money is captured, reserved or on its way. Not called again
   * once the room has accepted it. Without `inHand` the outcome came late.
   */
  readonly succeeded: (
    locked: LockedOperation<Subject>,
    charge: Charge,
    inHand?: InHand
  ) => Effect.Effect<Verdict<Result>>
  /** The operation was under way and is over without a result: what the room kept for it is released. */
  readonly ended: (locked: LockedOperation<Subject>, end: OperationEnd) => Effect.Effect<void>
  /** For rooms that authorize. */
  readonly charges?: ChargeHandler<Subject>
}

export interface ChargeHandler<Subject> {
  /** Until when to wait for an outcome, in milliseconds: after that the charge is voided, or its money refunded. */
  readonly deadline: (store: StoreContext, operation: ProviderOperation) => number
  /** All of the unwanted money is refunded. Called in the transaction that records it. */
  readonly refunded: (storeId: string, operation: ProviderOperation) => Effect.Effect<void>
  /**
   * The provider was looked at again, after the charge was accepted: the room brings what the charge has paid for to
   * what the provider has now, up or down. `failed` and `voided`: no money is to come any more. Called in the
   * transaction that records it; may be repeated.
   */
  readonly followed: (locked: LockedOperation<Subject>, charge: Charge) => Effect.Effect<void>
}

/** A handler whose types only the handler itself knows. */
export type AnyOutcomeHandler = OutcomeHandler<never, unknown, never>

/**
 * Handlers of subjects that no room of this release has, one for each kind of subject. None by default. Read once, when
 * the application is built.
 */
const further: ReadonlyArray<Effect.Effect<AnyOutcomeHandler, never, Database>> = []
export const FurtherOutcomeHandlers: Context.Reference<typeof further> = Context.Reference(
  "@effect-commerce/core/charge/FurtherOutcomeHandlers",
  { defaultValue: () => further }
)

/** Every handler of the application. */
export class OutcomeHandlers extends Context.Service<OutcomeHandlers, ReadonlyArray<AnyOutcomeHandler>>()(
  "@effect-commerce/core/charge/OutcomeHandlers"
) {}

/** One handler for each kind of subject. */
export const handlersByType = Effect.fnUntraced(function* (handlers: ReadonlyArray<AnyOutcomeHandler>) {
  const found = new Map<string, AnyOutcomeHandler>()
  for (const handler of handlers) {
    if (found.has(handler.subjectType))
      return yield* Effect.die(new Error(`Two outcome handlers are registered for a ${handler.subjectType}`))
    found.set(handler.subjectType, handler)
  }
  return found
})
