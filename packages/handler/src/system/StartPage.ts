/**
 * GET of the base path itself, `/api`: an overview. A browser gets a page with links, other clients get them as JSON.
 * Its only store and channel are those that the host shows to all readers of its reference (`referenceValues`).
 */
import { escapeHtml } from "@effect-commerce/core/template/TemplateRenderer"
import { RequestOrigin } from "@effect-commerce/core/media/MediaUrls"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { makeCounted } from "../middleware/Limits.ts"
import { declaredBase } from "../middleware/RequestTarget.ts"
import { HostReferenceValues, type ReferenceValues } from "./reference/ReferenceValues.ts"

export const startPath = declaredBase

interface Link {
  readonly name: string
  /** Below the base path. */
  readonly path: string
  readonly title: string
  readonly text: string
}

const links: ReadonlyArray<Link> = [
  { name: "reference", path: "docs", title: "API reference", text: "every request, with samples, to read" },
  { name: "openapi", path: "openapi.json", title: "openapi.json", text: "the same for tools and client generators" },
  { name: "health", path: "health/ready", title: "Health", text: "whether the server is ready" }
]

/** The page may load nothing; its icon is an empty one of its own. */
const pageHeaders = {
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; " +
    "frame-ancestors 'none'",
  vary: "Accept"
}

const style =
  "body{font:16px/1.5 system-ui,sans-serif;margin:4rem auto;max-width:34rem;padding:0 1.5rem;color-scheme:light dark}" +
  "li{margin:.5rem 0}code{font-family:ui-monospace,monospace;overflow-wrap:anywhere}"

/** Its links are relative to the last segment of the base path, so that they also work below a host's mount. */
const page = (address: string, basePath: string, shown: ReadonlyArray<Link>): string => {
  const from = basePath === "" ? "" : `${basePath.slice(basePath.lastIndexOf("/") + 1)}/`
  const items = shown.map(
    ({ path, title, text }) => `<li><a href="${escapeHtml(from + path)}">${title}</a>: ${text}</li>`
  )
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Commerce API</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
<style>${style}</style></head><body>
<h1>Commerce API</h1><p>The server answers at <code>${escapeHtml(address)}</code>.</p>
<ul>${items.join("")}</ul></body></html>
`
}

/** The products of the sales channel that the host shows, if it shows one. */
const productsOf = (values: ReferenceValues | undefined): ReadonlyArray<Link> => {
  const channel = Object.values(values?.ids ?? {}).find((id) => id.startsWith("vc_"))
  if (channel === undefined) return []
  const path = `vc/${encodeURIComponent(channel)}/products?limit=3`
  return [{ name: "products", path, title: "Products", text: "the first three, as a storefront is sent them" }]
}

/** `basePath`: the path of the host below which the routes are. */
export const startPage = (basePath: string) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const counted = yield* makeCounted
      const referenceValues = yield* HostReferenceValues
      const answer = Effect.gen(function* () {
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        const address = `${(yield* RequestOrigin)()}${basePath}`
        const shown = [...productsOf(referenceValues()), ...links]
        if (headers["accept"]?.includes("text/html") === true)
          return HttpServerResponse.text(page(address, basePath, shown), {
            contentType: "text/html; charset=utf-8",
            headers: pageHeaders
          })
        const named = Object.fromEntries(shown.map(({ name, path }) => [name, `${address}/${path}`]))
        return HttpServerResponse.jsonUnsafe({ name: "Commerce API", links: named }, { headers: { vary: "Accept" } })
      })
      return HttpRouter.add("GET", startPath, counted(answer))
    })
  )
