/** The page that a request says it comes from. */
import type { HttpServerRequest } from "effect/http"
import { mostEcho } from "./BoundedAnswer.ts"

/**
 * It is said again to a browser whose page may read the answer: no more of it than of anything else that was sent. What
 * is longer names no page.
 */
export const originOf = ({ headers }: HttpServerRequest.HttpServerRequest): string | undefined => {
  const origin = headers["origin"]
  return origin === undefined || origin.length > mostEcho ? undefined : origin
}
