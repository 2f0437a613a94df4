/** Files that shoppers buy: when they are granted, how often they are fetched, and what the links open. */
import { memoryObjectStore } from "@effect-commerce/core/testing/MemoryObjectStore"
import { Effect } from "effect"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { customersOf } from "../customer/SignedIn.ts"
import { heldRow } from "../heldRow.ts"
import { addressIn, shopperOf } from "../Shopper.ts"

let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
let client: InstanceType<typeof pg.Client>
const store = memoryObjectStore()
const content = "0123456789"

beforeAll(async () => {
  shop = await openTestCommerce({ media: { store } })
  shopper = shopperOf(shop)
  client = new pg.Client(shop.database.nodePostgres)
  await client.connect()
  const put = (key: string) =>
    store.put({ key, bytes: new TextEncoder().encode(content), contentType: "application/pdf" })
  await Effect.runPromise(Effect.all([put(`${shop.storeId}/book.pdf`), put("store_other/secret.pdf")]))
})
afterAll(async () => {
  await client.end()
  await shop.close()
})

const book = { name: "Büch „eins“.pdf", storageKey: "book.pdf", mimeType: "application/pdf", size: 10 }
const product = async (downloadData: object = { files: [book] }, more: object = {}): Promise<string> => {
  const body = {
    name: "E-book",
    basePrice: "5.00",
    status: "active",
    isDownloadable: true,
    downloadData,
    inventory: { total: 99 },
    ...more
  }
  const made = await shop.call("POST", "/v1/products", { body })
  expect(made.status, made.text).toBe(201)
  return made.body.id
}
let buyers = 0
/** An order of one unit each, by a new guest on the channel, or by an admin key. */
const order = async (productIds: ReadonlyArray<string>, paid = true, customerId?: string) => {
  const email = `guest${++buyers}@example.com`
  const who = customerId === undefined ? { customer: { email } } : { customerId }
  const items = productIds.map((productId) => ({ productId, quantity: 1 }))
  const made = await shop.call("POST", "/v1/orders", {
    body: { items, ...who, billingAddress: addressIn("CA", "94105") }
  })
  expect(made.status, made.text).toBe(201)
  const { id, orderNumber, totalAmount } = made.body
  if (paid) await pay(id, totalAmount)
  return { id: id as string, orderNumber: orderNumber as string, email }
}
const pay = async (id: string, amount: string) => {
  const { status, text } = await shop.call("POST", `/v1/orders/${id}/payments`, { body: { amount, method: "cash" } })
  expect(status, text).toBe(200)
}
const guest = (orderNumber: string, email: string) =>
  shop.call("POST", `${shopper.at}/orders/guest/downloads`, { body: { orderNumber, email } })
const files = async ({ orderNumber, email }: { readonly orderNumber: string; readonly email: string }) => {
  const { status, body, text } = await guest(orderNumber, email)
  expect(status, text).toBe(200)
  return body
}
const pathOf = (url: string) => new URL(url).pathname.replace("/api", "")
const fetched = (url: string, headers: Readonly<Record<string, string>> = {}, method = "GET") =>
  shop.call(method, pathOf(url), { key: null, headers })
const meta = async (id: string) => (await shop.call("GET", `/v1/orders/${id}`)).body.downloadMeta.files
const advance = (ms: number) => shop.call("POST", "/test/clock", { body: { advanceMs: ms } })
const day = 86_400_000

