import { coreLayer } from "@effect-commerce/core/CommerceCore"
import * as EmbeddedPostgres from "@effect-commerce/core/embedded/EmbeddedPostgres"
import { up } from "@effect-commerce/core/migration/Migrations"
import { OrderEntry } from "@effect-commerce/core/orderentry/OrderEntry"
import { seedProduct } from "@effect-commerce/core/testing/Factories"
import { testSecret } from "@effect-commerce/core/testing/TestDatabase"
import { Stores } from "@effect-commerce/core/store/Stores"
import { Effect, Exit, Scope } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { commerce, folder } from "./runCli.ts"

const made = folder()
const on = ["--data-dir", made.path]
let scope: Scope.Closeable
let orderId: string

/** An installation that runs, with an order in the second of its stores. */
beforeAll(async () => {
  scope = await Effect.runPromise(Scope.make())
  const { connection } = await Effect.runPromise(
    Scope.provide(EmbeddedPostgres.start({ dataDir: made.path, durable: false, exclusive: true }), scope)
  )
  await Effect.runPromise(up(connection))
  const fill = Effect.gen(function* () {
    yield* Stores.use((stores) => stores.create({ name: "Another", currency: "EUR", country: "DE" }))
    const { id } = yield* Stores.use((stores) => stores.create({ name: "Shop", currency: "EUR", country: "DE" }))
    const productId = yield* seedProduct(id, { name: "Lamp", price: 1_999n, stock: 5 })
    const store = yield* Stores.use((stores) => stores.context(id))
    return yield* OrderEntry.use((orders) =>
      orders.create(store, { items: [{ productId, quantity: 2 }], discountAmount: "3.98", shippingAmount: "5.00" })
    )
  })
  const order = await Effect.runPromise(
    Effect.provide(fill, coreLayer({ connection, secret: testSecret, maxConnections: 2 }))
  )
  orderId = order.id
})
afterAll(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  made.remove()
})

describe("commerce explain", () => {
  it("prints every amount of an order of any store, and the sum of each part", async () => {
    const { code, out } = await commerce(["explain", "order", orderId, ...on])
    expect(code).toBe(0)
    expect(out.split("\n").map((line) => line.replaceAll(/ {2,}/g, "  "))).toEqual([
      `order ${orderId}, all amounts in EUR`,
      "",
      "Prices",
      "  Lamp: 2 x 19.99  39.98",
      "  = Subtotal  39.98",
      "",
      "Coupon",
      "  Lamp: share of the discount that was stated  -3.98",
      "  = Coupon together  -3.98",
      "",
      "Shipping",
      "  Shipping: stated by the caller  5.00",
      "  = Shipping  5.00",
      "",
      "Tax",
      "  Whole order: no tax before an address is known  0.00",
      "  = Tax  0.00",
      "",
      "Total",
      "  Subtotal  39.98",
      "  Automatic discounts  0.00",
      "  Coupon  -3.98",
      "  Shipping  5.00",
      "  Surcharges  0.00",
      "  Tax  0.00",
      "  Tax that the prices contain already  0.00",
      "  = Total  41.00",
      ""
    ])
  })

  it("prints JSON for programs, help for people, and one line for an id that is not there", async () => {
    const json = await commerce(["explain", "order", orderId, "--json", ...on])
    const view = JSON.parse(json.out)
    expect([json.code, view.subject, view.totals.total]).toEqual([0, { type: "order", id: orderId }, "41.00"])
    const help = await commerce(["explain", "order", "--help"])
    expect([help.code, help.out.includes("commerce explain order ord_…")]).toEqual([0, true])
    for (const what of ["order", "checkout", "cart"]) {
      const unknown = await commerce(["explain", what, "none_1", ...on])
      expect([unknown.code, unknown.out, unknown.err]).toEqual([1, "", `commerce: there is no ${what} none_1\n`])
    }
    expect((await commerce(["explain", "invoice", "x", ...on])).code).toBe(2)
  })
})
