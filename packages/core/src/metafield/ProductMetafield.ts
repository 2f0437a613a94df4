/** The metafields of a product: what a response shows of them, and what a shopper can fill in. */
import { Effect, Schema, Struct } from "effect"
import { textOr, translationIn } from "../kernel/Locale.ts"
import { arrayOf, boolean, described, integer, nullableString, string, oneOf, AnyJson } from "../kernel/Fields.ts"
import {
  type InputFacts,
  MetafieldChoice,
  type MetafieldFacts,
  type ProductMetafield,
  metafieldTypes
} from "./MetafieldFields.ts"
import { MetafieldDefinitionView } from "./MetafieldDefinition.ts"
import { MetafieldsRejected } from "./MetafieldErrors.ts"
import { isBlank } from "./MetafieldValue.ts"

export const CustomizationFieldView = Schema.Struct({
  id: string("Id of the metafield definition."),
  name: string("Name to show beside the input.", "Engraving"),
  key: string("Key under which a cart item sends its value in `customizations`.", "engraving"),
  description: nullableString("Help text for the shopper."),
  type: oneOf(metafieldTypes, "Type of the value."),
  required: boolean("Whether the product cannot be bought without it."),
  ...Struct.pick(MetafieldDefinitionView.fields, [
    "minLength",
    "maxLength",
    "minValue",
    "maxValue",
    "dateAvailability"
  ]),
  enumValues: arrayOf(MetafieldChoice, "The choices of a SELECT or MULTI_SELECT; empty for other types."),
  defaultValue: described(AnyJson, "Initial value of the input; null is none."),
  position: integer("Its place among the fields, ascending.", 0)
}).annotate({ identifier: "CustomizationField", description: "Something a shopper fills in to customize a product." })
export type CustomizationFieldView = typeof CustomizationFieldView.Type

/** Values by key. Storefronts see those of active definitions. */
export const valuesByKey = (
  metafields: ReadonlyArray<ProductMetafield>,
  isStorefront: boolean
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    metafields
      .filter(({ value, isActive }) => value !== null && (isActive || !isStorefront))
      .map(({ key, value }) => [key, value])
  )

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/** Name, description and labels in the first wanted language that they are translated into. */
export const inLanguage = <D extends Pick<InputFacts, "name" | "description" | "enumValues" | "translations">>(
  definition: D,
  wanted: ReadonlyArray<string>,
  own: string
): D => {
  const texts = wanted.length === 0 ? undefined : translationIn(definition.translations, wanted, own)
  if (texts === undefined) return definition
  const labels = isObject(texts["enumValues"]) ? texts["enumValues"] : {}
  return {
    ...definition,
    name: textOr(texts, "name", definition.name),
    description: textOr(texts, "description", definition.description),
    enumValues: definition.enumValues.map((choice) => ({
      ...choice,
      label: textOr(labels, choice.value, choice.label)
    }))
  }
}

/** The input field of a definition; null where shoppers do not fill it in. */
const customizationField = (
  { id, key, type, required, isActive, input }: MetafieldFacts,
  reading: { readonly wanted: ReadonlyArray<string>; readonly own: string } | undefined
): CustomizationFieldView | null => {
  if (input === null || !isActive) return null
  const {
    translations: _,
    name,
    description,
    enumValues,
    ...bounds
  } = reading === undefined ? input : inLanguage(input, reading.wanted, reading.own)
  return { id, name, key, description, type, required, enumValues, ...bounds }
}

export const customizationFields = (
  metafields: ReadonlyArray<MetafieldFacts>,
  reading?: { readonly wanted: ReadonlyArray<string>; readonly own: string } | undefined
): ReadonlyArray<CustomizationFieldView> =>
  metafields.map((facts) => customizationField(facts, reading)).filter((field) => field !== null)

/** Whether a product has all values that it needs to be active. Checked only when it becomes active. */
export const checkRequired = (metafields: ReadonlyArray<ProductMetafield>): Effect.Effect<void, MetafieldsRejected> => {
  const missing = metafields.filter(
    ({ required, isActive, isCustomerInput, value }) => required && isActive && !isCustomerInput && isBlank(value)
  )
  const errors = Object.fromEntries(missing.map(({ key }) => [`metafields.${key}`, "is required"]))
  return missing.length === 0 ? Effect.void : Effect.fail(new MetafieldsRejected({ errors }))
}
