/** Rows of metafield_definition as statements answer them, and the definition they stand for. */
import { Schema } from "effect"
import { storedJson } from "../../database/Repository.ts"
import { DateAvailability, MetafieldChoice, type MetafieldDefinition } from "../MetafieldFields.ts"

export type DefinitionRow = Omit<MetafieldDefinition, "enumValues" | "dateAvailability" | "minValue" | "maxValue"> & {
  readonly enumValues: unknown
  readonly dateAvailability: unknown
  readonly minValue: string | null
  readonly maxValue: string | null
}

/** Columns of a row `d`. */
export const definitionColumns = `d.id, d.key, d.name, d.description, d.type, d.required, d.is_customer_input,
  d.applies_to_all_products, d.filterable, d.min_length, d.max_length, d.min_value, d.max_value, d.date_availability,
  d.enum_values, d.default_value, d.position, d.is_active, d.source, d.translations, d.created_at, d.updated_at`

const choices = storedJson("metafield_definition.enum_values", Schema.Array(MetafieldChoice))
const availability = storedJson("metafield_definition.date_availability", Schema.NullOr(DateAvailability))

export const toDefinition = <R extends DefinitionRow>(row: R) => ({
  ...row,
  enumValues: choices(row.enumValues),
  dateAvailability: availability(row.dateAvailability),
  minValue: row.minValue === null ? null : Number(row.minValue),
  maxValue: row.maxValue === null ? null : Number(row.maxValue)
})
