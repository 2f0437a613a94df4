/**
 * The `rateConfig` of a shipping rate, read by the rate's type: amounts arrive as numbers or decimal strings and are
 * held in minor units of the store's currency. Reading reports every wrong field by its path; writing gives the
 * canonical JSON (amounts as decimal strings) that is stored and returned. Fields that a type does not have are errors
 * in a body (`unknownInRateConfig`), and are dropped from a stored config.
 */
import { Effect, Result, Schema, SchemaIssue, SchemaTransformation } from "effect"
import { makeBodyKeys } from "../body/BodyKeys.ts"
import { issueWords } from "../body/IssueWords.ts"
import { blankProblem } from "../kernel/FieldErrors.ts"
import { formatMoney, parseAmount } from "../kernel/Money.ts"
import { readWeight, WEIGHT_UNITS, type WeightUnit } from "./Weight.ts"

export const RATE_TYPES = ["FLAT", "FREE", "BY_WEIGHT", "BY_PRICE", "BY_ITEM", "PICKUP"] as const
export type RateType = (typeof RATE_TYPES)[number]

/** `upTo` is inclusive; null, on the last tier, means no limit. `attograms` is the same limit, exact. */
export interface WeightTier {
  readonly upTo: string | number | null
  readonly attograms: bigint | null
  readonly amount: bigint
}

/** `from` is inclusive, in minor units. */
export interface PriceTier {
  readonly from: bigint
  readonly amount: bigint
}

const OptionalText = Schema.optional(Schema.NullOr(Schema.String))

const PickupAddress = Schema.Struct({
  line1: OptionalText,
  line2: OptionalText,
  city: OptionalText,
  region: OptionalText,
  postalCode: OptionalText,
  country: OptionalText
})

/** Where parcels are picked up. `hours` is free text or whatever JSON the merchant's storefront shows. */
export const PickupPlace = Schema.Struct({
  name: Schema.String.check(Schema.makeFilter((name) => blankProblem(name) ?? true)),
  address: Schema.optional(Schema.NullOr(PickupAddress)),
  phone: OptionalText,
  hours: Schema.optional(Schema.Json),
  instructions: OptionalText
})
export type PickupPlace = typeof PickupPlace.Type

/** Tiers are in ascending order, whatever the order they came in. All amounts are minor units. */
export type RateConfig =
  | { readonly type: "FLAT"; readonly amount: bigint }
  | { readonly type: "FREE" }
  | { readonly type: "BY_WEIGHT"; readonly unit: WeightUnit; readonly tiers: ReadonlyArray<WeightTier> }
  | { readonly type: "BY_PRICE"; readonly tiers: ReadonlyArray<PriceTier> }
  | { readonly type: "BY_ITEM"; readonly base: bigint; readonly perItem: bigint }
  | { readonly type: "PICKUP"; readonly amount: bigint; readonly location: PickupPlace }

/** Field path to sentence, e.g. `rateConfig.tiers.0.amount` -> "EUR has 2 fraction digits". */
export type RateConfigErrors = Readonly<Record<string, string>>

/** An amount in major units, number or decimal string, not negative, as minor units of the currency. */
const amountIn = (currency: string) =>
  Schema.Unknown.pipe(
    Schema.decodeTo(
      Schema.BigInt,
      SchemaTransformation.transformEffect({
        decode: (input: unknown) => {
          const minor = parseAmount(input, currency)
          return typeof minor === "bigint"
            ? Effect.succeed(minor)
            : Effect.fail(new SchemaIssue.InvalidValue({ message: minor.message }, input))
        },
        encode: (minor: bigint) => Effect.succeed<unknown>(formatMoney(minor, currency))
      })
    )
  )

