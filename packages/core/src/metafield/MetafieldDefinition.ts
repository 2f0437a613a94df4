/**
 * A metafield definition: a custom field of the merchant, such as "Material" or "Engraving". A product has a value of
 * it, or a shopper fills it in when adding the product to a cart (`isCustomerInput`).
 */
import { Schema, Struct } from "effect"
import {
  AnyJson,
  arrayOf,
  boolean,
  clearable,
  described,
  filledText,
  int4,
  integer,
  nullable,
  nullableInteger,
  nullableNumber,
  nullableString,
  oneOf,
  optional,
  Reference,
  string,
  text,
  timestamp
} from "../kernel/Fields.ts"
import { translations, translationsView } from "../kernel/Translations.ts"
import { neverSynced, noPlatforms, platformFields, shownSource, source, syncFields } from "../taxonomy/Origin.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import {
  DateAvailability,
  MetafieldChoice,
  type MetafieldDefinition,
  type MetafieldDefinitionState,
  metafieldTypes
} from "./MetafieldFields.ts"
import { ChannelPublishView } from "../taxonomy/Publication.ts"

const metafieldKeyPattern = /^[a-z][a-z0-9_]{0,63}$/
/** The most choices of a SELECT or MULTI_SELECT. */
const maxChoices = 200
/** The most products that a definition can be attached to by name. `appliesToAllProducts` reaches more. */
export const maxAttachedProducts = 1_000
/** The most attached products shown for each definition in a list. */
export const listedProducts = 100
/** The largest size of all names, choices and translations of a store, in bytes of JSON: readers cache them all. */
export const maxDefinitionBytes = 1_048_576

const ChoiceInput = Schema.Struct({
  value: described(text(100), "The value to send, unique among the choices, without commas.", "oak"),
  label: optional(text(200), "The text to show. The value by default.", "Oak"),
  swatchColor: clearable(text(7), "Colour to show for it, as #rrggbb.", "#b58b5a"),
  swatchImageUrl: clearable(
    text(2_000).annotate({ format: "uri-reference" }),
    "Picture to show for it in place of a colour."
  )
}).annotate({ identifier: "MetafieldChoiceInput", description: "One choice of a SELECT or MULTI_SELECT." })

const count = Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: 0, maximum: 65_536 })))
const key = text(64).pipe(
  Schema.check(
    Schema.makeFilter(
      (value: string) =>
        metafieldKeyPattern.test(value) ||
        "must begin with a lower-case letter and hold lower-case letters, digits and underscores, 64 at most",
      { toJsonSchema: () => ({ pattern: metafieldKeyPattern.source }) }
    )
  )
)
const name = filledText(200)

const sentences = {
  name: "Name to show.",
  key: "Name of the field in requests and responses, unique in the store.",
  type: "What kind of value it holds. It can change only while no product has a value."
}
const fields = {
  description: clearable(text(2_000), "Help text for the person who fills it in."),
  required: optional(
    Schema.Boolean,
    "An active product needs a value; with `isCustomerInput` a cart item of the product does. False by default."
  ),
  isCustomerInput: optional(
    Schema.Boolean,
    "True where a shopper fills it in as `customizations` of a cart item, and products have no value of it. It can " +
      "change only while no product has a value."
  ),
  appliesToAllProducts: optional(
    Schema.Boolean,
    "Whether every product has it. By default it has where no `productIds` are given."
  ),
  productIds: optional(
    Schema.Array(Reference).pipe(Schema.check(Schema.isMaxLength(maxAttachedProducts))),
    "The products that have it, where not all have. They replace those that are there."
  ),
  filterable: optional(
    Schema.Boolean,
    "Whether storefronts can filter products by it. Not for TEXTAREA, URL, IMAGE, GALLERY, JSON and shoppers' input."
  ),
  minLength: clearable(
    count,
    "Characters of a TEXT, TEXTAREA or URL at least; entries of a MULTI_SELECT or GALLERY at least.",
    2
  ),
  maxLength: clearable(
    count,
    "Characters of a TEXT, TEXTAREA or URL at most; entries of a MULTI_SELECT or GALLERY at most.",
    40
  ),
  minValue: clearable(Schema.Finite, "Least value of a NUMBER.", 0),
  maxValue: clearable(Schema.Finite, "Greatest value of a NUMBER.", 100),
  dateAvailability: clearable(DateAvailability, "Which days a DATE can be."),
  enumValues: optional(
    Schema.Array(ChoiceInput).pipe(Schema.check(Schema.isMaxLength(maxChoices))),
    "Choices of a SELECT or MULTI_SELECT. They replace those that are there; one that a product has cannot go."
  ),
  defaultValue: clearable(
    AnyJson,
    "The value of new products. With `isCustomerInput` it is the initial value in the storefront's form."
  ),
  position: optional(int4, "Its place among the definitions, ascending. 0 by default."),
  isActive: optional(Schema.Boolean, "False hides it from storefronts and carts. True by default."),
  source,
  translations: optional(
    translations(),
    "Translated texts by language code, each with `name`, `description` and `enumValues` (value to label)."
  )
}

