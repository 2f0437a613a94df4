/** A shop whose orders are refunded: paid in every way, and what its books, events and the provider say. */
import { Audit } from "@effect-commerce/core/audit/Audit"
import type { Finding } from "@effect-commerce/core/audit/Law"
import { PaymentRecovery } from "@effect-commerce/core/charge/PaymentRecovery"
import { Database } from "@effect-commerce/core/database/Database"
import { Effect, Layer } from "effect"
import { expect } from "vitest"
import type { TestCommerce } from "../../src/testing/TestCommerce.ts"
import { rowsOf } from "../customer/SignedIn.ts"
import { shopperOf } from "../Shopper.ts"

/** An event as it is stored. */
interface EventRow {
  readonly type: string
  readonly data: {
    readonly refundType?: string
    readonly refundId?: string
    readonly source?: string
    readonly payment?: object
  }
}

let keys = 0

export const refundShopOf = (shop: TestCommerce) => {
  const shopper = shopperOf(shop)
  const rows = async <Row = Record<string, unknown>>(sql: string, values: ReadonlyArray<unknown> = []) =>
    (await rowsOf(shop, sql, [...values])) as unknown as ReadonlyArray<Row>
  const refund = (orderId: string, body: object, key = `refund-${keys++}`) =>
    shop.call("POST", `/v1/orders/${orderId}/refunds`, { body, headers: { "idempotency-key": key } })
  return {
    shopper,
    rows,
    refund,
    preview: (orderId: string, body: object) => shop.call("POST", `/v1/orders/${orderId}/refunds/preview`, { body }),
    refundsOf: async (orderId: string) => (await shop.call("GET", `/v1/orders/${orderId}/refunds`)).body,
    order: async (id: string) => (await shop.call("GET", `/v1/orders/${id}`)).body,
    advance: (ms: number) => shop.call("POST", "/test/clock", { body: { advanceMs: ms } }),
    /** One pass of the worker that goes on with payments. */
    pass: () => shop.run(PaymentRecovery.use((recovery) => recovery.pass) as unknown as Effect.Effect<void>),
    /** What happens in the provider's own dashboard. */
    atProvider: (orderId: string, type: string, amount?: string) =>
      shop.call("POST", "/test/provider-events", {
        body: { orderId, type, ...(amount === undefined ? {} : { amount }) }
      }),
    /** An order of a shopper who paid by the test provider; lines are prices in minor units and quantities. */
    bought: async (reference = "approve", ...lines: ReadonlyArray<readonly [price: bigint, quantity: number]>) => {
      const sold = lines.length === 0 ? [[2_500n, 1] as const] : lines
      const cart: Array<readonly [string, number]> = []
      for (const [price, quantity] of sold)
        cart.push([await shopper.product({ name: "Lamp", price, stock: 100 }), quantity])
      const checkoutId = await shopper.checkout(await shopper.cart(...cart))
      const done = await shopper.complete(checkoutId, `bought-${keys++}`, {
        paymentMethod: "test",
        paymentReference: reference
      })
      expect(done.status).toBe(200)
      return { orderId: done.body.orderId as string, checkoutId, products: cart.map(([id]) => id) }
    },
    /** An order that an admin key has entered, paid by hand. */
    paidByHand: async (body: object, paid = true) => {
      const made = await shop.call("POST", "/v1/orders", { body })
      expect(made.status).toBe(201)
      if (paid)
        await shop.call("POST", `/v1/orders/${made.body.id}/payments`, {
          body: { amount: made.body.totalAmount, method: "cash" }
        })
      return made.body
    },
    chargeOf: async (checkoutId: string) =>
      (
        await rows("SELECT status, captured::int, refunded::int FROM test_charge WHERE checkout_id = $1", [checkoutId])
      )[0],
    eventsOf: (orderId: string) =>
      rows<EventRow>(
        "SELECT type, data FROM event WHERE data->>'orderId' = $1 OR data->'payment'->>'orderId' = $1 ORDER BY seq",
        [orderId]
      ),
    totalOf: async (productId: string) =>
      (await rows<{ readonly total: number }>("SELECT total FROM stock WHERE product_id = $1", [productId]))[0]?.total,
    /** Everything that a refund writes, to see that a refusal has written nothing. */
    writtenOf: (orderId: string) =>
      rows(
        `SELECT (SELECT count(*)::int FROM refund_request WHERE order_id = $1) AS requests,
          (SELECT count(*)::int FROM refund WHERE order_id = $1) AS refunds,
          (SELECT sum(refunding)::int FROM payment WHERE order_id = $1) AS refunding,
          (SELECT count(*)::int FROM provider_operation WHERE subject_id = $1) AS operations,
          (SELECT updated_at FROM orders WHERE id = $1) AS updated`,
        [orderId]
      ),
    audited: async (): Promise<ReadonlyArray<string>> => {
      const findings: Array<Finding> = []
      const run = Audit.use((audit) =>
        audit.run({
          storeId: undefined,
          tell: (told) => Effect.sync(() => void findings.push(...told)),
          progress: () => undefined
        })
      )
      const over = Audit.layer.pipe(Layer.provide(Database.layer(shop.database.connection)))
      await Effect.runPromise(Effect.provide(run, over))
      return findings.map(({ law, id, expected, found }) => `${law} ${id}: ${expected}, not ${found}`)
    }
  }
}
