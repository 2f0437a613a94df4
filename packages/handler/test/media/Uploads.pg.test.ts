import { Database } from "@effect-commerce/core/database/Database"
import { noStorageLimit } from "@effect-commerce/core/media/MediaLimits"
import { MediaSweep } from "@effect-commerce/core/media/MediaSweep"
import type { ObjectStoreMethods } from "@effect-commerce/core/media/ObjectStore"
import { ObjectStoreFailed } from "@effect-commerce/core/media/ObjectStore"
import { StoragePlan } from "@effect-commerce/core/media/StoragePlan"
import { type UploadPurpose, UploadedFiles } from "@effect-commerce/core/media/UploadedFiles"
import { memoryObjectStore } from "@effect-commerce/core/testing/MemoryObjectStore"
import { gif, jpeg, pngOfSize, png } from "@effect-commerce/core/testing/TestImages"
import { Effect } from "effect"
import pg from "pg"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce, type TestStore } from "../../src/testing/TestCommerce.ts"
import { formOf, type SentPart, sendTo } from "./sendForm.ts"

const megabyte = 1_048_576
const day = 86_400_000
const storage = memoryObjectStore()
/** What happens when a file is stored; tests break it. */
let put: ObjectStoreMethods["put"] = storage.put
let remove: ObjectStoreMethods["remove"] = storage.remove

let shop: TestCommerce
let other: TestStore
let client: InstanceType<typeof pg.Client>
let bearer: string

beforeAll(async () => {
  // Nothing sweeps by itself: tests say when.
  shop = await openTestCommerce({
    role: "api",
    media: { store: { ...storage, put: (object) => put(object), remove: (key) => remove(key) } }
  })
  other = await shop.openStore()
  client = new pg.Client(shop.database.nodePostgres)
  await client.connect()
  const shopper = { email: "ada@example.com", password: "Corr3ct-Horse" }
  bearer = (await shop.call("POST", `/vc/${shop.channelId}/customers/register`, { body: shopper })).body.token
})
afterAll(async () => {
  await client.end()
  await shop.close()
})
beforeEach(() => {
  put = storage.put
  remove = storage.remove
})

const run = <A, E>(effect: Effect.Effect<A, E, never>) => shop.run(effect)
const use = <A, R>(effect: Effect.Effect<A, never, R>) => run(effect as unknown as Effect.Effect<A>)
const sweep = () => use(MediaSweep.use(({ pass }) => pass))
const advance = (advanceMs: number) => shop.call("POST", "/test/clock", { body: { advanceMs } })
const send = (file: SentPart, channelId = shop.channelId) =>
  sendTo(shop)(`/vc/${channelId}/customization-upload`, formOf(file))
const sendPhoto = (productId: string, file: SentPart, token: string | null = bearer) =>
  sendTo(shop)(`/vc/${shop.channelId}/products/${productId}/review-photo`, formOf(file), {
    headers: token === null ? {} : { authorization: `Bearer ${token}` }
  })
interface FileRow {
  readonly id: string
  readonly ready: boolean
  readonly deleted_at: Date | null
}
const rows = async (): Promise<ReadonlyArray<FileRow>> =>
  (await client.query("SELECT id, ready, deleted_at FROM media_file ORDER BY id")).rows as never
const usedBytes = async () => {
  const { rows: found } = await client.query(
    "SELECT used_bytes + unclaimed_bytes AS bytes FROM media_storage WHERE store_id = $1",
    [shop.storeId]
  )
  return Number(found[0]?.bytes ?? 0)
}
const keep = (given: ReadonlyArray<string>, purpose: UploadPurpose, until: Date | null, storeId = shop.storeId) =>
  use(
    Effect.gen(function* () {
      const { write } = yield* Database
      const files = yield* UploadedFiles
      return yield* write(storeId)(files.keep({ id: storeId }, given, purpose, until))
    })
  )

