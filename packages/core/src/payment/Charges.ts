/** Charges that were made for a subject, for rooms whose money they are. A charge is its successful authorization. */
import { Context, Effect, Layer } from "effect"
import type { ProviderOperation } from "./ProviderOperation.ts"
import { ProviderOperationRepository } from "./ProviderOperationRepository.ts"

export interface ChargesMethods {
  /** By its id at the provider. `subjectId` is what it was authorized for: the checkout of an order. */
  readonly find: (
    storeId: string,
    subjectId: string,
    externalId: string
  ) => Effect.Effect<ProviderOperation | undefined>
  /** Locks the charges of a subject. They come before the order in the order of locks. */
  readonly lock: (storeId: string, subjectId: string) => Effect.Effect<void>
  /**
   * Nothing more is wanted of this charge, in the transaction that says why. The recovery worker voids what is left of
   * it later.
   */
  readonly release: (storeId: string, subjectId: string, externalId: string, now: Date) => Effect.Effect<void>
}

export class Charges extends Context.Service<Charges, ChargesMethods>()("@effect-commerce/core/payment/Charges") {
  static readonly layer = Layer.effect(
    Charges,
    Effect.map(ProviderOperationRepository, ({ findCharge, lockCharges, releaseCharge }) =>
      Charges.of({ find: findCharge, lock: lockCharges, release: releaseCharge })
    )
  ).pipe(Layer.provide(ProviderOperationRepository.layer))
}
