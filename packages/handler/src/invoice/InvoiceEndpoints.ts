import { sha256Hex } from "@effect-commerce/core/crypto/Hashing"
import { invoiceStyle } from "@effect-commerce/core/invoice/InvoicePage"
import { Invoices } from "@effect-commerce/core/invoice/Invoices"
import { Effect, Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import { endpointsOf } from "../middleware/GroupEndpoints.ts"
import { asAdmin } from "../middleware/Surfaces.ts"
import { InvoiceLinksGroup, InvoicesGroup } from "./InvoiceApi.ts"

const styleHash = Buffer.from(sha256Hex(invoiceStyle), "hex").toString("base64")

/** The page runs nothing and loads nothing, and no cache keeps it. Its address may be a secret. */
const pageHeaders = {
  "content-security-policy":
    `default-src 'none'; style-src 'sha256-${styleHash}'; img-src data:; base-uri 'none'; form-action 'none'; ` +
    "frame-ancestors 'none'",
  "cache-control": "private, no-store",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex"
}

const asPage = (html: string) =>
  HttpServerResponse.text(html, { contentType: "text/html; charset=utf-8", headers: pageHeaders })

const invoices = endpointsOf(
  InvoicesGroup,
  Effect.fnUntraced(function* (handlers) {
    const invoices = yield* Invoices
    return handlers.handleAll({
      get: asAdmin(({ store }, { params }) => Effect.map(invoices.page(store, params.id), asPage))
    })
  })
)

const links = endpointsOf(
  InvoiceLinksGroup,
  Effect.fnUntraced(function* (handlers) {
    const invoices = yield* Invoices
    return handlers.handleAll({
      open: ({ params }) => Effect.map(invoices.pageOfLink(params.token), asPage)
    })
  })
)

export const invoiceEndpoints = Layer.mergeAll(invoices, links)
