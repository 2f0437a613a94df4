/** The gift cards of a test shop: issued by its key, entered by its shoppers, and their books. */
import { findingsOf, questionOf } from "@effect-commerce/core/audit/Law"
import { laws } from "@effect-commerce/core/audit/Laws"
import type { TestCommerce } from "../../src/testing/TestCommerce.ts"
import { rowsOf } from "../customer/SignedIn.ts"
import { shopperOf } from "../Shopper.ts"

export interface Issued {
  readonly id: string
  readonly code: string
  readonly codeLast4: string
}

export const giftCardsOf = (shop: TestCommerce) => {
  const { at } = shopperOf(shop)
  let callers = 0
  /** Each call from an address of its own, so that the limit per address is met by no other test. */
  const anywhere = () => `198.18.${(++callers >> 8) & 255}.${callers & 255}`

  const issue = async (initialBalance: string, more: object = {}): Promise<Issued> => {
    const { status, body, text } = await shop.call("POST", "/v1/gift-cards", { body: { initialBalance, ...more } })
    if (status !== 201) throw new Error(`issue: ${text}`)
    return body
  }

  return {
    issue,
    /** Enters a code for a checkout. */
    enter: (checkoutId: string, code: string) =>
      shop.call("POST", `${at}/checkout/${checkoutId}/gift-card`, { body: { code }, clientAddress: anywhere() }),
    remove: (checkoutId: string, tenderId: string) =>
      shop.call("DELETE", `${at}/checkout/${checkoutId}/gift-card/${tenderId}`),
    balanceOf: (code: string) =>
      shop.call("POST", `${at}/gift-cards/balance`, { body: { code }, clientAddress: anywhere() }),
    get: async (id: string) => (await shop.call("GET", `/v1/gift-cards/${id}`)).body,
    change: (id: string, body: object) => shop.call("PATCH", `/v1/gift-cards/${id}`, { body }),
    adjust: (id: string, delta: unknown, reason = "Test") =>
      shop.call("POST", `/v1/gift-cards/${id}/adjust`, { body: { delta, reason } }),
    disable: (id: string) => shop.call("POST", `/v1/gift-cards/${id}/disable`),
    enable: (id: string) => shop.call("POST", `/v1/gift-cards/${id}/enable`),
    transactions: async (id: string, query = "") =>
      (await shop.call("GET", `/v1/gift-cards/${id}/transactions${query}`)).body,
    /** Minor units: what is left, what is held (also where the hold has lapsed), and what each order has spent. */
    booksOf: async ({ id }: Issued) => {
      const [books] = await rowsOf(
        shop,
        `SELECT balance::int,
            (SELECT coalesce(sum(amount), 0)::int FROM gift_card_hold WHERE gift_card_id = g.id) AS held,
            (SELECT coalesce(array_agg(-amount::int ORDER BY position), '{}') FROM gift_card_transaction
              WHERE gift_card_id = g.id AND type = 'REDEEM') AS spent
          FROM gift_card g WHERE id = $1`,
        [id]
      )
      return books
    },
    /** What the auditor says of the books of gift cards and orders. */
    findings: async () => {
      const found = []
      for (const law of laws.filter((each) => /^(giftcard|order|payment)\./.test(each.law)))
        found.push(...findingsOf(law, shop.storeId, (await rowsOf(shop, questionOf(law), [shop.storeId])) as never))
      return found
    }
  }
}
