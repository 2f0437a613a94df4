/** What a shopper gets for confirming a newsletter sign-up: a coupon for one order. */
import { Schema } from "effect"
import { problemsOf } from "../kernel/FieldErrors.ts"
import {
  boolean,
  clearable,
  Decimal,
  described,
  integer,
  nullableMoney,
  oneOf,
  string,
  timestamp
} from "../kernel/Fields.ts"
import { formatMoney, isStorableMoney, parseAmount } from "../kernel/Money.ts"
import { formatRate, parseRate } from "../kernel/Rate.ts"
import { discountTypes } from "../pricing/BundleOffer.ts"
import type { StoreContext } from "../store/StoreContext.ts"

export interface NewsletterBenefitState {
  readonly isEnabled: boolean
  readonly type: (typeof discountTypes)[number]
  /** A percentage, or an amount in major units, by its type. */
  readonly value: string
  readonly expiresInDays: number
  /** Minor units. */
  readonly minimumOrderAmount: bigint | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

const sentences = {
  isEnabled: "Whether who confirms a sign-up gets a coupon.",
  type: "How the coupon is calculated: a percentage, or an amount.",
  value: "What it takes off: a percentage above 0 up to 100, or an amount, by its type.",
  expiresInDays: "Days that the coupon can be used, from the confirmation on: 1 to 3650.",
  minimumOrderAmount: "What the cart must come to before discounts; null: nothing."
}

export const NewsletterBenefit = Schema.Struct({
  isEnabled: boolean(sentences.isEnabled),
  type: oneOf(discountTypes, sentences.type),
  value: string(sentences.value, "10"),
  expiresInDays: integer(sentences.expiresInDays, 30),
  minimumOrderAmount: nullableMoney(sentences.minimumOrderAmount, "25.00"),
  updatedAt: timestamp("When it last changed. It is the version that If-Match names.")
}).annotate({
  identifier: "NewsletterBenefit",
  description: "The coupon that a shopper gets for confirming a newsletter sign-up."
})
export type NewsletterBenefit = typeof NewsletterBenefit.Type

export const NewsletterBenefitInput = Schema.Struct({
  isEnabled: boolean(sentences.isEnabled, true),
  type: oneOf(discountTypes, sentences.type),
  value: described(Decimal, sentences.value, "10"),
  expiresInDays: described(
    Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: 1, maximum: 3_650 }))),
    sentences.expiresInDays,
    30
  ),
  minimumOrderAmount: clearable(Decimal, sentences.minimumOrderAmount, "25.00")
}).annotate({ identifier: "SetNewsletterBenefit", description: "The benefit to set: it replaces the one before." })
export type NewsletterBenefitInput = typeof NewsletterBenefitInput.Type

/** The benefit of a store that has set none. */
export const defaultBenefit = ({ createdAt }: StoreContext): NewsletterBenefitState => ({
  isEnabled: false,
  type: "PERCENTAGE",
  value: "10",
  expiresInDays: 30,
  minimumOrderAmount: null,
  createdAt,
  updatedAt: createdAt
})

const valueOf = ({ type, value }: NewsletterBenefitInput, currency: string): string | { readonly problem: string } => {
  if (type === "PERCENTAGE") {
    const rate = parseRate(value)
    if ("_tag" in rate) return { problem: rate.message }
    if (rate.scale > 2) return { problem: "must have at most 2 fraction digits" }
    return rate.value === 0n ? { problem: "must be more than 0" } : formatRate(rate)
  }
  const minor = parseAmount(value, currency)
  if (typeof minor !== "bigint") return { problem: minor.message }
  return minor <= 0n || !isStorableMoney(minor) ? { problem: "must be more than 0" } : formatMoney(minor, currency)
}

/** The state that a body sets, or what is wrong with its fields. */
export const readBenefit = (
  input: NewsletterBenefitInput,
  currency: string
):
  | { readonly problems: Readonly<Record<string, string>> }
  | Omit<NewsletterBenefitState, "createdAt" | "updatedAt"> => {
  const value = valueOf(input, currency)
  const { minimumOrderAmount: given = null } = input
  const minimum = given === null ? null : parseAmount(given, currency)
  const problems = problemsOf({
    value: typeof value === "string" ? undefined : value.problem,
    minimumOrderAmount:
      minimum === null || (typeof minimum === "bigint" && minimum >= 0n)
        ? undefined
        : typeof minimum === "bigint"
          ? "must not be negative"
          : minimum.message
  })
  if (Object.keys(problems).length > 0 || typeof value !== "string") return { problems }
  const { isEnabled, type, expiresInDays } = input
  const minimumOrderAmount = typeof minimum === "bigint" ? minimum : null
  return { isEnabled, type, value, expiresInDays, minimumOrderAmount }
}

export const toBenefitView = (
  { minimumOrderAmount, createdAt: _, updatedAt, ...benefit }: NewsletterBenefitState,
  currency: string
): NewsletterBenefit => ({
  ...benefit,
  minimumOrderAmount: minimumOrderAmount === null ? null : formatMoney(minimumOrderAmount, currency),
  updatedAt: updatedAt.toISOString()
})
