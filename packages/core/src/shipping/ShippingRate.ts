/**
 * A shipping rate as it is stored and as the API returns it, the bodies of a create and an update, and their checks.
 * Amounts are minor units of the store's currency inside and decimal strings on the wire.
 */
import { Result, Schema } from "effect"
import { isCountry } from "../kernel/Country.ts"
import {
  blankProblem,
  type FieldErrors,
  longProblem,
  manyProblem,
  problemsOf,
  wholeProblem
} from "../kernel/FieldErrors.ts"
import {
  boolean,
  clearable,
  Decimal,
  described,
  nullableInteger,
  nullableMoney,
  nullableString,
  optional,
  storedAs,
  string,
  textMap,
  timestamp
} from "../kernel/Fields.ts"
import { formatMoney, parseAmount } from "../kernel/Money.ts"
import {
  decodeClassCosts,
  decodeRateConfig,
  unknownInRateConfig,
  encodeClassCosts,
  encodeRateConfig,
  RATE_TYPES,
  type RateConfig,
  type RateType
} from "./RateConfig.ts"
import { rateBounds } from "./RateBounds.ts"
import { CLASS_CALCULATION_TYPES } from "./ShippingRateCalculator.ts"

const ShippingRateType = Schema.Literals(RATE_TYPES)
const ShippingTaxStatus = Schema.Literals(["taxable", "none"])
const ShippingClassCalculation = Schema.Literals(CLASS_CALCULATION_TYPES)

type Json = Readonly<Record<string, Schema.Json>>

const rateConfigSentence =
  "How the price is made, by type. FLAT: { amount }. FREE: {}. " +
  "BY_WEIGHT: { unit (kg, lb, g, oz), tiers: [{ upTo, amount }] }, where upTo is inclusive and null means no limit. " +
  "BY_PRICE: { tiers: [{ from, amount }] }, where from is inclusive. BY_ITEM: { base, perItem }. " +
  "PICKUP: { amount, location: { name, address, phone, hours, instructions } }. Amounts are decimal strings."
const rateTypeSentence = "How the price is calculated; rateConfig has the numbers."
const classCostsSentence = "Extra cost by shipping class: id of the class to amount."
const classCalculationSentence =
  "PER_CLASS: the extra of each shipping class in the order is added once. HIGHEST: only the highest one."
const rateTaxStatusSentence = "Whether the shipping cost is taxed, at the rate of the Standard class."

/** On the wire. */
export const ShippingRate = Schema.Struct({
  id: string("Id of the shipping rate."),
  zoneId: string("The zone that the rate belongs to."),
  name: string("Name that shoppers see.", "Standard"),
  description: nullableString("A sentence that shoppers see; null without one.", "3 to 5 working days"),
  type: described(ShippingRateType, rateTypeSentence),
  rateConfig: described(Schema.Record(Schema.String, Schema.Json), rateConfigSentence, { amount: "6.90" }),
  minDeliveryDays: nullableInteger("Days until delivery, at least; null: not known.", 3),
  maxDeliveryDays: nullableInteger("Days until delivery, at most; null: not known.", 5),
  handlingTime: nullableInteger("Days until the parcel leaves; null: not known.", 1),
  taxStatus: described(ShippingTaxStatus, rateTaxStatusSentence),
  minOrderAmount: nullableMoney("The rate is offered from this value of goods on; null: always.", "50.00"),
  maxCost: nullableMoney("The price is never above this; null: no limit.", "25.00"),
  classCosts: textMap(classCostsSentence),
  classCalculationType: described(ShippingClassCalculation, classCalculationSentence),
  isActive: boolean("Whether the rate is offered."),
  platformSettings: described(Schema.Null, "Settings of another platform; always null."),
  createdAt: timestamp("When the rate was created."),
  updatedAt: timestamp("When it last changed. It is the version that If-Match names.")
}).annotate({ identifier: "ShippingRate", description: "A way to send an order within a zone, and its price." })
export type ShippingRate = typeof ShippingRate.Type

/**
 * As it is stored: amounts are minor units. `rateConfig` and `classCosts` are the canonical JSON of RateConfig.ts, with
 * amounts as decimal strings.
 */
