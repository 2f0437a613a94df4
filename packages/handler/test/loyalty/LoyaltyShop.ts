/** A shop with a loyalty programme and customers who buy, as a storefront would call it. */
import { Audit } from "@effect-commerce/core/audit/Audit"
import type { Finding } from "@effect-commerce/core/audit/Law"
import { OutboxRelay } from "@effect-commerce/core/outbox/OutboxRelay"
import { seedProduct } from "@effect-commerce/core/testing/Factories"
import { Effect } from "effect"
import { runWith, type TestCommerce, type TestStore } from "../../src/testing/TestCommerce.ts"
import { customersOf, type Shopper } from "../customer/SignedIn.ts"
import { addressIn } from "../Shopper.ts"

export const loyaltyShop = (shop: TestCommerce, store: TestStore = shop) => {
  const customers = customersOf(shop, store)
  const { admin, as, vc } = customers
  const run = <A>(effect: Effect.Effect<A, unknown, unknown>): Promise<A> =>
    runWith(shop.commerce, effect as Effect.Effect<A>)
  let keys = 0

  const putProgram = (body: object) => admin("PUT", "/loyalty/program", body)
  /** All events that were written by now have been handled. */
  const relayed = () => run(OutboxRelay.use((relay) => relay.relayStore(store.storeId)))
  const accountOf = async (customerId: string) => {
    await relayed()
    return (await admin("GET", `/loyalty/customers/${customerId}`)).body
  }
  /** Balance, pending and lifetime. */
  const pointsOf = async (customerId: string) => {
    const { balance, pending, lifetime } = await accountOf(customerId)
    return [balance, pending, lifetime]
  }
  /** Types and points, oldest first. */
  const ledgerOf = async (customerId: string): Promise<ReadonlyArray<readonly [string, number]>> => {
    await relayed()
    const { body } = await admin("GET", `/loyalty/customers/${customerId}/transactions?limit=100`)
    return body.data
      .map(({ type, points }: { readonly type: string; readonly points: number }) => [type, points] as const)
      .reverse()
  }
  const adjust = (customerId: string, points: number, reason = "Gift") =>
    admin("POST", `/loyalty/customers/${customerId}/adjust`, { points, reason })
  const product = (price: bigint, stock = 100): Promise<string> =>
    run(seedProduct(store.storeId, { price, stock })) as Promise<string>
  /** A checkout that has all it needs, of a customer or a guest. */
  const checkout = async (customer: Pick<Shopper, "token"> | undefined, ...productIds: ReadonlyArray<string>) => {
    const call = (method: string, path: string, body?: object) => as(customer?.token, method, `${vc}${path}`, body)
    const cart = await call("POST", "/cart", {})
    for (const productId of productIds) await call("POST", `/cart/${cart.body.id}/items`, { productId, quantity: 1 })
    const made = await call("POST", "/checkout", { cartId: cart.body.id })
    if (made.status !== 201) throw new Error(`checkout: ${made.text}`)
    const at = `/checkout/${made.body.id}`
    await call("PATCH", `${at}/customer`, { email: "ada@example.com" })
    await call("PATCH", `${at}/shipping`, { shippingAddress: addressIn("CA", "94105") })
    return made.body.id as string
  }
  const redeem = (customer: Pick<Shopper, "token"> | undefined, checkoutId: string, points: unknown) =>
    as(customer?.token, "POST", `${vc}/checkout/${checkoutId}/loyalty`, { points })
  const complete = (customer: Pick<Shopper, "token"> | undefined, checkoutId: string, body: object = {}) =>
    shop.call("POST", `${vc}/checkout/${checkoutId}/complete`, {
      body,
      headers: {
        "idempotency-key": `${store.storeId}-${keys++}`,
        ...(customer === undefined ? {} : { authorization: `Bearer ${customer.token}` })
      }
    })
  const charge = (customer: Pick<Shopper, "token"> | undefined, checkoutId: string, paymentReference = "approve") =>
    complete(customer, checkoutId, { paymentMethod: "test", paymentReference })
  const tell = (body: object) => shop.call("POST", "/test/provider-events", { body })
  /** What the auditor says of the store. */
  const audited = () =>
    run(
      Effect.gen(function* () {
        const findings: Array<Finding> = []
        yield* (yield* Audit).run({
          storeId: store.storeId,
          tell: (found) => Effect.sync(() => void findings.push(...found))
        })
        return findings
      }).pipe(Effect.provide(Audit.layer))
    )
  return {
    ...customers,
    key: store.apiKey,
    putProgram,
    relayed,
    accountOf,
    pointsOf,
    ledgerOf,
    adjust,
    product,
    checkout,
    redeem,
    complete,
    charge,
    tell,
    audited
  }
}
