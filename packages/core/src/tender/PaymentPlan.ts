/**
 * What pays for an order, and in which order it is taken. Everything is authorised before anything is captured: T1
 * (the transaction before a payment provider is called) holds the tenders, one after another; then one charge is asked
 * of the provider for the rest; T2 (the transaction after it) spends the tenders and places the order. When the charge
 * comes to nothing, the tenders are released; when a tender does, the charge is refunded. There is one charge: of
 * several, each would have to be authorised before the first is captured. Pure.
 */
import type { Tender } from "../pricing/Adjustment.ts"

export type TenderPart = Pick<Tender, "kind" | "sourceId" | "amount">

export interface PaymentPlan {
  /** Sorted by kind and source, each source once: the order in which their locks are taken. */
  readonly tenders: ReadonlyArray<TenderPart>
  /** What the provider is asked for. Minor units; 0 where no provider is called. */
  readonly charge: bigint
}

/** An order as it was drafted. A payment with a reference is a tender; the other one is the rest. */
export interface Drafted {
  readonly id: string
  readonly currency: string
  readonly totalAmount: bigint
  readonly capturedAmount: bigint
  readonly payments: ReadonlyArray<{
    readonly provider: string
    readonly reference: string | null
    readonly amount: bigint
  }>
}

/**
 * The plan of a drafted order. Its payments keep the tenders that the shopper has agreed to: late money spends these,
 * whatever a quote says by then.
 */
export const paymentPlanOf = ({
  totalAmount,
  capturedAmount,
  payments
}: Omit<Drafted, "id" | "currency">): PaymentPlan => {
  const tenders = new Map<string, TenderPart>()
  for (const { provider: kind, reference: sourceId, amount } of payments) {
    if (sourceId === null) continue
    const key = JSON.stringify([kind, sourceId])
    tenders.set(key, { kind, sourceId, amount: amount + (tenders.get(key)?.amount ?? 0n) })
  }
  return { tenders: [...tenders.values()].sort(byKindAndSource), charge: totalAmount - capturedAmount }
}

const byKindAndSource = (a: TenderPart, b: TenderPart): number =>
  a.kind === b.kind ? compare(a.sourceId, b.sourceId) : compare(a.kind, b.kind)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
