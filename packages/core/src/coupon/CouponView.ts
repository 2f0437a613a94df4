/** A coupon as responses show it. */
import { Schema } from "effect"
import {
  arrayOf,
  described,
  boolean,
  integer,
  json,
  nullableInteger,
  nullableMoney,
  nullableString,
  nullableTimestamp,
  oneOf,
  string,
  timestamp
} from "../kernel/Fields.ts"
import { formatMoney } from "../kernel/Money.ts"
import { discountTypes } from "../pricing/BundleOffer.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { ChannelPublishView, publicationsOf, type PublishedChannel } from "../taxonomy/Publication.ts"
import { type CouponFields, couponStatuses, type NamedList, statusOf } from "./Coupon.ts"
import type { PlatformWarnings } from "./CouponPlatforms.ts"

const Named = Schema.Struct({
  id: string("Id of it.", "prod_01k9f3m2q7x4b8n6c5d1e0h2jk"),
  name: string("Name of it.", "Desk lamp")
}).annotate({ identifier: "CouponTarget", description: "A product or a category that a coupon names." })

const Warnings = Schema.Struct({
  platform: string("The platform that was named.", "shopify"),
  warnings: arrayOf(Schema.String, "What the platform does with the coupon, in sentences.")
}).annotate({ identifier: "CouponPlatformWarning", description: "What a platform does not take of a coupon." })

export const CouponView = Schema.Struct({
  id: string("Id of the coupon.", "coupon_01k9f3m2q7x4b8n6c5d1e0h2jk"),
  code: string("The code that shoppers enter, in any case.", "WELCOME10"),
  title: nullableString("What shoppers read; null: the code.", "Welcome"),
  description: nullableString("A note for the merchant."),
  type: oneOf(discountTypes, "PERCENTAGE takes a part of what the eligible lines cost; FIXED_AMOUNT an amount."),
  value: string("The percentage, or the amount in the store's currency, by its type.", "10"),
  startsAt: nullableTimestamp("When it begins to be valid; null: it has begun."),
  endsAt: nullableTimestamp("When it ends; null: never."),
  status: oneOf(
    couponStatuses,
    "DISABLED where the merchant has switched it off, EXPIRED from endsAt on, SCHEDULED before startsAt, else " +
      "ACTIVE. Its limits do not change it."
  ),
  usageLimit: nullableInteger("How many orders may use it; null: any number.", 100),
  usageLimitPerCustomer: nullableInteger("How many orders of one customer may use it; null: any number.", 1),
  usageCount: integer("How many orders have used it.", 3),
  minimumOrderAmount: nullableMoney("What the lines must cost together before any discount; null: nothing.", "50.00"),
  maximumDiscount: nullableMoney("The most that a PERCENTAGE takes off; null: any amount.", "20.00"),
  conditions: json("What your systems keep with it."),
  applicableProducts: arrayOf(Named, "Products that it is for."),
  excludedProducts: arrayOf(Named, "Products that it is never for."),
  applicableCategories: arrayOf(Named, "Categories whose products it is for, with those below them."),
  excludedCategories: arrayOf(Named, "Categories whose products it is never for."),
  regionIds: arrayOf(Schema.String, "Regions in which it is valid. Empty: in all."),
  combinesWithOther: boolean("Whether it adds up with promotions and coupons that combine too."),
  platforms: described(Schema.Array(Schema.String), "Ids of the sales channels that it is published to.", [
    "vc_01k9f3m2q7x4b8n6c5d1e0h2jk"
  ]),
  channels: json("Settings of connected platforms, by their codes."),
  needsSync: boolean("Whether a connected platform has an older state of it."),
  lastSyncedAt: nullableTimestamp("When connected platforms were last in step; null: never."),
  source: string("The system that it comes from; INTERNAL: none.", "INTERNAL"),
  sourceExternalId: nullableString("Its id in that system."),
  channelPublishes: arrayOf(ChannelPublishView, "Channels it is published to."),
  vibeCodedPublishes: arrayOf(ChannelPublishView, "The same as `channelPublishes`, under an older name."),
  createdAt: timestamp("When it was created."),
  updatedAt: timestamp("When it was last changed: the version that If-Match compares."),
  validationWarnings: arrayOf(
    Warnings,
    "After it was created or changed: what the platforms of the request cannot take over. Empty in other responses."
  )
}).annotate({ identifier: "Coupon", description: "A discount that shoppers get by entering a code." })
export type CouponView = typeof CouponView.Type

interface NamedThing {
  readonly id: string
  readonly name: string
}

/** A coupon as it is read, with the names of what it is for. */
export interface CouponState extends CouponFields {
  readonly id: string
  readonly usageCount: number
  readonly names: { readonly [List in Exclude<NamedList, "regionIds">]: ReadonlyArray<NamedThing> }
  readonly publishedChannels: ReadonlyArray<PublishedChannel> | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** The percentage or the amount, as views and orders show it. */
export const shownValue = (
  { percentage, amount }: Pick<CouponFields, "percentage" | "amount">,
  currency: string
): string => percentage ?? formatMoney(amount ?? 0n, currency)

/** `now` is in epoch milliseconds: the status depends on it. */
export const toCouponView = (
  { currency }: Pick<StoreContext, "currency">,
  coupon: CouponState,
  now: number,
  validationWarnings: ReadonlyArray<PlatformWarnings> = []
): CouponView => {
  const money = (minor: bigint | null) => (minor === null ? null : formatMoney(minor, currency))
  const channels = coupon.publishedChannels
  return {
    id: coupon.id,
    code: coupon.code,
    title: coupon.title,
    description: coupon.description,
    type: coupon.type,
    value: shownValue(coupon, currency),
    startsAt: coupon.startsAt?.toISOString() ?? null,
    endsAt: coupon.endsAt?.toISOString() ?? null,
    status: statusOf(coupon, now),
    usageLimit: coupon.usageLimit,
    usageLimitPerCustomer: coupon.usageLimitPerCustomer,
    usageCount: coupon.usageCount,
    minimumOrderAmount: money(coupon.minimumOrderAmount),
    maximumDiscount: money(coupon.maximumDiscount),
    conditions: coupon.conditions,
    ...coupon.names,
    regionIds: coupon.regionIds,
    combinesWithOther: coupon.combinesWithOther,
    platforms: (channels ?? []).map(({ id }) => id),
    channels: coupon.channels,
    needsSync: false,
    lastSyncedAt: null,
    source: coupon.source,
    sourceExternalId: coupon.sourceExternalId,
    channelPublishes: publicationsOf(channels),
    vibeCodedPublishes: publicationsOf(channels),
    createdAt: coupon.createdAt.toISOString(),
    updatedAt: coupon.updatedAt.toISOString(),
    validationWarnings
  }
}
