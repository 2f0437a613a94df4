import pg from "pg"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { makeStatementCounter } from "@effect-commerce/core/database/StatementLog"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { heldRow } from "../heldRow.ts"

const statements = makeStatementCounter()
let shop: TestCommerce
let vc: string
/** A product without reviews, for each test. */
let lamp: { readonly id: string; readonly slug: string }
let made = 0

beforeAll(async () => {
  // No workers: their statements would be counted too.
  shop = await openTestCommerce({ statementLog: statements, role: "api" })
  vc = `/vc/${shop.channelId}`
})
beforeEach(async () => {
  lamp = await product()
})
afterAll(() => shop.close())

const product = async (body: object = {}) =>
  (
    await shop.call("POST", "/v1/products", {
      body: { name: `Lamp ${++made}`, basePrice: "10.00", status: "active", inventory: { total: 100 }, ...body }
    })
  ).body

interface Shopper {
  readonly id: string
  readonly bearer: Record<string, string>
}
/** Each from an address of their own: an IP address writes three reviews a minute. */
const shopper = async (fields: object = { firstName: "Ada" }): Promise<Shopper> => {
  const n = ++made
  const { body } = await shop.call("POST", `${vc}/customers/register`, {
    body: { email: `shopper${n}@example.com`, password: "Corr3ct-Horse", ...fields },
    clientAddress: `10.1.${n >> 8}.${n & 255}`
  })
  return { id: body.customer.id, bearer: { authorization: `Bearer ${body.token}` } }
}
const write = (who: Shopper, body: object = {}, productId = lamp.id) =>
  shop.call("POST", `${vc}/products/${productId}/reviews`, {
    body: { rating: 5, body: "Good.", ...body },
    headers: who.bearer,
    clientAddress: `10.2.${++made >> 8}.${made & 255}`
  })
const change = (id: string, body: object) => shop.call("PATCH", `/v1/reviews/${id}`, { body })
const approve = (id: string) => change(id, { status: "APPROVED" })
/** An approved review of the product by somebody new. */
const approved = async (body: object, productId = lamp.id) => {
  const { body: review } = await write(await shopper(), body, productId)
  return (await approve(review.id)).body
}
const shown = async (query = "", productId = lamp.id) =>
  (await shop.call("GET", `${vc}/products/${productId}/reviews${query}`)).body
const rated = async () => {
  const answers = await Promise.all([
    shop.call("GET", `/v1/products/${lamp.id}`),
    shop.call("GET", `${vc}/products/slug/${lamp.slug}`)
  ])
  return answers.map(({ body }) => [body.avgRating, body.reviewCount])
}

const asOwner = async (text: string, values: ReadonlyArray<unknown> = []) => {
  const client = new pg.Client(shop.database.nodePostgres)
  await client.connect()
  try {
    return (await client.query(text, [...values])).rows
  } finally {
    await client.end()
  }
}

