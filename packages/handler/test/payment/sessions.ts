/** Payments that the shopper makes at the `test` provider, in the tests of a shop. */
import { Database } from "@effect-commerce/core/database/Database"
import { TestProvider } from "@effect-commerce/core/testpayment/TestProvider"
import { Effect } from "effect"
import pg from "pg"
import { expect } from "vitest"
import type { CallOptions, TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"

export const sessionsOf = (shop: TestCommerce) => {
  const shopper = shopperOf(shop)
  let keys = 0
  const pathOf = (checkoutId: string) => `${shopper.at}/checkout/${checkoutId}`
  const begin = (id: string, body: object = { providerId: "test" }, headers: CallOptions["headers"] = {}) =>
    shop.call("POST", `${pathOf(id)}/payment`, { body, headers: { "idempotency-key": `begun-${keys++}`, ...headers } })
  const complete = (id: string, body: object = {}) => shopper.complete(id, `done-${keys++}`, body)
  const pay = (id: string, paymentReference: string) => complete(id, { paymentMethod: "test", paymentReference })
  const tell = (checkoutId: string, type: string) =>
    shop.call("POST", "/test/provider-events", { body: { checkoutId, type } })
  const rows = <A>(query: (sql: Database["Service"]["sql"]) => Effect.Effect<unknown, unknown>) =>
    shop.run(Effect.flatMap(Database, ({ sql }) => query(sql)) as unknown as Effect.Effect<ReadonlyArray<A>>)
  const atProvider = <A>(use: (provider: TestProvider["Service"]) => Effect.Effect<A>) =>
    shop.run(Effect.flatMap(TestProvider, use) as unknown as Effect.Effect<A>)
  const lampAndCheckout = async (stock = 3) => {
    const lamp = await shopper.product({ name: "Lamp", price: 2_500n, stock })
    const cartId = await shopper.cart([lamp, 1])
    return { lamp, cartId, checkoutId: await shopper.checkout(cartId) }
  }
  return {
    shopper,
    pathOf,
    begin,
    complete,
    pay,
    tell,
    rows,
    atProvider,
    lampAndCheckout,
    /** A checkout whose payment waits for the shopper. */
    begun: async (stock = 3, body: object = { providerId: "test" }) => {
      const made = await lampAndCheckout(stock)
      const session = await begin(made.checkoutId, body)
      expect([session.status, session.text]).toEqual([200, session.text])
      return { ...made, session: session.body }
    },
    /** The provider itself waits for this shopper for ever. */
    waitsForEver: async (checkoutId: string) => {
      const client = new pg.Client(shop.database.nodePostgres)
      await client.connect()
      await client.query("UPDATE test_charge SET expires_at = NULL WHERE checkout_id = $1", [checkoutId])
      await client.end()
    },
    /** The shopper pays, and nobody says so. */
    paysUnseen: (checkoutId: string) =>
      atProvider((provider) => provider.move(shop.storeId, { checkoutId, type: "captured" })),
    paymentStatus: async (id: string) => (await shop.call("GET", `${pathOf(id)}/payment-status`)).body.status,
    statusOf: async (id: string) => (await shop.call("GET", pathOf(id))).body.status,
    advance: (ms: number) => shop.call("POST", "/test/clock", { body: { advanceMs: ms } }),
    until: (holds: () => Promise<boolean>) => expect.poll(holds, { timeout: 30_000 }).toBe(true),
    /** Units: total, reserved, available. */
    stockOf: async (productId: string) => {
      const { total, reserved, available } = (await shop.call("GET", `/v1/products/${productId}/inventory`)).body
      return [total, reserved, available]
    },
    /** The charges of a checkout in the provider's books, the oldest first: attempt, status, amount, captured, refunded. */
    chargesOf: async (id: string) =>
      (
        await rows<{ chargeKey: string; status: string; amount: bigint; captured: bigint; refunded: bigint }>(
          (sql) =>
            sql`SELECT charge_key, status, amount, captured, refunded FROM test_charge WHERE checkout_id = ${id} ORDER BY charge_key`
        )
      ).map(({ chargeKey, status, amount, captured, refunded }) =>
        [chargeKey.split(":").at(-1), status, amount, captured, refunded].join(" ")
      ),
    operationsOf: async (id: string) =>
      (
        await rows<{ state: string }>(
          (sql) => sql`SELECT state FROM provider_operation WHERE subject_id = ${id} ORDER BY charge_key`
        )
      ).map(({ state }) => state),
    failuresOf: async (id: string) =>
      (
        await rows<{ data: { error: string } }>(
          (sql) =>
            sql`SELECT data FROM event WHERE type = 'payment.failed' AND data ->> 'checkoutId' = ${id} ORDER BY seq`
        )
      ).map(({ data }) => data.error),
    /** The orders of checkouts: payment method, financial status. */
    ordersOf: async (...ids: ReadonlyArray<string>) =>
      (
        await rows<{ paymentMethod: string; financialStatus: string }>(
          (sql) =>
            sql`SELECT payment_method, financial_status FROM orders WHERE checkout_id = ANY(${ids}::text[]) ORDER BY id`
        )
      ).map(({ paymentMethod, financialStatus }) => `${paymentMethod} ${financialStatus}`)
  }
}
