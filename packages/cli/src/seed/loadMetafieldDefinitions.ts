/**
 * The metafield definitions of a store description. Products name them by their keys, so a description needs no other
 * name for them than that.
 */
import { MetafieldDefinitions } from "@effect-commerce/core/catalog/MetafieldDefinitions"
import { Products } from "@effect-commerce/core/catalog/Products"
import { ExternalIds } from "@effect-commerce/core/database/ExternalIds"
import { Effect } from "effect"
import type { Row } from "./document.ts"
import { inRow, type Loading } from "./Loading.ts"
import { MetafieldDefinitionRow, readRow } from "./rows.ts"

const section = "metafieldDefinitions"

export const loadMetafieldDefinitions = Effect.fnUntraced(function* (loading: Loading, rows: ReadonlyArray<Row>) {
  const definitions = yield* MetafieldDefinitions
  const externalIds = yield* ExternalIds
  const { store } = loading
  const read = yield* Effect.forEach(rows, (row) =>
    Effect.map(Effect.fromResult(readRow(MetafieldDefinitionRow, section, row)), (body) => ({
      externalId: row.externalId,
      body
    }))
  )
  const attached = [...new Set(read.flatMap(({ body }) => body.productIds ?? []))]
  loading.name("products", yield* (yield* Products).idsByExternal(store, attached))
  const known = yield* externalIds.find(
    store.id,
    "metafield_definition",
    read.map(({ externalId }) => externalId)
  )
  for (const { externalId, body } of read) {
    const id = known.get(externalId)
    const wanted =
      body.productIds === undefined
        ? body
        : { ...body, productIds: body.productIds.map((product) => loading.idOf("products", product)) }
    const kept = yield* inRow(
      section,
      externalId
    )(id === undefined ? definitions.create(store, wanted) : definitions.update(store, id, wanted))
    if (id === undefined) yield* externalIds.assign(store.id, "metafield_definition", kept.id, externalId)
    loading.count(section, id === undefined ? "created" : "updated")
  }
})
