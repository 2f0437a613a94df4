/** Bodies that many routes answer with. */
import { type Page, type PageOf, pageOf, toEnvelope } from "@effect-commerce/core/kernel/Pagination"
import { Effect } from "effect"

const success = { success: true } as const

/** `{ success: true }`, for routes that return nothing else. */
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
