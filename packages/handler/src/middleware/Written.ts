/**
 * An answer written as JSON at once, for what is read most: products of storefronts and pages of them. What the schema
 * of the route would do to it, field by field, was a sixth of what a page of products cost in this process; the value
 * is made by one function that is typed by that schema, and a test compares it with the answers of a route that does go
 * through it.
 */
import { HttpServerResponse } from "effect/http"

export const written = (value: object): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(JSON.stringify(value), { contentType: "application/json" })
