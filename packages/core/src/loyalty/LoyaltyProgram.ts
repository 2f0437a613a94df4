/**
 * The loyalty programme of a store: how points are earned, what they are worth, when they expire. A store that has
 * never stated one has a disabled default.
 */
import { Effect, Schema } from "effect"
import { currencyExponent } from "../kernel/Currency.ts"
import { blankProblem, type FieldErrors, longProblem, problemsOf, wholeProblem } from "../kernel/FieldErrors.ts"
import { type FieldRejected, rejectFields } from "../kernel/FieldRejected.ts"
import {
  arrayOf,
  boolean,
  clearable,
  Decimal,
  described,
  integer,
  money,
  nullableInteger,
  number,
  oneOf,
  optional,
  string,
  timestamp
} from "../kernel/Fields.ts"
import { formatMoney, parseAmount } from "../kernel/Money.ts"
import { type EarningRule, type EarningTier, maxPoints, multiplierUnit } from "./LoyaltyPoints.ts"

export interface LoyaltyProgramState extends EarningRule {
  /** The currency of its amounts: while it is enabled, that of the store. */
  readonly currency: string
  readonly isEnabled: boolean
  /** What one point pays, in minor units. */
  readonly redeemRate: bigint
  /** The fewest points that can be spent at once. */
  readonly minRedeem: bigint
  /** Null: points do not expire. */
  readonly expiryDays: number | null
  /** What a referrer and the customer they brought get for that customer's first paid order. */
  readonly referralPoints: bigint
  readonly createdAt: Date
  readonly updatedAt: Date
}

const sentences = {
  isEnabled: "Whether orders earn points and points can be spent.",
  pointsPerUnit: "Points that are earned for each full `currencyUnit`.",
  currencyUnit: "The amount, in the store's currency, for which `pointsPerUnit` points are earned.",
  redeemRate: "What one point pays, in the store's currency.",
  minRedeem: "The fewest points that can be spent at once.",
  expiryDays: "After how many days points expire that were not spent; null is never.",
  tiers:
    "Tiers by rising threshold. A customer is in the highest tier whose threshold they have reached by points earned " +
    "in all, and earns by its multiplier.",
  referralPoints:
    "Points that a customer and the one who referred them get when the new customer's first order is paid; 0 is none.",
  earnOn: "When an order earns its points: as soon as it is paid."
}
const tierSentences = {
  name: "Name of the tier, unique in the programme.",
  threshold: "Points earned in all from which a customer is in the tier.",
  multiplier: "How many times the points of an order are earned, up to 100 with four decimal places."
}

const TierView = Schema.Struct({
  name: string(tierSentences.name, "Gold"),
  threshold: integer(tierSentences.threshold, 1_000),
  multiplier: number(tierSentences.multiplier, 1.5)
}).annotate({ identifier: "LoyaltyTier", description: "A tier of a loyalty programme." })

/** What shoppers see of it. */
export const ShownProgram = Schema.Struct({
  isEnabled: boolean(sentences.isEnabled, true),
  pointsPerUnit: integer(sentences.pointsPerUnit, 1),
  currencyUnit: money(sentences.currencyUnit, "1.00"),
  redeemRate: money(sentences.redeemRate, "0.01"),
  minRedeem: integer(sentences.minRedeem, 100),
  expiryDays: nullableInteger(sentences.expiryDays, 365),
  tiers: arrayOf(TierView, sentences.tiers),
  earnOn: oneOf(["PAID"], sentences.earnOn),
  referralPoints: integer(sentences.referralPoints, 500),
  currency: string("ISO 4217 currency of the amounts: that of the store.", "USD")
}).annotate({ identifier: "ShownLoyaltyProgram", description: "A loyalty programme as shoppers see it." })

export const LoyaltyProgram = Schema.Struct({
  ...ShownProgram.fields,
  createdAt: timestamp("When it was first stated; before that, when the store was created."),
  updatedAt: timestamp("When it last changed. It is the version that If-Match names.")
}).annotate({ identifier: "LoyaltyProgram", description: "How customers of a store earn and spend points." })
export type LoyaltyProgram = typeof LoyaltyProgram.Type