const schemasOf = (currency: string) => {
  const Amount = amountIn(currency)
  const orZero = Amount.pipe(Schema.withDecodingDefaultKey(Effect.succeed<unknown>("0")))
  const upTo = Schema.NullOr(Schema.Union([Schema.String, Schema.Finite]))
  const tiers = <S extends Schema.Top>(tier: S) =>
    Schema.Array(tier).check(Schema.isMinLength(1, { message: "must hold at least one tier" }))
  return {
    FLAT: Schema.Struct({ amount: Amount }).annotate({ identifier: "FlatRate" }),
    FREE: Schema.Struct({}).annotate({ identifier: "FreeRate" }),
    BY_WEIGHT: Schema.Struct({
      unit: Schema.Literals(WEIGHT_UNITS),
      tiers: tiers(Schema.Struct({ upTo, amount: Amount }).annotate({ identifier: "WeightTier" }))
    }).annotate({ identifier: "RateByWeight" }),
    BY_PRICE: Schema.Struct({
      tiers: tiers(Schema.Struct({ from: Amount, amount: Amount }).annotate({ identifier: "PriceTier" }))
    }).annotate({ identifier: "RateByPrice" }),
    BY_ITEM: Schema.Struct({ base: orZero, perItem: Amount }).annotate({ identifier: "RateByItem" }),
    PICKUP: Schema.Struct({ amount: orZero, location: PickupPlace.annotate({ identifier: "PickupPlace" }) }).annotate({
      identifier: "PickupRate"
    }),
    classCosts: Schema.Record(Schema.String, Amount)
  }
}

const compiled = new Map<string, ReturnType<typeof schemasOf>>()

/** One set of schemas per currency, of which there are fewer than two hundred. */
const schemasFor = (currency: string): ReturnType<typeof schemasOf> => {
  const known = compiled.get(currency)
  if (known !== undefined) return known
  const made = schemasOf(currency)
  compiled.set(currency, made)
  return made
}

const keysOf = new Map<RateType, ReturnType<typeof makeBodyKeys>>()

/** The fields of a body's `rateConfig` that its type does not have. */
export const unknownInRateConfig = (type: RateType, rateConfig: unknown): RateConfigErrors => {
  let keys = keysOf.get(type)
  if (keys === undefined) {
    // The names are the same in every currency.
    const body = Schema.Struct({ rateConfig: schemasFor("USD")[type] })
    keys = makeBodyKeys([body], [])
    keysOf.set(type, keys)
  }
  return keys({ rateConfig }).errors
}

const errorsOf = (field: string, issue: SchemaIssue.Issue): RateConfigErrors =>
  Object.fromEntries([...issueWords(issue)].map(([path, words]) => [path === "" ? field : `${field}.${path}`, words]))

const decode = <S extends Schema.ConstraintDecoder<unknown>>(
  schema: S,
  raw: unknown,
  field: string
): Result.Result<S["Type"], RateConfigErrors> =>
  Schema.decodeUnknownResult(schema, { errors: "all" })(raw).pipe(
    Result.mapError((error) => errorsOf(field, error.issue))
  )

/** Sorts tiers by their limit (null last) and rejects limits that occur twice. */
const sortTiers = <T>(
  tiers: ReadonlyArray<T>,
  limitOf: (tier: T) => bigint | null,
  name: string
): Result.Result<ReadonlyArray<T>, RateConfigErrors> => {
  const seen = new Set<bigint | null>()
  const errors: Record<string, string> = {}
  tiers.forEach((tier, i) => {
    const limit = limitOf(tier)
    if (seen.has(limit)) errors[`rateConfig.tiers.${i}.${name}`] = "repeats the limit of an earlier tier"
    seen.add(limit)
  })
  if (Object.keys(errors).length > 0) return Result.fail(errors)
  const order = (a: bigint | null, b: bigint | null): number =>
    a === b ? 0 : a === null ? 1 : b === null ? -1 : a < b ? -1 : 1
  return Result.succeed([...tiers].sort((a, b) => order(limitOf(a), limitOf(b))))
}

