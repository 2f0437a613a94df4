/**
 * How a promotion is worked out, read by its type from `value` and `config`: amounts and percentages arrive as numbers
 * or decimal strings and are held exactly. Reading reports every wrong field by its path; writing gives the canonical
 * JSON that is stored and returned, and that reads back as the same terms. Pure.
 */
import { Result, Schema } from "effect"
import { makeBodyKeys } from "../body/BodyKeys.ts"
import { issueWords } from "../body/IssueWords.ts"
import type { FieldErrors } from "../kernel/FieldErrors.ts"
import { Decimal, Reference } from "../kernel/Fields.ts"
import { formatMoney, parseAmount } from "../kernel/Money.ts"
import { formatRate, parseRate, type Rate } from "../kernel/Rate.ts"
import type { promotionTypes } from "../pricing/AppliedAdjustments.ts"
import { maxLineQuantity } from "../pricing/Quote.ts"
import { readTiers, type Tier, type TierInput } from "./internal/tiers.ts"

export type PromotionType = (typeof promotionTypes)[number]

export interface BuyXGetY {
  readonly type: "BUY_X_GET_Y"
  readonly buyQuantity: number
  readonly getQuantity: number
  readonly percent: Rate
  /** Whether the units are counted product by product; otherwise over all eligible lines. */
  readonly sameProducts: boolean
}

export interface Tiered {
  readonly type: "TIERED"
  /** In ascending order of what they ask for: all units, or all amounts. */
  readonly tiers: ReadonlyArray<Tier>
}

export interface FreeShipping {
  readonly type: "FREE_SHIPPING"
  /** Empty: whatever the zone. */
  readonly zoneIds: ReadonlyArray<string>
  /** Empty: whatever the rate. */
  readonly rateIds: ReadonlyArray<string>
}

/** Amounts are minor units. */
export type PromotionTerms =
  | { readonly type: "PERCENTAGE_OFF"; readonly percent: Rate }
  | { readonly type: "AMOUNT_OFF"; readonly amount: bigint }
  | BuyXGetY
  | Tiered
  | FreeShipping

export type ConfigJson = Readonly<Record<string, Schema.Json>>

export interface TermsInput {
  readonly type: PromotionType
  readonly value: number | string | null | undefined
  readonly config: unknown
}

/** Ids of zones, and of rates, in one config. */
const mostIds = 250
const mostTiers = 50

const whole = Schema.Int.pipe(
  Schema.check(
    Schema.isBetween(
      { minimum: 1, maximum: maxLineQuantity },
      { message: `must be a whole number from 1 to ${maxLineQuantity}` }
    )
  )
)
const maybe = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))
const ids = maybe(
  Schema.Array(Reference).pipe(
    Schema.check(Schema.isMaxLength(mostIds, { message: `must have at most ${mostIds} entries` }))
  )
)

const configs = {
  PERCENTAGE_OFF: Schema.Struct({}),
  AMOUNT_OFF: Schema.Struct({}),
  BUY_X_GET_Y: Schema.Struct({
    buyQuantity: whole,
    getQuantity: whole,
    getDiscountPercent: maybe(Decimal),
    sameProducts: maybe(Schema.Boolean)
  }),
  TIERED: Schema.Struct({
    tiers: Schema.Array(
      Schema.Struct({
        minQuantity: maybe(whole),
        minAmount: maybe(Decimal),
        percent: maybe(Decimal),
        amount: maybe(Decimal)
      })
    ).pipe(
      Schema.check(
        Schema.isMinLength(1, { message: "must hold at least one tier" }),
        Schema.isMaxLength(mostTiers, { message: `must have at most ${mostTiers} entries` })
      )
    )
  }),
  FREE_SHIPPING: Schema.Struct({ zoneIds: ids, rateIds: ids })
} as const

const keys = Object.fromEntries(
  Object.entries(configs).map(([type, config]) => [type, makeBodyKeys([Schema.Struct({ config })], [])])
)

type Config<T extends PromotionType> = (typeof configs)[T]["Type"]

/** The config as its schema reads it, with unknown names and wrong types as errors. */
const decoded = <T extends PromotionType>(type: T, config: unknown): Result.Result<Config<T>, FieldErrors> => {
  const raw = config ?? {}
  // A schema without fields would take any value.
  if (typeof raw !== "object" || Array.isArray(raw)) return Result.fail({ config: "must be an object" })
  const unknown = keys[type]?.({ config: raw }).errors ?? {}
  const read = Schema.decodeUnknownResult(configs[type] as Schema.Codec<Config<T>, unknown>, { errors: "all" })(raw)
  const wrong = Result.isFailure(read)
    ? [...issueWords(read.failure.issue)].map(([path, words]) => [path === "" ? "config" : `config.${path}`, words])
    : []
  const errors: FieldErrors = { ...unknown, ...Object.fromEntries(wrong) }
  return Result.isFailure(read) || Object.keys(errors).length > 0 ? Result.fail(errors) : Result.succeed(read.success)
}

const percentAt = (field: string, given: number | string): Result.Result<Rate, FieldErrors> => {
  const rate = parseRate(given)
  return "_tag" in rate ? Result.fail({ [field]: rate.message }) : Result.succeed(rate)
}

