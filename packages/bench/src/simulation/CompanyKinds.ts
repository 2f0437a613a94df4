/** The payment companies of the simulation, and what its shoppers pay by. */

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000]

export interface CompanyKind {
  readonly code: string
  readonly kind: "card" | "redirect"
  readonly notices: "signed" | "unsigned"
  /** Whether it captures by itself. */
  readonly isAutomatic: boolean
  readonly keyLifetime: number
  readonly settling: number
}

export const companyKinds: ReadonlyArray<CompanyKind> = [
  { code: "sim-auto", kind: "card", notices: "signed", isAutomatic: true, keyLifetime: day, settling: 5 * second },
  { code: "sim-page", kind: "redirect", notices: "unsigned", isAutomatic: true, keyLifetime: hour, settling: minute },
  {
    code: "sim-hold",
    kind: "card",
    notices: "signed",
    isAutomatic: false,
    keyLifetime: 10 * minute,
    settling: 20 * second
  }
]

/** What a shopper's reference makes of a charge. `act`: the shopper has to confirm it first. */
export const references = ["approve", "approve", "approve", "pend", "act", "decline", "error"] as const