const TierInput = Schema.Struct({
  name: described(Schema.String, tierSentences.name, "Gold"),
  threshold: described(Schema.Finite, tierSentences.threshold, 1_000),
  multiplier: described(Decimal, tierSentences.multiplier, 1.5)
}).annotate({ identifier: "LoyaltyTierInput", description: "A tier of a loyalty programme." })

/** Absent leaves a field as it is. */
export const LoyaltyProgramInput = Schema.Struct({
  isEnabled: optional(Schema.Boolean, sentences.isEnabled, true),
  pointsPerUnit: optional(Schema.Finite, `${sentences.pointsPerUnit} From 1 to 1,000,000.`, 1),
  currencyUnit: optional(Decimal, sentences.currencyUnit, "1.00"),
  redeemRate: optional(Decimal, sentences.redeemRate, "0.01"),
  minRedeem: optional(Schema.Finite, sentences.minRedeem, 100),
  expiryDays: clearable(Schema.Finite, `${sentences.expiryDays} At most 36,500.`, 365),
  tiers: optional(Schema.Array(TierInput), `${sentences.tiers} At most 20; a list out of order is an error.`),
  earnOn: optional(Schema.Literals(["PAID"]), sentences.earnOn, "PAID"),
  referralPoints: optional(Schema.Finite, sentences.referralPoints, 500)
}).annotate({
  identifier: "SetLoyaltyProgram",
  description: "A loyalty programme to set. An absent field stays as it is; at first it has its default."
})
export type LoyaltyProgramInput = typeof LoyaltyProgramInput.Type

/** Disabled; enabled as it is, it gives back 1 % of what is spent. */
export const defaultProgram = (currency: string, at: Date): LoyaltyProgramState => {
  const point = 10n ** BigInt(Math.max(0, currencyExponent(currency) - 2))
  return {
    currency,
    isEnabled: false,
    pointsPerUnit: 1n,
    currencyUnit: 100n * point,
    redeemRate: point,
    minRedeem: 0n,
    expiryDays: null,
    tiers: [],
    referralPoints: 0n,
    createdAt: at,
    updatedAt: at
  }
}

/**
 * The programme in the store's currency, which may have changed while it was disabled: what was stated in another
 * currency is the default again.
 */
export const inCurrency = (program: LoyaltyProgramState, currency: string): LoyaltyProgramState => {
  if (program.currency === currency) return program
  const { currencyUnit, redeemRate } = defaultProgram(currency, program.createdAt)
  return { ...program, currency, currencyUnit, redeemRate }
}

const mostTiers = 20
const longestName = 100
const mostPointsPerUnit = 1_000_000
const mostDays = 36_500

/** Ten-thousandths; undefined if it is no multiplier. */
const multiplierOf = (given: number | string): number | undefined => {
  const [, whole, fraction = ""] = /^(\d{1,3})(?:\.(\d{1,4}))?$/.exec(String(given)) ?? []
  if (whole === undefined) return undefined
  const parts = Number(whole) * Number(multiplierUnit) + Number(fraction.padEnd(4, "0"))
  return parts > 0 && parts <= 100 * Number(multiplierUnit) ? parts : undefined
}

type TierGiven = typeof TierInput.Type

const tierProblem =
  (tiers: ReadonlyArray<TierGiven>) =>
  (tier: TierGiven, i: number): FieldErrors => {
    const before = tiers[i - 1]
    const isOutOfOrder = before !== undefined && tier.threshold <= before.threshold
    const isRepeated = tiers.slice(0, i).some(({ name }) => name.trim() === tier.name.trim())
    return problemsOf({
      name:
        blankProblem(tier.name) ??
        longProblem(tier.name, longestName) ??
        (isRepeated ? "is the name of another tier" : undefined),
      threshold:
        wholeProblem(tier.threshold, 0, Number(maxPoints)) ??
        (isOutOfOrder ? "must be more than that of the tier before it" : undefined),
      multiplier:
        multiplierOf(tier.multiplier) === undefined
          ? "must be more than 0 and at most 100, with at most four decimal places"
          : undefined
    })
  }