const amountAt = (field: string, given: number | string, currency: string): Result.Result<bigint, FieldErrors> => {
  const minor = parseAmount(given, currency)
  return typeof minor === "bigint" ? Result.succeed(minor) : Result.fail({ [field]: minor.message })
}

const needed = (what: string): FieldErrors => ({ value: `is needed: ${what}` })

/** Both errors where both fail. */
const both = <A, B, C>(
  a: Result.Result<A, FieldErrors>,
  b: Result.Result<B, FieldErrors>,
  make: (a: A, b: B) => C
): Result.Result<C, FieldErrors> =>
  Result.isSuccess(a) && Result.isSuccess(b)
    ? Result.succeed(make(a.success, b.success))
    : Result.fail({
        ...(Result.isFailure(a) ? a.failure : {}),
        ...(Result.isFailure(b) ? b.failure : {})
      })

/** A type that is worked out by its config takes any value that is an amount, and does not use it. */
const unusedValue = (value: TermsInput["value"], currency: string): Result.Result<undefined, FieldErrors> =>
  value === null || value === undefined
    ? Result.succeed(undefined)
    : Result.map(amountAt("value", value, currency), () => undefined)

const readBuyXGetY = (config: unknown): Result.Result<BuyXGetY, FieldErrors> =>
  Result.flatMap(
    decoded("BUY_X_GET_Y", config),
    ({ buyQuantity, getQuantity, getDiscountPercent, sameProducts }): Result.Result<BuyXGetY, FieldErrors> =>
      Result.map(percentAt("config.getDiscountPercent", getDiscountPercent ?? 100), (percent) => ({
        type: "BUY_X_GET_Y",
        buyQuantity,
        getQuantity,
        percent,
        sameProducts: sameProducts ?? true
      }))
  )

const readTiered = (config: unknown, currency: string): Result.Result<Tiered, FieldErrors> =>
  Result.flatMap(decoded("TIERED", config), ({ tiers }) =>
    Result.map(readTiers(tiers, currency), (read): Tiered => ({ type: "TIERED", tiers: read }))
  )

const readFreeShipping = (config: unknown): Result.Result<FreeShipping, FieldErrors> =>
  Result.map(decoded("FREE_SHIPPING", config), ({ zoneIds, rateIds }) => ({
    type: "FREE_SHIPPING",
    zoneIds: [...new Set(zoneIds)],
    rateIds: [...new Set(rateIds)]
  }))

/** The terms of a promotion in a store of `currency`, or what is wrong with each field. */
export const readTerms = (
  { type, value, config }: TermsInput,
  currency: string
): Result.Result<PromotionTerms, FieldErrors> => {
  switch (type) {
    case "PERCENTAGE_OFF":
      return both(
        value === null || value === undefined
          ? Result.fail(needed("a percentage from 0 to 100"))
          : percentAt("value", value),
        decoded(type, config),
        (percent) => ({ type, percent })
      )
    case "AMOUNT_OFF":
      return both(
        value === null || value === undefined
          ? Result.fail(needed("an amount in the store's currency"))
          : amountAt("value", value, currency),
        decoded(type, config),
        (amount) => ({ type, amount })
      )
    case "BUY_X_GET_Y":
      return both(unusedValue(value, currency), readBuyXGetY(config), (_, terms) => terms)
    case "TIERED":
      return both(unusedValue(value, currency), readTiered(config, currency), (_, terms) => terms)
    case "FREE_SHIPPING":
      return both(unusedValue(value, currency), readFreeShipping(config), (_, terms) => terms)
  }
}

/** What the type states: a percentage or an amount, as a decimal string; null where `config` says it. */
export const statedValue = (terms: PromotionTerms, currency: string): string | null =>
  terms.type === "PERCENTAGE_OFF"
    ? formatRate(terms.percent)
    : terms.type === "AMOUNT_OFF"
      ? formatMoney(terms.amount, currency)
      : null

const tierJson = ({ atLeast, off }: Tier, currency: string): TierInput => ({
  ...("quantity" in atLeast ? { minQuantity: atLeast.quantity } : { minAmount: formatMoney(atLeast.amount, currency) }),
  ...("percent" in off ? { percent: formatRate(off.percent) } : { amount: formatMoney(off.amount, currency) })
})

/** The canonical JSON of the config: what is stored and returned. */
export const configOf = (terms: PromotionTerms, currency: string): ConfigJson => {
  switch (terms.type) {
    case "BUY_X_GET_Y": {
      const { buyQuantity, getQuantity, percent, sameProducts } = terms
      return { buyQuantity, getQuantity, getDiscountPercent: formatRate(percent), sameProducts }
    }
    case "TIERED":
      return { tiers: terms.tiers.map((tier) => ({ ...tierJson(tier, currency) }) as ConfigJson) }
    case "FREE_SHIPPING":
      return { zoneIds: terms.zoneIds, rateIds: terms.rateIds }
    default:
      return {}
  }
}

/** Each id of a zone or a rate that it names, with the path of its field. */
export const namedInConfig = (terms: PromotionTerms) =>
  terms.type === "FREE_SHIPPING"
    ? {
        zones: terms.zoneIds.map((id, i) => [`config.zoneIds.${i}`, id] as const),
        rates: terms.rateIds.map((id, i) => [`config.rateIds.${i}`, id] as const)
      }
    : { zones: [], rates: [] }
