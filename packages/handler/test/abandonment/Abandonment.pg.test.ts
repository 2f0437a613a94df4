/** Carts and checkouts that nobody touches any more: at the very minute, once, and whatever is killed. */
import { commerceEvents } from "@effect-commerce/core/CommerceEvents"
import { builtInTaxes, type TaxCalculator } from "@effect-commerce/core/tax/TaxCalculator"
import { Schema } from "effect"
import pg, { type Client } from "pg"
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest"
import { openTestCommerce, runWith, type TestCommerce, type TestStore } from "../../src/testing/TestCommerce.ts"
import { addressIn, shopperOf } from "../Shopper.ts"
import { lookAfterLeft, onePass } from "./lookAfterLeft.ts"

let shop: TestCommerce
let client: Client
/** Whose purchases cannot be taxed. */
let untaxed = ""
const calculator: TaxCalculator = {
  name: "tests",
  calculate: (sale, trace) => {
    if (sale.buyer.email === untaxed) throw new Error("no taxes")
    return builtInTaxes.calculate(sale, trace)
  }
}
beforeAll(async () => {
  shop = await openTestCommerce({ tax: { calculator } })
  client = new pg.Client(shop.database.nodePostgres)
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await shop.close()
})

const minute = 60_000
const pass = () => lookAfterLeft(shop, store.storeId)
const setClock = async (millis: number, { fetch }: Pick<TestCommerce["commerce"], "fetch"> = shop.commerce) => {
  const headers = { "content-type": "application/json" }
  const body = JSON.stringify({ now: new Date(millis).toISOString() })
  const request = new Request("http://commerce.test/api/test/clock", { method: "POST", headers, body })
  expect((await fetch(request, { clientAddress: "127.0.0.1" })).status).toBe(200)
}
// oxlint-disable-next-line typescript/no-explicit-any -- a test reads any column of any row
const rows = async (text: string, values: ReadonlyArray<unknown> = []): Promise<ReadonlyArray<any>> =>
  (await client.query(text, [...values])).rows

/** Every test sells in a store of its own, from a time of its own. */
let store: TestStore
let shopper: ReturnType<typeof shopperOf>
let lamp: string
let day = Date.UTC(2030, 0, 1)
beforeEach(async () => {
  day += 10 * 24 * 60 * minute
  await setClock(day)
  store = await shop.openStore()
  shopper = shopperOf(shop, store.channelId)
  const made = await admin("POST", "/v1/products", {
    name: "Lamp",
    basePrice: "25.00",
    status: "active",
    inventory: { trackingMode: "TRACKED", total: 50 }
  })
  lamp = made.body.id
})
const admin = (method: string, path: string, body?: object) =>
  shop.call(method, path, { key: store.apiKey, ...(body === undefined ? {} : { body }) })

const read = async (checkoutId: string) => (await shop.call("GET", `${shopper.at}/checkout/${checkoutId}`)).body
const statusOf = async (table: "cart" | "checkout", id: string) =>
  (await rows(`SELECT status FROM ${table} WHERE id = $1`, [id]))[0]?.status
const events = (type = "checkout.abandoned") =>
  rows("SELECT data FROM event WHERE store_id = $1 AND type = $2 ORDER BY seq", [store.storeId, type])
const mails = async () =>
  (await admin("GET", "/v1/email/messages?limit=100")).body.data.filter(
    ({ eventType }: { eventType: string }) => eventType === "CART_ABANDONED"
  )
/** A checkout with an e-mail address, and when it was last written. */
const leave = async (cartId?: string) => {
  const id = await shopper.checkout(cartId ?? (await shopper.cart([lamp, 2])))
  return { id, at: Date.parse((await read(id)).updatedAt) }
}
/** The mails are made by the relay, and kept by the worker that sends them. */
const untilMails = (count: number) => expect.poll(async () => (await mails()).length, { timeout: 20_000 }).toBe(count)
const second = 1_000

