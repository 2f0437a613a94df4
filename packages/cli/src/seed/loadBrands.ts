/**
 * The brands of a store description. One without an externalId yet is found by its name, which is unique in its store.
 */
import { BrandInput } from "@effect-commerce/core/taxonomy/Brand"
import { Brands } from "@effect-commerce/core/taxonomy/Brands"
import { ExternalIds } from "@effect-commerce/core/database/ExternalIds"
import { Effect } from "effect"
import type { Row } from "./document.ts"
import { inRow, type Loading } from "./Loading.ts"
import { readRow } from "./rows.ts"

export const load = Effect.fnUntraced(function* (loading: Loading, rows: ReadonlyArray<Row>) {
  const brands = yield* Brands
  const externalIds = yield* ExternalIds
  const { store } = loading
  const read = yield* Effect.forEach(rows, (row) =>
    Effect.map(Effect.fromResult(readRow(BrandInput, "brands", row)), (body) => ({ externalId: row.externalId, body }))
  )
  const names = yield* brands.idsByName(
    store,
    read.map(({ body }) => body.name.trim())
  )
  const named = yield* externalIds.find(
    store.id,
    "brand",
    rows.map((row) => row.externalId)
  )
  loading.name("brands", named)
  for (const {
    externalId,
    body: { slug, ...body }
  } of read) {
    const given = typeof slug === "string" ? { ...body, slug } : body
    const known = named.get(externalId) ?? names.get(body.name.trim())
    const kept = yield* (known === undefined ? brands.create(store, given) : brands.update(store, known, given)).pipe(
      inRow("brands", externalId)
    )
    if (!named.has(externalId)) yield* externalIds.assign(store.id, "brand", kept.id, externalId)
    loading.name("brands", [[externalId, kept.id]])
    loading.count("brands", known === undefined ? "created" : "updated")
  }
})
