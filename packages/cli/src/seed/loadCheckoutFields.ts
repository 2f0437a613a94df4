/** The checkout fields of a store description. A field is found by its key, which is unique in its store. */
import { CheckoutFieldInput } from "@effect-commerce/core/checkoutfield/CheckoutField"
import { CheckoutFields } from "@effect-commerce/core/checkoutfield/CheckoutFields"
import { Effect } from "effect"
import type { Row } from "./document.ts"
import { inRow, type Loading } from "./Loading.ts"
import { readRow } from "./rows.ts"

export const load = Effect.fnUntraced(function* (loading: Loading, rows: ReadonlyArray<Row>) {
  const fields = yield* CheckoutFields
  const { store } = loading
  const read = yield* Effect.forEach(rows, (row) =>
    Effect.map(Effect.fromResult(readRow(CheckoutFieldInput, "checkoutFields", row)), (body) => ({
      externalId: row.externalId,
      body
    }))
  )
  const known = yield* fields.idsByKey(
    store,
    read.map(({ body }) => body.key)
  )
  for (const { externalId, body } of read) {
    const id = known.get(body.key)
    yield* (id === undefined ? fields.create(store, body) : fields.update(store, id, body)).pipe(
      inRow("checkoutFields", externalId)
    )
    loading.count("checkoutFields", id === undefined ? "created" : "updated")
  }
})
