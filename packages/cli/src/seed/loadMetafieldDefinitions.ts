/**
 * The metafield definitions of a store description. One without an externalId yet is found by its `key`, which is
 * unique in its store. Products have values of definitions, and definitions name products by `productIds` (externalIds
 * or ids): so the definitions are loaded before the products, and attached to those that they name after them.
 */
import { MetafieldDefinitionInput } from "@effect-commerce/core/metafield/MetafieldDefinition"
import { MetafieldDefinitions } from "@effect-commerce/core/metafield/MetafieldDefinitions"
import type { ProductInput } from "@effect-commerce/core/product/ProductInput"
import { Products } from "@effect-commerce/core/product/Products"
import { ExternalIds } from "@effect-commerce/core/database/ExternalIds"
import { Effect } from "effect"
import type { Row } from "./document.ts"
import { inRow, type Loading } from "./Loading.ts"
import { readRow } from "./rows.ts"

const section = "metafieldDefinitions"

const readDefinitions = (rows: ReadonlyArray<Row>) =>
  Effect.forEach(rows, (row) =>
    Effect.map(Effect.fromResult(readRow(MetafieldDefinitionInput, section, row)), (body) => ({
      externalId: row.externalId,
      body
    }))
  )

export const load = Effect.fnUntraced(function* (loading: Loading, rows: ReadonlyArray<Row>) {
  const definitions = yield* MetafieldDefinitions
  const externalIds = yield* ExternalIds
  const { store } = loading
  const read = yield* readDefinitions(rows)
  const known = yield* definitions.idsByKey(
    store,
    read.map(({ body }) => body.key)
  )
  const named = yield* externalIds.find(
    store.id,
    "metafield_definition",
    read.map(({ externalId }) => externalId)
  )
  for (const { externalId, body } of read) {
    const id = named.get(externalId) ?? known.get(body.key)
    const { productIds, ...others } = body
    const { appliesToAllProducts: _later, ...unattached } = others
    const kept = yield* (
      id === undefined
        ? definitions.create(store, isAttached(body) ? { ...others, appliesToAllProducts: false } : body)
        : definitions.update(store, id, productIds === undefined ? others : unattached)
    ).pipe(inRow(section, externalId))
    if (!named.has(externalId)) yield* externalIds.assign(store.id, "metafield_definition", kept.id, externalId)
    loading.name(section, [[externalId, kept.id]])
    loading.count(section, id === undefined ? "created" : "updated")
  }
})

/** Whether only the products that it names have it. */
const isAttached = ({ productIds, appliesToAllProducts }: MetafieldDefinitionInput): boolean =>
  productIds !== undefined && appliesToAllProducts !== true

/** Attaches the definitions to the products that they name. */
export const attachMetafieldDefinitions = Effect.fnUntraced(function* (loading: Loading, rows: ReadonlyArray<Row>) {
  const definitions = yield* MetafieldDefinitions
  const { store } = loading
  const read = (yield* readDefinitions(rows)).filter(({ body }) => body.productIds !== undefined)
  const named = [...new Set(read.flatMap(({ body }) => body.productIds ?? []))]
  loading.name("products", yield* (yield* Products).idsByExternal(store, named))
  for (const { externalId, body } of read) {
    const patch = {
      appliesToAllProducts: body.appliesToAllProducts ?? false,
      productIds: (body.productIds ?? []).map((product) => loading.idOf("products", product))
    }
    yield* inRow(section, externalId)(definitions.update(store, loading.idOf(section, externalId), patch))
  }
})

type Values = NonNullable<ProductInput["metafields"]>

/** The values that a product can begin with, and those of definitions that are yet to be attached to it. */
export const valuesOf = (
  given: ProductInput["metafields"],
  rows: ReadonlyArray<Row>
): { readonly first: Values; readonly later: Values } => {
  const attached = new Set(rows.flatMap((row) => (row["productIds"] === undefined ? [] : [String(row["key"])])))
  const values = Object.entries(given ?? {})
  return {
    first: Object.fromEntries(values.filter(([key]) => !attached.has(key))),
    later: Object.fromEntries(values.filter(([key]) => attached.has(key)))
  }
}
