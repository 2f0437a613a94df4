/** A coupon: its body, its stored fields, and its status, which follows from its dates. */
import { Schema } from "effect"
import { clearable, Decimal, described, optional, Reference, text } from "../kernel/Fields.ts"
import { freeForm } from "../kernel/JsonSize.ts"
import { windowState } from "../kernel/TimeWindow.ts"
import { discountTypes } from "../pricing/BundleOffer.ts"

export const couponStatuses = ["ACTIVE", "SCHEDULED", "EXPIRED", "DISABLED"] as const
export type CouponStatus = (typeof couponStatuses)[number]
export type CouponType = (typeof discountTypes)[number]

/** The source of a coupon that no other system sent. */
export const ownSource = "INTERNAL"

/** Ids in one list of a coupon. */
const mostIds = 200
const mostPlatforms = 50
/** Bytes of JSON. */
const maxConditions = 16 * 1_024

const ids = Schema.Array(Reference).pipe(Schema.check(Schema.isMaxLength(mostIds)))
const moment = text(64).annotate({ format: "date-time" })

const code = described(Schema.String, "The code that shoppers enter, in any case. Unique in the store.", "WELCOME10")
const type = described(
  Schema.Literals(discountTypes),
  "PERCENTAGE takes a part of what the eligible lines cost, FIXED_AMOUNT an amount.",
  "PERCENTAGE"
)
const value = described(
  Decimal,
  "The percentage from 0 to 100, or the amount in the store's currency: a number or a decimal string.",
  "10"
)
const fields = {
  title: clearable(text(200), "What shoppers read. The code where there is none.", "Welcome"),
  description: clearable(text(2_000), "A note for the merchant; shoppers do not see it."),
  startsAt: clearable(moment, "When it begins to be valid: ISO 8601.", "2026-01-01T00:00:00.000Z"),
  endsAt: clearable(
    moment,
    "When it ends: ISO 8601, after startsAt. It is valid until the millisecond before.",
    "2026-12-31T23:59:59.000Z"
  ),
  status: optional(
    Schema.Literals(couponStatuses),
    "DISABLED switches it off, ACTIVE on. SCHEDULED and EXPIRED follow from the dates, and count as ACTIVE here.",
    "ACTIVE"
  ),
  usageLimit: clearable(Schema.Finite, "How many orders may use it. null (the default): any number.", 100),
  usageLimitPerCustomer: clearable(
    Schema.Finite,
    "How many orders of one customer may use it. A checkout then needs a signed-in customer.",
    1
  ),
  minimumOrderAmount: clearable(
    Decimal,
    "What the lines must cost together, before any discount, in the store's currency.",
    "50.00"
  ),
  maximumDiscount: clearable(
    Decimal,
    "The most that a PERCENTAGE takes off, in the store's currency. It has no effect on a FIXED_AMOUNT.",
    "20.00"
  ),
  conditions: clearable(freeForm(maxConditions), "Anything your systems keep with it. It changes nothing."),
  applicableProducts: clearable(
    ids,
    `Ids of the products that it is for, at most ${mostIds}. Without products and categories it is for all.`
  ),
  excludedProducts: clearable(ids, "Ids of products that it is never for."),
  applicableCategories: clearable(ids, "Ids of categories whose products it is for, with those below them."),
  excludedCategories: clearable(ids, "Ids of categories whose products it is never for."),
  regionIds: clearable(ids, "Ids of the regions in which it is valid. Empty: in all."),
  combinesWithOther: optional(
    Schema.Boolean,
    "Whether it adds up with promotions and coupons that combine too. false (the default): the shopper gets either " +
      "this coupon or the others, whichever takes more off."
  ),
  platforms: clearable(
    Schema.Array(Reference).pipe(Schema.check(Schema.isMaxLength(mostPlatforms))),
    "Where to publish it: ids of sales channels, or codes of connected platforms. Publishing does not limit where it " +
      "is valid.",
    ["vc_01k9f3m2q7x4b8n6c5d1e0h2jk"]
  ),
  channels: clearable(freeForm(maxConditions), "Settings of connected platforms, by their codes.")
}