describe("a customer", () => {
  it("writes a review of a product, which waits for the merchant", async () => {
    const ada = await shopper()
    const written = await write(ada, { title: " Bright ", body: " Stands firmly. ", rating: 4 })
    expect(written.status).toBe(201)
    expect(written.body).toEqual({
      id: expect.stringMatching(/^review_/),
      productId: lamp.id,
      variantId: null,
      authorName: "Ada",
      rating: 4,
      title: "Bright",
      body: "Stands firmly.",
      photos: [],
      status: "PENDING",
      verifiedPurchase: false,
      reply: null,
      locale: "en",
      createdAt: expect.any(String),
      updatedAt: written.body.createdAt
    })
    const empty = { average: null, count: 0, histogram: { "1": 0, "2": 0, "3": 0, "4": 0, "5": 0 } }
    expect(await shown()).toEqual({ data: [], meta: { page: 1, limit: 20, total: 0, totalPages: 0 }, summary: empty })
    expect(await rated()).toEqual([
      [null, 0],
      [null, 0]
    ])
    const { body: listed } = await shop.call("GET", `/v1/reviews?productId=${lamp.id}`)
    expect(listed.data).toEqual([{ ...written.body, customerId: ada.id }])
  })

  it("says how to be named, about which variant and in which language", async () => {
    const tee = await product({
      type: "VARIABLE",
      inventory: undefined,
      variants: [{ attributes: { Size: "S" } }, { attributes: { Size: "L" } }]
    })
    const bob = await shopper({})
    const { body } = await write(bob, { authorName: "Bobby", variantId: tee.variants[1].id, locale: "de-AT" }, tee.id)
    expect([body.authorName, body.variantId, body.locale]).toEqual(["Bobby", tee.variants[1].id, "de-AT"])
    const foreign = await write(await shopper(), { variantId: tee.variants[0].id })
    expect([foreign.status, foreign.body.details.errors]).toEqual([
      400,
      { variantId: "is not a variant of the product" }
    ])
    const spoken = await shop.call("POST", `${vc}/products/${lamp.id}/reviews`, {
      body: { rating: 3, body: "Bien." },
      headers: { ...bob.bearer, "accept-language": "fr-CA, en;q=0.5" },
      clientAddress: "10.9.9.9"
    })
    expect([spoken.body.locale, spoken.body.authorName]).toEqual(["fr-CA", null])
  })

  it("writes one of a product, also where two arrive at once; a deleted one makes room", async () => {
    const ada = await shopper()
    const answers = await Promise.all(Array.from({ length: 6 }, () => write(ada)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409])
    const refused = answers.find(({ status }) => status === 409)
    expect([refused?.body.code, refused?.body.details]).toEqual([
      "CONFLICT",
      { reason: "already_reviewed", productId: lamp.id }
    ])
    const { body: listed } = await shop.call("GET", `/v1/reviews?customerId=${ada.id}`)
    expect(listed.meta.total).toBe(1)
    expect((await write(ada, {}, (await product()).id)).status).toBe(201)
    await change(listed.data[0].id, { status: "REJECTED" })
    expect((await write(ada)).status).toBe(409)
    await shop.call("DELETE", `/v1/reviews/${listed.data[0].id}`)
    expect((await write(ada)).status).toBe(201)
  })

  it.each<readonly [string, object]>([
    ["rating", { rating: 0 }],
    ["rating", { rating: 6 }],
    ["rating", { rating: 4.5 }],
    ["rating", { rating: "5" }],
    ["body", { body: " " }],
    ["body", { body: "a".repeat(5_001) }],
    ["title", { title: "a".repeat(201) }],
    ["authorName", { authorName: "a".repeat(101) }],
    ["locale", { locale: "Deutsch!" }],
    ["photos", { photos: Array(11).fill({ key: "k" }) }],
    ["photos.0", { photos: [{}] }],
    ["photos.0", { photos: [{ key: "somebody-elses.jpg" }] }]
  ])("is refused for its %s (%#), and nothing is kept", async (field, body) => {
    const refused = await write(await shopper(), body)
    expect([refused.status, refused.body.code, Object.keys(refused.body.details.errors)]).toEqual([
      400,
      "VALIDATION_FAILED",
      [field]
    ])
    expect((await shop.call("GET", `/v1/reviews?productId=${lamp.id}`)).body.meta.total).toBe(0)
  })

  it("may say as much as the bounds allow", async () => {
    const { status } = await write(await shopper(), {
      body: "a".repeat(5_000),
      title: "a".repeat(200),
      authorName: "a".repeat(100)
    })
    expect(status).toBe(201)
  })

  it("must be signed in, and the product must be one that shoppers see", async () => {
    const anonymous = await shop.call("POST", `${vc}/products/${lamp.id}/reviews`, { body: { rating: 5, body: "x" } })
    expect([anonymous.status, anonymous.body.code]).toEqual([401, "UNAUTHORIZED"])
    const ada = await shopper()
    const draft = await product({ status: "draft" })
    for (const id of [draft.id, "prod_none"]) {
      const refused = await write(ada, {}, id)
      expect([refused.status, refused.body.code]).toEqual([404, "PRODUCT_NOT_FOUND"])
      const unread = await shop.call("GET", `${vc}/products/${id}/reviews`)
      expect([unread.status, unread.body.code]).toEqual([404, "PRODUCT_NOT_FOUND"])
    }
  })

  it("has bought the product, where an order of theirs with it was paid", async () => {
    const ordered = async (who: Shopper, body: object = {}) =>
      (
        await shop.call("POST", "/v1/orders", {
          body: { customerId: who.id, items: [{ productId: lamp.id, quantity: 1 }], ...body }
        })
      ).body
    const buyer = await shopper()
    await shop.call("POST", `/v1/orders/${(await ordered(buyer)).id}/payments`, {
      body: { amount: "10.00", method: "cash" }
    })
    const unpaid = await shopper()
    await ordered(unpaid)
    const elsewhere = await shopper()
    const other = await product()
    const order = await ordered(elsewhere, { items: [{ productId: other.id, quantity: 1 }] })
    await shop.call("POST", `/v1/orders/${order.id}/payments`, { body: { amount: "10.00", method: "cash" } })
    const verified = []
    for (const who of [buyer, unpaid, elsewhere]) verified.push((await write(who)).body.verifiedPurchase)
    expect(verified).toEqual([true, false, false])
  })
})

