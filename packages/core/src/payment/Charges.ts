/**
 * Charges of a subject, for the rooms whose money they are. A charge is represented by its successful authorization.
 */
import { Context, Effect, Layer } from "effect"
import { ProviderOperationRepository } from "./ProviderOperationRepository.ts"

export class Charges extends Context.Service<Charges>()("@effect-commerce/core/payment/Charges", {
  make: Effect.map(ProviderOperationRepository, ({ findCharge, lockCharges, releaseCharge }) => ({
    /** By its id at the provider. `subjectId` is what it was authorized for: the checkout of an order. */
    find: findCharge,
    /** Locks the charges of a subject. In the lock order they come before the order. */
    lock: lockCharges,
    /**
     * Marks the charge as needing no further capture, in the transaction that decides it. The recovery worker voids the
     * uncaptured rest later.
     */
    release: releaseCharge
  }))
}) {
  static readonly layer = Layer.effect(Charges, Charges.make).pipe(Layer.provide(ProviderOperationRepository.layer))
}
