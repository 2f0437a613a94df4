/** A process that dies after an order was cancelled, and before its provider was asked to give the money back. */
import { PaymentRecovery } from "@effect-commerce/core/charge/PaymentRecovery"
import { FaultPoint } from "@effect-commerce/core/database/FaultPoint"
import { Effect } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { orderCareOf } from "../orderedit/orderCare.ts"
import { rowsOf } from "../customer/SignedIn.ts"
import { defaultInFile } from "../../../core/test/defaultInFile.ts"

let armed = false
let shop: TestCommerce
let care: ReturnType<typeof orderCareOf>
defaultInFile(FaultPoint.Faults, (name: string) =>
  Effect.suspend(() => (armed && name === "refund.begun" ? Effect.die(new Error("killed")) : Effect.void))
)
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  care = orderCareOf(shop)
})
afterAll(async () => {
  expect(await care.findings()).toEqual([])
  await shop.close()
})

it("the order is cancelled with its refund under way, and the worker gives the money back once", async () => {
  const lamp = await care.shopper.product({ price: 2_500n, stock: 5 })
  const { id, totalAmount } = await care.bought(lamp, 2)
  armed = true
  expect((await care.post(`/v1/orders/${id}/cancel`, { refund: true })).status).toBe(500)
  armed = false
  expect(await care.orderOf(id)).toMatchObject({
    status: "CANCELLED",
    financialStatus: "paid",
    syncWarning: null,
    refunds: [{ amount: totalAmount, status: "pending" }]
  })
  expect(await care.stockOf(lamp)).toBe(5)
  for (let i = 0; i < 6; i++) {
    await shop.call("POST", "/test/clock", { body: { advanceMs: 120_000 } })
    await shop.run(PaymentRecovery.use((recovery) => recovery.pass) as unknown as Effect.Effect<void>)
  }
  expect(await care.orderOf(id)).toMatchObject({
    status: "CANCELLED",
    financialStatus: "refunded",
    refunds: [{ amount: totalAmount, status: "succeeded" }]
  })
  const [charge] = await rowsOf(
    shop,
    "SELECT captured - refunded AS kept FROM test_charge WHERE checkout_id = (SELECT checkout_id FROM orders WHERE id = $1)",
    [id]
  )
  expect(Number(charge?.["kept"])).toBe(0)
  const asked = "SELECT state FROM provider_operation WHERE subject_id = $1 AND kind = 'refund'"
  expect(await rowsOf(shop, asked, [id])).toEqual([{ state: "succeeded" }])
})
