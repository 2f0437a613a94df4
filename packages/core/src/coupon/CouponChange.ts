/** A body of a coupon read into its stored fields, with a problem for every field that is wrong. Pure. */
import { Result } from "effect"
import { type FieldErrors, maxInt4, wholeProblem } from "../kernel/FieldErrors.ts"
import { trimmedText } from "../kernel/GivenText.ts"
import { parseIsoTime } from "../kernel/IsoTime.ts"
import { parseAmount } from "../kernel/Money.ts"
import { formatRate, parseRate } from "../kernel/Rate.ts"
import {
  type CouponFields,
  type CouponInput,
  type CouponPatch,
  type CouponType,
  namedLists,
  ownSource
} from "./Coupon.ts"
import { codeProblem, couponKey } from "./CouponCode.ts"

/** Either body: a new coupon says more than a change may. */
type Body = CouponPatch & Partial<Pick<CouponInput, "source" | "sourceExternalId">>

type Decimal = number | string

/** Reads fields one after another and keeps what is wrong with them. */
class Reading {
  readonly errors: Record<string, string> = {}

  /** The value that was given, or the one from before; null clears. */
  read<A, B>(field: string, given: A | null | undefined, before: B | null, read: (given: A) => B | Error): B | null {
    if (given === undefined) return before
    if (given === null) return null
    const value = read(given)
    if (!(value instanceof Error)) return value
    this.errors[field] = value.message
    return before
  }
}

const whole = (given: number): number | Error => {
  const problem = wholeProblem(given, 1, maxInt4)
  return problem === undefined ? given : new Error(problem)
}

const moment = (given: string): Date | Error => parseIsoTime(given) ?? new Error("must be an ISO 8601 date or time")

const amountIn =
  (currency: string) =>
  (given: Decimal): bigint | Error => {
    const minor = parseAmount(given, currency)
    return typeof minor === "bigint" ? minor : new Error(minor.message)
  }

const percentage = (given: Decimal): string | Error => {
  const rate = parseRate(given)
  return "_tag" in rate ? new Error(rate.message) : formatRate(rate)
}

/** The percentage or the amount of a coupon of this type; also for settings that name the value of a coupon to come. */
export const readCouponValue = (
  type: CouponType,
  value: Decimal,
  currency: string
): Result.Result<Pick<CouponFields, "percentage" | "amount">, string> => {
  const read = type === "PERCENTAGE" ? percentage(value) : amountIn(currency)(value)
  if (read instanceof Error) return Result.fail(read.message)
  return Result.succeed(
    typeof read === "bigint" ? { percentage: null, amount: read } : { percentage: read, amount: null }
  )
}

const valueOf = (current: CouponFields, { type = current.type, value }: Body, currency: string, reading: Reading) => {
  const { percentage, amount } = current
  if (value === undefined && type === current.type) return { type, percentage, amount }
  const read = value === undefined ? Result.fail("is needed with another type") : readCouponValue(type, value, currency)
  if (Result.isSuccess(read)) return { type, ...read.success }
  reading.errors["value"] = read.failure
  return { type, percentage, amount }
}

const codeOf = (current: CouponFields, { code }: Body, reading: Reading) => {
  const given = reading.read("code", code, current.code, (text) => {
    const problem = codeProblem(text)
    return problem === undefined ? text.trim() : new Error(problem)
  })
  return { code: given ?? "", codeKey: couponKey(given ?? "") }
}

const windowOf = (current: CouponFields, body: Body, reading: Reading) => {
  const startsAt = reading.read("startsAt", body.startsAt, current.startsAt, moment)
  const endsAt = reading.read("endsAt", body.endsAt, current.endsAt, moment)
  if (startsAt !== null && endsAt !== null && startsAt >= endsAt) reading.errors["endsAt"] ??= "must be after startsAt"
  return { startsAt, endsAt }
}

const listsOf = (current: CouponFields, body: Body) =>
  Object.fromEntries(
    (Object.keys(namedLists) as ReadonlyArray<keyof typeof namedLists>).map((list) => {
      const given = body[list]
      return [list, given === undefined ? current[list] : [...new Set(given ?? [])]]
    })
  ) as Pick<CouponFields, keyof typeof namedLists>

const sourceOf = (current: CouponFields, body: Body, reading: Reading) => {
  const source = body.source === undefined ? current.source : (trimmedText(body.source) ?? ownSource)
  const sourceExternalId =
    body.sourceExternalId === undefined ? current.sourceExternalId : trimmedText(body.sourceExternalId)
  if (sourceExternalId !== null && source === ownSource) reading.errors["source"] = "is needed with sourceExternalId"
  return { source, sourceExternalId }
}

/** The fields after the body, but for `channelIds`: `platforms` names channels and platforms alike. */
export const changeCoupon = (
  current: CouponFields,
  body: Body,
  currency: string
): Result.Result<CouponFields, FieldErrors> => {
  const reading = new Reading()
  const amount = amountIn(currency)
  const text = (given: string | null | undefined, before: string | null) =>
    given === undefined ? before : trimmedText(given)
  const { status, combinesWithOther, conditions, channels } = body
  const fields: CouponFields = {
    ...current,
    ...codeOf(current, body, reading),
    title: text(body.title, current.title),
    description: text(body.description, current.description),
    ...valueOf(current, body, currency, reading),
    ...windowOf(current, body, reading),
    isDisabled: status === undefined ? current.isDisabled : status === "DISABLED",
    usageLimit: reading.read("usageLimit", body.usageLimit, current.usageLimit, whole),
    usageLimitPerCustomer: reading.read(
      "usageLimitPerCustomer",
      body.usageLimitPerCustomer,
      current.usageLimitPerCustomer,
      whole
    ),
    minimumOrderAmount: reading.read("minimumOrderAmount", body.minimumOrderAmount, current.minimumOrderAmount, amount),
    maximumDiscount: reading.read("maximumDiscount", body.maximumDiscount, current.maximumDiscount, amount),
    conditions: conditions === undefined ? current.conditions : (conditions ?? {}),
    ...listsOf(current, body),
    combinesWithOther: combinesWithOther ?? current.combinesWithOther,
    channels: channels === undefined ? current.channels : (channels ?? {}),
    ...sourceOf(current, body, reading)
  }
  return Object.keys(reading.errors).length > 0 ? Result.fail(reading.errors) : Result.succeed(fields)
}
