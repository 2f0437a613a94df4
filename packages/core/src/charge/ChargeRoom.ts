/**
 * The services of the charge room: charges of subjects, and the operations, which need the rooms they are for.
 */
import { Layer } from "effect"
import type { Room } from "../database/Room.ts"
import { ChargeLooks } from "./ChargeLooks.ts"
import { chargeLaws } from "./chargeLaws.ts"
import { Charges } from "./Charges.ts"
import { NeglectedPayments } from "./NeglectedPayments.ts"
import { OperationOutcomes } from "./OperationOutcomes.ts"
import { PaymentRecovery } from "./PaymentRecovery.ts"
import { ProviderOperations } from "./ProviderOperations.ts"

export const chargeRoom = {
  layer: Charges.layer,
  laws: chargeLaws
} as const satisfies Room

/** Needs every `OutcomeHandler` of the application. */
export const chargeOperations = Layer.mergeAll(ProviderOperations.layer, PaymentRecovery.layer).pipe(
  Layer.provideMerge(ChargeLooks.layer),
  Layer.provideMerge(OperationOutcomes.layer),
  Layer.provideMerge(NeglectedPayments.layer)
)
