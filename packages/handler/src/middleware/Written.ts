/**
 * Responses that are JSON text already, for what is read most: products of storefronts and pages of products. Encoding
 * them field by field by the route's schema took a sixth of the time of a page; the function that makes them is typed
 * by that schema, and tests compare the results.
 */
import { HttpServerResponse } from "effect/http"
import { entityTag } from "./Cached.ts"

export const written = (value: object): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(JSON.stringify(value), { contentType: "application/json" })

/**
 * JSON in UTF-8, sent as it is. Its ETag is made from `tag`, which differs between any two responses to the request.
 */
export const writtenText = ({
  body,
  tag
}: {
  readonly body: Uint8Array
  readonly tag: string
}): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.uint8Array(body, { contentType: "application/json", headers: { etag: entityTag(tag) } })
