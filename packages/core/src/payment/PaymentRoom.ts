/**
 * The services of the payment room: its providers and charges, and the operations, which need the rooms they are for.
 */
import { Layer } from "effect"
import type { Room } from "../database/Room.ts"
import { Charges } from "./Charges.ts"
import { OpenCharges } from "./OpenCharges.ts"
import { OperationOutcomes } from "./OperationOutcomes.ts"
import { PaymentNotices } from "./PaymentNotices.ts"
import { PaymentProviders } from "./PaymentProviders.ts"
import { PaymentRecovery } from "./PaymentRecovery.ts"
import { ProviderOperations } from "./ProviderOperations.ts"
import { TestProvider } from "./TestProvider.ts"
import { paymentLaws } from "./paymentLaws.ts"

export const paymentRoom = {
  layer: Layer.merge(PaymentProviders.layer, Charges.layer).pipe(Layer.provideMerge(TestProvider.layer)),
  laws: paymentLaws
} as const satisfies Room

/** Needs every `OutcomeHandler` of the application. */
export const paymentOperations = Layer.mergeAll(
  ProviderOperations.layer,
  PaymentRecovery.layer,
  OpenCharges.layer
).pipe(Layer.provideMerge(PaymentNotices.layer), Layer.provideMerge(OperationOutcomes.layer))
