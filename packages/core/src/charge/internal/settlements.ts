/** What an answer of a provider makes of an operation, by the state that it has. Pure. */
import type { RootSecret } from "../../crypto/RootSecret.ts"
import { isOver, refundedOf } from "../../payment/chargeSums.ts"
import type { Charge, NextAction } from "../../payment/PaymentProvider.ts"
import { keyOf, type OperationRefusal, type OperationState, type ProviderOperation } from "../ProviderOperation.ts"
import type { Settlement } from "../ProviderOperationRepository.ts"
import { encodeAnswer } from "../StoredAnswer.ts"

/** Money may also come after an authorization ended without any. */
const beforeSuccess: ReadonlyArray<OperationState> = ["calling", "awaiting_shopper", "declined", "failed", "absent"]

const sumsOf = (charge: Charge) => ({ captured: charge.captured, refunded: refundedOf(charge) })

const purpose = "payment/next-action"
const contextOf = (storeId: string, chargeKey: string): string =>
  `${storeId}|provider_operation|next_action|${chargeKey}`

/** With it the shopper's browser can pay: it is stored sealed for its own charge. */
export const sealNextAction = (
  { seal }: RootSecret["Service"],
  storeId: string,
  chargeKey: string,
  nextAction: NextAction | null
): string | null =>
  nextAction === null ? null : seal(purpose, contextOf(storeId, chargeKey), JSON.stringify(nextAction))

export const openNextAction = (
  { open }: RootSecret["Service"],
  storeId: string,
  chargeKey: string,
  sealed: string | null
): NextAction | null =>
  sealed === null ? null : (JSON.parse(open(purpose, contextOf(storeId, chargeKey), sealed)) as NextAction)

/** Of an authorization. `was`: the state that it had when the provider was asked. */
export const chargeSettlement = (
  was: OperationState,
  charge: Charge,
  { nextAction, checkAt }: { readonly nextAction: string | null; readonly checkAt: Date | null }
): Settlement => {
  const { externalId, expiresAt } = charge
  const found = { externalId, expiresAt, answer: encodeAnswer({ _tag: "Answered", charge }), error: null }
  if (was === "succeeded")
    return { ...found, from: ["succeeded"], to: "succeeded", sums: sumsOf(charge), nextAction: null, checkAt }
  if (charge.state === "awaiting_shopper")
    return { ...found, from: ["calling", "awaiting_shopper"], to: "awaiting_shopper", sums: null, nextAction, checkAt }
  if (isOver(charge) && charge.captured === 0n)
    return {
      ...found,
      from: ["calling", "awaiting_shopper", "absent", "failed"],
      to: was === "failed" ? "failed" : "declined",
      sums: null,
      nextAction: null,
      checkAt: null,
      error: charge.reason ?? charge.state
    }
  return { ...found, from: beforeSuccess, to: "succeeded", sums: sumsOf(charge), nextAction: null, checkAt }
}

/** Of a change of a charge. A refund is found among the charge's by its key. */
export const changeSettlement = (
  operation: ProviderOperation,
  charge: Charge,
  checkAt: Date
): { readonly settlement: Settlement; readonly refusal?: OperationRefusal } => {
  const base = {
    from: ["calling", "pending"] as const,
    externalId: null,
    sums: sumsOf(charge),
    answer: encodeAnswer({ _tag: "Answered", charge }),
    error: null,
    nextAction: null,
    expiresAt: null
  }
  const status = statusOf(operation, charge)
  if (status === "pending") return { settlement: { ...base, to: "pending", checkAt } }
  if (status === "succeeded") return { settlement: { ...base, to: "succeeded", checkAt: null } }
  const refusal = { state: "failed", code: "processing_error", reason: "The provider could not do it" } as const
  return { settlement: { ...base, to: "failed", error: refusal.reason, checkAt: null }, refusal }
}

const statusOf = (operation: ProviderOperation, charge: Charge): "pending" | "succeeded" | "failed" => {
  if (operation.kind === "refund")
    return charge.refunds.find(({ key }) => key === keyOf(operation))?.status ?? "pending"
  if (operation.kind === "void") return isOver(charge) || charge.captured > 0n ? "succeeded" : "pending"
  return "succeeded"
}

/** The provider has done nothing, or not in time. */
export const refusedSettlement = (refusal: OperationRefusal, checkAt: Date | null): Settlement => ({
  from: ["calling", "awaiting_shopper", "pending"],
  to: refusal.state,
  externalId: null,
  sums: null,
  error: refusal.reason,
  answer: encodeAnswer({ _tag: "Refused", ...refusal }),
  nextAction: null,
  expiresAt: null,
  checkAt
})