describe("an image for a customization", () => {
  it("is answered with its address, key and size", async () => {
    const made = await send({ bytes: jpeg(300, 200), type: "image/jpeg" })
    expect(made.status).toBe(200)
    const { url, key, ...rest } = made.body
    expect(rest).toEqual({ width: 300, height: 200 })
    expect(url).toBe(`http://commerce.test/api/media/${key}`)
    expect(storage.objects.has(key)).toBe(true)
  })

  it("has at most 5 MB and 40 megapixels, and is of the type it says", async () => {
    expect((await send({ bytes: pngOfSize(5 * megabyte) })).status).toBe(200)
    const before = [await rows(), storage.objects.size]
    const large = await send({ bytes: pngOfSize(5 * megabyte + 1) })
    expect([large.status, large.body.code, large.body.details]).toEqual([
      413,
      "PAYLOAD_TOO_LARGE",
      { maxBytes: 5 * megabyte }
    ])
    const pixels = await send({ bytes: gif(8_001, 5_000), type: "image/gif" })
    expect([pixels.status, pixels.body.details.errors]).toEqual([400, { file: "has more than 40 megapixels" }])
    const lie = await send({ bytes: Buffer.from("<svg/>"), type: "image/png" })
    expect([lie.status, lie.body.code]).toEqual([400, "VALIDATION_FAILED"])
    const none = await sendTo(shop)(`/vc/${shop.channelId}/customization-upload`, formOf(undefined))
    expect([none.status, none.body.details.errors]).toEqual([400, { file: "is required" }])
    expect([await rows(), storage.objects.size]).toEqual(before)
  })

  it("is no file of the merchant's library", async () => {
    await send({ bytes: png(9, 9), name: "shopper.png" })
    expect((await shop.call("GET", "/v1/media?search=shopper")).body.meta.total).toBe(0)
    const [file] = (await client.query("SELECT id FROM media_file WHERE name = 'shopper.png'")).rows
    expect((await shop.call("GET", `/v1/media/${file?.id}`)).status).toBe(404)
    expect((await shop.call("DELETE", `/v1/media/${file?.id}`)).status).toBe(404)
  })
})

describe("a photo for a review", () => {
  it("needs a customer, and a product that can be seen", async () => {
    const product = await shop.call("POST", "/v1/products", {
      body: { name: "Lamp", basePrice: "1.00", status: "active" }
    })
    const draft = await shop.call("POST", "/v1/products", { body: { name: "Draft", basePrice: "1.00" } })
    const photo = { bytes: png(30, 20) }
    const made = await sendPhoto(product.body.id, photo)
    expect([made.status, made.body.width, made.body.height]).toEqual([200, 30, 20])
    expect((await sendPhoto(product.body.id, photo, null)).status).toBe(401)
    for (const unknown of [draft.body.id, "prod_unknown"]) {
      const refused = await sendPhoto(unknown, photo)
      expect([refused.status, refused.body.code]).toEqual([404, "PRODUCT_NOT_FOUND"])
    }
  })
})

describe("what shoppers may send", () => {
  it("is ten customizations and ten photos, as many as a review shows, a minute from an address", async () => {
    const limited = await openTestCommerce({ rateLimit: { perMinute: 1_000 }, role: "api" })
    try {
      const path = `/vc/${limited.channelId}/customization-upload`
      const statuses: Array<number> = []
      for (let i = 0; i < 11; i++) statuses.push((await sendTo(limited)(path, formOf({ bytes: png(2, 2) }))).status)
      expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429])
      const photo = `/vc/${limited.channelId}/products/prod_x/review-photo`
      const refusals: Array<number> = []
      for (let i = 0; i < 11; i++)
        refusals.push(
          (await sendTo(limited)(photo, formOf({ bytes: png(2, 2) }), { clientAddress: "127.0.0.9" })).status
        )
      expect(refusals).toEqual([...Array.from({ length: 10 }, () => 401), 429])
    } finally {
      await limited.close()
    }
  })
})

describe("whoever refers to an upload", () => {
  it("finds it by its key or its address, in its own store and for its own purpose", async () => {
    const { body } = await send({ bytes: png(11, 12) })
    const expected = { url: `/api/media/${body.key}`, key: body.key, width: 11, height: 12 }
    const strange = body.key.replace(/\.png$/, ".jpg")
    const found = await keep([body.key, body.url, strange, "https://x.example/a.png", ""], "customization", null)
    expect(Object.fromEntries(found)).toEqual({ [body.key]: expected, [body.url]: expected })
    expect([...(await keep([body.key], "review_photo", null))]).toEqual([])
    expect([...(await keep([body.key], "customization", null, other.storeId))]).toEqual([])
    const theirs = await send({ bytes: png(11, 12) }, other.channelId)
    expect([...(await keep([theirs.body.key], "customization", null))]).toEqual([])
  })

  it("keeps it: what nobody refers to is gone after a day, and what was referred to stays as long as was said", async () => {
    const [unused, forGood, forAWhile] = [
      (await send({ bytes: png(21, 1) })).body.key,
      (await send({ bytes: png(21, 2) })).body.key,
      (await send({ bytes: png(21, 3) })).body.key
    ]
    const now = Date.parse((await advance(0)).body.now)
    await keep([forGood], "customization", null)
    await keep([forAWhile], "customization", new Date(now + 10 * day))
    // A shorter time does not shorten it, and what is kept for good stays so.
    await keep([forAWhile, forGood], "customization", new Date(now + day))
    const left = () => [unused, forGood, forAWhile].map((key) => storage.objects.has(key))
    await advance(day - 60_000)
    await sweep()
    expect(left()).toEqual([true, true, true])
    await advance(120_000)
    await sweep()
    expect(left()).toEqual([false, true, true])
    expect((await shop.call("GET", `/media/${unused}`)).status).toBe(404)
    await advance(9 * day)
    await sweep()
    expect(left()).toEqual([false, true, false])
    await advance(400 * day)
    await sweep()
    expect(left()).toEqual([false, true, false])
  })

  it("lets go of it, and it is gone", async () => {
    const { key } = (await send({ bytes: png(22, 2) })).body
    await keep([key], "customization", null)
    const before = await usedBytes()
    const now = new Date((await advance(0)).body.now)
    await use(
      Effect.gen(function* () {
        const { write } = yield* Database
        const files = yield* UploadedFiles
        yield* write(shop.storeId)(files.release({ id: shop.storeId }, [key], now))
      })
    )
    expect(await usedBytes()).toBe(before - png(22, 2).length)
    await sweep()
    expect(storage.objects.has(key)).toBe(false)
    expect(await usedBytes()).toBe(before - png(22, 2).length)
  })
})