export const CouponInput = Schema.Struct({
  code,
  type,
  value,
  ...fields,
  source: optional(text(50), "The system that it comes from, where one sends it. INTERNAL by default.", "shopify"),
  sourceExternalId: clearable(
    text(191),
    "Its id in that system. If a coupon of another source has the code, the response is 409 and the conflict is kept.",
    "gid-1057"
  )
}).annotate({ identifier: "CreateCoupon", description: "A coupon to create." })
export type CouponInput = typeof CouponInput.Type

export const CouponPatch = Schema.Struct({
  code: Schema.optionalKey(code),
  type: Schema.optionalKey(type),
  value: Schema.optionalKey(value),
  ...fields
}).annotate({
  identifier: "UpdateCoupon",
  description: "Changes of a coupon. What is left out stays as it is; null clears."
})
export type CouponPatch = typeof CouponPatch.Type

export const SyncCoupon = Schema.Struct({ platforms: fields.platforms }).annotate({
  identifier: "SyncCoupon",
  description: "Which connected platforms to bring into step; all by default."
})

export const PublishCoupon = Schema.Struct({ platforms: fields.platforms }).annotate({
  identifier: "PublishCoupon",
  description: "Where to publish a coupon."
})

/** The stored fields. Amounts are minor units of the store's currency. */
export interface CouponFields {
  readonly code: string
  /** The code as it is compared. */
  readonly codeKey: string
  readonly title: string | null
  readonly description: string | null
  readonly type: CouponType
  /** Of a PERCENTAGE: the shortest exact decimal. */
  readonly percentage: string | null
  /** Of a FIXED_AMOUNT. */
  readonly amount: bigint | null
  readonly startsAt: Date | null
  readonly endsAt: Date | null
  readonly isDisabled: boolean
  readonly usageLimit: number | null
  readonly usageLimitPerCustomer: number | null
  readonly minimumOrderAmount: bigint | null
  readonly maximumDiscount: bigint | null
  readonly conditions: Readonly<Record<string, unknown>>
  readonly applicableProducts: ReadonlyArray<string>
  readonly excludedProducts: ReadonlyArray<string>
  readonly applicableCategories: ReadonlyArray<string>
  readonly excludedCategories: ReadonlyArray<string>
  readonly regionIds: ReadonlyArray<string>
  readonly combinesWithOther: boolean
  readonly channels: Readonly<Record<string, unknown>>
  readonly channelIds: ReadonlyArray<string>
  readonly source: string
  readonly sourceExternalId: string | null
}

/** Lists of ids of a coupon, each with the resource that it names. */
export const namedLists = {
  applicableProducts: "product",
  excludedProducts: "product",
  applicableCategories: "category",
  excludedCategories: "category",
  regionIds: "region"
} as const
export type NamedList = keyof typeof namedLists

/** What a new coupon has where its body says nothing. */
export const blankCoupon: CouponFields = {
  code: "",
  codeKey: "",
  title: null,
  description: null,
  type: "PERCENTAGE",
  percentage: null,
  amount: null,
  startsAt: null,
  endsAt: null,
  isDisabled: false,
  usageLimit: null,
  usageLimitPerCustomer: null,
  minimumOrderAmount: null,
  maximumDiscount: null,
  conditions: {},
  applicableProducts: [],
  excludedProducts: [],
  applicableCategories: [],
  excludedCategories: [],
  regionIds: [],
  combinesWithOther: false,
  channels: {},
  channelIds: [],
  source: ownSource,
  sourceExternalId: null
}

const windowStatuses = { active: "ACTIVE", scheduled: "SCHEDULED", expired: "EXPIRED" } as const

/** The status at `now` (epoch milliseconds). A coupon that was used as often as it may be has not expired by that. */
export const statusOf = (
  coupon: Pick<CouponFields, "isDisabled" | "startsAt" | "endsAt">,
  now: number
): CouponStatus => (coupon.isDisabled ? "DISABLED" : windowStatuses[windowState(coupon, now)])

export const couponSorts = ["createdAt", "updatedAt", "code", "startsAt", "endsAt"] as const
export type CouponSort = (typeof couponSorts)[number]
