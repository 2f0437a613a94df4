/**
 * The reviews of a store description. What a review says is set when it is created; its state and the merchant's reply
 * are brought up to date.
 */
import { ReviewInput, ReviewPatch } from "@effect-commerce/core/review/Review"
import { Products } from "@effect-commerce/core/product/Products"
import { ExternalIds } from "@effect-commerce/core/database/ExternalIds"
import { Reviews } from "@effect-commerce/core/review/Reviews"
import { Effect, Schema } from "effect"
import type { Row } from "./document.ts"
import { inRow, type Loading } from "./Loading.ts"
import { optional, readRow } from "./rows.ts"

/** `productId` and `customerId` are externalIds or ids. */
const ReviewRow = Schema.Struct({
  ...ReviewInput.fields,
  ...ReviewPatch.fields,
  productId: Schema.String,
  customerId: optional(Schema.String)
})

export const load = Effect.fnUntraced(function* (loading: Loading, rows: ReadonlyArray<Row>) {
  const reviews = yield* Reviews
  const externalIds = yield* ExternalIds
  const { store } = loading
  const read = yield* Effect.forEach(rows, (row) =>
    Effect.map(Effect.fromResult(readRow(ReviewRow, "reviews", row)), (body) => ({ externalId: row.externalId, body }))
  )
  const about = [...new Set(read.map(({ body }) => body.productId))]
  loading.name("products", yield* (yield* Products).idsByExternal(store, about))
  const authors = read.flatMap(({ body }) => (body.customerId === undefined ? [] : [body.customerId]))
  loading.name("customers", yield* externalIds.find(store.id, "customer", authors))
  const named = yield* externalIds.find(
    store.id,
    "review",
    read.map(({ externalId }) => externalId)
  )
  for (const { externalId, body } of read) {
    const { productId, customerId, status, reply, ...said } = body
    const known = named.get(externalId)
    const kept = {
      ...(status === undefined ? {} : { status }),
      ...(reply === undefined ? {} : { reply })
    }
    if (known !== undefined) yield* inRow("reviews", externalId)(reviews.update(store, known, kept))
    else {
      const recorded = reviews.record(store, {
        ...said,
        ...kept,
        productId: loading.idOf("products", productId),
        ...(customerId === undefined ? {} : { customerId: loading.idOf("customers", customerId) })
      })
      const { id } = yield* inRow("reviews", externalId)(recorded)
      yield* externalIds.assign(store.id, "review", id, externalId)
    }
    loading.count("reviews", known === undefined ? "created" : "updated")
  }
})