describe("a storage that fails", () => {
  it("answers MEDIA_UPLOAD_FAILED, and what it may have kept is swept", async () => {
    const before = await usedBytes()
    put = () => Effect.fail(new ObjectStoreFailed({ operation: "put", cause: new Error("full") }))
    const failed = await sendTo(shop)("/v1/media", formOf({ bytes: png(31, 1) }))
    expect([failed.status, failed.body.code]).toEqual([500, "MEDIA_UPLOAD_FAILED"])
    expect((await rows()).filter((row) => !row.ready && row.deleted_at === null)).toHaveLength(1)
    await advance(2 * 3_600_000)
    await sweep()
    expect((await rows()).filter((row) => !row.ready)).toEqual([])
    expect(await usedBytes()).toBe(before)
  })

  it("leaves nothing of a process that dies between storing and the row", async () => {
    let stored = ""
    // The bytes are there; the process never learns it.
    put = (object) =>
      Effect.andThen(
        storage.put(object),
        Effect.suspend(() => {
          stored = object.key
          return Effect.interrupt
        })
      )
    await sendTo(shop)("/v1/media", formOf({ bytes: gif(32, 1), type: "image/gif" })).catch(() => undefined)
    put = storage.put
    expect(storage.objects.has(stored)).toBe(true)
    expect((await shop.call("GET", `/media/${stored}`)).status).toBe(404)
    await sweep()
    expect(storage.objects.has(stored)).toBe(true)
    await advance(3_600_000)
    await sweep()
    expect(storage.objects.has(stored)).toBe(false)
    expect((await rows()).filter((row) => !row.ready)).toEqual([])
  })

  it("that does not remove a file is asked again", async () => {
    const { key } = (await send({ bytes: png(33, 1) })).body
    remove = () => Effect.fail(new ObjectStoreFailed({ operation: "remove", cause: new Error("away") }))
    await advance(day)
    await sweep()
    expect(storage.objects.has(key)).toBe(true)
    expect((await shop.call("GET", `/media/${key}`)).status).toBe(404)
    remove = storage.remove
    await sweep()
    expect(storage.objects.has(key)).toBe(true)
    await advance(600_000)
    await sweep()
    expect(storage.objects.has(key)).toBe(false)
  })
})

describe("a store with a limit", () => {
  it("is refused the file that does not fit, and has room again when one is deleted", async () => {
    const size = png(50, 50).length
    const used = await usedBytes()
    const limit = (bytes: bigint) => use(StoragePlan.use((plan) => plan.setLimit(shop.storeId, bytes)))
    // Without a thumbnail, which would count too.
    const upload = () => send({ bytes: png(50, 50) })
    await limit(BigInt(used + size))
    const first = await upload()
    expect(first.status).toBe(200)
    const second = await upload()
    expect([second.status, second.body.code, second.body.details]).toEqual([
      402,
      "PLAN_LIMIT_REACHED",
      { limit: "storage", limitBytes: used + size, usedBytes: used + size, remedy: expect.any(String) }
    ])
    expect((await send({ bytes: png(50, 50) }, other.channelId)).status).toBe(200)
    await advance(day)
    await sweep()
    expect((await upload()).status).toBe(200)
    await limit(noStorageLimit)
    expect((await upload()).status).toBe(200)
  })

  it("counts exactly when many come at once", async () => {
    const size = png(51, 51).length
    const used = await usedBytes()
    await use(StoragePlan.use((plan) => plan.setLimit(shop.storeId, BigInt(used + 3 * size))))
    const all = await Promise.all(Array.from({ length: 10 }, () => send({ bytes: png(51, 51) })))
    expect(all.map(({ status }) => status).sort()).toEqual([200, 200, 200, ...Array.from({ length: 7 }, () => 402)])
    expect(await usedBytes()).toBe(used + 3 * size)
    await use(StoragePlan.use((plan) => plan.setLimit(shop.storeId, noStorageLimit)))
  })
})
