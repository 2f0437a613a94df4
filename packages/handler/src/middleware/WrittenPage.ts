/**
 * A page of a list written as JSON at once. What a schema would do to it, field by field, was a sixth of what a page of products cost in this process: the
 * items are made by one function that is typed by that schema, and a test holds their answers to it.
 */
import { type Page, type PageOf, toEnvelope } from "@effect-commerce/core/kernel/Pagination"
import { HttpServerResponse } from "effect/http"

export const writtenPage = <Item>(page: Page, found: PageOf<Item>): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(JSON.stringify(toEnvelope(page, found)), { contentType: "application/json" })
