import { makeStatementCounter } from "@effect-commerce/core/database/StatementLog"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { customersOf, freshEmail, otherPassword, rowsOf } from "../customer/SignedIn.ts"
import { shopperOf } from "../Shopper.ts"

let shop: TestCommerce
let at: ReturnType<typeof customersOf>
let theirs: ReturnType<typeof customersOf>
let lamp: string
const statements = makeStatementCounter()
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api", statementLog: statements })
  at = customersOf(shop)
  theirs = customersOf(shop, await shop.openStore())
  lamp = await shopperOf(shop).product({ stock: 10_000 })
})
afterAll(() => shop.close())

type Customers = ReturnType<typeof customersOf>
/** An order that a guest placed; the address is what a shopper types. */
const guestOrder = async (email: string): Promise<string> => {
  const made = await at.admin("POST", "/orders", { customer: { email }, items: [{ productId: lamp, quantity: 1 }] })
  if (made.status !== 201) throw new Error(made.text)
  return made.body.id
}
const listed = async (token: string) => {
  const { body } = await at.me(token, "GET", "/orders")
  return body.data.map(({ id }: { readonly id: string }) => id)
}
const verify = async (customers: Customers, { id, email }: { readonly id: string; readonly email: string }) => {
  await customers.post("resend-verification", { email })
  const [token] = (await customers.mailed(id, "verification")).slice(-1)
  return customers.post("verify-email", { token })
}
const mails = (id: string) => at.told(id, "internal.orders_linked")
const ownerOf = async (id: string) =>
  (await rowsOf(shop, "SELECT customer_id FROM orders WHERE id = $1", [id])).map((row) => row["customer_id"])

describe("orders placed as a guest", () => {
  it("are the customer's once the address is verified, and not before; nobody else's are", async () => {
    const customer = await at.signUp({ firstName: "Ada" })
    const first = await guestOrder(` ${customer.email.toUpperCase()}`)
    const second = await guestOrder(customer.email)
    const stranger = await guestOrder(freshEmail())
    expect([await listed(customer.token), await mails(customer.id)]).toEqual([[], []])
    const before = (await at.admin("GET", `/orders/${first}`)).body
    expect((await verify(at, customer)).status).toBe(200)
    expect(await listed(customer.token)).toEqual([second, first])
    expect((await at.me(customer.token, "GET", `/orders/${first}`)).status).toBe(200)
    const after = (await at.admin("GET", `/orders/${first}`)).body
    expect(after).toEqual({ ...before, customerId: customer.id, updatedAt: after.updatedAt })
    expect(after.updatedAt > before.updatedAt).toBe(true)
    expect(await ownerOf(stranger)).toEqual([null])
    expect((await mails(customer.id)).map(({ data }) => data)).toEqual([
      {
        customerId: customer.id,
        email: customer.email,
        firstName: "Ada",
        language: null,
        salesChannelId: shop.channelId,
        orderCount: 2
      }
    ])
    const told = (await at.events("order.updated")).filter(({ data }) => data.order.customerId === customer.id)
    expect(told.map(({ data }) => data.orderId).toSorted()).toEqual([first, second].toSorted())
    expect(told.find(({ data }) => data.orderId === first)?.data.order).toEqual({ ...after, invoiceUrl: null })
  })

  it("are the customer's by a password reset too, also where the address was verified long ago", async () => {
    const customer = await at.known({ emailVerified: true })
    const order = await guestOrder(customer.email)
    await at.post("forgot-password", { email: customer.email })
    const [token] = await at.mailed(customer.id, "reset")
    expect((await at.post("reset-password", { token, newPassword: otherPassword })).status).toBe(200)
    const { body } = await at.login(customer.email, otherPassword)
    expect(await listed(body.token)).toEqual([order])
    expect((await mails(customer.id)).map(({ data }) => data.orderCount)).toEqual([1])
  })

  it("stay a guest's where nothing proves the mailbox: registering, logging in, a merchant who calls it verified, a wrong token", async () => {
    const email = freshEmail()
    const order = await guestOrder(email)
    const customer = await at.signUp({ email })
    await at.login(email)
    await at.post("verify-email", { token: "wrong" })
    await at.admin("PATCH", `/customers/${customer.id}`, { emailVerified: true })
    expect([await ownerOf(order), await listed(customer.token), await mails(customer.id)]).toEqual([[null], [], []])
  })

  it("of another store stay as they are, under the same address", async () => {
    const email = freshEmail()
    const order = await guestOrder(email)
    const customer = await theirs.signUp({ email })
    expect((await verify(theirs, customer)).status).toBe(200)
    expect([await ownerOf(order), await theirs.told(customer.id, "internal.orders_linked")]).toEqual([[null], []])
  })

  it("of a customer who has deleted the account are nobody else's, who registers with the address", async () => {
    const first = await at.signUp()
    const order = await guestOrder(first.email)
    await verify(at, first)
    await at.admin("DELETE", `/customers/${first.id}`)
    const second = await at.signUp({ email: first.email })
    await verify(at, second)
    expect([await ownerOf(order), await listed(second.token), await mails(second.id)]).toEqual([[first.id], [], []])
  })

  it("are linked in statements of fifty, a thousand at a proof; what is left at the next", async () => {
    const customer = await at.known()
    const [order] = [await guestOrder(customer.email)]
    await rowsOf(
      shop,
      `INSERT INTO orders (store_id, id, order_number, currency, subtotal, discount_amount, rule_discount_amount,
          shipping_amount, surcharge_amount, tax_amount, total_amount, tax_breakdown, email, created_at, updated_at)
        SELECT store_id, 'ord_more_' || n, 100000 + n, currency, subtotal, discount_amount, rule_discount_amount,
          shipping_amount, surcharge_amount, tax_amount, total_amount, tax_breakdown, email, created_at, updated_at
        FROM orders, generate_series(1, 1002) n WHERE id = $1`,
      [order]
    )
    statements.reset()
    await verify(at, customer)
    const sent = (of: string) => statements.statements().filter((sql) => sql.includes(of)).length
    expect([sent("UPDATE orders o"), sent("FROM orders o")]).toEqual([20, 20])
    const updated = (await at.events("order.updated")).filter(({ data }) => data.order.customerId === customer.id)
    expect(new Set(updated.map(({ data }) => data.orderId)).size).toBe(1_000)
    const left = () =>
      rowsOf(shop, "SELECT count(*)::int AS n FROM orders WHERE email = $1 AND customer_id IS NULL", [customer.email])
    expect(await left()).toEqual([{ n: 3 }])
    await at.post("forgot-password", { email: customer.email })
    const [token] = await at.mailed(customer.id, "reset")
    await at.post("reset-password", { token, newPassword: otherPassword })
    expect(await left()).toEqual([{ n: 0 }])
    expect((await mails(customer.id)).map(({ data }) => data.orderCount)).toEqual([1_000, 3])
    await rowsOf(shop, "DELETE FROM orders WHERE id LIKE 'ord_more_%'")
  })
})
