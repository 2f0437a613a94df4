/**
 * The coupons of a store description. One without an externalId yet is found by its code, which is unique in its store.
 * Products, categories and regions are named by their externalIds or ids.
 */
import { CouponInput } from "@effect-commerce/core/coupon/Coupon"
import { couponKey } from "@effect-commerce/core/coupon/CouponCode"
import { Coupons } from "@effect-commerce/core/coupon/Coupons"
import { ExternalIds } from "@effect-commerce/core/database/ExternalIds"
import { Products } from "@effect-commerce/core/product/Products"
import { Effect } from "effect"
import type { Row } from "./document.ts"
import { inRow, type Loading } from "./Loading.ts"
import { readRow } from "./rows.ts"

/** The section that each list of ids is about. */
const lists = {
  applicableProducts: "products",
  excludedProducts: "products",
  applicableCategories: "categories",
  excludedCategories: "categories",
  regionIds: "regions"
} as const
const names = Object.keys(lists) as ReadonlyArray<keyof typeof lists>

const idsNamed = (body: CouponInput, section: string): ReadonlyArray<string> => [
  ...new Set(names.flatMap((name) => (lists[name] === section ? (body[name] ?? []) : [])))
]

const withIds = (loading: Loading, body: CouponInput): CouponInput => ({
  ...body,
  ...Object.fromEntries(
    names.flatMap((name) => {
      const named = body[name]
      return Array.isArray(named) ? [[name, named.map((id: string) => loading.idOf(lists[name], id))] as const] : []
    })
  )
})

export const load = Effect.fnUntraced(function* (loading: Loading, rows: ReadonlyArray<Row>) {
  const coupons = yield* Coupons
  const externalIds = yield* ExternalIds
  const { store } = loading
  const read = yield* Effect.forEach(rows, (row) =>
    Effect.map(Effect.fromResult(readRow(CouponInput, "coupons", row)), (body) => ({
      externalId: row.externalId,
      body
    }))
  )
  const all = (section: string) => [...new Set(read.flatMap(({ body }) => idsNamed(body, section)))]
  loading.name("products", yield* (yield* Products).idsByExternal(store, all("products")))
  loading.name("categories", yield* externalIds.find(store.id, "category", all("categories")))
  loading.name("regions", yield* externalIds.find(store.id, "region", all("regions")))
  const coded = yield* coupons.idsByCode(
    store,
    read.map(({ body }) => couponKey(body.code))
  )
  const named = yield* externalIds.find(
    store.id,
    "coupon",
    rows.map((row) => row.externalId)
  )
  for (const { externalId, body } of read) {
    const { source, sourceExternalId, ...fields } = withIds(loading, body)
    const origin = {
      ...(source === undefined ? {} : { source }),
      ...(sourceExternalId === undefined ? {} : { sourceExternalId })
    }
    const known = named.get(externalId) ?? coded.get(couponKey(body.code))
    const written = inRow("coupons", externalId)
    const kept =
      known === undefined
        ? yield* written(coupons.create(store, { ...fields, ...origin }))
        : yield* written(coupons.update(store, known, fields))
    if (!named.has(externalId)) yield* externalIds.assign(store.id, "coupon", kept.id, externalId)
    loading.count("coupons", known === undefined ? "created" : "updated")
  }
})
