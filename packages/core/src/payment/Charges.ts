/** Charges that were made for a subject, for rooms whose money they are. A charge is its successful authorization. */
import { Context, Effect, Layer } from "effect"
import { ProviderOperationRepository } from "./ProviderOperationRepository.ts"

export class Charges extends Context.Service<Charges>()("@effect-commerce/core/payment/Charges", {
  make: Effect.map(ProviderOperationRepository, ({ findCharge, lockCharges, releaseCharge }) => ({
    /** By its id at the provider. `subjectId` is what it was authorized for: the checkout of an order. */
    find: findCharge,
    /** Locks the charges of a subject. They come before the order in the order of locks. */
    lock: lockCharges,
    /**
     * Nothing more is wanted of this charge, in the transaction that says why. The recovery worker voids what is left
     * of it later.
     */
    release: releaseCharge
  }))
}) {
  static readonly layer = Layer.effect(Charges, Charges.make).pipe(Layer.provide(ProviderOperationRepository.layer))
}