describe("a checkout that was left with an e-mail address", () => {
  it("has its event after the store's four hours, to the minute and once, and its shopper gets a mail an hour later", async () => {
    const { id, at } = await leave()
    await setClock(at + 240 * minute - 20 * second)
    await pass()
    expect(await events()).toEqual([])
    await setClock(at + 240 * minute)
    await pass()
    await pass()
    const [event, ...more] = await events()
    expect(more).toEqual([])
    expect([
      event.data.checkoutId,
      event.data.checkout.id,
      event.data.checkout.email,
      event.data.checkout.total
    ]).toEqual([id, id, "ada@example.com", "50.00"])
    const [{ abandoned_at: leftAt, updated_at: updatedAt }] = await rows("SELECT * FROM checkout WHERE id = $1", [id])
    expect(updatedAt.getTime()).toBe(at)

    await setClock(leftAt.getTime() + 60 * minute - 20 * second)
    await pass()
    expect([(await read(id)).recoveryEmailSentAt, await events("internal.cart_recovery")]).toEqual([null, []])
    await setClock(leftAt.getTime() + 60 * minute)
    await pass()
    await pass()
    expect(Math.abs(Date.parse((await read(id)).recoveryEmailSentAt) - leftAt.getTime() - 60 * minute)).toBeLessThan(
      10 * second
    )
    await untilMails(1)
    await setClock(leftAt.getTime() + 600 * minute)
    await pass()
    await untilMails(1)
    expect((await events()).length).toBe(1)
  })

  it("is found again by the link of the mail, which is a secret in the event and in the log", async () => {
    const cartId = await shopper.cart([lamp, 2])
    const { sessionToken } = (await shop.call("GET", `${shopper.at}/cart/${cartId}`)).body
    const { at } = await leave(cartId)
    await setClock(at + 240 * minute)
    await pass()
    await setClock(at + 301 * minute)
    await pass()
    await untilMails(1)
    const [mail] = await mails()
    expect([mail.to, mail.subject]).toEqual(["ada@example.com", "You left something at Test store"])
    // The kept mailbox of a developer shows what left.
    const [{ plain_text: text }] = await rows(
      "SELECT plain_text FROM email_message WHERE store_id = $1 AND event_type = 'CART_ABANDONED'",
      [store.storeId]
    )
    expect(text).toContain("Hello Ada")
    expect(text).toContain("2 x Lamp")
    const token = /http:\/\/localhost\/cart\?token=(\S+)/.exec(text)?.[1]
    expect(token).toBe(sessionToken)
    const found = await shop.call("GET", `${shopper.at}/cart/session/${token}`)
    expect([found.status, found.body.id, found.body.items.length]).toEqual([200, cartId, 1])
    const [asked] = await events("internal.cart_recovery")
    expect(JSON.stringify(asked.data)).not.toContain(sessionToken)
  })

  it("of a customer leads to the cart without a token: the customer has to sign in", async () => {
    const registered = await shop.call("POST", `${shopper.at}/customers/register`, {
      body: { email: "grace@example.com", password: "Corr3ct-Horse", firstName: "Grace" }
    })
    expect(registered.status).toBe(200)
    const headers = { authorization: `Bearer ${registered.body.token}` }
    const as = (method: string, path: string, body?: object) =>
      shop.call(method, `${shopper.at}${path}`, { key: null, headers, ...(body === undefined ? {} : { body }) })
    const cart = (await as("POST", "/cart")).body
    await as("POST", `/cart/${cart.id}/items`, { productId: lamp, quantity: 1 })
    const made = (await as("POST", "/checkout", { cartId: cart.id })).body
    const { updatedAt } = (await as("PATCH", `/checkout/${made.id}/customer`, { email: "grace@example.com" })).body
    await setClock(Date.parse(updatedAt) + 240 * minute)
    await pass()
    await setClock(Date.parse(updatedAt) + 301 * minute)
    await pass()
    await untilMails(1)
    const [{ plain_text: text }] = await rows(
      "SELECT plain_text FROM email_message WHERE store_id = $1 AND event_type = 'CART_ABANDONED'",
      [store.storeId]
    )
    expect(text).toContain("http://localhost/cart")
    expect(text).not.toContain("token=")
    expect(text).not.toContain(cart.sessionToken)
    expect((await shop.call("GET", `${shopper.at}/cart/session/${cart.sessionToken}`)).status).toBe(404)
  })

  it("without an e-mail address is never told of, and neither is one whose cart was bought", async () => {
    const cartId = await shopper.cart([lamp, 1])
    const nameless = (await shop.call("POST", `${shopper.at}/checkout`, { body: { cartId } })).body
    const bought = await shopper.cart([lamp, 1])
    const { id: sibling } = await leave(bought)
    const { id: winner, at } = await leave(bought)
    expect((await shopper.complete(winner, `bought-${day}`)).status).toBe(200)
    await setClock(at + 300 * minute)
    await pass()
    expect([await events(), await statusOf("checkout", nameless.id), await statusOf("checkout", sibling)]).toEqual([
      [],
      "PENDING",
      "PENDING"
    ])
  })

  it("is not reminded of who has bought since, with another cart, or was reminded of the same cart", async () => {
    const { id, at } = await leave()
    const cartId = await shopper.cart([lamp, 1])
    const twice = [await leave(cartId), await leave(cartId)]
    for (const { id: other } of twice)
      await shop.call("PATCH", `${shopper.at}/checkout/${other}/customer`, { body: { email: "two@example.com" } })
    await setClock(at + 241 * minute)
    await pass()
    expect((await events()).length).toBe(3)
    const { id: later } = await leave()
    expect((await shopper.complete(later, `later-${day}`)).status).toBe(200)
    await setClock(at + 310 * minute)
    await pass()
    expect((await read(id)).recoveryEmailSentAt).toBe(null)
    const sent = await Promise.all(twice.map(async ({ id: of }) => (await read(of)).recoveryEmailSentAt !== null))
    expect(sent.toSorted()).toEqual([false, true])
    await untilMails(1)
    expect((await mails())[0].to).toBe("two@example.com")
    expect(
      await rows("SELECT id FROM checkout WHERE store_id = $1 AND recovery_due_at IS NOT NULL", [store.storeId])
    ).toEqual([])
  })

  it("waits anew for a shopper who came back, and writes to nobody where the store sends no such mail", async () => {
    const { id, at } = await leave()
    await setClock(at + 240 * minute)
    await pass()
    await setClock(at + 290 * minute)
    await shop.call("PATCH", `${shopper.at}/checkout/${id}/customer`, { body: { email: "ada@example.com" } })
    await setClock(at + 305 * minute)
    await pass()
    expect(await events("internal.cart_recovery")).toEqual([])
    await setClock(at + 592 * minute)
    await pass()
    expect((await events("internal.cart_recovery")).length).toBe(1)

    await admin("PUT", "/v1/email/settings", { eventSettings: { CART_ABANDONED: false } })
    const { id: second, at: secondAt } = await leave()
    await setClock(secondAt + 240 * minute)
    await pass()
    await setClock(secondAt + 301 * minute)
    await pass()
    expect([(await read(second)).recoveryEmailSentAt, (await events("internal.cart_recovery")).length]).toEqual([
      null,
      1
    ])
  })

  it("has its event and its mail at the times that the store has set", async () => {
    await admin("PATCH", "/v1/store", { abandonedAfterMinutes: 30, recoveryAfterMinutes: 2_000 })
    const { id, at } = await leave()
    await setClock(at + 30 * minute)
    await pass()
    expect((await events()).length).toBe(1)
    // The checkout has ended by then; its cart has not.
    await setClock(at + 2_035 * minute)
    await pass()
    expect([await statusOf("checkout", id), (await events("internal.cart_recovery")).length]).toEqual(["EXPIRED", 1])
  })

  it("has its event when it expires, if the store would wait longer", async () => {
    await admin("PATCH", "/v1/store", { abandonedAfterMinutes: 4_000, checkoutLifetimeMinutes: 120 })
    const { id } = await leave()
    const expiresAt = Date.parse((await read(id)).expiresAt)
    await setClock(expiresAt - 20 * second)
    await pass()
    expect(await events()).toEqual([])
    await setClock(expiresAt)
    await pass()
    await pass()
    expect((await events()).map(({ data }) => data.checkoutId)).toEqual([id])
    expect(await statusOf("checkout", id)).toBe("EXPIRED")
    await setClock(expiresAt + 61 * minute)
    await pass()
    expect((await events("internal.cart_recovery")).length).toBe(1)
  })

  it("counts as left while the payment provider waits for its shopper, who is reminded", async () => {
    // The test provider waits for an hour.
    await admin("PATCH", "/v1/store", { abandonedAfterMinutes: 30, recoveryAfterMinutes: 20 })
    const { id } = await leave()
    const begun = await shop.call("POST", `${shopper.at}/checkout/${id}/payment`, { body: { providerId: "test" } })
    expect(begun.status).toBe(200)
    const { status, updatedAt } = await read(id)
    expect(status).toBe("PROCESSING")
    const at = Date.parse(updatedAt)
    await setClock(at + 30 * minute - 20 * second)
    await pass()
    expect(await events()).toEqual([])
    await setClock(at + 30 * minute)
    await pass()
    expect((await events()).map(({ data }) => data.checkoutId)).toEqual([id])
    await setClock(at + 51 * minute)
    await pass()
    expect((await events("internal.cart_recovery")).length).toBe(1)
    expect(await statusOf("checkout", id)).toBe("PROCESSING")
  })

  it("is not reminded of where the provider has never said whether it was paid", async () => {
    const { id, at } = await leave()
    await shopper.complete(id, `silent-${day}`, { paymentMethod: "test", paymentReference: "timeout" })
    await rows("UPDATE provider_operation SET state = 'absent', answer = NULL, check_at = NULL WHERE subject_id = $1", [
      id
    ])
    await rows("UPDATE checkout SET status = 'PENDING' WHERE id = $1", [id])
    await setClock(at + 245 * minute)
    await pass()
    await setClock(at + 310 * minute)
    await pass()
    expect([(await events()).length, (await events("internal.cart_recovery")).length]).toEqual([1, 0])
  })

  it("has its event late after an outage, and none after a day", async () => {
    const { at } = await leave()
    await setClock(at + (240 + 23 * 60) * minute)
    await pass()
    const [event] = await events()
    expect(event.data.checkout.status).toBe("EXPIRED")
    const { id: old, at: oldAt } = await leave()
    await setClock(oldAt + (240 + 24 * 60 + 1) * minute)
    await pass()
    expect([(await events()).length, await statusOf("checkout", old)]).toEqual([1, "EXPIRED"])
  })

  it("has its event although another checkout cannot be priced; that one follows once it can be", async () => {
    const lines: Array<string> = []
    for (const name of ["log", "error"] as const)
      vi.spyOn(console, name).mockImplementation((...line) => void lines.push(line.join(" ")))
    const first = await leave()
    const second = await leave()
    untaxed = "grace@example.com"
    await rows("UPDATE checkout SET email = $2 WHERE id = $1", [first.id, untaxed])
    await setClock(second.at + 240 * minute)
    await pass()
    expect((await events()).map(({ data }) => data.checkoutId)).toEqual([second.id])
    expect(lines.join(" ")).toContain(`Telling that the checkout ${first.id} was left failed`)
    vi.restoreAllMocks()
    untaxed = ""
    await pass()
    expect((await events()).map(({ data }) => data.checkoutId)).toEqual([second.id, first.id])
  })

  it("loses nothing where a process dies between: its event and its mark are one", async () => {
    vi.spyOn(console, "log").mockImplementation(() => undefined)
    vi.spyOn(console, "error").mockImplementation(() => undefined)
    const { at } = await leave()
    await rows(`CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'dead'; END $$`)
    const dying = () => rows("CREATE TRIGGER dying BEFORE UPDATE ON checkout FOR EACH ROW EXECUTE FUNCTION die()")
    const living = () => rows("DROP TRIGGER dying ON checkout")
    await dying()
    await setClock(at + 240 * minute)
    await pass()
    expect(await events()).toEqual([])
    await living()
    await pass()
    expect((await events()).length).toBe(1)
    await dying()
    await setClock(at + 302 * minute)
    await pass()
    expect(await events("internal.cart_recovery")).toEqual([])
    await living()
    await pass()
    await pass()
    await untilMails(1)
    await rows("DROP FUNCTION die()")
    vi.restoreAllMocks()
  })

  it("has one event of two processes at once, and its shopper gets one mail for each cart", async () => {
    const twin = await shop.openTwin()
    // Each cart has two checkouts, one after the other in the queue: both have an event, and the cart has one mail.
    const left: Array<{ readonly cartId: string; readonly at: number }> = []
    for (let made = 0; made < 25; made++) {
      const cartId = await shopper.cart([lamp, 1])
      for (const { at } of [await leave(cartId), await leave(cartId)]) left.push({ cartId, at })
    }
    const at = Math.max(...left.map((one) => one.at))
    const twinPass = () => runWith(twin, onePass)
    // Each process has a clock of its own.
    const bothAt = async (millis: number) => {
      await Promise.all([setClock(millis), setClock(millis, twin)])
      await Promise.all([pass(), twinPass(), pass(), twinPass()])
    }
    await bothAt(at + 241 * minute)
    const told = (await events()).map(({ data }) => data.checkoutId)
    expect([told.length, new Set(told).size]).toEqual([50, 50])
    await bothAt(at + 303 * minute)
    await untilMails(25)
    const asked = (await events("internal.cart_recovery")).map(({ data }) => data.checkoutId)
    const carts = await rows("SELECT cart_id FROM checkout WHERE store_id = $1 AND id = ANY($2)", [
      store.storeId,
      asked
    ])
    expect(carts.map(({ cart_id: cartId }) => cartId).toSorted()).toEqual(
      [...new Set(left.map(({ cartId }) => cartId))].toSorted()
    )
  })
})

