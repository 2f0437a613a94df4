/**
 * The port to what an order takes besides goods: money of a gift card, points of an account, one use of a coupon with a
 * limit.
 *
 * What it decides: whether a source (one gift card, one coupon) still has what is claimed, and who has it. When it is
 * called: inside the transactions that place an order, after the stock. T1 holds, T2 spends, and `release` ends what
 * was held for a completion that came to nothing; without a payment provider, the one transaction spends. `giveBack` is
 * called inside the transaction that records a refund or a cancellation. How it
 * differs from its neighbours: an AdjustmentSource proposes a discount or a tender for a quote and keeps nothing back;
 * a PaymentProvider moves money over a network, and this calls nobody. What the default does: the root lists the kinds
 * of the product (CommerceAdjustments), and a host may add its own (`FurtherClaimKinds`).
 *
 * Each method locks the rows of its source before it reads them. It is called for one source after another, in the
 * order of kind and source.
 */
import { Context, type Effect } from "effect"
import type { StoreContext } from "../store/StoreContext.ts"
import type { Database } from "../database/Database.ts"
import type { ClaimError } from "./ClaimErrors.ts"

/** What one order takes of one source. */
export interface Claim {
  /** The checkout; of an order without one, the order. */
  readonly holderId: string
  readonly sourceId: string
  /** Minor units of `currency`; 0 for a use of a rule or a coupon. */
  readonly amount: bigint
  readonly currency: string
  readonly customerId: string | null
  /** What shoppers call the source. */
  readonly name: string
  readonly now: Date
}

export interface ClaimHold extends Claim {
  /** The hold ends by itself at this time: others may have it from then on. */
  readonly until: Date
}

export interface ClaimSpending extends Claim {
  readonly orderId: string
}

/** What an order that was refunded or cancelled no longer takes of one source. */
export interface ClaimReturn {
  readonly orderId: string
  readonly sourceId: string
  /** Minor units of `currency`; 0 for a use of a rule or a coupon. */
  readonly amount: bigint
  readonly currency: string
  /** Why, for the ledger of the source; null where nobody has said it. */
  readonly reason: string | null
  readonly now: Date
}

export interface ClaimKind {
  /** Unique, and the kind of the tenders or discounts that its AdjustmentSource proposes. */
  readonly kind: string
  /** Sets what the checkout holds of the source to exactly this. Fails where the rest is spent, or held by others. */
  readonly hold: (store: StoreContext, hold: ClaimHold) => Effect.Effect<void, ClaimError>
  /**
   * Takes it for good, from what the checkout holds and from what is free, and ends the hold. It has to check again:
   * the hold may have lapsed, or never been made. Called once for each order and source.
   */
  readonly spend: (store: StoreContext, spending: ClaimSpending) => Effect.Effect<void, ClaimError>
  /** Ends everything that the checkout holds. May be repeated. */
  readonly release: (store: StoreContext, holderId: string) => Effect.Effect<void>
  /**
   * Gives back what the order has spent, after the order's own sums are written. It is always booked, also where the
   * source cannot be used at the moment. Returns what the merchant has to know of that; null where there is nothing.
   */
  readonly giveBack: (store: StoreContext, back: ClaimReturn) => Effect.Effect<string | null>
}

/** The kinds of the product. The root provides them. */
export class ClaimKinds extends Context.Service<ClaimKinds, ReadonlyArray<ClaimKind>>()(
  "@effect-commerce/core/claim/ClaimKinds"
) {}

const none: ReadonlyArray<Effect.Effect<ClaimKind, never, Database>> = []

/** Kinds of a host's own. Read once, when the services of the room are built. */
export const FurtherClaimKinds: Context.Reference<typeof none> = Context.Reference(
  "@effect-commerce/core/claim/FurtherClaimKinds",
  { defaultValue: () => none }
)
