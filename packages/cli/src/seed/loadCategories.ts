/** The categories of a store description, parents before their children whatever the order they came in. */
import { CategoryInput } from "@effect-commerce/core/taxonomy/Category"
import { Categories } from "@effect-commerce/core/taxonomy/Categories"
import { Effect, Schema } from "effect"
import type { Row } from "./document.ts"
import { inRow, type Loading } from "./Loading.ts"
import { nullable, readRow, refusedRow } from "./rows.ts"

/** `parent` or `parentId` is the externalId of the category above, or its id. */
const CategoryRow = Schema.Struct({ ...CategoryInput.fields, parent: nullable(Schema.String) })

const parentOf = (row: typeof CategoryRow.Type): string | null | undefined =>
  row.parent === undefined ? row.parentId : row.parent

export const load = Effect.fnUntraced(function* (loading: Loading, rows: ReadonlyArray<Row>) {
  const categories = yield* Categories
  const read = yield* Effect.forEach(rows, (row) =>
    Effect.map(Effect.fromResult(readRow(CategoryRow, "categories", row)), (body) => ({
      externalId: row.externalId,
      body,
      parent: parentOf(body)
    }))
  )
  const mentioned = read.flatMap(({ externalId, parent }) =>
    typeof parent === "string" ? [externalId, parent] : [externalId]
  )
  loading.name("categories", yield* categories.idsByExternal(loading.store, mentioned))
  const waiting = new Map(read.map((row) => [row.externalId, row]))
  while (waiting.size > 0) {
    const ready = [...waiting.values()].filter(({ parent }) => typeof parent !== "string" || !waiting.has(parent))
    const [first] = waiting.values()
    if (ready.length === 0 && first !== undefined)
      return yield* Effect.fail(
        refusedRow("categories", first.externalId, "parent would make the category its own ancestor")
      )
    for (const { externalId, body, parent } of ready) {
      const { parent: _parent, parentId: _parentId, ...fields } = body
      const input = {
        ...fields,
        externalId,
        ...(parent === undefined ? {} : { parentId: parent === null ? null : loading.idOf("categories", parent) })
      }
      const known = loading.known("categories", externalId)
      const { slug, ...others } = input
      const patch = typeof slug === "string" ? { ...others, slug } : others
      const kept = yield* (
        known === undefined ? categories.create(loading.store, input) : categories.update(loading.store, known, patch)
      ).pipe(inRow("categories", externalId))
      loading.name("categories", [[externalId, kept.id]])
      loading.count("categories", known === undefined ? "created" : "updated")
      waiting.delete(externalId)
    }
  }
})
