/**
 * The port to the charges that providers have open for orders.
 *
 * What it decides: that a provider is told to let go of what it was to take. When it is called: inside the transaction
 * that records money which came some other way, before the order is locked (`lock`) and after it is written (`letGo`);
 * the provider itself is called later, by a worker. How it differs from its neighbour: PaymentProvider moves money;
 * this only notes that a charge is not wanted any more. What the default does: there is none; the checkout room, which
 * knows the charges, provides it.
 */
import { Context, type Effect } from "effect"

export interface OpenChargesMethods {
  /** Locks the charge that made the order of this checkout: it comes before the order in the order of locks. */
  readonly lock: (storeId: string, checkoutId: string) => Effect.Effect<void>
  /** Of this charge, named by its id at the provider, nothing more is wanted. */
  readonly letGo: (storeId: string, checkoutId: string, externalId: string, now: Date) => Effect.Effect<void>
}

export class OpenCharges extends Context.Service<OpenCharges, OpenChargesMethods>()(
  "@effect-commerce/core/order/OpenCharges"
) {}
