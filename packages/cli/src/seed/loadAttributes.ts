/**
 * The attributes of a store description. Options are found by their externalId, else by their name; those that a row
 * does not name stay as they are. Products name an attribute by its externalId or id, and its options by theirs or by
 * name.
 */
import { AttributeInput, AttributeOptionInput, type Attribute } from "@effect-commerce/core/taxonomy/Attribute"
import { Attributes } from "@effect-commerce/core/taxonomy/Attributes"
import type { ProductInput } from "@effect-commerce/core/product/ProductInput"
import { Effect, Schema } from "effect"
import type { Row } from "./document.ts"
import { inRow, type Loading } from "./Loading.ts"
import { optional, readRow } from "./rows.ts"

/** An option without an externalId is found by its name. */
const AttributeRow = Schema.Struct({
  ...AttributeInput.fields,
  options: optional(Schema.Array(AttributeOptionInput))
})

type Uses = NonNullable<ProductInput["attributes"]>

export const load = Effect.fnUntraced(function* (loading: Loading, rows: ReadonlyArray<Row>) {
  const attributes = yield* Attributes
  const { store } = loading
  const known = yield* attributes.idsByExternal(
    store,
    rows.map((row) => row.externalId)
  )
  for (const row of rows) {
    const body = yield* Effect.fromResult(readRow(AttributeRow, "attributes", row))
    const input = { ...body, externalId: row.externalId }
    const id = known.get(row.externalId)
    const kept = yield* (id === undefined ? attributes.create(store, input) : update(loading, id, input)).pipe(
      inRow("attributes", row.externalId)
    )
    nameAttribute(loading, row.externalId, kept)
    loading.count("attributes", id === undefined ? "created" : "updated")
  }
})

const update = Effect.fnUntraced(function* (loading: Loading, id: string, input: typeof AttributeRow.Type) {
  const attributes = yield* Attributes
  const { options: present } = yield* attributes.get(loading.store, id)
  const options = (input.options ?? []).map((option) => {
    const found =
      present.find(({ externalId }) => externalId !== null && externalId === option.externalId) ??
      present.find(({ name }) => name.toLowerCase() === option.name.trim().toLowerCase())
    return found === undefined ? option : { ...option, id: found.id }
  })
  return yield* attributes.update(loading.store, id, { ...input, options })
})

/** No external id or name has this character. */
const optionKey = (attribute: string, option: string): string => `${attribute}\u0000${option}`

const nameAttribute = (loading: Loading, reference: string, { id, options }: Attribute): void => {
  loading.name("attributes", [[reference, id]])
  for (const option of options)
    loading.name(
      "attributes",
      [option.name, option.externalId].flatMap((name) =>
        name === null ? [] : [[optionKey(reference, name), option.id] as const]
      )
    )
}

/** Registers the attributes that products name and the description does not have. */
export const nameAttributes = Effect.fnUntraced(function* (loading: Loading, references: ReadonlyArray<string>) {
  const unknown = [...new Set(references)].filter((one) => loading.known("attributes", one) === undefined)
  if (unknown.length === 0) return
  const attributes = yield* Attributes
  const ids = yield* attributes.idsByExternal(loading.store, unknown)
  for (const reference of unknown)
    yield* Effect.map(attributes.get(loading.store, ids.get(reference) ?? reference), (found) =>
      nameAttribute(loading, reference, found)
    ).pipe(
      // The product's use case then reports the field.
      Effect.catchTags({ AttributeNotFound: () => Effect.void })
    )
})

/** The attributes of a product's row, by their ids in the database. */
export const attributeUses = (loading: Loading, uses: Uses): Uses =>
  uses.map(({ attributeId, optionIds }) => ({
    attributeId: loading.idOf("attributes", attributeId),
    optionIds: optionIds.map((option) => loading.known("attributes", optionKey(attributeId, option)) ?? option)
  }))
