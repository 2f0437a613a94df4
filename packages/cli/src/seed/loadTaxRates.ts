/** The tax rates of a store description. */
import { ExternalIds } from "@effect-commerce/core/database/ExternalIds"
import { NewTaxRate } from "@effect-commerce/core/tax/TaxRate"
import { TaxRates } from "@effect-commerce/core/tax/TaxRates"
import { Effect } from "effect"
import type { Row } from "./document.ts"
import { inRow, type Loading } from "./Loading.ts"
import { readRow } from "./rows.ts"

export const load = Effect.fnUntraced(function* (loading: Loading, rows: ReadonlyArray<Row>) {
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
    const body = yield* Effect.fromResult(readRow(NewTaxRate, "taxRates", row))
    // The externalId, the name or the id of a class.
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
