/** Metafield definitions as they are stored, and as they are read with a product. */
import { Schema } from "effect"
import { clearable, nullableString, string, text, nullableFileUrl } from "../kernel/Fields.ts"
import { jsonBytes } from "../kernel/JsonSize.ts"
import type { StoreBound } from "../kernel/StoreBound.ts"

/** The limit of filterable definitions: facets count the values of all of them for each product. */
export const filterableMetafieldBound: StoreBound = {
  field: "filterableMetafields",
  most: 50,
  words: "filterable metafield definitions"
}

/** The limit of definitions: storefronts read all of them, and each process caches them. */
export const metafieldDefinitionBound: StoreBound = {
  field: "metafieldDefinitions",
  most: 200,
  words: "metafield definitions"
}

export const metafieldTypes = [
  "TEXT",
  "TEXTAREA",
  "NUMBER",
  "BOOLEAN",
  "DATE",
  "SELECT",
  "MULTI_SELECT",
  "COLOR",
  "URL",
  "IMAGE",
  "GALLERY",
  "JSON"
] as const
export type MetafieldType = (typeof metafieldTypes)[number]

export const weekdays = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"] as const
const day = text(10).pipe(
  Schema.check(
    Schema.isPattern(/^\d{4}-\d\d-\d\d$/, {
      message: "must be a day such as 2026-01-31",
      toJsonSchema: () => ({ format: "date" })
    })
  )
)
const days = Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: 0, maximum: 3_650 })))

/** The days that can be chosen for a DATE. All of its rules apply together. */
export const DateAvailability = Schema.Struct({
  from: clearable(day, "The first day that can be chosen.", "2026-01-01"),
  to: clearable(day, "The last day that can be chosen.", "2026-12-31"),
  minDaysAhead: clearable(days, "How many days from today a shopper must leave, in the store's time zone.", 2),
  maxDaysAhead: clearable(days, "How many days from today a shopper can choose at most.", 60),
  weekdays: clearable(
    Schema.Array(Schema.Literals(weekdays)).pipe(Schema.check(Schema.isMaxLength(7))),
    "The weekdays that can be chosen. All by default.",
    ["MON", "TUE"]
  ),
  unavailableDates: clearable(
    Schema.Array(day).pipe(Schema.check(Schema.isMaxLength(366))),
    "Single days that cannot be chosen.",
    ["2026-12-25"]
  )
}).annotate({ identifier: "DateAvailability", description: "Which days a DATE can be." })
export type DateAvailability = typeof DateAvailability.Type

export const MetafieldChoice = Schema.Struct({
  label: string("The text to show.", "Oak"),
  value: string("The value to send, unique among the choices.", "oak"),
  swatchColor: nullableString("Colour to show for it, as #rrggbb.", "#b58b5a"),
  swatchImageUrl: nullableFileUrl("Picture to show for it in place of a colour.")
}).annotate({ identifier: "MetafieldChoice", description: "One choice of a SELECT or MULTI_SELECT." })
export type MetafieldChoice = typeof MetafieldChoice.Type

/** A definition as it is stored. Existing values of products are checked against it when they are next written. */
export interface MetafieldFields {
  readonly key: string
  readonly name: string
  readonly description: string | null
  readonly type: MetafieldType
  readonly required: boolean
  readonly isCustomerInput: boolean
  readonly appliesToAllProducts: boolean
  readonly filterable: boolean
  readonly minLength: number | null
  readonly maxLength: number | null
  readonly minValue: number | null
  readonly maxValue: number | null
  readonly dateAvailability: DateAvailability | null
  readonly enumValues: ReadonlyArray<MetafieldChoice>
  /** Null: no default. */
  readonly defaultValue: unknown
  readonly position: number
  readonly isActive: boolean
  readonly source: string
  readonly translations: Readonly<Record<string, unknown>>
}

/** Bytes of the part of a definition that readers cache. */
export const definitionBytes = ({ name, description, enumValues, defaultValue, translations }: MetafieldFields) =>
  jsonBytes([name, description, enumValues, defaultValue, translations])

/** A definition without the products that it is attached to. */
export interface MetafieldDefinition extends MetafieldFields {
  readonly id: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** With the products it is attached to by name, and the number of products that have a value. */
export interface MetafieldDefinitionState extends MetafieldDefinition {
  readonly products: ReadonlyArray<{ readonly id: string; readonly name: string }>
  readonly valueCount: number
}

/** The fields that a shopper's input is shown with and checked against. */
export type InputFacts = Pick<
  MetafieldFields,
  | "name"
  | "description"
  | "minLength"
  | "maxLength"
  | "minValue"
  | "maxValue"
  | "dateAvailability"
  | "enumValues"
  | "defaultValue"
  | "position"
  | "translations"
>

type SharedFacts = Pick<
  MetafieldDefinition,
  "id" | "key" | "type" | "required" | "isActive" | "isCustomerInput" | "filterable"
>
/** A definition as it is read with a product. */
export interface MetafieldFacts extends SharedFacts {
  /** For a field that a shopper fills in; null for one that products have values of. */
  readonly input: InputFacts | null
}

/** With the product's value; null if it has none. */
export interface ProductMetafield extends MetafieldFacts {
  readonly value: unknown
}
