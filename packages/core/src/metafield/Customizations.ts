/**
 * What a shopper fills in for a product that goes into a cart or an order: checked against the definitions with
 * `isCustomerInput` that apply to the product, and nothing else.
 */
import { Context, Effect } from "effect"
import type { FieldErrors } from "../kernel/FieldErrors.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import type { MetafieldFacts } from "./MetafieldFields.ts"
import { MetafieldsRejected } from "./MetafieldErrors.ts"
import { daysAheadProblem, isBlank, readValue } from "./MetafieldValue.ts"

export { customerInputsOf } from "./MetafieldColumns.ts"

type Values = Readonly<Record<string, unknown>>

/**
 * Pictures that shoppers have uploaded for customizations. Called inside the transaction that stores a reference to
 * one, once for all pictures of a line; returns the address to store, by the url or key that was sent. A picture
 * missing from the result is not an upload of this store. Uploads are kept while anything needs them. The media room
 * implements it; by default there are no uploads, and every picture is rejected.
 */
export const CustomerUploads = Context.Reference<{
  readonly keep: (
    store: Pick<StoreContext, "id">,
    keysOrUrls: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyMap<string, string>>
}>("@effect-commerce/core/metafield/CustomerUploads", {
  defaultValue: () => ({ keep: () => Effect.succeed(new Map()) })
})

/** Today as YYYY-MM-DD, in the store's time zone. */
const dayIn = (timezone: string, now: number): string =>
  new Intl.DateTimeFormat("en-CA", { timeZone: timezone, year: "numeric", month: "2-digit", day: "2-digit" }).format(
    now
  )

const isPicture = ({ type }: MetafieldFacts): boolean => type === "IMAGE" || type === "GALLERY"

/** Choices ticked in a different order are the same value, and so the same line of a cart. */
const inOneOrder = ({ type, input }: MetafieldFacts, value: unknown): unknown =>
  type === "MULTI_SELECT" && Array.isArray(value)
    ? (input?.enumValues ?? []).flatMap((choice) => (value.includes(choice.value) ? [choice.value] : []))
    : value

type Judged = { readonly value: unknown } | { readonly problem: string } | undefined

const judged = (field: MetafieldFacts, given: unknown, today: string): Judged => {
  if (field.input === null || isBlank(given)) return field.required ? { problem: "is required" } : undefined
  const read = readValue({ ...field.input, type: field.type }, given)
  if (read._tag === "Failure") return { problem: read.failure }
  const problem =
    field.type === "DATE" ? daysAheadProblem(String(read.success), field.input.dateAvailability, today) : undefined
  return problem === undefined ? { value: inOneOrder(field, read.success) } : { problem }
}

interface Read {
  readonly values: Values
  readonly errors: FieldErrors
}

/** Pure; pictures are only checked to be well formed. Empty values are left out. */
export const readCustomizations = (inputs: ReadonlyArray<MetafieldFacts>, given: Values, today: string): Read => {
  const known = new Map(inputs.map((field) => [field.key, field]))
  const values: Array<readonly [string, unknown]> = []
  const errors: Array<readonly [string, string]> = Object.keys(given)
    .filter((key) => !known.has(key))
    .map((key) => [key, "this product has no such customization field"])
  for (const field of inputs) {
    const one = judged(field, given[field.key], today)
    if (one === undefined) continue
    if ("problem" in one) errors.push([field.key, one.problem])
    else values.push([field.key, one.value])
  }
  return { values: Object.fromEntries(values), errors: Object.fromEntries(errors) }
}

const picturesOf = (value: unknown): ReadonlyArray<string> =>
  (Array.isArray(value) ? value : [value]).filter((one) => typeof one === "string")

export interface Customizing {
  readonly store: StoreContext
  readonly inputs: ReadonlyArray<MetafieldFacts>
  readonly given: Values | undefined
  /** The prefix of a key in an error, such as `customizations`. */
  readonly path: string
  readonly now: number
}

/** The customizations to store. Rejects invalid values by key; pictures must be uploads of the store. */
export const settledCustomizations = Effect.fnUntraced(function* (
  uploads: (typeof CustomerUploads)["Service"],
  { store, inputs, given = {}, path, now }: Customizing
) {
  if (inputs.length === 0 && Object.keys(given).length === 0) return {}
  const { values, errors } = readCustomizations(inputs, given, dayIn(store.timezone, now))
  const pictures = inputs.filter((field) => isPicture(field) && values[field.key] !== undefined)
  const named = pictures.flatMap(({ key }) => picturesOf(values[key]))
  const kept = named.length === 0 ? new Map<string, string>() : yield* uploads.keep(store, [...new Set(named)])
  const foreign = pictures.filter(({ key }) => picturesOf(values[key]).some((one) => !kept.has(one)))
  const all: FieldErrors = {
    ...errors,
    ...Object.fromEntries(
      foreign.map(({ key }) => [key, "must be the url or the key of a picture that was uploaded to this store"])
    )
  }
  if (Object.keys(all).length > 0) {
    const entries = Object.entries(all).map(([key, reason]) => [`${path}.${key}`, reason])
    return yield* new MetafieldsRejected({ errors: Object.fromEntries(entries) })
  }
  const addressed = pictures.map(({ key, type }) => {
    const addresses = picturesOf(values[key]).map((one) => kept.get(one) ?? one)
    return [key, type === "GALLERY" ? [...new Set(addresses)] : addresses[0]]
  })
  return { ...values, ...Object.fromEntries(addressed) } as Record<string, unknown>
})
