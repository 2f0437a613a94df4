/**
 * Page-numbered lists (interface.md, Pagination): `page` is 1-based, `limit` is 20 unless told and never above 100, and
 * the envelope reports what was applied.
 */
import { Schema } from "effect"

export interface Page {
  readonly page: number
  readonly limit: number
}

export interface PageOf<A> {
  readonly items: ReadonlyArray<A>
  readonly total: number
}

export const maxLimit = 100
const defaultLimit = 20

const positiveInt = (name: string) =>
  Schema.String.pipe(
    Schema.check(
      Schema.makeFilter(
        (text: string) => (/^[0-9]{1,9}$/.test(text) && Number(text) >= 1) || `${name} must be a whole number from 1`
      )
    )
  )

/** Query fields of every list route. */
export const pageQuery = {
  page: Schema.optionalKey(positiveInt("page")),
  limit: Schema.optionalKey(
    Schema.String.pipe(
      Schema.check(
        Schema.makeFilter(
          (text: string) => (/^[0-9]{1,20}$/.test(text) && Number(text) >= 1) || "limit must be a whole number from 1"
        )
      )
    )
  )
}

/** The applied page: defaults filled in, `limit` clamped to 100. */
export const pageOf = (query: { readonly page?: string; readonly limit?: string }): Page => ({
  page: query.page === undefined ? 1 : Number(query.page),
  limit: query.limit === undefined ? defaultLimit : Math.min(maxLimit, Number(query.limit))
})

export const offsetOf = (page: Page): number => (page.page - 1) * page.limit

/** `{ data, meta }` of one resource (interface.md, Common list envelope). */
export const listEnvelope = <S extends Schema.Top>(item: S) =>
  Schema.Struct({
    data: Schema.Array(item),
    meta: Schema.Struct({ page: Schema.Int, limit: Schema.Int, total: Schema.Int, totalPages: Schema.Int })
  })

export const toEnvelope = <A>(page: Page, found: PageOf<A>) => ({
  data: found.items,
  meta: { page: page.page, limit: page.limit, total: found.total, totalPages: Math.ceil(found.total / page.limit) }
})

/** A page of what was read whole: lists that stay short. */
export const toPageOf = <A>(page: Page, all: ReadonlyArray<A>) =>
  toEnvelope(page, { items: all.slice(offsetOf(page), offsetOf(page) + page.limit), total: all.length })