const weighTiers = (
  unit: WeightUnit,
  tiers: ReadonlyArray<{ readonly upTo: string | number | null; readonly amount: bigint }>
): Result.Result<ReadonlyArray<WeightTier>, RateConfigErrors> => {
  const errors: Record<string, string> = {}
  const weighed = tiers.map(({ upTo, amount }, i) => {
    const attograms = upTo === null ? null : readWeight(upTo, unit)
    if (attograms === undefined)
      errors[`rateConfig.tiers.${i}.upTo`] = "must be a weight such as 2.5, or null for no limit"
    return { upTo, attograms: attograms ?? null, amount }
  })
  return Object.keys(errors).length > 0 ? Result.fail(errors) : sortTiers(weighed, ({ attograms }) => attograms, "upTo")
}

/**
 * Reads a `rateConfig` for a rate of `type` in a store of `currency` (ISO 4217). `base` of BY_ITEM and `amount` of
 * PICKUP default to zero. Amounts below zero, with too many digits or not decimal are rejected, each by its path.
 */
export const decodeRateConfig = (
  type: RateType,
  raw: unknown,
  currency: string
): Result.Result<RateConfig, RateConfigErrors> => {
  const schemas = schemasFor(currency)
  const field = "rateConfig"
  switch (type) {
    case "FLAT":
      return Result.map(decode(schemas.FLAT, raw, field), (config) => ({ type, ...config }))
    case "FREE":
      return Result.map(decode(schemas.FREE, raw ?? {}, field), () => ({ type }))
    case "BY_WEIGHT":
      return Result.flatMap(decode(schemas.BY_WEIGHT, raw, field), ({ unit, tiers }) =>
        Result.map(weighTiers(unit, tiers), (sorted): RateConfig => ({ type, unit, tiers: sorted }))
      )
    case "BY_PRICE":
      return Result.flatMap(decode(schemas.BY_PRICE, raw, field), ({ tiers }) =>
        Result.map(
          sortTiers(tiers, ({ from }) => from, "from"),
          (sorted): RateConfig => ({ type, tiers: sorted })
        )
      )
    case "BY_ITEM":
      return Result.map(decode(schemas.BY_ITEM, raw, field), (config) => ({ type, ...config }))
    case "PICKUP":
      return Result.map(decode(schemas.PICKUP, raw, field), (config) => ({ type, ...config }))
  }
}

/**
 * The canonical JSON of a config: what is stored in `rate_config` and returned. Reading it back gives the same config.
 */
export const encodeRateConfig = (config: RateConfig, currency: string): Readonly<Record<string, Schema.Json>> => {
  const text = (minor: bigint): string => formatMoney(minor, currency)
  switch (config.type) {
    case "FLAT":
      return { amount: text(config.amount) }
    case "FREE":
      return {}
    case "BY_WEIGHT":
      return { unit: config.unit, tiers: config.tiers.map(({ upTo, amount }) => ({ upTo, amount: text(amount) })) }
    case "BY_PRICE":
      return { tiers: config.tiers.map(({ from, amount }) => ({ from: text(from), amount: text(amount) })) }
    case "BY_ITEM":
      return { base: text(config.base), perItem: text(config.perItem) }
    case "PICKUP":
      return { amount: text(config.amount), location: JSON.parse(JSON.stringify(config.location)) }
  }
}

/** Shipping class id to amount in minor units. */
export type ClassCosts = ReadonlyMap<string, bigint>

/** Reads `classCosts`, `{ shippingClassId: amount }`; null and undefined mean no costs. */
export const decodeClassCosts = (raw: unknown, currency: string): Result.Result<ClassCosts, RateConfigErrors> =>
  Result.map(
    decode(schemasFor(currency).classCosts, raw ?? {}, "classCosts"),
    (costs) => new Map(Object.entries(costs))
  )

/** The canonical JSON of class costs, amounts as decimal strings. */
export const encodeClassCosts = (costs: ClassCosts, currency: string): Readonly<Record<string, string>> =>
  Object.fromEntries([...costs].map(([id, amount]) => [id, formatMoney(amount, currency)]))
