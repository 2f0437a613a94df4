/** Answers that lead to an address that was stored as somebody wrote it. */
import { HttpServerResponse } from "effect/http"

/** Header values are Latin-1: what the address has beyond that is percent-encoded, as browsers do it. */
export const redirectTo = (url: string, cacheControl: string) =>
  HttpServerResponse.empty({
    status: 302,
    headers: { location: new URL(url).href, "cache-control": cacheControl, "referrer-policy": "no-referrer" }
  })