export const MetafieldDefinitionInput = Schema.Struct({
  name: described(name, sentences.name, "Material"),
  key: described(key, sentences.key, "material"),
  type: described(Schema.Literals(metafieldTypes), sentences.type, "SELECT"),
  ...fields
}).annotate({ identifier: "CreateMetafieldDefinition", description: "A metafield definition to create." })
export type MetafieldDefinitionInput = typeof MetafieldDefinitionInput.Type

export const MetafieldDefinitionPatch = Schema.Struct({
  name: optional(name, sentences.name, "Material"),
  key: optional(key, sentences.key, "material"),
  type: optional(Schema.Literals(metafieldTypes), sentences.type, "SELECT"),
  ...fields
}).annotate({
  identifier: "UpdateMetafieldDefinition",
  description: "Changes of a metafield definition. What is left out stays as it is; null clears."
})
export type MetafieldDefinitionPatch = typeof MetafieldDefinitionPatch.Type

export const MetafieldDefinitionView = Schema.Struct({
  id: string("Id of the definition."),
  accountId: string("The account that owns the store."),
  storeId: string("The store it belongs to."),
  name: string(sentences.name, "Material"),
  key: string(sentences.key, "material"),
  description: nullableString("Help text for the person who fills it in."),
  type: oneOf(metafieldTypes, sentences.type),
  required: boolean("Whether an active product needs a value, or with `isCustomerInput` a cart item of the product."),
  isCustomerInput: boolean("Whether a shopper fills it in, as `customizations` of a cart item."),
  appliesToAllProducts: boolean("Whether every product has it; otherwise `products` do."),
  filterable: boolean("Whether storefronts can filter products by it."),
  minLength: nullableInteger("Characters, or entries of a list, at least.", 2),
  maxLength: nullableInteger("Characters, or entries of a list, at most.", 40),
  minValue: nullableNumber("Least value of a NUMBER.", 0),
  maxValue: nullableNumber("Greatest value of a NUMBER.", 100),
  dateAvailability: nullable(DateAvailability, "Which days a DATE can be; null is any."),
  enumValues: arrayOf(MetafieldChoice, "Choices of a SELECT or MULTI_SELECT; empty for other types."),
  defaultValue: described(AnyJson, "What a new product, or a shopper, begins with; null is nothing."),
  position: integer("Its place among the definitions, ascending.", 0),
  isActive: boolean("Whether storefronts and carts know it."),
  ...platformFields,
  ...syncFields,
  source: shownSource,
  products: arrayOf(
    Schema.Struct({ id: string("Id of the product."), name: string("Name of the product.") }).annotate({
      identifier: "MetafieldProduct",
      description: "A product that a definition is attached to."
    }),
    `The products it is attached to by name; the list of definitions shows the first ${listedProducts} of each.`
  ),
  channelPublishes: arrayOf(ChannelPublishView, "Channels it is published to; none is all of them."),
  vibeCodedPublishes: arrayOf(ChannelPublishView, "The same as `channelPublishes`, under an older name."),
  _count: described(
    Schema.Struct({ values: integer("How many products have a value.", 12) }).annotate({
      identifier: "MetafieldCount",
      description: "How much there is of a definition."
    }),
    "How much there is of it."
  ),
  translations: translationsView(
    "Translated texts by language code, each with `name`, `description` and `enumValues`."
  ),
  createdAt: timestamp("When it was created."),
  updatedAt: timestamp("When it was last changed: the version that If-Match compares.")
}).annotate({ identifier: "MetafieldDefinition", description: "A field of the merchant's own." })
export type MetafieldDefinitionView = typeof MetafieldDefinitionView.Type

export const toDefinitionView = (store: StoreContext, state: MetafieldDefinitionState): MetafieldDefinitionView => {
  const { valueCount, createdAt, updatedAt, ...fields } = state
  return {
    ...fields,
    accountId: store.accountId,
    storeId: store.id,
    ...noPlatforms,
    ...neverSynced,
    channelPublishes: [],
    vibeCodedPublishes: [],
    _count: { values: valueCount },
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString()
  }
}

const storefrontFields = [
  "id",
  "name",
  "key",
  "description",
  "type",
  "required",
  "filterable",
  "enumValues",
  "position"
] as const

/** The fields that storefronts see. */
export const StorefrontDefinition = MetafieldDefinitionView.mapFields(Struct.pick(storefrontFields)).annotate({
  identifier: "StorefrontMetafieldDefinition",
  description: "A metafield definition as storefronts see it."
})
export const toStorefrontDefinition = (definition: MetafieldDefinition): typeof StorefrontDefinition.Type =>
  Struct.pick(definition, storefrontFields)
