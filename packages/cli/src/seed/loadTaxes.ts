/** The tax classes and rates of a store description. A class is found by its name, which is unique in its store. */
import { ExternalIds } from "@effect-commerce/core/database/ExternalIds"
import { TaxClasses } from "@effect-commerce/core/tax/TaxClasses"
import { TaxRates } from "@effect-commerce/core/tax/TaxRates"
import { Effect } from "effect"
import type { Row } from "./document.ts"
import { inRow, type Loading } from "./Loading.ts"
import { readRow, TaxClassRow, TaxRateRow } from "./rows.ts"

const mostClasses = 1_000

/** Also makes the store's classes known by their names. */
export const loadTaxClasses = Effect.fnUntraced(function* (loading: Loading, rows: ReadonlyArray<Row>) {
  const classes = yield* TaxClasses
  const present = yield* classes.list(loading.store, { page: 1, limit: mostClasses })
  loading.name(
    "taxClasses",
    present.items.map(({ name, id }) => [name, id])
  )
  for (const row of rows) {
    const { name } = yield* Effect.fromResult(readRow(TaxClassRow, "taxClasses", row))
    const known = loading.known("taxClasses", name)
    const id = known ?? (yield* inRow("taxClasses", row.externalId)(classes.create(loading.store, name))).id
    loading.name("taxClasses", [
      [row.externalId, id],
      [name, id]
    ])
    loading.count("taxClasses", known === undefined ? "created" : "updated")
  }
})

export const loadTaxRates = Effect.fnUntraced(function* (loading: Loading, rows: ReadonlyArray<Row>) {
  const taxes = yield* TaxRates
  const externalIds = yield* ExternalIds
  const { store } = loading
  loading.name(
    "taxRates",
    yield* externalIds.find(
      store.id,
      "tax_rate",
      rows.map((row) => row.externalId)
    )
  )
  for (const row of rows) {
    const body = yield* Effect.fromResult(readRow(TaxRateRow, "taxRates", row))
    const input =
      typeof body.taxClassId === "string" ? { ...body, taxClassId: loading.idOf("taxClasses", body.taxClassId) } : body
    const known = loading.known("taxRates", row.externalId)
    const kept = yield* (known === undefined ? taxes.create(store, input) : taxes.update(store, known, input)).pipe(
      inRow("taxRates", row.externalId)
    )
    if (known === undefined) yield* externalIds.assign(store.id, "tax_rate", kept.id, row.externalId)
    loading.count("taxRates", known === undefined ? "created" : "updated")
  }
})