describe("a cart", () => {
  it("that was idle is ABANDONED to the minute, and ACTIVE again with the next write", async () => {
    const cartId = await shopper.cart([lamp, 1])
    const cart = (await shop.call("GET", `${shopper.at}/cart/${cartId}`)).body
    const at = Date.parse(cart.updatedAt)
    await setClock(at + 240 * minute - 20 * second)
    await pass()
    expect(await statusOf("cart", cartId)).toBe("ACTIVE")
    await setClock(at + 240 * minute)
    await pass()
    const left = (await shop.call("GET", `${shopper.at}/cart/${cartId}`)).body
    expect([left.status, left.updatedAt]).toEqual(["ABANDONED", cart.updatedAt])
    const headers = { "if-match": `"${cart.updatedAt}"` }
    const written = await shop.call("PATCH", `${shopper.at}/cart/${cartId}`, { body: { notes: "back" }, headers })
    expect([written.status, written.body.status]).toEqual([200, "ACTIVE"])
    await pass()
    expect(await statusOf("cart", cartId)).toBe("ACTIVE")
  })

  it("that was idle is ACTIVE again where a part of it is bought", async () => {
    const other = await admin("POST", "/v1/products", {
      name: "Other",
      basePrice: "5.00",
      status: "active",
      inventory: { trackingMode: "UNTRACKED" }
    })
    const cartId = await shopper.cart([lamp, 1], [other.body.id, 1])
    const { items } = (await shop.call("GET", `${shopper.at}/cart/${cartId}`)).body
    const { body } = await shop.call("POST", `${shopper.at}/checkout`, {
      body: { cartId, selectedItemIds: [items[0].id] }
    })
    await shop.call("PATCH", `${shopper.at}/checkout/${body.id}/customer`, { body: { email: "ada@example.com" } })
    await shop.call("PATCH", `${shopper.at}/checkout/${body.id}/shipping`, {
      body: { shippingAddress: addressIn("CA", "94105") }
    })
    await rows("UPDATE cart SET status = 'ABANDONED' WHERE id = $1", [cartId])
    expect((await shopper.complete(body.id, `part-${day}`)).status).toBe(200)
    expect(await statusOf("cart", cartId)).toBe("ACTIVE")
  })

  it("is not idle while a checkout of it is being filled in", async () => {
    const cartId = await shopper.cart([lamp, 1])
    const { id, at } = await leave(cartId)
    await setClock(at + 239 * minute)
    await shop.call("PATCH", `${shopper.at}/checkout/${id}/customer`, { body: { email: "ada@example.com" } })
    await setClock(at + 300 * minute)
    await pass()
    expect([await statusOf("cart", cartId), await events()]).toEqual(["ACTIVE", []])
    await setClock(at + 480 * minute)
    await pass()
    expect([await statusOf("cart", cartId), (await events()).length]).toEqual(["ABANDONED", 1])
  })

  it("and its checkout past their time are EXPIRED in their rows, and hold nothing", async () => {
    await admin("PATCH", "/v1/store", { reservation: { strategy: "ON_CART", minutes: 15 } })
    const cartId = await shopper.cart([lamp, 3])
    const checkoutId = await shopper.checkout(cartId)
    const checkout = await read(checkoutId)
    // The units are held for as long as the cart: the sweep of reservations has nothing to do with them.
    await rows("UPDATE reservation SET expires_at = '2100-01-01' WHERE store_id = $1", [store.storeId])
    await setClock(Date.parse(checkout.expiresAt))
    await pass()
    expect([await statusOf("checkout", checkoutId), await statusOf("cart", cartId)]).toEqual(["EXPIRED", "ABANDONED"])
    const refused = await shopper.complete(checkoutId, `late-${day}`)
    expect([refused.status, refused.body.code]).toEqual([409, "RESERVATION_EXPIRED"])
    const { expiresAt } = (await shop.call("GET", `${shopper.at}/cart/${cartId}`)).body
    await setClock(Date.parse(expiresAt))
    await pass()
    expect(await statusOf("cart", cartId)).toBe("EXPIRED")
    expect(await rows("SELECT * FROM reservation WHERE store_id = $1", [store.storeId])).toEqual([])
    const { reserved } = (await admin("GET", `/v1/products/${lamp}/inventory`)).body
    expect(reserved).toBe(0)
  })

  it("whose checkout ended in its row becomes an order all the same where money comes late", async () => {
    const { id } = await leave()
    const slow = { paymentMethod: "test", paymentReference: "timeout" }
    await shopper.complete(id, `slow-${day}`, slow)
    await expect
      .poll(
        async () => {
          await shop.call("POST", "/test/clock", { body: { advanceMs: 5 * 60 * minute } })
          await pass()
          return statusOf("checkout", id)
        },
        { timeout: 30_000, interval: 300 }
      )
      .toBe("EXPIRED")
    const told = await shop.call("POST", "/test/provider-events", { body: { checkoutId: id, type: "captured" } })
    const order = (await admin("GET", `/v1/orders/${told.body.orderId}`)).body
    expect([order.status, order.totalAmount, await statusOf("checkout", id)]).toEqual(["PAID", "50.00", "COMPLETED"])
  })
})

describe("the event", () => {
  it("has the declared shape", async () => {
    const { at } = await leave()
    await setClock(at + 240 * minute)
    await pass()
    const definition = commerceEvents.find(({ type }) => type === "checkout.abandoned")
    const decode = Schema.decodeUnknownSync(definition?.data as Schema.ConstraintDecoder<unknown>, {
      onExcessProperty: "error"
    })
    const [event] = await events()
    expect(() => decode(event.data)).not.toThrow()
    expect([definition?.status, definition?.isInternal]).toEqual(["live", false])
  })
})
