/**
 * Keeps pages of lists below the size limit of a response. If a page is larger, every page of that list has fewer rows
 * from then on, in every process: `limit` is lowered to the largest power of two that fits, as a number above 100 is
 * lowered to 100, and `meta.limit` shows it. No row is skipped: a client that is reading the list gets some rows twice.
 * Decision 0033.
 */
import { defaultLimit, maxLimit } from "@effect-commerce/core/kernel/Pagination"
import type { StoreContext } from "@effect-commerce/core/store/StoreContext"
import type { Stores } from "@effect-commerce/core/store/Stores"
import { Clock, Context, Effect, SchemaAST } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { mostAnswer } from "./AnswerBytes.ts"
import { RequestInvalid } from "./Refusals.ts"

type Response = HttpServerResponse.HttpServerResponse

/**
 * What a list is called: the last word of its path, so that lists of the same rows on several surfaces share it.
 * Undefined if the query has no `limit`.
 */
export const listName = ({ method, path, query }: HttpApiEndpoint.Top): string | undefined => {
  if (method !== "GET" || query === undefined || !SchemaAST.isObjects(query.ast)) return undefined
  if (!query.ast.propertySignatures.some(({ name }) => name === "limit")) return undefined
  return path.split("/").findLast((part) => part !== "" && !part.startsWith(":"))
}

/** The requested number; undefined if the endpoint will reject it. */
const askedRows = (limit: string | ReadonlyArray<string> | undefined): number | undefined => {
  if (limit === undefined) return defaultLimit
  return typeof limit === "string" && /^[0-9]{1,20}$/.test(limit) && Number(limit) > 0
    ? Math.min(maxLimit, Number(limit))
    : undefined
}

/** As many rows as fit if they are as large as these, rounded down so that a list reaches its final number soon. */
const fewer = (rows: number, bytes: number): number =>
  2 ** Math.floor(Math.log2(Math.max(1, Math.min(rows - 1, (rows * mostAnswer) / bytes))))

const openingBracket = 0x5b

/** A plain array shows neither its limit nor where the next page begins. */
const saysItsLimit = ({ body }: Response): boolean => body._tag === "Uint8Array" && body.body[0] !== openingBracket

const bytesOf = ({ body }: Response): number => (body._tag === "Uint8Array" ? body.contentLength : 0)

const tooManyRows = new RequestInvalid({
  errors: { limit: "so many rows come to more than 8 MiB; ask for fewer with page and limit" }
})

/** Returns a list with as many rows as fit. */
export const fittingPage =
  (stores: Pick<Stores["Service"], "limitList">, store: StoreContext, list: string) =>
  <E, R>(answer: Effect.Effect<Response, E, R>): Effect.Effect<Response, E | RequestInvalid, R> =>
    Effect.contextWith((context: Context.Context<R>) => {
      const params = Context.getUnsafe(context as Context.Context<never>, HttpServerRequest.ParsedSearchParams)
      const asked = askedRows(params["limit"])
      if (asked === undefined) return answer
      const withRows = (rows: number): Effect.Effect<Response, E, R> =>
        rows === asked
          ? answer
          : Effect.provideService(answer, HttpServerRequest.ParsedSearchParams, { ...params, limit: String(rows) })
      const fitting = (rows: number): Effect.Effect<Response, E | RequestInvalid, R> =>
        Effect.flatMap(withRows(rows), (response) => {
          const bytes = bytesOf(response)
          if (bytes <= mostAnswer || (rows === 1 && saysItsLimit(response))) return Effect.succeed(response)
          if (!saysItsLimit(response)) return Effect.fail(tooManyRows)
          const fit = fewer(rows, bytes)
          return Effect.andThen(stores.limitList(store, list, fit), fitting(fit))
        })
      return Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const known = store.listLimits[list]
        return fitting(known === undefined || known.until <= now ? asked : Math.min(asked, known.rows))
      })
    })
