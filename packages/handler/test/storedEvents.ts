/** The events that a shop has written, held against the definitions of the rooms. */
import { commerceEvents } from "@effect-commerce/core/CommerceEvents"
import { Database } from "@effect-commerce/core/database/Database"
import { Effect, Exit, Schema } from "effect"
import type { TestCommerce } from "../src/testing/TestCommerce.ts"

interface Row {
  readonly id: string
  readonly type: string
  readonly version: number | null
  readonly data: unknown
}

const problemOf = ({ id, type, version, data }: Row): ReadonlyArray<string> => {
  const definition = commerceEvents.find((event) => event.type === type)
  if (definition === undefined) return [`${type} ${id}: nobody defined it`]
  if (version !== definition.version) return [`${type} ${id}: has version ${version}, not ${definition.version}`]
  const schema = definition.data as Schema.ConstraintDecoder<unknown>
  const decoded = Schema.decodeUnknownExit(schema, { onExcessProperty: "error", errors: "all" })(data)
  return Exit.isSuccess(decoded) ? [] : [`${type} ${id}: ${String(decoded.cause)}`]
}

/**
 * The types that all stores of the shop have written, and what is wrong with them: a type that nobody defined, a field
 * that is missing, wrong or not declared.
 */
export const storedEvents = async (shop: TestCommerce) => {
  const rows = await shop.run(
    Effect.flatMap(
      Database,
      ({ sql }) => sql<Row>`SELECT id, type, version, data FROM event ORDER BY seq`
    ) as unknown as Effect.Effect<ReadonlyArray<Row>>
  )
  return {
    types: [...new Set(rows.map(({ type }) => type))].toSorted(),
    problems: rows.flatMap(problemOf)
  }
}
