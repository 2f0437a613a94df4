/** How the API document describes responses that caches may store (middleware/Cached.ts). */
import { answerVaries, cacheControlOf } from "../middleware/CacheFacts.ts"
import type { Facts } from "../middleware/Policy.ts"
import type { Json } from "./DocumentedParameters.ts"

/** Written once, for every answer that has them. */
export const sharedHeaders: Readonly<Record<string, Json>> = {
  ETag: {
    description: "Identifies this version of the response: send it back in `If-None-Match`.",
    schema: { type: "string" }
  },
  Vary: {
    description: "Headers of the request that the response depends on.",
    schema: { type: "string", const: answerVaries }
  }
}

const shared = Object.fromEntries(
  Object.keys(sharedHeaders).map((name) => [name, { $ref: `#/components/headers/${name}` }])
)

export const notModified = {
  description: "Not modified: the response with the `ETag` in `If-None-Match` is current. There is no body.",
  headers: shared
}

/** The headers of a response that caches may store. */
export const cacheHeadersOf = ({ cached }: Facts): { readonly headers?: Json } => {
  if (cached === undefined) return {}
  const description = "How long the response may be reused before it must be revalidated."
  const control = { description, schema: { type: "string", const: cacheControlOf(cached) } }
  return { headers: { ...shared, "Cache-Control": control } }
}

export const unchangedOf = ({ cached }: Facts): ReadonlyArray<readonly [status: string, response: Json]> =>
  cached === undefined ? [] : [["304", { $ref: "#/components/responses/NotModified" }]]
