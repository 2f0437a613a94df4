/** A promotion after a body, or what is wrong with each field of it. Pure; ids are checked by `Promotions`. */
import { Result } from "effect"
import { type FieldErrors, problemsOf } from "../../kernel/FieldErrors.ts"
import { parseIsoTime } from "../../kernel/IsoTime.ts"
import { formatMoney, parseAmount } from "../../kernel/Money.ts"
import { formatRate } from "../../kernel/Rate.ts"
import type { PromotionFields, PromotionInput, PromotionPatch } from "../Promotion.ts"
import { configOf, type PromotionTerms, readTerms, type TermsInput } from "../PromotionTerms.ts"

/** A new promotion before its body: its type has no terms yet. */
export const blankPromotion = ({ name, type }: PromotionInput): PromotionFields => ({
  name,
  type,
  percent: null,
  amount: null,
  config: {},
  minimumOrderAmount: null,
  applicableProducts: [],
  applicableCategories: [],
  applicableBrands: [],
  startsAt: null,
  endsAt: null,
  usageLimit: null,
  usageLimitPerCustomer: null,
  isActive: true,
  priority: 0,
  combinesWithOther: false
})

/** What a stored promotion would be created with; another type starts without value and config. */
const storedTerms = (current: PromotionFields, type: TermsInput["type"], currency: string): TermsInput =>
  type !== current.type
    ? { type, value: undefined, config: undefined }
    : {
        type,
        value: current.percent ?? (current.amount === null ? undefined : formatMoney(current.amount, currency)),
        config: current.config
      }

/** The terms of a stored promotion. */
export const termsOf = (stored: PromotionFields, currency: string): Result.Result<PromotionTerms, FieldErrors> =>
  readTerms(storedTerms(stored, stored.type, currency), currency)

const timeAt = (
  field: string,
  given: string | null | undefined,
  current: Date | null
): Result.Result<Date | null, FieldErrors> => {
  if (given === undefined) return Result.succeed(current)
  if (given === null) return Result.succeed(null)
  const at = parseIsoTime(given)
  return at === undefined ? Result.fail({ [field]: "must be an ISO 8601 time" }) : Result.succeed(at)
}

const minimumAfter = (
  { minimumOrderAmount: given }: PromotionPatch,
  current: bigint | null,
  currency: string
): Result.Result<bigint | null, FieldErrors> => {
  if (given === undefined) return Result.succeed(current)
  if (given === null) return Result.succeed(null)
  const minor = parseAmount(given, currency)
  return typeof minor === "bigint" ? Result.succeed(minor) : Result.fail({ minimumOrderAmount: minor.message })
}

const idsAfter = (given: ReadonlyArray<string> | null | undefined, current: ReadonlyArray<string>) =>
  given === undefined ? current : [...new Set(given)]

const errorsIn = (result: Result.Result<unknown, FieldErrors>): FieldErrors =>
  Result.isFailure(result) ? result.failure : {}

const orElse = <A>(result: Result.Result<A, FieldErrors>, other: A): A =>
  Result.isSuccess(result) ? result.success : other

export interface Changed {
  readonly fields: PromotionFields
  readonly terms: PromotionTerms
}

/** The terms after a body, and the minimum. */
const pricedAfter = (current: PromotionFields, patch: PromotionPatch, currency: string) => {
  const stored = storedTerms(current, patch.type ?? current.type, currency)
  const { value = stored.value, config = stored.config } = patch
  return {
    terms: readTerms({ type: stored.type, value, config }, currency),
    minimum: minimumAfter(patch, current.minimumOrderAmount, currency)
  }
}

/** The window after a body. */
const windowAfter = (current: PromotionFields, patch: PromotionPatch) => {
  const starts = timeAt("startsAt", patch.startsAt, current.startsAt)
  const ends = timeAt("endsAt", patch.endsAt, current.endsAt)
  const [startsAt, endsAt] = [orElse(starts, null), orElse(ends, null)]
  const isCrossed = startsAt !== null && endsAt !== null && startsAt >= endsAt
  const crossed = problemsOf({ endsAt: isCrossed ? "must be later than startsAt" : undefined })
  return { startsAt, endsAt, errors: { ...errorsIn(starts), ...errorsIn(ends), ...crossed } }
}

/** The fields that a body sets as they are. */
const plainAfter = (current: PromotionFields, patch: PromotionPatch) => ({
  name: (patch.name ?? current.name).trim(),
  applicableProducts: idsAfter(patch.applicableProducts, current.applicableProducts),
  applicableCategories: idsAfter(patch.applicableCategories, current.applicableCategories),
  applicableBrands: idsAfter(patch.applicableBrands, current.applicableBrands),
  usageLimit: patch.usageLimit === undefined ? current.usageLimit : patch.usageLimit,
  usageLimitPerCustomer:
    patch.usageLimitPerCustomer === undefined ? current.usageLimitPerCustomer : patch.usageLimitPerCustomer,
  isActive: patch.isActive ?? current.isActive,
  priority: patch.priority ?? current.priority,
  combinesWithOther: patch.combinesWithOther ?? current.combinesWithOther
})

/** In a store of `currency`. */
export const changePromotion = (
  current: PromotionFields,
  patch: PromotionPatch,
  currency: string
): Result.Result<Changed, FieldErrors> => {
  const { terms, minimum } = pricedAfter(current, patch, currency)
  const { startsAt, endsAt, errors: wrongTimes } = windowAfter(current, patch)
  const errors: FieldErrors = { ...errorsIn(terms), ...errorsIn(minimum), ...wrongTimes }
  if (Result.isFailure(terms) || Object.keys(errors).length > 0) return Result.fail(errors)
  const { success: read } = terms
  return Result.succeed({
    terms: read,
    fields: {
      ...plainAfter(current, patch),
      type: read.type,
      percent: read.type === "PERCENTAGE_OFF" ? formatRate(read.percent) : null,
      amount: read.type === "AMOUNT_OFF" ? read.amount : null,
      config: configOf(read, currency),
      minimumOrderAmount: orElse(minimum, null),
      startsAt,
      endsAt
    }
  })
}
