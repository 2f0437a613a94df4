/**
 * The loyalty section of a store description: rows with the `program` of the store, and rows with the `points` that a
 * customer begins with. Loading again leaves the points of a customer as they are, once they have any.
 */
import { ExternalIds } from "@effect-commerce/core/database/ExternalIds"
import { Loyalty } from "@effect-commerce/core/loyalty/Loyalty"
import { LoyaltyProgramInput } from "@effect-commerce/core/loyalty/LoyaltyProgram"
import { LoyaltyPrograms } from "@effect-commerce/core/loyalty/LoyaltyPrograms"
import { Effect, Schema } from "effect"
import type { Row } from "./document.ts"
import { inRow, type Loading } from "./Loading.ts"
import { optional, readRow, refusedRow } from "./rows.ts"

/** `customer` is the external id of a customer, or a customer's id. */
const LoyaltyRow = Schema.Struct({
  program: optional(LoyaltyProgramInput),
  customer: optional(Schema.String),
  points: optional(Schema.Finite),
  reason: optional(Schema.String)
})
type LoyaltyRow = typeof LoyaltyRow.Type

const section = "loyalty"

export const load = Effect.fnUntraced(function* (loading: Loading, rows: ReadonlyArray<Row>) {
  const loyalty = yield* Loyalty
  const programs = yield* LoyaltyPrograms
  const { store } = loading
  const read = yield* Effect.forEach(rows, (row) =>
    Effect.map(Effect.fromResult(readRow(LoyaltyRow, section, row)), (body) => ({ externalId: row.externalId, body }))
  )
  const externalIds = yield* ExternalIds
  const named = yield* externalIds.find(
    store.id,
    "customer",
    read.flatMap(({ body }) => body.customer ?? [])
  )

  /** Whether the store had no programme before. */
  const state = Effect.fnUntraced(function* (program: LoyaltyProgramInput) {
    const before = yield* programs.find(store.id)
    yield* programs.put(store, program)
    return before === undefined
  })

  /** Whether the customer got points now. */
  const give = Effect.fnUntraced(function* (
    customerId: string,
    { points = 0, reason = "Opening balance" }: LoyaltyRow
  ) {
    const { total } = yield* loyalty.transactions(store, customerId, { page: 1, limit: 1 })
    if (total > 0) return false
    yield* loyalty.adjust(store, customerId, { points, reason })
    return true
  })

  for (const { externalId, body } of read) {
    const { program, customer = "", points } = body
    const isProgram = program !== undefined
    if (isProgram === (body.customer !== undefined) || isProgram === (points !== undefined))
      return yield* Effect.fail(refusedRow(section, externalId, "needs either a program, or a customer with points"))
    const isNew = yield* (isProgram ? state(program) : give(named.get(customer) ?? customer, body)).pipe(
      inRow(section, externalId)
    )
    loading.count(section, isNew ? "created" : "updated")
  }
})
