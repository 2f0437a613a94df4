/** Drafts of a shop, as its merchant and their buyers call them. */
import { findingsOf, questionOf } from "@effect-commerce/core/audit/Law"
import { laws } from "@effect-commerce/core/audit/Laws"
import { mailTokenContext, mailTokenPurpose } from "@effect-commerce/core/customer/CustomerEvents"
import { RootSecret } from "@effect-commerce/core/crypto/RootSecret"
import type { draftInvoiceAsked } from "@effect-commerce/core/draftorder/DraftOrderEvents"
import { Effect } from "effect"
import type { CallOptions, TestCommerce } from "../../src/testing/TestCommerce.ts"
import { rowsOf } from "../customer/SignedIn.ts"

type InvoiceData = typeof draftInvoiceAsked.data.Encoded

export const draftsOf = (shop: TestCommerce) => {
  const path = "/v1/orders/draft"
  const call = (method: string, id: string, body?: object, options: CallOptions = {}) =>
    shop.call(method, id === "" ? path : `${path}/${id}`, body === undefined ? options : { ...options, body })
  const make = async (body: object) => {
    const made = await call("POST", "", body)
    if (made.status !== 201) throw new Error(`draft: ${made.text}`)
    return made.body
  }
  /** The events of a draft's mails, oldest first. */
  const invoices = async (id: string) => {
    const rows = await rowsOf(
      shop,
      `SELECT data FROM event WHERE type = 'internal.draft_invoice' AND data ->> 'draftId' = $1 ORDER BY seq`,
      [id]
    )
    return rows.map(({ data }) => data as InvoiceData)
  }
  /** The token of the newest invoice. */
  const tokenOf = async (id: string): Promise<string> => {
    const sealed = (await invoices(id)).at(-1)?.token ?? ""
    const opened = Effect.map(RootSecret, (secret) =>
      secret.open(mailTokenPurpose, mailTokenContext(shop.storeId, id), sealed)
    )
    return shop.run(opened as unknown as Effect.Effect<string>)
  }
  /** Sends the invoice and returns its token. */
  const invoiced = async (id: string, body: object = {}) => {
    const sent = await call("POST", `${id}/send-invoice`, body)
    if (sent.status !== 200) throw new Error(`invoice: ${sent.text}`)
    return tokenOf(id)
  }
  const open = (token: string, channelId = shop.channelId) =>
    shop.call("POST", `/vc/${channelId}/checkout/draft`, { body: { token }, key: null })
  const stockOf = async (productId: string) =>
    (await shop.call("GET", `/v1/products/${productId}/inventory`)).body.available as number
  const ordersOf = async (id: string) => (await rowsOf(shop, "SELECT id FROM orders WHERE draft_id = $1", [id])).length
  /** What the books break of their laws. */
  const audited = async () => {
    const findings = []
    for (const law of laws)
      findings.push(...findingsOf(law, shop.storeId, await rowsOf(shop, questionOf(law), [shop.storeId])))
    return findings
  }
  return { call, make, invoices, tokenOf, invoiced, open, stockOf, ordersOf, audited }
}