describe("a merchant", () => {
  it("approves, rejects and answers a review; the product shows what is approved at once", async () => {
    const { body: review } = await write(await shopper(), { rating: 4 })
    const answered = await change(review.id, { status: "APPROVED", reply: "Thank you!" })
    expect(answered.status).toBe(200)
    expect(answered.body).toMatchObject({
      ...review,
      status: "APPROVED",
      reply: "Thank you!",
      updatedAt: expect.any(String)
    })
    expect(answered.body.updatedAt > review.updatedAt).toBe(true)
    const page = await shown()
    expect(page.data).toEqual([
      { ...review, status: "APPROVED", reply: "Thank you!", updatedAt: answered.body.updatedAt }
    ])
    expect(page.summary).toEqual({ average: 4, count: 1, histogram: { "1": 0, "2": 0, "3": 0, "4": 1, "5": 0 } })
    await approved({ rating: 5 })
    await approved({ rating: 5 })
    expect(await rated()).toEqual([
      [4.67, 3],
      [4.67, 3]
    ])
    await approve(review.id)
    expect((await shown()).summary.count).toBe(3)
    await change(review.id, { status: "REJECTED" })
    expect(await rated()).toEqual([
      [5, 2],
      [5, 2]
    ])
    expect((await change(review.id, { reply: null })).body.reply).toBe(null)
    await approve(review.id)
    const stale = await shop.call("DELETE", `/v1/reviews/${review.id}`, {
      headers: { "if-match": `"${review.updatedAt}"` }
    })
    expect([stale.status, stale.body.code]).toEqual([409, "CONFLICT"])
    expect((await shop.call("DELETE", `/v1/reviews/${review.id}`)).body).toEqual({ success: true })
    expect((await shown()).summary).toEqual({
      average: 5,
      count: 2,
      histogram: { "1": 0, "2": 0, "3": 0, "4": 0, "5": 2 }
    })
    for (const [method, body] of [
      ["DELETE", undefined],
      ["PATCH", {}]
    ] as const) {
      const gone = await shop.call(method, `/v1/reviews/${review.id}`, body === undefined ? {} : { body })
      expect([method, gone.status, gone.body.code]).toEqual([method, 404, "RESOURCE_NOT_FOUND"])
    }
    for (const body of [{ status: "SHOWN" }, { status: null }, { reply: "a".repeat(5_001) }])
      expect((await change(review.id, body)).status).toBe(400)
  })

  it("lists reviews by state, rating, product and customer, newest first", async () => {
    const ada = await shopper()
    const { body: first } = await write(ada, { rating: 2 })
    await approve(first.id)
    const { body: second } = await write(await shopper(), { rating: 3 })
    const ids = async (query: string) => {
      const { body } = await shop.call("GET", `/v1/reviews?productId=${lamp.id}&${query}`)
      return body.data.map(({ id }: { id: string }) => id)
    }
    expect(await ids("")).toEqual([second.id, first.id])
    expect(await ids("sortBy=rating&sortOrder=asc")).toEqual([first.id, second.id])
    expect(await ids("sortBy=stars&sortOrder=asc")).toEqual([second.id, first.id])
    expect(await ids("status=PENDING")).toEqual([second.id])
    expect(await ids("status=APPROVED,REJECTED")).toEqual([first.id])
    expect(await ids("rating=1,2")).toEqual([first.id])
    expect(await ids(`customerId=${ada.id}`)).toEqual([first.id])
    expect(await ids("customerId=cust_none")).toEqual([])
    expect((await shop.call("GET", "/v1/reviews?status=SHOWN")).status).toBe(400)
    expect((await shop.call("GET", "/v1/reviews?rating=6")).status).toBe(400)
  })
})

