/** The promotions of a store description. What they name are externalIds or ids. */
import { ExternalIds } from "@effect-commerce/core/database/ExternalIds"
import { Products } from "@effect-commerce/core/product/Products"
import { type PromotionInput, PromotionInput as PromotionRow } from "@effect-commerce/core/promotion/Promotion"
import { Promotions } from "@effect-commerce/core/promotion/Promotions"
import { Brands } from "@effect-commerce/core/taxonomy/Brands"
import { Categories } from "@effect-commerce/core/taxonomy/Categories"
import { Effect } from "effect"
import type { Row } from "./document.ts"
import { inRow, type Loading } from "./Loading.ts"
import { readRow } from "./rows.ts"

type Config = NonNullable<PromotionInput["config"]>

const texts = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : []

const fieldOf = (config: PromotionInput["config"], field: string): unknown =>
  typeof config === "object" && config !== null ? (config as Readonly<Record<string, unknown>>)[field] : undefined

/** With our ids in place of the merchant's. */
const withIds = (body: PromotionInput, loading: Loading, rates: ReadonlyMap<string, string>): PromotionInput => {
  const { applicableProducts: products, applicableCategories: categories, applicableBrands: brands, config } = body
  const idsOf = (section: string, ids: ReadonlyArray<string>) => ids.map((id) => loading.idOf(section, id))
  const zoneIds = fieldOf(config, "zoneIds")
  const rateIds = fieldOf(config, "rateIds")
  return {
    ...body,
    ...(products === undefined || products === null ? {} : { applicableProducts: idsOf("products", products) }),
    ...(categories === undefined || categories === null
      ? {}
      : { applicableCategories: idsOf("categories", categories) }),
    ...(brands === undefined || brands === null ? {} : { applicableBrands: idsOf("brands", brands) }),
    ...(Array.isArray(zoneIds) || Array.isArray(rateIds)
      ? {
          config: {
            ...(config as object),
            ...(Array.isArray(zoneIds) ? { zoneIds: idsOf("shippingZones", texts(zoneIds)) } : {}),
            ...(Array.isArray(rateIds) ? { rateIds: texts(rateIds).map((id) => rates.get(id) ?? id) } : {})
          } as Config
        }
      : {})
  }
}

export const load = Effect.fnUntraced(function* (loading: Loading, rows: ReadonlyArray<Row>) {
  const promotions = yield* Promotions
  const externalIds = yield* ExternalIds
  const { store } = loading
  const read = yield* Effect.forEach(rows, (row) =>
    Effect.map(Effect.fromResult(readRow(PromotionRow, "promotions", row)), (body) => ({
      externalId: row.externalId,
      body
    }))
  )
  const named = (idsOf: (body: PromotionInput) => ReadonlyArray<string> | null | undefined) => [
    ...new Set(read.flatMap(({ body }) => idsOf(body) ?? []))
  ]
  const listed = (field: string) => named(({ config }) => texts(fieldOf(config, field)))
  loading.name(
    "products",
    yield* (yield* Products).idsByExternal(
      store,
      named((body) => body.applicableProducts)
    )
  )
  loading.name(
    "categories",
    yield* (yield* Categories).idsByExternal(
      store,
      named((body) => body.applicableCategories)
    )
  )
  const brands = named((body) => body.applicableBrands)
  loading.name("brands", yield* (yield* Brands).idsByName(store, brands))
  loading.name("brands", yield* externalIds.find(store.id, "brand", brands))
  loading.name("shippingZones", yield* externalIds.find(store.id, "shipping_zone", listed("zoneIds")))
  const rates = yield* externalIds.find(store.id, "shipping_rate", listed("rateIds"))
  const known = yield* externalIds.find(
    store.id,
    "promotion",
    read.map(({ externalId }) => externalId)
  )
  for (const { externalId, body } of read) {
    const input = withIds(body, loading, rates)
    const id = known.get(externalId)
    const kept = yield* (id === undefined ? promotions.create(store, input) : promotions.update(store, id, input)).pipe(
      inRow("promotions", externalId)
    )
    if (id === undefined) yield* externalIds.assign(store.id, "promotion", kept.id, externalId)
    loading.count("promotions", id === undefined ? "created" : "updated")
  }
})
