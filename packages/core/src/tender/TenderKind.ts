/**
 * The port to what pays for a part of an order before a payment provider is asked: a gift card, loyalty points.
 *
 * What it decides: whether a source (one gift card, one account of points) still has an amount, and who has it. When
 * it is called: inside the transactions of a completion, after the stock. T1 holds, T2 spends, and `release` ends what
 * was held for a completion that came to nothing; without a payment provider, the one transaction spends. How it
 * differs from its neighbours: an AdjustmentSource proposes a tender for a quote and keeps nothing back; a
 * PaymentProvider moves money over a network, and this calls nobody. What the default does: there is no kind, and a
 * completion costs nothing for it.
 *
 * Each method locks the rows of its source before it reads them. It is called for one source after another, in the
 * order of kind and source.
 */
import type { Effect } from "effect"
import type { StoreContext } from "../store/StoreContext.ts"
import type { TenderShort } from "./TenderErrors.ts"

/** An amount of one source, for one checkout. */
export interface TenderClaim {
  /** The checkout. */
  readonly holderId: string
  readonly sourceId: string
  /** Minor units of `currency`, more than 0. */
  readonly amount: bigint
  readonly currency: string
  readonly now: Date
}

export interface TenderHold extends TenderClaim {
  /** The hold ends by itself at this time: others may have the amount from then on. */
  readonly until: Date
}

export interface TenderSpending extends TenderClaim {
  readonly orderId: string
}

export interface TenderKind {
  /** Unique, and the kind of the tenders that its AdjustmentSource proposes. */
  readonly kind: string
  /** Sets what the checkout holds of the source to exactly this. Fails where the rest is spent, or held by others. */
  readonly hold: (store: StoreContext, hold: TenderHold) => Effect.Effect<void, TenderShort>
  /**
   * Takes the amount for good, from what the checkout holds and from what is free, and ends the hold. It has to check
   * again: the hold may have lapsed, or never been made. Called once for each order and source.
   */
  readonly spend: (store: StoreContext, spending: TenderSpending) => Effect.Effect<void, TenderShort>
  /** Ends everything that the checkout holds. May be repeated. */
  readonly release: (store: StoreContext, holderId: string) => Effect.Effect<void>
}
