/**
 * What an order takes besides goods, and in which order it is taken. Everything is authorised before anything is
 * captured: T1 (the transaction before a payment provider is called) holds the claims, one after another; then one
 * charge is asked of the provider for the rest; T2 (the transaction after it) spends them and places the order. When
 * the charge comes to nothing, the claims are released; when a claim does, the charge is refunded. There is one charge:
 * of several, each would have to be authorised before the first is captured. Pure.
 */
import { type Adjustment, manualKinds } from "../pricing/Adjustment.ts"

export interface ClaimPart {
  readonly kind: string
  readonly sourceId: string
  /** Minor units; 0 for a use of a rule or a coupon. */
  readonly amount: bigint
  /** What shoppers call the source. */
  readonly name: string
  /** It pays for a part of the order. */
  readonly isTender: boolean
}

/** An order as it was drafted. A payment with a reference is a tender; the other one is the rest. */
export interface Drafted {
  readonly id: string
  readonly checkoutId: string | null
  readonly customerId: string | null
  readonly currency: string
  readonly totalAmount: bigint
  readonly capturedAmount: bigint
  readonly payments: ReadonlyArray<{
    readonly provider: string
    readonly reference: string | null
    readonly amount: bigint
  }>
  readonly adjustments: ReadonlyArray<Pick<Adjustment, "kind" | "sourceId" | "part" | "reason">>
}

/** What the provider is asked for, in minor units; 0 where no provider is called. */
export const chargeOf = ({ totalAmount, capturedAmount }: Pick<Drafted, "totalAmount" | "capturedAmount">): bigint =>
  totalAmount - capturedAmount

const discountParts: ReadonlyArray<Adjustment["part"]> = ["rule_discount", "discount", "shipping_discount"]

/**
 * The claims of a drafted order: its tenders, and one use of each rule and coupon that took something off. Sorted by
 * kind and source, each source once: the order in which their locks are taken. The draft keeps what the shopper has
 * agreed to: late money spends these tenders, whatever a quote says by then.
 */
export const claimsOf = ({ payments, adjustments }: Pick<Drafted, "payments" | "adjustments">) => {
  const claims = new Map<string, ClaimPart>()
  for (const { provider: kind, reference: sourceId, amount } of payments) {
    if (sourceId === null) continue
    const key = JSON.stringify([kind, sourceId])
    const sum = amount + (claims.get(key)?.amount ?? 0n)
    claims.set(key, { kind, sourceId, amount: sum, name: kind, isTender: true })
  }
  for (const { kind, sourceId, part, reason } of adjustments) {
    if (kind === manualKinds.discount || !discountParts.includes(part)) continue
    claims.set(JSON.stringify([kind, sourceId]), {
      kind,
      sourceId,
      amount: 0n,
      name: reason ?? kind,
      isTender: false
    })
  }
  return [...claims.values()].sort(byKindAndSource)
}

/** The order in which the sources of claims are locked. */
export const byKindAndSource = (
  a: Pick<ClaimPart, "kind" | "sourceId">,
  b: Pick<ClaimPart, "kind" | "sourceId">
): number => (a.kind === b.kind ? compare(a.sourceId, b.sourceId) : compare(a.kind, b.kind))

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
