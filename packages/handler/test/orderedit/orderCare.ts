/** Orders in each state, and what tests look up about them. */
import { findingsOf, questionOf } from "@effect-commerce/core/audit/Law"
import { laws } from "@effect-commerce/core/audit/Laws"
import type { TestCommerce } from "../../src/testing/TestCommerce.ts"
import { rowsOf } from "../customer/SignedIn.ts"
import { shopperOf } from "../Shopper.ts"

export type OrderStatusName =
  | "PENDING"
  | "PROCESSING"
  | "PAID"
  | "SHIPPED"
  | "DELIVERED"
  | "PARTIALLY_REFUNDED"
  | "CANCELLED"
  | "REFUNDED"

export const orderCareOf = (shop: TestCommerce) => {
  const shopper = shopperOf(shop)
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    shop.call("POST", path, { body, headers })
  const patch = (path: string, body: object, headers: Record<string, string> = {}) =>
    shop.call("PATCH", path, { body, headers })

  /** An order of an admin key: nothing is paid. */
  const placed = async (items: ReadonlyArray<object>, more: object = {}) => {
    const made = await post("/v1/orders", { items, customer: { email: "ada@example.com", name: "Ada" }, ...more })
    if (made.status !== 201) throw new Error(made.text)
    return made.body
  }
  /** Paid in full by hand. */
  const paid = async (items: ReadonlyArray<object>, more: object = {}) => {
    const order = await placed(items, more)
    const done = await post(`/v1/orders/${order.id}/payments`, { amount: order.totalAmount, method: "cash" })
    if (done.status !== 200) throw new Error(done.text)
    return done.body
  }
  /** Paid by the test provider at a checkout. */
  const bought = async (product: string, quantity = 1) => {
    const checkoutId = await shopper.checkout(await shopper.cart([product, quantity]))
    const done = await shopper.complete(checkoutId, checkoutId, {
      paymentMethod: "test",
      paymentReference: "approve"
    })
    return (await shop.call("GET", `/v1/orders/${done.body.orderId}`)).body
  }
  const orderOf = async (id: string) => (await shop.call("GET", `/v1/orders/${id}`)).body
  const eventsOf = async (id: string): Promise<ReadonlyArray<string>> =>
    (
      await rowsOf(shop, "SELECT type, data ->> 'mail' AS mail FROM event WHERE data ->> 'orderId' = $1 ORDER BY seq", [
        id
      ])
    ).map(({ type, mail }) => (mail === null ? String(type) : String(mail)))
  const stockOf = async (productId: string): Promise<number> =>
    (await shop.call("GET", `/v1/products/${productId}/inventory`)).body.total
  /** What `commerce audit` would report. */
  const findings = async () => {
    const found = await Promise.all(
      laws.map(async (law) =>
        findingsOf(law, shop.storeId, (await rowsOf(shop, questionOf(law), [shop.storeId])) as never)
      )
    )
    return found.flat()
  }
  return { shopper, post, patch, placed, paid, bought, orderOf, eventsOf, stockOf, findings }
}
