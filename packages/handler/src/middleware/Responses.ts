/** Responses that many routes have. */
import { type Page, type PageOf, pageOf, toEnvelope } from "@effect-commerce/core/kernel/Pagination"
import { described } from "@effect-commerce/core/kernel/Fields"
import { Effect, Schema } from "effect"

/** The response of routes that have nothing else to return. */
export const Success = Schema.Struct({
  success: described(Schema.Literal(true), "Always true; a failure is an error response.")
}).annotate({ identifier: "Success", description: "It is done." })

const success = { success: true } as const

/** `{ success: true }` once the effect is done. */
export const succeed = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<typeof success, E, R> =>
  Effect.as(effect, success)

/** A page of a list in its envelope, read from `page` and `limit` of the query. */
export const paged = <Item, E, R>(
  query: Parameters<typeof pageOf>[0],
  read: (page: Page) => Effect.Effect<PageOf<Item>, E, R>
) => {
  const page = pageOf(query)
  return Effect.map(read(page), (found) => toEnvelope(page, found))
}
