/**
 * Pages of lists that are no larger than a response may be. A list whose page comes to more has fewer rows on each of
 * its pages from then on, in every process: `limit` counts as the largest that was found to fit, as a larger number
 * than 100 counts as 100, and the page says so. No page lacks a row: who was reading the list meets some again.
 */
import type { StoreContext } from "@effect-commerce/core/store/StoreContext"
import type { Stores } from "@effect-commerce/core/store/Stores"
import { defaultLimit, maxLimit } from "@effect-commerce/core/kernel/Pagination"
import { Context, Effect, SchemaAST } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { mostAnswer } from "./AnswerBytes.ts"

type Response = HttpServerResponse.HttpServerResponse

/** Whether `limit` is a field of its query. */
export const isList = ({ method, query }: HttpApiEndpoint.Top): boolean =>
  method === "GET" &&
  query !== undefined &&
  SchemaAST.isObjects(query.ast) &&
  query.ast.propertySignatures.some(({ name }) => name === "limit")

/** What is asked for; undefined where the endpoint will refuse it. */
const asked = (limit: string | ReadonlyArray<string> | undefined): number | undefined => {
  if (limit === undefined) return defaultLimit
  return typeof limit === "string" && /^[0-9]{1,20}$/.test(limit) && Number(limit) > 0
    ? Math.min(maxLimit, Number(limit))
    : undefined
}

/** Rows that fit if they are as large as these; always fewer. */
const fewer = (rows: number, bytes: number): number =>
  Math.max(1, Math.min(Math.floor(rows / 2), Math.floor((rows * mostAnswer) / bytes)))

const bytesOf = ({ body }: Response): number => (body._tag === "Uint8Array" ? body.contentLength : 0)

/** Answers a list with as many rows as fit. `route` is its name. */
export const fittingPage =
  (stores: Pick<Stores["Service"], "limitList">, store: StoreContext, route: string) =>
  <E, R>(answer: Effect.Effect<Response, E, R>): Effect.Effect<Response, E, R> =>
    Effect.contextWith((context: Context.Context<R>) => {
      const params = Context.getUnsafe(context as Context.Context<never>, HttpServerRequest.ParsedSearchParams)
      const wanted = asked(params["limit"])
      if (wanted === undefined) return answer
      const withRows = (rows: number): Effect.Effect<Response, E, R> =>
        rows === wanted
          ? answer
          : Effect.provideService(answer, HttpServerRequest.ParsedSearchParams, { ...params, limit: String(rows) })
      const fitting = (rows: number): Effect.Effect<Response, E, R> =>
        Effect.flatMap(withRows(rows), (response) => {
          const bytes = bytesOf(response)
          if (bytes <= mostAnswer || rows === 1) return Effect.succeed(response)
          const less = fewer(rows, bytes)
          return Effect.andThen(stores.limitList(store, route, less), fitting(less))
        })
      return fitting(Math.min(wanted, store.listLimits[route] ?? maxLimit))
    })
