/**
 * An attribute of a store, such as "Colour", and its options, such as "Red": they make the variants of products, and
 * storefronts filter by them. Products and variants name them by id, so that a new name shows everywhere at once.
 */
import { Schema } from "effect"
import {
  arrayOf,
  boolean,
  clearable,
  type Complete,
  described,
  filledText,
  int4,
  integer,
  json,
  nullableFileUrl,
  nullableString,
  nullableTimestamp,
  optional,
  string,
  text,
  timestamp
} from "../kernel/Fields.ts"
import { freeForm } from "../kernel/JsonSize.ts"
import { translations, translationsView } from "../kernel/Translations.ts"
import { fileAddress } from "../kernel/FileAddress.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { shownSource, source } from "./Origin.ts"
import type { StoreBound } from "../kernel/StoreBound.ts"

export const attributeOptionBound: StoreBound = { field: "options", most: 10_000, words: "options of attributes" }

/** Limited because storefronts, and statements that compose products, read the names of all attributes. */
export const attributeBound: StoreBound = { field: "attributes", most: 500, words: "attributes" }

/** Maximum number of options of one attribute. */
export const maxAttributeOptions = 500

const color = text(9).pipe(
  Schema.check(
    Schema.isPattern(/^#([0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i, { message: "must be a colour such as #ff0000" })
  )
)

const name = filledText(100)
const origin = {
  source,
  platform: clearable(text(50), "Code of the connected platform it came from.", "shopify"),
  externalId: clearable(text(191), "Its id in the system it came from.", "colour"),
  platformMetadata: optional(freeForm(4_096), "What the connected platform keeps about it: at most 4 KiB."),
  translations: optional(translations(4_096), "Translated names by language code, each with `name`: at most 4 KiB."),
  isActive: optional(Schema.Boolean, "False hides it from the filters of storefronts. Products keep it.", true)
}
const optionFields = {
  value: clearable(text(190), "Its value in filters, unique in the attribute. Made from the name by default.", "red"),
  swatchColor: clearable(color, "Colour to show for it, as #rrggbb.", "#cc0000"),
  swatchColor2: clearable(color, "Second colour, for two-coloured options.", "#ffffff"),
  swatchImageUrl: clearable(fileAddress, "Picture to show for it in place of a colour."),
  position: optional(int4, "Its place among the options, ascending. The last by default.", 0),
  ...origin
}
const optionName = "Name of the option, unique in the attribute, whatever its case."

export const AttributeOptionInput = Schema.Struct({
  name: described(name, optionName, "Red"),
  ...optionFields
}).annotate({ identifier: "CreateAttributeOption", description: "An option to add to an attribute." })
export type AttributeOptionInput = typeof AttributeOptionInput.Type
export const AttributeOptionPatch = Schema.Struct({
  name: optional(name, optionName, "Red"),
  ...optionFields
}).annotate({
  identifier: "UpdateAttributeOption",
  description: "Changes of an option. What is left out stays as it is; null clears."
})
export type AttributeOptionPatch = typeof AttributeOptionPatch.Type
/**
 * An option in the PATCH of its attribute: with an `id` it is changed, or deleted with `_delete`; without, it is
 * created.
 */
export const AttributeOptionChange = Schema.Struct({
  id: optional(Schema.String, "The option to change. Without it the option is new, and needs a name."),
  _delete: optional(Schema.Boolean, "True deletes the option that `id` names."),
  ...AttributeOptionPatch.fields
}).annotate({
  identifier: "AttributeOptionChange",
  description: "An option to create, change or delete with its attribute."
})
export type AttributeOptionChange = typeof AttributeOptionChange.Type

const listed = <S extends Schema.Top>(option: S) =>
  Schema.Array(option).pipe(Schema.check(Schema.isMaxLength(maxAttributeOptions)))
/** Names are keys of JSON objects, in which numeric keys would lose their order. */
const attributeNamed = name.pipe(
  Schema.check(Schema.makeFilter((value: string) => !/^\d+$/.test(value.trim()) || "must not be a number"))
)
const attributeFields = {
  displayType: clearable(
    text(50),
    "How storefronts show the choice: a text of your own, which the server does not interpret.",
    "SWATCH"
  ),
  ...origin
}
const attributeName = "Name of the attribute, unique in the store, whatever its case."
export const AttributeInput = Schema.Struct({
  name: described(attributeNamed, attributeName, "Colour"),
  ...attributeFields,
  options: optional(listed(AttributeOptionInput), `Its options, at most ${maxAttributeOptions}.`)
}).annotate({ identifier: "CreateAttribute", description: "An attribute to create, with its options." })
export type AttributeInput = typeof AttributeInput.Type
export const AttributePatch = Schema.Struct({
  name: optional(attributeNamed, attributeName, "Colour"),
  ...attributeFields,
  options: optional(
    listed(AttributeOptionChange),
    "Options to create, change or delete. Options that are not named stay as they are."
  )
}).annotate({
  identifier: "UpdateAttribute",
  description: "Changes of an attribute. What is left out stays as it is; null clears."
})
export type AttributePatch = typeof AttributePatch.Type

/** The stored fields of an attribute. */
export type AttributeFields = Omit<Complete<AttributeInput>, "options">
/** The stored fields of an option. */
export interface AttributeOptionFields extends Omit<Complete<AttributeOptionInput>, "value"> {
  readonly value: string
}
export interface AttributeOptionState extends AttributeOptionFields {
  readonly id: string
  readonly attributeId: string
  readonly createdAt: Date
  readonly updatedAt: Date
}
export interface AttributeState extends AttributeFields {
  readonly id: string
  /** Number of products that use it, without deleted ones. */
  readonly productCount: number
  readonly options: ReadonlyArray<AttributeOptionState>
  readonly createdAt: Date
  readonly updatedAt: Date
}

const shownOrigin = {
  source: shownSource,
  platform: nullableString("Code of the connected platform it came from; null for the store's own.", "shopify"),
  externalId: nullableString("Its id in the system it came from; null where it has none.", "colour"),
  platformMetadata: json("What the connected platform keeps about it."),
  translations: translationsView("Translated names by language code, each with `name`."),
  isActive: boolean("Whether the filters of storefronts offer it."),
  deletedAt: nullableTimestamp("When it was deleted; null while it is there."),
  createdAt: timestamp("When it was created."),
  updatedAt: timestamp("When it was last changed: the version that If-Match compares.")
}
export const AttributeOption = Schema.Struct({
  id: string("Id of the option."),
  attributeId: string("The attribute it is an option of."),
  name: string("Name of the option.", "Red"),
  value: string("Its value in filters.", "red"),
  swatchColor: nullableString("Colour to show for it, as #rrggbb.", "#cc0000"),
  swatchColor2: nullableString("Second colour, for two-coloured options.", "#ffffff"),
  swatchImageUrl: nullableFileUrl("Picture to show for it in place of a colour."),
  position: integer("Its place among the options, ascending.", 0),
  ...shownOrigin
}).annotate({ identifier: "AttributeOption", description: "One choice of an attribute." })
export type AttributeOption = typeof AttributeOption.Type

export const Attribute = Schema.Struct({
  id: string("Id of the attribute."),
  accountId: string("The account that owns the store."),
  storeId: string("The store it belongs to."),
  name: string("Name of the attribute.", "Colour"),
  displayType: nullableString(
    "How storefronts show the choice: a text of your own, which the server does not interpret.",
    "SWATCH"
  ),
  ...shownOrigin,
  productCount: integer("How many products use it.", 12),
  options: arrayOf(AttributeOption, "Its options, in their order.")
}).annotate({
  identifier: "Attribute",
  description: "A property by which products are chosen and filtered, such as a colour."
})
export type Attribute = typeof Attribute.Type

export const toAttributeOption = ({ createdAt, updatedAt, ...fields }: AttributeOptionState): AttributeOption => ({
  ...fields,
  deletedAt: null,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString()
})

export const toAttribute = (
  store: StoreContext,
  { createdAt, updatedAt, options, ...fields }: AttributeState
): Attribute => ({
  ...fields,
  accountId: store.accountId,
  storeId: store.id,
  deletedAt: null,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
  options: options.map(toAttributeOption)
})
