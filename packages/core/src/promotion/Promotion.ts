/** Promotions: rules of a merchant that take something off by themselves. */
import { Schema } from "effect"
import {
  arrayOf,
  boolean,
  clearable,
  Decimal,
  described,
  filledText,
  int4,
  integer,
  Moment,
  nullableInteger,
  nullableMoney,
  nullableTimestamp,
  optional,
  Reference,
  storedAs,
  string,
  timestamp
} from "../kernel/Fields.ts"
import { maxInt4 } from "../kernel/FieldErrors.ts"
import { formatMoney } from "../kernel/Money.ts"
import type { StoreBound } from "../kernel/StoreBound.ts"
import { promotionTypes } from "../pricing/AppliedAdjustments.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import type { ConfigJson, PromotionType } from "./PromotionTerms.ts"

/** The kind of its adjustments and of its claims. */
export const promotionKind = "promotion"

/** Limited because all rules of a store are compiled together. */
export const promotionBound: StoreBound = { field: "promotions", most: 1_000, words: "promotions" }

/** Ids of products, and of categories or brands, that one rule names. */
const mostProducts = 500
const mostGroups = 200

const typeWords =
  "How it works its discount out. PERCENTAGE_OFF and AMOUNT_OFF take `value` off the eligible lines; the others say " +
  "how in `config`."
const valueWords =
  "PERCENTAGE_OFF: the percentage, from 0 to 100. AMOUNT_OFF: the amount in the store's currency, taken off once; no " +
  "more than the eligible lines cost. The other types do not use it."
const configWords =
  "BUY_X_GET_Y: { buyQuantity, getQuantity, getDiscountPercent (100), sameProducts (true) }: of each buyQuantity + " +
  "getQuantity units the getQuantity cheapest are reduced, as often as it fits; with sameProducts product by " +
  "product. TIERED: { tiers: [{ minQuantity or minAmount, percent or amount }] }, in ascending order: the highest " +
  "tier that the eligible lines reach is taken once. FREE_SHIPPING: { zoneIds, rateIds }: empty means all. " +
  "PERCENTAGE_OFF and AMOUNT_OFF: {}."
const minimumWords =
  "The subtotal of the whole cart, before any discount, from which on the promotion applies. Below it the cart shows " +
  "what is missing in `nudges`."
const scopeWords = (what: string) =>
  `The ${what} whose lines are eligible. Without products, categories and brands every line is.`
const categoryWords = `${scopeWords("categories")} A category includes its descendants.`
const limitWords = "How many orders may use it; null: without limit."
const customerLimitWords =
  "How many orders of one customer may use it; null: without limit. With a limit it does not apply to guests."
const priorityWords = "Promotions are applied one after another, the lowest number first; among equals the oldest."
const combinesWords =
  "Whether it adds up with the other promotions and coupons that do. Otherwise it is compared with these, alone, and " +
  "the lowest total wins."
const startWords = "The instant from which on it applies."
const endWords = "The instant from which on it does not apply any more."

const name = described(filledText(200), "Name that shoppers see.", "Summer sale")
const type = described(Schema.Literals(promotionTypes), typeWords, "PERCENTAGE_OFF")
const limit = Schema.Int.pipe(
  Schema.check(
    Schema.isBetween({ minimum: 1, maximum: maxInt4 }, { message: `must be a whole number from 1 to ${maxInt4}` })
  )
)
const ids = (most: number) =>
  Schema.Array(Reference).pipe(Schema.check(Schema.isMaxLength(most, { message: `must have at most ${most} entries` })))
const Config = storedAs(Schema.Record(Schema.String, Schema.Json))

const fields = {
  value: clearable(Decimal, valueWords, "10"),
  config: clearable(Config, `${configWords} It is replaced as a whole.`, {}),
  minimumOrderAmount: clearable(Decimal, minimumWords, "50.00"),
  applicableProducts: clearable(ids(mostProducts), `Ids. ${scopeWords("products")}`),
  applicableCategories: clearable(ids(mostGroups), `Ids. ${categoryWords}`),
  applicableBrands: clearable(ids(mostGroups), `Ids. ${scopeWords("brands")}`),
  startsAt: clearable(Moment, `${startWords} ISO 8601; null: at once.`, "2026-11-27T00:00:00.000Z"),
  endsAt: clearable(Moment, `${endWords} ISO 8601; null: never.`, "2026-12-01T00:00:00.000Z"),
  usageLimit: clearable(limit, limitWords, 100),
  usageLimitPerCustomer: clearable(limit, customerLimitWords, 1),
  isActive: optional(Schema.Boolean, "Whether it applies at all. Default: true."),
  priority: optional(int4, `${priorityWords} Default: 0.`, 0),
  combinesWithOther: optional(Schema.Boolean, `${combinesWords} Default: false.`)
}