const tierProblems = (tiers: ReadonlyArray<TierGiven> | undefined): FieldErrors => {
  if (tiers === undefined) return {}
  if (tiers.length > mostTiers) return { tiers: `must have at most ${mostTiers} items` }
  const check = tierProblem(tiers)
  return Object.fromEntries(
    tiers.flatMap((tier, i) => Object.entries(check(tier, i)).map(([field, why]) => [`tiers.${i}.${field}`, why]))
  )
}

const amountProblem = (given: number | string | undefined, currency: string): string | undefined => {
  if (given === undefined) return undefined
  const minor = parseAmount(given, currency)
  if (typeof minor !== "bigint") return minor.message
  return minor === 0n ? "must be more than zero" : undefined
}

const amountOf = (given: number | string | undefined, currency: string, current: bigint): bigint => {
  const minor = given === undefined ? current : parseAmount(given, currency)
  return typeof minor === "bigint" ? minor : current
}

const pointsOf = (given: number | undefined, current: bigint): bigint => (given === undefined ? current : BigInt(given))

/** The programme after these changes, or every field that is wrong. */
export const changeProgram = (
  current: LoyaltyProgramState,
  input: LoyaltyProgramInput,
  at: Date
): Effect.Effect<LoyaltyProgramState, FieldRejected> =>
  Effect.map(
    rejectFields({
      ...problemsOf({
        pointsPerUnit: wholeProblem(input.pointsPerUnit, 1, mostPointsPerUnit),
        currencyUnit: amountProblem(input.currencyUnit, current.currency),
        redeemRate: amountProblem(input.redeemRate, current.currency),
        minRedeem: wholeProblem(input.minRedeem, 0, Number(maxPoints)),
        expiryDays: wholeProblem(input.expiryDays, 1, mostDays)
      }),
      ...tierProblems(input.tiers),
      ...problemsOf({ referralPoints: wholeProblem(input.referralPoints, 0, Number(maxPoints)) })
    }),
    () => ({
      ...current,
      isEnabled: input.isEnabled ?? current.isEnabled,
      pointsPerUnit: pointsOf(input.pointsPerUnit, current.pointsPerUnit),
      currencyUnit: amountOf(input.currencyUnit, current.currency, current.currencyUnit),
      redeemRate: amountOf(input.redeemRate, current.currency, current.redeemRate),
      minRedeem: pointsOf(input.minRedeem, current.minRedeem),
      expiryDays: input.expiryDays === undefined ? current.expiryDays : input.expiryDays,
      tiers: input.tiers === undefined ? current.tiers : input.tiers.map(storedTier),
      referralPoints: pointsOf(input.referralPoints, current.referralPoints),
      updatedAt: at
    })
  )

const storedTier = ({ name, threshold, multiplier }: TierGiven): EarningTier => ({
  name: name.trim(),
  threshold,
  multiplier: multiplierOf(multiplier) ?? Number(multiplierUnit)
})

export const toShownProgram = (program: LoyaltyProgramState): typeof ShownProgram.Type => ({
  isEnabled: program.isEnabled,
  pointsPerUnit: Number(program.pointsPerUnit),
  currencyUnit: formatMoney(program.currencyUnit, program.currency),
  redeemRate: formatMoney(program.redeemRate, program.currency),
  minRedeem: Number(program.minRedeem),
  expiryDays: program.expiryDays,
  tiers: program.tiers.map((tier) => ({ ...tier, multiplier: tier.multiplier / Number(multiplierUnit) })),
  earnOn: "PAID",
  referralPoints: Number(program.referralPoints),
  currency: program.currency
})

export const toProgramView = (program: LoyaltyProgramState): LoyaltyProgram => ({
  ...toShownProgram(program),
  createdAt: program.createdAt.toISOString(),
  updatedAt: program.updatedAt.toISOString()
})

/** When points that are added now expire; null: never. */
export const expiryAt = ({ expiryDays }: Pick<LoyaltyProgramState, "expiryDays">, now: Date): Date | null =>
  expiryDays === null ? null : new Date(now.getTime() + expiryDays * 86_400_000)
