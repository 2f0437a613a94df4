/**
 * Answers that are JSON already, or written as JSON at once, for what is read most: products of storefronts and pages
 * of products. What the schema of the route would do to them, field by field, was a sixth of what a page of products
 * cost in this process; they are made by one function that is typed by that schema, and tests compare the answers.
 */
import { HttpServerResponse } from "effect/http"
import { entityTag } from "./Cached.ts"

export const written = (value: object): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(JSON.stringify(value), { contentType: "application/json" })

/** JSON in UTF-8, sent as it is. `tag` tells it from every other answer to the request: its ETag is made of it. */
export const writtenText = ({
  body,
  tag
}: {
  readonly body: Uint8Array
  readonly tag: string
}): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.uint8Array(body, { contentType: "application/json", headers: { etag: entityTag(tag) } })
