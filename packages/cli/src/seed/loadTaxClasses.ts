/** The tax classes of a store description. A class is found by its name, which is unique in its store. */
import { NewTaxClass } from "@effect-commerce/core/tax/TaxClass"
import { TaxClasses } from "@effect-commerce/core/tax/TaxClasses"
import { Effect } from "effect"
import type { Row } from "./document.ts"
import { inRow, type Loading } from "./Loading.ts"
import { readRow } from "./rows.ts"

const mostClasses = 1_000

/** Also registers the store's existing classes by their names. */
export const load = Effect.fnUntraced(function* (loading: Loading, rows: ReadonlyArray<Row>) {
  const classes = yield* TaxClasses
  const present = yield* classes.list(loading.store, { page: 1, limit: mostClasses })
  loading.name(
    "taxClasses",
    present.items.map(({ name, id }) => [name, id])
  )
  for (const row of rows) {
    const { name } = yield* Effect.fromResult(readRow(NewTaxClass, "taxClasses", row))
    const known = loading.known("taxClasses", name)
    const id = known ?? (yield* inRow("taxClasses", row.externalId)(classes.create(loading.store, { name }))).id
    loading.name("taxClasses", [
      [row.externalId, id],
      [name, id]
    ])
    loading.count("taxClasses", known === undefined ? "created" : "updated")
  }
})