describe("a storefront", () => {
  it("pages through the reviews of a product, of some ratings, by time or rating", async () => {
    const reviews = []
    for (const rating of [5, 3, 4, 3, 1]) reviews.push(await approved({ rating }))
    const ids = (page: { readonly data: ReadonlyArray<{ readonly id: string }> }) => page.data.map(({ id }) => id)
    const [five, three, four, threeToo, one] = reviews.map(({ id }) => id)
    expect(ids(await shown())).toEqual([one, threeToo, four, three, five])
    expect(ids(await shown("?sortOrder=asc&sortBy=createdAt"))).toEqual([five, three, four, threeToo, one])
    expect(ids(await shown("?sortBy=rating"))).toEqual([five, four, threeToo, three, one])
    expect(ids(await shown("?sortBy=rating&sortOrder=asc"))).toEqual([one, three, threeToo, four, five])
    const second = await shown("?limit=2&page=2")
    expect([ids(second), second.meta]).toEqual([[four, three], { page: 2, limit: 2, total: 5, totalPages: 3 }])
    const threes = await shown("?rating=3,4&limit=1")
    expect([threes.data.length, threes.meta.total]).toEqual([1, 3])
    expect(threes.summary).toEqual({ average: 3.2, count: 5, histogram: { "1": 1, "2": 0, "3": 2, "4": 1, "5": 1 } })
    expect(threes.data[0].customerId).toBeUndefined()
    for (const query of ["?rating=0", "?rating=5,six", "?page=0"])
      expect([(await shop.call("GET", `${vc}/products/${lamp.id}/reviews${query}`)).status, query]).toEqual([
        400,
        query
      ])
  })

  it("reads them in two statements, however many there are", async () => {
    await approved({ rating: 5 })
    await shown()
    statements.reset()
    await shown("?rating=5")
    expect(statements.entries().length).toBe(2)
  })
})

describe("the counters of a product", () => {
  it("are exact when twenty reviews are approved, withdrawn and deleted at once", async () => {
    const reviews: Array<string> = []
    for (let i = 0; i < 20; i++) reviews.push((await write(await shopper(), { rating: (i % 5) + 1 })).body.id)
    await Promise.all(reviews.map(approve))
    const even = { "1": 4, "2": 4, "3": 4, "4": 4, "5": 4 }
    expect((await shown()).summary).toEqual({ average: 3, count: 20, histogram: even })
    expect(await rated()).toEqual([
      [3, 20],
      [3, 20]
    ])
    // Each is written by two at once: whatever comes last, a review counts once or not at all.
    await Promise.all(
      reviews.flatMap((id, i) => [
        change(id, { status: i % 2 === 0 ? "REJECTED" : "APPROVED" }),
        i % 4 === 3 ? shop.call("DELETE", `/v1/reviews/${id}`) : change(id, { status: "APPROVED" })
      ])
    )
    const { summary } = await shown()
    const rows = await asOwner(
      "SELECT rating, count(*)::int AS n FROM review WHERE product_id = $1 AND status = 'APPROVED' GROUP BY 1",
      [lamp.id]
    )
    const expected = Object.fromEntries([1, 2, 3, 4, 5].map((star) => [String(star), 0]))
    for (const { rating, n } of rows) expected[String(rating)] = Number(n)
    expect(summary.histogram).toEqual(expected)
    expect((await rated())[1]).toEqual([summary.average, summary.count])
  }, 60_000)
})

describe("a customer who is deleted", () => {
  it("leaves the reviews, without id, name and pictures", async () => {
    const ada = await shopper()
    const { body: review } = await write(ada, { rating: 2, authorName: "Ada Byron" })
    await approve(review.id)
    await asOwner(`UPDATE review SET photos = '[{"url":"u","key":"k"}]' WHERE id = $1`, [review.id])
    expect((await shop.call("DELETE", `/v1/customers/${ada.id}`)).status).toBe(200)
    const page = await shown()
    expect(page.data).toMatchObject([{ id: review.id, authorName: null, photos: [], rating: 2, body: "Good." }])
    expect(page.summary.count).toBe(1)
    const { body: listed } = await shop.call("GET", `/v1/reviews?productId=${lamp.id}`)
    expect(listed.data).toMatchObject([{ customerId: null, authorName: null }])
  })

  it("is named by no review, whichever of the two comes first", async () => {
    for (let i = 0; i < 5; i++) {
      const ada = await shopper()
      await Promise.all([write(ada), shop.call("DELETE", `/v1/customers/${ada.id}`)])
      expect(await asOwner("SELECT 1 FROM review WHERE customer_id = $1 OR author_name = $1", [ada.id])).toEqual([])
    }
    const named = await asOwner("SELECT author_name FROM review WHERE product_id = $1", [lamp.id])
    expect(named.every(({ author_name }) => author_name === null)).toBe(true)
  })

  it("is named by no review that arrives while the deletion is under way", async () => {
    const ada = await shopper()
    const customer = await heldRow(shop, "customer", ada.id)
    const deletion = shop.call("DELETE", `/v1/customers/${ada.id}`)
    await customer.awaited(1)
    const review = write(ada)
    await customer.awaited(2)
    await customer.free()
    expect((await deletion).status).toBe(200)
    expect(await review).toMatchObject({ status: 404, body: { code: "CUSTOMER_NOT_FOUND" } })
    expect(await asOwner("SELECT 1 FROM review WHERE product_id = $1", [lamp.id])).toEqual([])
  })
})
