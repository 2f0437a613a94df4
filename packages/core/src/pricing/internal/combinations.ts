/**
 * Which discounts apply together: all that combine, or one that does not alone. Each of these sets is priced, and the
 * lowest total wins, the earlier set where two are equal. Where everything combines there is one set, and one run. The
 * number of runs has a bound, whatever a store has.
 */
import type { AdjustedBy, Miss, NotApplied } from "../Adjustment.ts"
import type { Discount } from "../AdjustmentSource.ts"
import type { PricingResult } from "../PricingResult.ts"

type Run = (discounts: ReadonlyArray<Discount>) => PricingResult

/** The discounts of a result that took something off. */
const appliedOf = (discounts: ReadonlyArray<Discount>, { adjustments }: PricingResult): ReadonlyArray<Discount> => {
  const applied = new Set(adjustments.map(({ kind, sourceId }) => `${kind} ${sourceId}`))
  return discounts.filter(({ kind, sourceId }) => applied.has(`${kind} ${sourceId}`))
}

const sourceOf = ({ kind, sourceId, name }: AdjustedBy): AdjustedBy => ({ kind, sourceId, name })

const lostTo = ({ kind, sourceId, name, code }: Discount, winners: ReadonlyArray<AdjustedBy>): NotApplied => ({
  kind,
  sourceId,
  name,
  code,
  reason: "lost",
  lostTo: winners
})

/** What an exclusive discount does alone, found without pricing the order. */
export interface AloneTaking {
  /** Minor units off the lines and the shipping. */
  readonly amount: bigint
  readonly miss: Miss | undefined
}

/** The most discounts that do not combine which are priced: those that take most off before taxes. */
export const mostCompared = 50

interface Unpriced {
  readonly discount: Discount
  readonly taking: AloneTaking
}

/** The exclusive discounts that are priced, in their order, and the others. */
const shortList = (exclusive: ReadonlyArray<Discount>, alone: (discount: Discount) => AloneTaking) => {
  if (exclusive.length <= mostCompared) return { priced: exclusive, unpriced: [] }
  const ranked = exclusive
    .map((discount, at) => ({ discount, at, taking: alone(discount) }))
    .sort((a, b) => (a.taking.amount === b.taking.amount ? a.at - b.at : a.taking.amount > b.taking.amount ? -1 : 1))
  return {
    priced: ranked
      .slice(0, mostCompared)
      .sort((a, b) => a.at - b.at)
      .map(({ discount }) => discount),
    unpriced: ranked.slice(mostCompared).sort((a, b) => a.at - b.at)
  }
}

const missOf = ({ kind, sourceId, name, code }: Discount, miss: Miss): NotApplied => ({
  kind,
  sourceId,
  name,
  code,
  ...miss,
  lostTo: []
})

/** What is said of discounts that were not priced: they lost, or lack something. */
const leftOut = (unpriced: ReadonlyArray<Unpriced>, winners: ReadonlyArray<AdjustedBy>): ReadonlyArray<NotApplied> =>
  unpriced.flatMap(({ discount, taking: { amount, miss } }) =>
    amount > 0n ? [lostTo(discount, winners)] : miss === undefined ? [] : [missOf(discount, miss)]
  )

/** `run` prices the order with these discounts. */
export const bestOf = (
  discounts: ReadonlyArray<Discount>,
  run: Run,
  alone: (discount: Discount) => AloneTaking
): PricingResult => {
  const combining = discounts.filter(({ combines }) => combines)
  const { priced, unpriced } = shortList(
    discounts.filter(({ combines }) => !combines),
    alone
  )
  const sets = [...(combining.length === 0 ? [] : [combining]), ...priced.map((discount) => [discount])]
  const [first = []] = sets
  if (sets.length < 2) return run(first)
  const options = sets.map((set) => {
    const result = run(set)
    return { result, applied: appliedOf(set, result) }
  })
  const best = options.reduce((one, other) => (other.result.total < one.result.total ? other : one))
  const winners = best.applied.map(sourceOf)
  const others = options.filter((option) => option !== best)
  const lost = others.flatMap(({ result, applied }) => [
    ...applied.map((discount) => lostTo(discount, winners)),
    ...result.notApplied
  ])
  const compared = [best, ...others].filter(({ applied }) => applied.length > 0)
  return {
    ...best.result,
    notApplied: [...best.result.notApplied, ...lost, ...leftOut(unpriced, winners)],
    alternatives:
      compared.length < 2
        ? []
        : compared.map(({ result: { total }, applied }) => ({ sources: applied.map(sourceOf), total }))
  }
}
