/** The store that a request names in its query or its body. */
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { StoreIdMismatch } from "./Refusals.ts"

type Request = HttpServerRequest.HttpServerRequest

/** Undefined if it names none; an error if the query and the body name two. */
export const namedStore = (request: Request, body: Uint8Array): Effect.Effect<string | undefined, StoreIdMismatch> => {
  const [inQuery, inBody] = [queryOf(request, "storeId"), storeIdOf(body)]
  return inQuery !== undefined && inBody !== undefined && inQuery !== inBody
    ? Effect.fail(new StoreIdMismatch())
    : Effect.succeed(inQuery ?? inBody)
}

const queryOf = (request: Request, name: string): string | undefined => {
  const at = request.url.indexOf("?")
  return at < 0 ? undefined : (new URLSearchParams(request.url.slice(at + 1)).get(name) ?? undefined)
}

/** The body's `storeId`, read leniently: the route's own schema reports errors of the body later. */
const storeIdOf = (body: Uint8Array): string | undefined => {
  if (body.length === 0 || !Buffer.from(body.buffer, body.byteOffset, body.length).includes('"storeId"'))
    return undefined
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body))
    return typeof value === "object" && value !== null && "storeId" in value && typeof value.storeId === "string"
      ? value.storeId
      : undefined
  } catch {
    return undefined
  }
}
