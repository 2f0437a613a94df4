/**
 * Page-numbered lists: `page` is 1-based, `limit` is 20 by default and at most 100, and the envelope reports the
 * applied values.
 */
import { Effect, Schema, SchemaAST } from "effect"
import { described, integer, listedText } from "./Fields.ts"

export interface Page {
  readonly page: number
  readonly limit: number
}

export interface PageOf<A> {
  readonly items: ReadonlyArray<A>
  readonly total: number
}

export const maxLimit = 100
export const defaultLimit = 20

/** A number from 1 as text. Its pattern is left out of the API document, where only the description says so. */
const positiveInt = (name: string, digits: number) =>
  Schema.String.pipe(
    Schema.check(
      Schema.makeFilter(
        (text: string) =>
          (/^[0-9]+$/.test(text) && text.length <= digits && Number(text) >= 1) ||
          `${name} must be a whole number from 1`,
        { toJsonSchema: () => ({}) }
      )
    )
  )

/** Query fields of every list route. */
export const pageQuery = {
  page: Schema.optionalKey(described(positiveInt("page", 9), "The page to return, from 1. The first by default.", "1")),
  limit: Schema.optionalKey(
    described(
      positiveInt("limit", 20),
      "Items on a page: 20 by default, and never more than 100. A larger number counts as 100, or as the largest " +
        "with which no page of the list is above 8 MiB.",
      "20"
    )
  )
}

/**
 * Query fields of a list that can be sorted. An unknown `sortBy` is ignored and the default order applies; an unknown
 * `sortOrder` is rejected.
 */
export const sortQuery = (names: ReadonlyArray<string>, defaultOrder: string) => ({
  sortBy: Schema.optionalKey(
    listedText(
      names,
      `One of ${names.join(", ")}. Any other value is ignored and the default order applies: ${defaultOrder}.`
    )
  ),
  sortOrder: Schema.optionalKey(described(Schema.Literals(["asc", "desc"]), "Ascending or descending.", "desc"))
})

/** The applied page: defaults filled in, `limit` clamped to 100. */
export const pageOf = (query: { readonly page?: string; readonly limit?: string }): Page => ({
  page: query.page === undefined ? 1 : Number(query.page),
  limit: query.limit === undefined ? defaultLimit : Math.min(maxLimit, Number(query.limit))
})

export const offsetOf = (page: Page): number => (page.page - 1) * page.limit

const PageInfo = Schema.Struct({
  page: integer("The number of this page, from 1.", 1),
  limit: integer("How many items a page has at most, as applied.", 20),
  total: integer("How many items there are on all pages together.", 57),
  totalPages: integer("How many pages there are; 0 when there is no item.", 3)
}).annotate({ identifier: "PageInfo", description: "Position of the page in its list." })

/**
 * `{ data, meta }` of one resource. In the API document the list of `Order` is called `OrderPage`.
 */
export const listEnvelope = <S extends Schema.Top>(item: S) => {
  const name = SchemaAST.resolveIdentifier(item.ast)
  return Schema.Struct({
    data: described(Schema.Array(item), "The items of this page."),
    meta: PageInfo
  }).annotate(name === undefined ? {} : { identifier: `${name}Page`, description: `One page of a list of ${name}.` })
}

export const toEnvelope = <A>(page: Page, found: PageOf<A>) => ({
  data: found.items,
  meta: { page: page.page, limit: page.limit, total: found.total, totalPages: Math.ceil(found.total / page.limit) }
})

/** Maps the items of a page. */
export const mapItems = <A, B, E, R>(
  found: Effect.Effect<PageOf<A>, E, R>,
  make: (item: A) => B
): Effect.Effect<PageOf<B>, E, R> =>
  Effect.map(found, ({ items, total }) => ({ items: items.map((item) => make(item)), total }))

/** Cuts a page from a whole list, for lists that stay short. */
export const toPageOf = <A>(page: Page, all: ReadonlyArray<A>) =>
  toEnvelope(page, { items: all.slice(offsetOf(page), offsetOf(page) + page.limit), total: all.length })
