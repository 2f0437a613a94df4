/**
 * Answers that browsers and CDNs may keep (RFC 9111), declared by `cached` of a route. Each has an ETag; a request with
 * the current one in If-None-Match gets 304 without a body (RFC 9110, 13.1.2).
 *
 * The tag is weak: hosts and CDNs compress what they pass on, and a strong tag would promise the same bytes. It is made
 * of the body unless the endpoint has named one (`entityTag`), which may spare it the reading of the body.
 *
 * Prices and stock are exact at every moment, so a cache must revalidate a response that shows them each time. Answers
 * without either may be shown for the few seconds that a change may take to arrive elsewhere. `stale-while-revalidate`
 * is never sent: it would show data that is known to have changed.
 *
 * Calls within the process pass no cache; their responses have no tag.
 */
import { hash } from "node:crypto"
import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { answerVaries, type CacheFacts, cacheControlOf } from "./CacheFacts.ts"
import { Exchange, InProcess } from "./Exchange.ts"

type Response = HttpServerResponse.HttpServerResponse

/** A weak tag made from content that differs whenever the response does. */
export const entityTag = (content: string | Uint8Array): string =>
  `W/"${hash("sha256", content, "base64url").slice(0, 27)}"`

/** The tags of If-None-Match, or undefined where it is no list of tags: then it is as if it were not there. */
const tagsIn = (header: string): ReadonlyArray<string> | undefined => {
  if (!/^\s*(?:W\/)?"[^"]*"\s*(?:,\s*(?:(?:W\/)?"[^"]*"\s*)?)*$/.test(header)) return undefined
  return header.match(/"[^"]*"/g) ?? undefined
}

/** Whether the caller has what `etag` stands for. Tags are compared weakly (RFC 9110, 8.8.3.2). */
export const holds = (header: string | undefined, etag: string): boolean => {
  if (header === undefined) return false
  if (header.trim() === "*") return true
  return tagsIn(header)?.includes(etag.replace(/^W\//, "")) === true
}

const tagOf = (response: Response): string | undefined =>
  response.headers["etag"] ?? (response.body._tag === "Uint8Array" ? entityTag(response.body.body) : undefined)

/**
 * The response to a GET or HEAD of a cached route. Errors pass through unchanged: they are failures until the envelope.
 */
export const underCache =
  (facts: CacheFacts, request: HttpServerRequest.HttpServerRequest) =>
  <E, R>(self: Effect.Effect<Response, E, R>): Effect.Effect<Response, E, R> =>
    Effect.flatMap(self, (response) =>
      Effect.map(Effect.all([Exchange, InProcess]), ([exchange, inProcess]) => {
        if (inProcess || (response.status !== 200 && response.status !== 304)) return response
        exchange.headers["vary"] = answerVaries
        const etag = tagOf(response)
        if (etag === undefined) return response
        const headers = { etag, "cache-control": cacheControlOf(facts) }
        if (response.status === 200 && !holds(request.headers["if-none-match"], etag))
          return HttpServerResponse.setHeaders(response, headers)
        return HttpServerResponse.empty({ status: 304, headers })
      })
    )
