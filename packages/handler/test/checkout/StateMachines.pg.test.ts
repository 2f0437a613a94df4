/**
 * The states of carts and checkouts beside a small model of the contract: random commands of shoppers, of the payment
 * provider and of time, and after each of them what the API shows of carts, checkouts, orders, stock and gift card.
 */
import fc from "fast-check"
import { afterAll, beforeAll, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { cartCommands } from "./modelCartCommands.ts"
import { checkoutCommands } from "./modelCheckoutCommands.ts"
import { begin, paymentCommands, timeCommands } from "./modelPaymentCommands.ts"
import { expectSame, openRealShop } from "./modelShop.ts"
import { openShop } from "./modelState.ts"

/** The same histories each time; MODEL_SEED and MODEL_ROUNDS try others. */
const rounds = Number(process.env["MODEL_ROUNDS"] ?? 50)
const seed = Number(process.env["MODEL_SEED"] ?? 90_210)

const all = [...cartCommands, ...checkoutCommands, ...paymentCommands, ...timeCommands]

let shop: TestCommerce
beforeAll(async () => {
  // Without workers: what is due is done when the clock has been moved, and not in between.
  shop = await openTestCommerce({ role: "api" })
})
afterAll(() => shop.close())

it(`carts, checkouts, orders, stock and gift card are as the contract says, for ${rounds} random histories (MODEL_SEED=${seed})`, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("ON_PAYMENT", "ON_CART"),
      fc.commands(all, { maxCommands: 25, size: "max" }),
      async (reserves, commands) => {
        const real = await openRealShop(shop, reserves)
        const model = openShop(reserves)
        await begin(model, real)
        await fc.asyncModelRun(() => ({ model, real }), commands)
        real.over.clear()
        await expectSame(real, model)
      }
    ),
    { numRuns: rounds, seed, unbiased: true }
  )
}, 900_000)
