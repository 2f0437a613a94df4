/** Rows of metafield_definition as statements answer them, and the definition they stand for. */
import { Schema } from "effect"
import { storedJson } from "../../database/Repository.ts"
import { fieldsOf, selectedFields, type StoreTable } from "../../database/StoreTable.ts"
import { MetafieldDefinitionInput } from "../MetafieldDefinition.ts"
import {
  DateAvailability,
  MetafieldChoice,
  type MetafieldDefinition,
  type MetafieldFields
} from "../MetafieldFields.ts"

export type DefinitionRow = Omit<MetafieldDefinition, "enumValues" | "dateAvailability" | "minValue" | "maxValue"> & {
  readonly enumValues: unknown
  readonly dateAvailability: unknown
  readonly minValue: string | null
  readonly maxValue: string | null
}

const fields = fieldsOf(MetafieldDefinitionInput, "productIds")
/** With the bytes of its texts, whose sum over the store is bounded. */
export const definitionTable: StoreTable<MetafieldFields & { readonly size: number }> = {
  table: "metafield_definition",
  fields: [...fields, "size"],
  json: ["dateAvailability", "enumValues", "defaultValue", "translations"]
}

/** Columns of a row `d`: all but the bytes. */
export const definitionColumns = `d.id, ${selectedFields({ ...definitionTable, fields }, "d")},
  d.created_at, d.updated_at`

const choices = storedJson("metafield_definition.enum_values", Schema.Array(MetafieldChoice))
const availability = storedJson("metafield_definition.date_availability", Schema.NullOr(DateAvailability))

export const toDefinition = <R extends DefinitionRow>(row: R) => ({
  ...row,
  enumValues: choices(row.enumValues),
  dateAvailability: availability(row.dateAvailability),
  minValue: row.minValue === null ? null : Number(row.minValue),
  maxValue: row.maxValue === null ? null : Number(row.maxValue)
})