describe("files that were bought", () => {
  it("are granted when the order is paid, and not before", async () => {
    const productId = await product({ files: [book], downloadLimit: 3, expiryDays: 30 })
    const bought = await order([productId], false)
    expect([await files(bought), await meta(bought.id)]).toEqual([[], []])
    await advance(day)
    await pay(bought.id, "5.00")
    const paidAt = (await client.query("SELECT paid_at FROM orders WHERE id = $1", [bought.id])).rows[0]?.["paid_at"]
    const expiresAt = new Date((paidAt as Date).getTime() + 30 * day).toISOString()
    const { id: fileId } = (await shop.call("GET", `/v1/products/${productId}`)).body.downloadData.files[0]
    const shown = { productName: "E-book", fileName: book.name, downloadsUsed: 0, downloadLimit: 3, expiresAt }
    expect(await files(bought)).toEqual([
      { ...shown, downloadUrl: expect.stringMatching(/^http:\/\/commerce\.test\/api\/downloads\//) }
    ])
    expect(await meta(bought.id)).toEqual([{ ...shown, fileId, productId }])
  })

  it("are in the event of an order that is paid at once", async () => {
    const productId = await product({ files: [book] }, { basePrice: "0.00" })
    const checkout = await shopper.checkout(await shopper.cart([productId, 1]))
    const done = await shopper.complete(checkout, "free")
    expect(done.status, done.text).toBe(200)
    const { rows } = await client.query(
      "SELECT data -> 'order' -> 'downloadMeta' AS meta FROM event WHERE type = 'order.paid' AND data ->> 'orderId' = $1",
      [done.body.orderId]
    )
    expect(rows).toEqual([{ meta: { files: await meta(done.body.orderId) } }])
    const shown = { productId, fileName: book.name, downloadsUsed: 0, expiresAt: null }
    expect(rows).toMatchObject([{ meta: { files: [shown] } }])
  })

  it("stay as they were when they were sold", async () => {
    const productId = await product()
    const bought = await order([productId])
    const body = { downloadData: { files: [{ name: "other.pdf", storageKey: "other.pdf" }], downloadLimit: 1 } }
    expect((await shop.call("PATCH", `/v1/products/${productId}`, { body })).status).toBe(200)
    expect(await files(bought)).toMatchObject([{ fileName: book.name, downloadLimit: null }])
  })

  it("of a kit are those of its components, and a product that is no download comes with none", async () => {
    const part = await product({ files: [book] }, { name: "Part" })
    const plain = await product({ files: [book] }, { name: "Plain", isDownloadable: false })
    const kit = { name: "Kit", basePrice: "9.00", status: "active", type: "KIT", kitPricingMode: "FIXED" }
    const kitComponents = [part, plain].map((productId) => ({ productId, quantity: 1 }))
    const made = await shop.call("POST", "/v1/products", { body: { ...kit, kitComponents } })
    expect(made.status, made.text).toBe(201)
    expect(await files(await order([made.body.id, plain]))).toMatchObject([
      { productName: "Part", fileName: book.name }
    ])
  })

  it("of a variant are its own or, where it has none, its product's, and it needs no shipping either way", async () => {
    const own = { name: "own.pdf", storageKey: "book.pdf" }
    const variants = [
      { attributes: { Format: "PDF" } },
      { attributes: { Format: "EPUB" }, isDownloadable: true, downloadData: { files: [own] } }
    ].map((variant) => ({ ...variant, inventory: { total: 9 } }))
    const productId = await product({ files: [book] }, { type: "VARIABLE", variants, inventory: undefined })
    const [plain, special] = (await shop.call("GET", `/v1/products/${productId}`)).body.variants
    expect([plain.downloadData, special.downloadData.files[0].name]).toEqual([null, "own.pdf"])
    const kit = { name: "Kit", basePrice: "9.00", status: "active", type: "KIT", kitPricingMode: "FIXED" }
    const kitComponents = [{ productId, variantId: plain.id, quantity: 1 }]
    const pack = await shop.call("POST", "/v1/products", { body: { ...kit, kitComponents } })
    expect(pack.status, pack.text).toBe(201)
    const sold = async (line: object) => {
      const { id } = (await shop.call("POST", `${shopper.at}/cart`)).body
      const added = await shop.call("POST", `${shopper.at}/cart/${id}/items`, { body: { ...line, quantity: 1 } })
      expect(added.status, added.text).toBe(200)
      const checkout = await shop.call("POST", `${shopper.at}/checkout`, { body: { cartId: id } })
      const email = `variant${++buyers}@example.com`
      const at = `${shopper.at}/checkout/${checkout.body.id}`
      await shop.call("PATCH", `${at}/customer`, { body: { email, firstName: "Ada", lastName: "Byron" } })
      // Goods would need an address to ship to: none is given.
      await shop.call("PATCH", `${at}/shipping`, { body: { billingAddress: addressIn("CA", "94105") } })
      const done = await shopper.complete(checkout.body.id, `variant-${buyers}`)
      expect(done.status, done.text).toBe(200)
      const { id: orderId, orderNumber, totalAmount } = (await shop.call("GET", `/v1/orders/${done.body.orderId}`)).body
      await pay(orderId, totalAmount)
      return (await files({ orderNumber, email })).map(({ fileName }: { readonly fileName: string }) => fileName)
    }
    expect(await sold({ productId, variantId: plain.id })).toEqual([book.name])
    expect(await sold({ productId, variantId: special.id })).toEqual(["own.pdf"])
    expect(await sold({ productId: pack.body.id })).toEqual([book.name])
  })

  it("are taken back by cancelling and by a refund in full, and not by a partial one", async () => {
    const productId = await product()
    for (const [change, isLeft] of [
      ["status = 'CANCELLED'", false],
      ["status = 'REFUNDED'", false],
      ["financial_status = 'refunded'", false],
      ["financial_status = 'partially_refunded'", true]
    ] as const) {
      const bought = await order([productId])
      const [{ downloadUrl }] = await files(bought)
      await client.query(`UPDATE orders SET ${change} WHERE id = $1`, [bought.id])
      const left = isLeft ? 1 : 0
      expect([change, (await files(bought)).length, (await meta(bought.id)).length]).toEqual([change, left, left])
      expect([change, (await fetched(downloadUrl)).status]).toEqual([change, isLeft ? 200 : 404])
    }
  })

  it("end as many days after the payment as the product said", async () => {
    const bought = await order([await product({ files: [book], expiryDays: 2 })])
    await advance(2 * day - 60_000)
    const [{ downloadUrl }] = await files(bought)
    expect((await fetched(downloadUrl)).status).toBe(200)
    await advance(60_000)
    expect((await fetched(downloadUrl)).status).toBe(404)
    expect(await files(bought)).toMatchObject([{ fileName: book.name, downloadUrl: null, downloadsUsed: 1 }])
  })
})

describe("the list of a guest", () => {
  it("is empty for a number and an address that do not belong together, and for texts that are no number", async () => {
    const bought = await order([await product()])
    expect(
      await files({ ...bought, email: bought.email.toUpperCase(), orderNumber: bought.orderNumber.slice(1) })
    ).toHaveLength(1)
    for (const [orderNumber, email] of [
      [bought.orderNumber, "other@example.com"],
      ["#999999", bought.email],
      ["999999999999999999999999999999", bought.email],
      ["x' OR 1=1", bought.email],
      ["", bought.email]
    ] as const) {
      const { status, body } = await guest(orderNumber, email)
      expect([orderNumber, status, body]).toEqual([orderNumber, 200, []])
    }
  })

  it("shows no order of another channel or store", async () => {
    const productId = await product({ files: [book] }, { basePrice: "0.00" })
    const done = await shopper.complete(await shopper.checkout(await shopper.cart([productId, 1])), "channel")
    const body = { orderNumber: done.body.orderNumber, email: "ada@example.com" }
    expect((await shop.call("POST", `${shopper.at}/orders/guest/downloads`, { body })).body).toHaveLength(1)
    const second = await shop.call("POST", "/v1/sales-channels", { body: { name: "Second" } })
    const other = await shop.openStore()
    for (const channelId of [second.body.id, other.channelId])
      expect((await shop.call("POST", `/vc/${channelId}/orders/guest/downloads`, { body })).body).toEqual([])
  })

  it("needs both fields, and is asked for ten times a minute", async () => {
    const limited = await openTestCommerce({ role: "api", rateLimit: { perMinute: 10_000, perHour: 100_000 } })
    // Ten seconds into a minute: no window turns while the test runs.
    await limited.call("POST", "/test/clock", { body: { now: "2030-01-01T00:00:10.000Z" } })
    const path = `/vc/${limited.channelId}/orders/guest/downloads`
    const asked = (clientAddress: string, body: object = { orderNumber: "#1001", email: "eve@example.com" }) =>
      limited.call("POST", path, { body, clientAddress })
    const { status, body } = await asked("203.0.113.1", {})
    expect([status, Object.keys(body.details.errors)]).toEqual([400, ["orderNumber", "email"]])
    for (let i = 0; i < 9; i++) expect((await asked("203.0.113.1")).status).toBe(200)
    const refused = await asked("203.0.113.1")
    expect([refused.status, refused.body.code, refused.body.details.scope]).toEqual([429, "RATE_LIMITED", "route"])
    expect((await asked("203.0.113.2")).status).toBe(200)
    await limited.close()
  })
})

describe("the list of a customer", () => {
  it("has the files of their own orders, the newest first, in pages", async () => {
    const customers = customersOf(shop)
    const [ada, eve] = [await customers.known(), await customers.known()]
    const [first, second] = [
      await product({ files: [book] }, { name: "First" }),
      await product({ files: [book] }, { name: "Second" })
    ]
    await order([first], true, ada.id)
    await advance(1_000)
    await order([second], true, ada.id)
    const [all, page, none] = [
      await customers.me(ada.token, "GET", "/downloads"),
      await customers.me(ada.token, "GET", "/downloads?limit=1&page=2"),
      await customers.me(eve.token, "GET", "/downloads")
    ]
    expect(all.body.data.map(({ productName }: { productName: string }) => productName)).toEqual(["Second", "First"])
    expect(page.body).toMatchObject({ data: [{ productName: "First" }], meta: { page: 2, limit: 1, total: 2 } })
    expect(none.body.data).toEqual([])
    expect((await fetched(page.body.data[0].downloadUrl)).text).toBe(content)
    expect((await customers.me(undefined, "GET", "/downloads")).status).toBe(401)
  })
})

describe("a link", () => {
  it("serves the file to be saved under its name, and to no cache", async () => {
    const [{ downloadUrl }] = await files(await order([await product()]))
    const { status, text, headers } = await fetched(downloadUrl)
    expect([status, text]).toEqual([200, content])
    const told = ["content-type", "content-length", "content-disposition", "cache-control", "x-content-type-options"]
    expect(told.map((name) => headers.get(name))).toEqual([
      "application/pdf",
      "10",
      `attachment; filename="B_ch__eins_.pdf"; filename*=UTF-8''B%C3%BCch%20%E2%80%9Eeins%E2%80%9C.pdf`,
      "private, no-store",
      "nosniff"
    ])
    expect([headers.get("content-security-policy"), headers.get("referrer-policy")]).toEqual([
      "default-src 'none'; sandbox",
      "no-referrer"
    ])
  })

  it("counts once, at its first use: neither its head nor what resumes it counts", async () => {
    const bought = await order([await product({ files: [book], downloadLimit: 2 })])
    const [{ downloadUrl }] = await files(bought)
    const used = async () => (await meta(bought.id))[0].downloadsUsed
    expect([(await fetched(downloadUrl, {}, "HEAD")).status, await used()]).toEqual([200, 0])
    const begun = await fetched(downloadUrl, { range: "bytes=0-3" })
    expect([begun.status, begun.text, await used()]).toEqual([206, "0123", 1])
    const rest = await fetched(downloadUrl, { range: "bytes=4-" })
    expect([rest.status, rest.text, rest.headers.get("content-range"), await used()]).toEqual([
      206,
      "456789",
      "bytes 4-9/10",
      1
    ])
    expect([(await fetched(downloadUrl, { range: "bytes=10-" })).status, await used()]).toEqual([416, 1])
    expect([(await fetched(downloadUrl)).text, await used()]).toEqual([content, 1])
    const [second] = await files(bought)
    expect([(await fetched(second.downloadUrl)).status, await used()]).toEqual([200, 2])
    expect(await files(bought)).toMatchObject([{ downloadUrl: null, downloadsUsed: 2, downloadLimit: 2 }])
    // What has been counted may still be resumed.
    expect((await fetched(downloadUrl, { range: "bytes=4-" })).text).toBe("456789")
  })

  it("works for a day, and then no more", async () => {
    const bought = await order([await product()])
    const [{ downloadUrl }] = await files(bought)
    await advance(day - 1_000)
    expect((await fetched(downloadUrl)).status).toBe(200)
    await advance(2_000)
    const late = await fetched(downloadUrl)
    expect([late.status, late.body.code, late.body.message]).toEqual([404, "RESOURCE_NOT_FOUND", "No such file"])
  })

  it("that was changed or is made up opens nothing", async () => {
    const [mine, yours] = [await order([await product()]), await order([await product()])]
    const [{ downloadUrl }] = await files(mine)
    for (const url of [downloadUrl.replace(mine.id, yours.id), `${downloadUrl}0`, downloadUrl.slice(0, -1)])
      expect((await fetched(url)).status).toBe(404)
    expect([await meta(mine.id), await meta(yours.id)]).toMatchObject([[{ downloadsUsed: 0 }], [{ downloadsUsed: 0 }]])
  })

  it("of two at the last use opens the file for one", async () => {
    const bought = await order([await product({ files: [book], downloadLimit: 1 })])
    const urls = await Promise.all(Array.from({ length: 6 }, async () => (await files(bought))[0].downloadUrl))
    const answers = await Promise.all(urls.map((url) => fetched(url)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404, 404])
    expect(await meta(bought.id)).toMatchObject([{ downloadsUsed: 1 }])
  })

  it("that is used six times at once counts once, and each gets the file", async () => {
    const bought = await order([await product({ files: [book], downloadLimit: 1 })])
    const [{ downloadUrl }] = await files(bought)
    const answers = await Promise.all(Array.from({ length: 6 }, () => fetched(downloadUrl)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
    expect(await meta(bought.id)).toMatchObject([{ downloadsUsed: 1 }])
  })

  it("that is used twice at once counts once, and each gets the file", async () => {
    const bought = await order([await product({ files: [book], downloadLimit: 3 })])
    const [{ downloadUrl }] = await files(bought)
    const granted = await heldRow(shop, "order_download", bought.id, "order_id")
    const asked = [fetched(downloadUrl), fetched(downloadUrl)]
    await granted.awaited(2)
    await granted.free()
    expect((await Promise.all(asked)).map(({ text }) => text)).toEqual([content, content])
    expect(await meta(bought.id)).toMatchObject([{ downloadsUsed: 1 }])
  })

  it("to a file of another store, to one that is gone, and to an address that is none opens nothing and counts nothing", async () => {
    const located = [
      { name: "a", storageKey: "store_other/secret.pdf" },
      { name: "b", storageKey: "../store_other/secret.pdf" },
      { name: "c", storageKey: "gone.pdf" },
      { name: "d", url: "/media/lamp.jpg" }
    ]
    const bought = await order([await product({ files: located })])
    for (const { downloadUrl } of await files(bought)) expect((await fetched(downloadUrl)).status).toBe(404)
    expect((await meta(bought.id)).map(({ downloadsUsed }: { downloadsUsed: number }) => downloadsUsed)).toEqual([
      0, 0, 0, 0
    ])
  })

  it("to a file at another address leads there", async () => {
    const bought = await order([
      await product({ files: [{ name: "x", url: "https://files.example.com/a b.pdf?x=1" }] })
    ])
    const [{ downloadUrl }] = await files(bought)
    const { status, headers } = await fetched(downloadUrl)
    expect([status, headers.get("location"), headers.get("referrer-policy")]).toEqual([
      302,
      "https://files.example.com/a%20b.pdf?x=1",
      "no-referrer"
    ])
    expect(await meta(bought.id)).toMatchObject([{ downloadsUsed: 1 }])
  })
})

it("no event and no order shows where a file lies, or a link to it", async () => {
  const { rows } = await client.query(
    "SELECT count(*)::int AS n FROM event WHERE data::text LIKE '%/downloads/%' OR data::text LIKE '%book.pdf\"%' OR data::text LIKE '%files.example.com%'"
  )
  expect(rows).toEqual([{ n: 0 }])
  const orders = await shop.call("GET", "/v1/orders?limit=100")
  expect(orders.text).not.toMatch(/storageKey|files\.example\.com|\/downloads\//)
})
