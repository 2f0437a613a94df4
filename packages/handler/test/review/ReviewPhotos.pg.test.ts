import { MediaSweep } from "@effect-commerce/core/media/MediaSweep"
import { memoryObjectStore } from "@effect-commerce/core/testing/MemoryObjectStore"
import { png } from "@effect-commerce/core/testing/TestImages"
import type { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce, type TestStore } from "../../src/testing/TestCommerce.ts"
import { formOf, sendTo } from "../media/sendForm.ts"

const day = 86_400_000
const storage = memoryObjectStore()
let shop: TestCommerce
let other: TestStore
/** Two products, so that a customer can write twice. */
let lamp: string
let table: string
let made = 0

beforeAll(async () => {
  shop = await openTestCommerce({ role: "api", media: { store: storage } })
  other = await shop.openStore()
  lamp = await product()
  table = await product()
})
afterAll(() => shop.close())

const product = async (at: TestStore = shop): Promise<string> => {
  const body = { name: `Product ${++made}`, basePrice: "10.00", status: "active" }
  return (await shop.call("POST", "/v1/products", { body, key: at.apiKey })).body.id
}

interface Shopper {
  readonly id: string
  readonly headers: Readonly<Record<string, string>>
}
const shopper = async (at: TestStore = shop): Promise<Shopper> => {
  const { body } = await shop.call("POST", `/vc/${at.channelId}/customers/register`, {
    body: { email: `shopper${++made}@example.com`, password: "Corr3ct-Horse" },
    clientAddress: `10.1.0.${made}`
  })
  return { id: body.customer.id, headers: { authorization: `Bearer ${body.token}` } }
}

interface Uploaded {
  readonly url: string
  readonly key: string
}
const upload = async ({ headers }: Shopper, productId = lamp, at: TestStore = shop): Promise<Uploaded> => {
  const path = `/vc/${at.channelId}/products/${productId}/review-photo`
  const file = formOf({ bytes: png(20, ++made) })
  const { body } = await sendTo(shop)(path, file, { headers, clientAddress: `10.2.0.${made}` })
  return { url: body.url, key: body.key }
}
const write = ({ headers }: Shopper, photos: ReadonlyArray<object>, productId = lamp) =>
  shop.call("POST", `/vc/${shop.channelId}/products/${productId}/reviews`, {
    body: { rating: 5, body: "Good.", photos },
    headers,
    clientAddress: `10.3.0.${++made}`
  })
const listed = async (who: Shopper) => (await shop.call("GET", `/v1/reviews?customerId=${who.id}`)).body.data
const isKept = ({ key }: Uploaded): boolean => storage.objects.has(key)
const advance = (advanceMs: number) => shop.call("POST", "/test/clock", { body: { advanceMs } })
const sweep = () => shop.run(MediaSweep.use(({ pass }) => pass) as unknown as Effect.Effect<void>)

describe("the photos of a review", () => {
  it("are uploads, named by key or address, and stay as long as the review", async () => {
    const ada = await shopper()
    const [front, back, unused] = [await upload(ada), await upload(ada), await upload(ada)]
    const written = await write(ada, [{ key: front.key }, { url: back.url }, { url: front.url }])
    expect([written.status, written.body.photos]).toEqual([201, [front, back]])
    await shop.call("PATCH", `/v1/reviews/${written.body.id}`, { body: { status: "APPROVED" } })
    const shown = await shop.call("GET", `/vc/${shop.channelId}/products/${lamp}/reviews`)
    expect(shown.body.data[0].photos).toEqual([front, back])
    await advance(2 * day)
    await sweep()
    expect([front, back, unused].map(isKept)).toEqual([true, true, false])
    expect((await shop.call("GET", `/media/${front.key}`)).status).toBe(200)
    await shop.call("DELETE", `/v1/reviews/${written.body.id}`)
    await sweep()
    expect([front, back].map(isKept)).toEqual([false, false])
  })

  it("are named by one review alone, so that nobody loses one with a review of somebody else", async () => {
    const [ada, eve] = [await shopper(), await shopper()]
    const photo = await upload(ada)
    expect((await write(ada, [photo])).status).toBe(201)
    const stolen = await write(eve, [photo])
    expect([stolen.status, stolen.body.details.errors]).toEqual([
      400,
      { "photos.0": "was not uploaded for this review" }
    ])
    expect(await listed(eve)).toEqual([])
    await advance(2 * day)
    await sweep()
    expect(isKept(photo)).toBe(true)
  })

  it("are those of their author: what one customer has uploaded is named by no other, and is not lost to them", async () => {
    const [ada, eve] = [await shopper(), await shopper()]
    const photo = await upload(ada)
    const stolen = await write(eve, [photo])
    expect([stolen.status, stolen.body.details.errors]).toEqual([
      400,
      { "photos.0": "was not uploaded for this review" }
    ])
    expect(await listed(eve)).toEqual([])
    expect((await write(ada, [photo])).body.photos).toEqual([photo])
  })

  it("come from the store's own uploads for reviews", async () => {
    const ada = await shopper()
    const mine = await upload(ada)
    const theirs = await upload(await shopper(other), await product(other), other)
    const path = `/vc/${shop.channelId}/customization-upload`
    const { body: customization } = await sendTo(shop)(path, formOf({ bytes: png(9, 9) }))
    for (const photo of [{ key: theirs.key }, { url: customization.url }, { url: "https://cdn.example/a.png" }]) {
      const refused = await write(ada, [{ key: mine.key }, photo])
      expect([refused.status, refused.body.code, Object.keys(refused.body.details.errors)]).toEqual([
        400,
        "VALIDATION_FAILED",
        ["photos.1"]
      ])
    }
    expect(await listed(ada)).toEqual([])
    expect((await write(ada, [mine])).body.photos).toEqual([mine])
  })

  it("are ten at most", async () => {
    const ada = await shopper()
    const photos = await Promise.all(Array.from({ length: 10 }, () => upload(ada)))
    expect((await write(ada, [...photos, photos[0] ?? {}])).status).toBe(400)
    expect((await write(ada, photos)).body.photos).toEqual(photos)
  })

  it("go when their author is deleted; those of others stay", async () => {
    const [ada, bob] = [await shopper(), await shopper()]
    const [first, second, theirs] = [await upload(ada), await upload(ada), await upload(bob)]
    await write(ada, [first])
    await write(ada, [second], table)
    await write(bob, [theirs])
    await shop.call("DELETE", `/v1/customers/${ada.id}`)
    await sweep()
    expect([first, second, theirs].map(isKept)).toEqual([false, false, true])
  })
})
