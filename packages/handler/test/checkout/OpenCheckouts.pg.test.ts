import { afterAll, beforeAll, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { rowsOf } from "../customer/SignedIn.ts"
import { shopperOf } from "../Shopper.ts"

/** A cart has fifty open checkouts at most: the oldest make way. */
let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
beforeAll(async () => {
  shop = await openTestCommerce()
  shopper = shopperOf(shop)
})
afterAll(() => shop.close())

const begin = async (cartId: string) =>
  (await shop.call("POST", `${shopper.at}/checkout`, { body: { cartId } })).body.id as string
const statusOf = async (id: string) => (await shop.call("GET", `${shopper.at}/checkout/${id}`)).body.status
const counted = (cartId: string) =>
  rowsOf(shop, "SELECT status, count(*)::int AS n FROM checkout WHERE cart_id = $1 GROUP BY 1 ORDER BY 1", [cartId])

it("cancels the oldest of a cart for the fifty-first, and leaves the other ones and other carts alone", async () => {
  const lamp = await shopper.product({ stock: 5 })
  const cartId = await shopper.cart([lamp, 1])
  const elsewhere = await begin(await shopper.cart([lamp, 1]))
  const ids: Array<string> = []
  for (let n = 0; n < 50; n++) ids.push(await begin(cartId))
  expect(await counted(cartId)).toEqual([{ status: "PENDING", n: 50 }])
  await begin(cartId)
  expect(await Promise.all([statusOf(ids[0] ?? ""), statusOf(ids[1] ?? ""), statusOf(elsewhere)])).toEqual([
    "CANCELLED",
    "PENDING",
    "PENDING"
  ])
  await Promise.all([begin(cartId), begin(cartId), begin(cartId)])
  expect(await counted(cartId)).toEqual([
    { status: "CANCELLED", n: 4 },
    { status: "PENDING", n: 50 }
  ])
})

it("never cancels one that is being paid for or bought", async () => {
  const cartId = await shopper.cart([await shopper.product({ stock: 5 }), 1])
  const [paying, bought] = [await begin(cartId), await begin(cartId)]
  await rowsOf(
    shop,
    "UPDATE checkout SET status = CASE id WHEN $1 THEN 'PROCESSING' ELSE 'COMPLETED' END WHERE id IN ($1, $2)",
    [paying, bought]
  )
  for (let n = 0; n < 51; n++) await begin(cartId)
  expect(await counted(cartId)).toEqual([
    { status: "CANCELLED", n: 1 },
    { status: "COMPLETED", n: 1 },
    { status: "PENDING", n: 50 },
    { status: "PROCESSING", n: 1 }
  ])
})
