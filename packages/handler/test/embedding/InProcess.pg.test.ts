/** The routes without HTTP, as a host program calls them. */
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
beforeAll(async () => {
  shop = await openTestCommerce({ rateLimit: {} })
  // Ten seconds into a minute: no window turns while a test runs.
  await shop.call("POST", "/test/clock", { body: { now: "2030-01-01T00:00:10.000Z" } })
})
afterAll(() => shop.close())

const failure = (call: Effect.Effect<unknown, unknown>) => Effect.runPromise(Effect.flip(call))

describe("a call in process", () => {
  it("speaks for the caller it names: with a key it writes and reads, without one it is refused", async () => {
    const api = shop.commerce.api({ apiKey: shop.apiKey })
    const made = await Effect.runPromise(
      api.products.create({ payload: { name: "Called", basePrice: "12.00", status: "active" } })
    )
    expect(made).toMatchObject({ slug: "called", basePrice: "12.00" })
    const found = await Effect.runPromise(api.products.list({ query: { search: "called" } }))
    expect(found.data.map(({ id }) => id)).toEqual([made.id])
    expect(await failure(shop.commerce.api().products.get({ params: { id: made.id } }))).toMatchObject({
      statusCode: 401,
      code: "UNAUTHORIZED"
    })
    const reader = await shop.mintKey({ scopes: ["products:read"] })
    expect(
      await failure(shop.commerce.api({ apiKey: reader }).products.remove({ params: { id: made.id } }))
    ).toMatchObject({ code: "INSUFFICIENT_SCOPE" })
    expect(await failure(api.products.get({ params: { id: "prod_none" } }))).toMatchObject({ _tag: "ProductNotFound" })
  })

  it("runs once under an Idempotency-Key", async () => {
    const once = shop.commerce.api({ apiKey: shop.apiKey, headers: { "idempotency-key": "host-1" } })
    const [first, second] = [1, 2].map(() => once.categories.create({ payload: { name: "Once" } }))
    if (first === undefined || second === undefined) throw new Error("unreachable")
    expect((await Effect.runPromise(second)).id).toBe((await Effect.runPromise(first)).id)
  })

  it("stands on a page of the channel's domain, for a customer who has signed in there", async () => {
    const { body } = await shop.call("POST", "/v1/sales-channels", {
      body: { name: "Live", domain: "shop.example", mode: "live" }
    })
    const params = { salesChannelId: body.id as string }
    const page = shop.commerce.api({ origin: "https://shop.example" })
    expect((await Effect.runPromise(page.storefront.products({ params, query: {} }))).data).toHaveLength(1)
    expect(await failure(shop.commerce.api().storefront.products({ params, query: {} }))).toMatchObject({
      statusCode: 401
    })
    const signedUp = await Effect.runPromise(
      page.customers.register({ params, payload: { email: "ada@example.com", password: "Analytical-1" } })
    )
    const customer = shop.commerce.api({ origin: "https://shop.example", customerToken: signedUp.token ?? "" })
    expect(await Effect.runPromise(customer.customers.me({ params }))).toMatchObject({ email: "ada@example.com" })
  })

  it("has no address to be counted by, and uses up nobody's; a key's own limit holds", async () => {
    const params = { salesChannelId: shop.channelId }
    const read = shop.commerce.api().storefront.categories({ params, query: {} })
    for (let i = 0; i < 61; i++) await Effect.runPromise(read)
    for (let i = 0; i < 51; i++) await failure(shop.commerce.api({ apiKey: `svc_wrong${i}` }).store.get())
    const unnamed = await shop.commerce.fetch(new Request(`http://commerce.test/api/vc/${shop.channelId}/categories`))
    expect([unnamed.status, unnamed.headers.get("x-ratelimit-remaining")]).toEqual([200, "59"])
    const free = shop.commerce.api({ apiKey: await shop.mintKey({ scopes: ["store:read"], tier: "FREE" }) })
    const answers = await Effect.runPromise(
      Effect.forEach(
        Array.from({ length: 61 }, () => free.store.get()),
        (call) => Effect.match(call, { onSuccess: () => 200, onFailure: () => 429 })
      )
    )
    expect([answers.filter((status) => status === 200).length, answers.at(-1)]).toEqual([60, 429])
  })
})