export interface ShippingRateState
  extends Omit<ShippingRate, "minOrderAmount" | "maxCost" | "platformSettings" | "createdAt" | "updatedAt"> {
  readonly minOrderAmount: bigint | null
  readonly maxCost: bigint | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

export const toShippingRate = (state: ShippingRateState, currency: string): ShippingRate => ({
  ...state,
  minOrderAmount: state.minOrderAmount === null ? null : formatMoney(state.minOrderAmount, currency),
  maxCost: state.maxCost === null ? null : formatMoney(state.maxCost, currency),
  platformSettings: null,
  createdAt: state.createdAt.toISOString(),
  updatedAt: state.updatedAt.toISOString()
})

const name = described(Schema.String, "Name that shoppers see.", "Standard")
const type = described(ShippingRateType, rateTypeSentence)
const fields = {
  description: clearable(Schema.String, "A sentence that shoppers see.", "3 to 5 working days"),
  rateConfig: optional(
    storedAs(Schema.Record(Schema.String, Schema.Json)),
    rateConfigSentence + " In a request they may be numbers too.",
    { amount: "6.90" }
  ),
  minDeliveryDays: clearable(Schema.Int, "Days until delivery, at least.", 3),
  maxDeliveryDays: clearable(Schema.Int, "Days until delivery, at most.", 5),
  handlingTime: clearable(Schema.Int, "Days until the parcel leaves.", 1),
  taxStatus: optional(ShippingTaxStatus, rateTaxStatusSentence + " Default: taxable."),
  minOrderAmount: clearable(Decimal, "The rate is offered from this value of goods on.", "50.00"),
  maxCost: clearable(Decimal, "The price is never above this.", "25.00"),
  classCosts: clearable(Schema.Record(Schema.String, Decimal), classCostsSentence),
  classCalculationType: optional(ShippingClassCalculation, classCalculationSentence + " Default: PER_CLASS."),
  isActive: optional(Schema.Boolean, "Whether the rate is offered. Default: true.")
}

export const NewShippingRate = Schema.Struct({ name, type, ...fields }).annotate({
  identifier: "NewShippingRate",
  description: "A shipping rate to create."
})
export type NewShippingRate = typeof NewShippingRate.Type

export const ShippingRateChanges = Schema.Struct({
  name: Schema.optionalKey(name),
  type: Schema.optionalKey(type),
  ...fields
}).annotate({
  identifier: "ChangeShippingRate",
  description: "What to change. An absent field stays as it is, null clears it; rateConfig is replaced as a whole."
})
export type ShippingRateChanges = typeof ShippingRateChanges.Type

/** A new rate with its default values. */
export const blankShippingRate = (id: string, zoneId: string, type: RateType, at: Date): ShippingRateState => ({
  id,
  zoneId,
  name: "",
  description: null,
  type,
  rateConfig: {},
  minDeliveryDays: null,
  maxDeliveryDays: null,
  handlingTime: null,
  taxStatus: "taxable",
  minOrderAmount: null,
  maxCost: null,
  classCosts: {},
  classCalculationType: "PER_CLASS",
  isActive: true,
  createdAt: at,
  updatedAt: at
})

const errorsIn = (result: Result.Result<unknown, FieldErrors>): FieldErrors =>
  Result.isFailure(result) ? result.failure : {}

type AmountField = "minOrderAmount" | "maxCost"

const amountOf = (
  field: AmountField,
  current: ShippingRateState,
  changes: ShippingRateChanges,
  currency: string
): Result.Result<bigint | null, FieldErrors> => {
  const input = changes[field]
  if (input === undefined) return Result.succeed(current[field])
  if (input === null) return Result.succeed(null)
  const minor = parseAmount(input, currency)
  return typeof minor === "bigint" ? Result.succeed(minor) : Result.fail({ [field]: minor.message })
}

const mostDays = 3_650

type Days = Pick<ShippingRateState, "minDeliveryDays" | "maxDeliveryDays" | "handlingTime">

const daysProblems = ({ minDeliveryDays, maxDeliveryDays, handlingTime }: Days): FieldErrors => {
  const crossed = minDeliveryDays !== null && maxDeliveryDays !== null && minDeliveryDays > maxDeliveryDays
  return problemsOf({
    minDeliveryDays: wholeProblem(minDeliveryDays, 0, mostDays),
    maxDeliveryDays:
      wholeProblem(maxDeliveryDays, 0, mostDays) ?? (crossed ? "must not be less than minDeliveryDays" : undefined),
    handlingTime: wholeProblem(handlingTime, 0, mostDays)
  })
}

const textProblems = ({ name, description }: ShippingRateChanges): FieldErrors =>
  problemsOf({
    name: blankProblem(name) ?? longProblem(name, rateBounds.name),
    description: longProblem(description, rateBounds.description)
  })

/** The pickup address is where pickups are taxed, so its country must be valid. */
const checkPickup = (config: RateConfig): Result.Result<RateConfig, FieldErrors> => {
  const country = config.type === "PICKUP" ? config.location.address?.country : undefined
  return typeof country === "string" && !isCountry(country)
    ? Result.fail({ "rateConfig.location.address.country": "must be an ISO 3166-1 alpha-2 code such as US" })
    : Result.succeed(config)
}

const boundedConfig = (config: Json): Result.Result<Json, FieldErrors> => {
  const tiers = config?.["tiers"]
  const errors = problemsOf({
    "rateConfig.tiers": manyProblem(Array.isArray(tiers) ? tiers.length : 0, rateBounds.tiers),
    rateConfig: longProblem(JSON.stringify(config), rateBounds.config)?.replace(/$/, " as JSON")
  })
  return Object.keys(errors).length > 0 ? Result.fail(errors) : Result.succeed(config)
}

const configOf = (
  current: ShippingRateState,
  changes: ShippingRateChanges,
  currency: string
): Result.Result<Json, FieldErrors> => {
  const type = changes.type ?? current.type
  const raw = changes.rateConfig === undefined ? current.rateConfig : changes.rateConfig
  const unknown = unknownInRateConfig(type, changes.rateConfig)
  if (Object.keys(unknown).length > 0)
    return Result.fail({ ...unknown, ...errorsIn(decodeRateConfig(type, raw, currency)) })
  return decodeRateConfig(type, raw, currency).pipe(
    Result.flatMap(checkPickup),
    Result.map((config) => encodeRateConfig(config, currency)),
    // A stored config is not checked against the bounds again when only other fields change.
    Result.flatMap((config) => (changes.rateConfig === undefined ? Result.succeed(config) : boundedConfig(config)))
  )
}

const classCostsOf = (
  current: ShippingRateState,
  { classCosts }: ShippingRateChanges,
  currency: string
): Result.Result<ShippingRateState["classCosts"], FieldErrors> =>
  classCosts === undefined
    ? Result.succeed(current.classCosts)
    : Result.flatMap(decodeClassCosts(classCosts, currency), (costs) => {
        const tooMany = manyProblem(costs.size, rateBounds.classCosts)
        return tooMany === undefined
          ? Result.succeed(encodeClassCosts(costs, currency))
          : Result.fail({ classCosts: tooMany })
      })

/** The rate after the changes in a store of `currency`, or what is wrong with each field. */
export const changeShippingRate = (
  current: ShippingRateState,
  changes: ShippingRateChanges,
  currency: string,
  at: Date
): Result.Result<ShippingRateState, FieldErrors> => {
  const merged = { ...current, ...changes }
  const priced = {
    rateConfig: configOf(current, changes, currency),
    classCosts: classCostsOf(current, changes, currency),
    minOrderAmount: amountOf("minOrderAmount", current, changes, currency),
    maxCost: amountOf("maxCost", current, changes, currency)
  }
  const errors: FieldErrors = Object.assign(
    { ...textProblems(changes), ...daysProblems(merged) },
    ...Object.values(priced).map(errorsIn)
  )
  if (Object.keys(errors).length > 0) return Result.fail(errors)
  return Result.map(Result.all(priced), (amounts) => ({
    ...merged,
    ...amounts,
    name: merged.name.trim(),
    updatedAt: at
  }))
}
