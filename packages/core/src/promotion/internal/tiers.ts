/** The tiers of a TIERED promotion: read, checked, and which of them a number of units or an amount reaches. Pure. */
import { Result } from "effect"
import { type FieldErrors, problemsOf } from "../../kernel/FieldErrors.ts"
import { parseAmount } from "../../kernel/Money.ts"
import { parseRate, type Rate } from "../../kernel/Rate.ts"

export interface TierInput {
  readonly minQuantity?: number | null
  readonly minAmount?: number | string | null
  readonly percent?: number | string | null
  readonly amount?: number | string | null
}

/** Units, or minor units, of all eligible lines together. */
type Threshold = { readonly quantity: number } | { readonly amount: bigint }

/** A percentage of all eligible lines, or minor units off them. */
export type Reduction = { readonly percent: Rate } | { readonly amount: bigint }

export interface Tier {
  readonly atLeast: Threshold
  readonly off: Reduction
}

const has = (given: unknown): boolean => given !== undefined && given !== null

const oneOfProblem = (tier: TierInput, a: keyof TierInput, b: keyof TierInput): string | undefined =>
  has(tier[a]) === has(tier[b]) ? `must have either ${a} or ${b}` : undefined

const rateProblem = (given: TierInput["percent"]): string | undefined => {
  const rate = has(given) ? parseRate(given) : undefined
  return rate !== undefined && "_tag" in rate ? rate.message : undefined
}

const amountProblem = (given: TierInput["amount"], currency: string): string | undefined => {
  const minor = has(given) ? parseAmount(given, currency) : undefined
  return minor !== undefined && typeof minor !== "bigint" ? minor.message : undefined
}

const problemsAt = (tier: TierInput, i: number, currency: string): FieldErrors => {
  const at = `config.tiers.${i}`
  const kinds = oneOfProblem(tier, "minQuantity", "minAmount") ?? oneOfProblem(tier, "percent", "amount")
  return problemsOf({
    [at]: kinds,
    [`${at}.minAmount`]: amountProblem(tier.minAmount, currency),
    [`${at}.percent`]: rateProblem(tier.percent),
    [`${at}.amount`]: amountProblem(tier.amount, currency)
  })
}

const minorOf = (given: number | string | null | undefined, currency: string): bigint => {
  const minor = parseAmount(given, currency)
  return typeof minor === "bigint" ? minor : 0n
}

const tierOf = (tier: TierInput, currency: string): Tier => {
  const { minQuantity, minAmount, percent, amount } = tier
  const rate = parseRate(percent)
  return {
    atLeast: typeof minQuantity === "number" ? { quantity: minQuantity } : { amount: minorOf(minAmount, currency) },
    off: "_tag" in rate ? { amount: minorOf(amount, currency) } : { percent: rate }
  }
}

/** Whether the second asks for more than the first, of the same kind. */
const follows = (one: Threshold, other: Threshold): boolean =>
  "quantity" in one
    ? "quantity" in other && other.quantity > one.quantity
    : "amount" in other && other.amount > one.amount

const orderProblems = (tiers: ReadonlyArray<Tier>): FieldErrors =>
  problemsOf(
    Object.fromEntries(
      tiers.slice(1).map(({ atLeast }, i) => {
        const before = tiers[i]
        const isLater = before === undefined || follows(before.atLeast, atLeast)
        return [`config.tiers.${i + 1}`, isLater ? undefined : "must ask for more than the tier before it, in kind"]
      })
    )
  )

/** Each tier asks for units or for an amount, all for the same, each for more than the one before. */
export const readTiers = (
  inputs: ReadonlyArray<TierInput>,
  currency: string
): Result.Result<ReadonlyArray<Tier>, FieldErrors> => {
  const errors: FieldErrors = Object.assign({}, ...inputs.map((tier, i) => problemsAt(tier, i, currency)))
  if (Object.keys(errors).length > 0) return Result.fail(errors)
  const tiers = inputs.map((tier) => tierOf(tier, currency))
  const disorder = orderProblems(tiers)
  return Object.keys(disorder).length > 0 ? Result.fail(disorder) : Result.succeed(tiers)
}

/** What a cart has of the eligible lines. */
export interface Reach {
  readonly quantity: number
  readonly amount: bigint
}

const isReached = (atLeast: Threshold, { quantity, amount }: Reach): boolean =>
  "quantity" in atLeast ? quantity >= atLeast.quantity : amount >= atLeast.amount

/** The highest tier that is reached; undefined where none is. */
export const reachedTier = (tiers: ReadonlyArray<Tier>, reach: Reach): Tier | undefined =>
  tiers.findLast(({ atLeast }) => isReached(atLeast, reach))
