/** The regions of a store description. */
import { RegionInput } from "@effect-commerce/core/store/Region"
import { ExternalIds } from "@effect-commerce/core/database/ExternalIds"
import { Regions } from "@effect-commerce/core/store/Regions"
import { Effect } from "effect"
import type { Row } from "./document.ts"
import { inRow, type Loading } from "./Loading.ts"
import { readRow } from "./rows.ts"

export const load = Effect.fnUntraced(function* (loading: Loading, rows: ReadonlyArray<Row>) {
  const regions = yield* Regions
  const externalIds = yield* ExternalIds
  const { store } = loading
  loading.name(
    "regions",
    yield* externalIds.find(
      store.id,
      "region",
      rows.map((row) => row.externalId)
    )
  )
  for (const row of rows) {
    const body = yield* Effect.fromResult(readRow(RegionInput, "regions", row))
    const known = loading.known("regions", row.externalId)
    const kept = yield* (known === undefined ? regions.create(store, body) : regions.update(store, known, body)).pipe(
      inRow("regions", row.externalId)
    )
    if (known === undefined) yield* externalIds.assign(store.id, "region", kept.id, row.externalId)
    loading.name("regions", [[row.externalId, kept.id]])
    loading.count("regions", known === undefined ? "created" : "updated")
  }
})