export const PromotionInput = Schema.Struct({ name, type, ...fields }).annotate({
  identifier: "CreatePromotion",
  description: "A promotion to create."
})
export type PromotionInput = typeof PromotionInput.Type

export const PromotionPatch = Schema.Struct({
  name: Schema.optionalKey(name),
  type: Schema.optionalKey(type),
  ...fields
}).annotate({
  identifier: "UpdatePromotion",
  description: "Changes of a promotion. What is left out stays as it is; null clears."
})
export type PromotionPatch = typeof PromotionPatch.Type

/** The stored fields. Of `percent` and `amount` the type has one, or neither; amounts are minor units. */
export interface PromotionFields {
  readonly name: string
  readonly type: PromotionType
  readonly percent: string | null
  readonly amount: bigint | null
  /** Canonical JSON of PromotionTerms. */
  readonly config: ConfigJson
  readonly minimumOrderAmount: bigint | null
  readonly applicableProducts: ReadonlyArray<string>
  readonly applicableCategories: ReadonlyArray<string>
  readonly applicableBrands: ReadonlyArray<string>
  readonly startsAt: Date | null
  readonly endsAt: Date | null
  readonly usageLimit: number | null
  readonly usageLimitPerCustomer: number | null
  readonly isActive: boolean
  readonly priority: number
  readonly combinesWithOther: boolean
}

interface Named {
  readonly id: string
  readonly name: string
}

/** As it is read to be shown. */
export interface PromotionState extends PromotionFields {
  readonly id: string
  readonly products: ReadonlyArray<Named>
  readonly categories: ReadonlyArray<Named>
  readonly brands: ReadonlyArray<Named>
  readonly usageCount: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

const Scoped = Schema.Struct({
  id: string("Id of it.", "prod_01k9f3m2q7x4b8n6c5d1e0h2jk"),
  name: string("Name of it.", "Desk lamp")
}).annotate({ identifier: "PromotionScope", description: "A product, category or brand whose lines are eligible." })

export const PromotionView = Schema.Struct({
  id: string("Id of the promotion."),
  storeId: string("The store it belongs to."),
  name,
  type,
  value: string(`${valueWords} For these it is 0.`, "10"),
  config: described(Schema.Record(Schema.String, Schema.Json), configWords, {}),
  minimumOrderAmount: nullableMoney(`${minimumWords} Null: whatever it is.`, "50.00"),
  applicableProducts: arrayOf(Scoped, scopeWords("products")),
  applicableCategories: arrayOf(Scoped, categoryWords),
  applicableBrands: arrayOf(Scoped, scopeWords("brands")),
  startsAt: nullableTimestamp(`${startWords} Null: at once.`),
  endsAt: nullableTimestamp(`${endWords} Null: never.`),
  usageLimit: nullableInteger(limitWords, 100),
  usageLimitPerCustomer: nullableInteger(customerLimitWords, 1),
  usageCount: integer("How many orders have used it.", 12),
  isActive: boolean("Whether it applies at all."),
  priority: integer(priorityWords, 0),
  combinesWithOther: boolean(combinesWords),
  createdAt: timestamp("When it was created."),
  updatedAt: timestamp("When it was last changed: the version that If-Match compares.")
}).annotate({ identifier: "Promotion", description: "A rule that takes something off carts and orders by itself." })
export type PromotionView = typeof PromotionView.Type

export const toPromotionView = (store: StoreContext, state: PromotionState): PromotionView => {
  const { percent, amount, minimumOrderAmount: minimum, products, categories, brands, ...promotion } = state
  return {
    ...promotion,
    storeId: store.id,
    value: percent ?? (amount === null ? "0" : formatMoney(amount, store.currency)),
    minimumOrderAmount: minimum === null ? null : formatMoney(minimum, store.currency),
    applicableProducts: products,
    applicableCategories: categories,
    applicableBrands: brands,
    startsAt: promotion.startsAt?.toISOString() ?? null,
    endsAt: promotion.endsAt?.toISOString() ?? null,
    createdAt: promotion.createdAt.toISOString(),
    updatedAt: promotion.updatedAt.toISOString()
  }
}
