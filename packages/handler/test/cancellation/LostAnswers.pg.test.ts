/**
 * What cancels or moves an order, sent again under its Idempotency-Key after its answer was lost: it is answered as the
 * first time, and done once. Another request is refused.
 */
import { afterAll, beforeAll, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { rowsOf } from "../customer/SignedIn.ts"
import { orderCareOf } from "../orderedit/orderCare.ts"

let shop: TestCommerce
let care: ReturnType<typeof orderCareOf>
let lamp: string
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  care = orderCareOf(shop)
  lamp = await care.shopper.product({ price: 2_500n, stock: 1_000 })
  await rowsOf(
    shop,
    "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the answer is lost'; END $$"
  )
})
afterAll(async () => {
  expect(await care.findings()).toEqual([])
  await shop.close()
})

const losingAnswers = async <A>(work: () => Promise<A>): Promise<A> => {
  await rowsOf(
    shop,
    "CREATE TRIGGER lost BEFORE UPDATE OF status ON idempotency FOR EACH ROW EXECUTE FUNCTION refuse()"
  )
  try {
    return await work()
  } finally {
    await rowsOf(shop, "DROP TRIGGER lost ON idempotency")
  }
}
const unpaid = () => care.placed([{ productId: lamp, quantity: 2 }])
const paid = () => care.paid([{ productId: lamp, quantity: 2 }])

it.each([
  ["a cancellation", unpaid, "POST", "/cancel", { reason: "fraud" }],
  ["a cancellation that refunds by hand", paid, "POST", "/cancel", { refund: true }],
  ["a cancellation that refunds at a provider", () => care.bought(lamp, 2), "POST", "/cancel", { refund: true }],
  ["a status that cancels", unpaid, "PATCH", "/status", { status: "CANCELLED" }],
  ["a status that sends", paid, "PATCH", "/status", { status: "SHIPPED" }],
  ["a status", paid, "PATCH", "/status", { status: "PROCESSING" }],
  ["a change", paid, "PATCH", "", { notes: "Ring twice." }]
] as const)("%s", async (what, order, method, path, body) => {
  const { id, updatedAt } = await order()
  const send = (key = `lost ${what}`) =>
    shop.call(method, `/v1/orders/${id}${path}`, {
      body,
      headers: { "idempotency-key": key, "if-match": `"${updatedAt}"` }
    })
  const events = async () => (await care.eventsOf(id)).length
  await losingAnswers(send)
  await shop.call("POST", "/test/clock", { body: { advanceMs: 31_000 } })
  const again = await send()
  expect([again.status, again.body]).toEqual([200, await care.orderOf(id)])
  const told = await events()
  const replayed = await send()
  expect([replayed.body, replayed.headers.get("idempotency-replayed")]).toEqual([again.body, "true"])
  const other = await send("another")
  expect([other.status, await events()]).toEqual([409, told])
  expect(await care.orderOf(id)).toEqual(again.body)
})
