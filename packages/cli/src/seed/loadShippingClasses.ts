/**
 * The shipping classes of a store description. One without an externalId yet is found by its name, which is unique in
 * its store.
 */
import { ExternalIds } from "@effect-commerce/core/database/ExternalIds"
import { NewShippingClass } from "@effect-commerce/core/shipping/ShippingClass"
import { ShippingClasses } from "@effect-commerce/core/shipping/ShippingClasses"
import { Effect } from "effect"
import type { Row } from "./document.ts"
import { inRow, type Loading } from "./Loading.ts"
import { readRow } from "./rows.ts"

const mostClasses = 1_000

/** Also registers the store's existing classes by their names. */
export const load = Effect.fnUntraced(function* (loading: Loading, rows: ReadonlyArray<Row>) {
  const classes = yield* ShippingClasses
  const externalIds = yield* ExternalIds
  const { store } = loading
  const present = yield* classes.list(store, { page: 1, limit: mostClasses })
  const byName = new Map(present.items.map(({ name, id }) => [name, id]))
  const named = yield* externalIds.find(
    store.id,
    "shipping_class",
    rows.map((row) => row.externalId)
  )
  loading.name("shippingClasses", [...byName, ...named])
  for (const row of rows) {
    const body = yield* Effect.fromResult(readRow(NewShippingClass, "shippingClasses", row))
    const known = named.get(row.externalId) ?? byName.get(body.name.trim())
    const kept = yield* (known === undefined ? classes.create(store, body) : classes.update(store, known, body)).pipe(
      inRow("shippingClasses", row.externalId)
    )
    if (!named.has(row.externalId)) yield* externalIds.assign(store.id, "shipping_class", kept.id, row.externalId)
    loading.name("shippingClasses", [
      [kept.name, kept.id],
      [row.externalId, kept.id]
    ])
    loading.count("shippingClasses", known === undefined ? "created" : "updated")
  }
})
