import { execFileSync } from "node:child_process"
import { LateThumbnails } from "@effect-commerce/core/media/LateThumbnails"
import { MediaSweep } from "@effect-commerce/core/media/MediaSweep"
import type { MediaLimits } from "@effect-commerce/core/media/MediaLimits"
import { type ObjectStoreMethods, ObjectStoreFailed } from "@effect-commerce/core/media/ObjectStore"
import { memoryObjectStore } from "@effect-commerce/core/testing/MemoryObjectStore"
import { jpeg, png, withMoreScans } from "@effect-commerce/core/testing/TestImages"
import { Effect } from "effect"
import pg from "pg"
import sharp from "sharp"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce, type TestStore } from "../../src/testing/TestCommerce.ts"
import { formOf, sendTo } from "./sendForm.ts"

const minute = 60_000
let shop: TestCommerce
let client: InstanceType<typeof pg.Client>
let storage = memoryObjectStore()
let put: ObjectStoreMethods["put"]

/** Nothing works on thumbnails by itself: tests say when. */
const open = async (limits: Partial<MediaLimits> = {}) => {
  storage = memoryObjectStore()
  put = storage.put
  shop = await openTestCommerce({
    role: "api",
    media: { store: { ...storage, put: (object) => put(object) }, limits }
  })
  client = new pg.Client(shop.database.nodePostgres)
  await client.connect()
}
const close = async () => {
  await client.end()
  await shop.close()
}
afterEach(close)

const pass = () => shop.run(LateThumbnails.use((late) => late.pass) as unknown as Effect.Effect<void>)
const sweep = () => shop.run(MediaSweep.use((all) => all.pass) as unknown as Effect.Effect<void>)
const advance = (advanceMs: number) => shop.call("POST", "/test/clock", { body: { advanceMs } })
const upload = (bytes: Uint8Array, type = "image/png", at: TestStore = shop) =>
  sendTo(shop)("/v1/media", formOf({ bytes, type }), { key: at.apiKey })
const thumbnailOf = async (id: string, at: TestStore = shop): Promise<string | null> =>
  (await shop.call("GET", `/v1/media/${id}`, { key: at.apiKey })).body.thumbnailUrl
const row = async (id: string) =>
  (await client.query("SELECT thumbnail_due, thumbnail_tries FROM media_file WHERE id = $1", [id])).rows[0]

/** An upload whose client leaves while its thumbnail is waited for. */
const leaveDuringThumbnail = async (bytes: Uint8Array): Promise<void> => {
  const stored = async () => Number((await client.query("SELECT count(*) AS n FROM media_file WHERE ready")).rows[0]?.n)
  const [abort, before] = [new AbortController(), await stored()]
  const request = new Request("http://commerce.test/api/v1/media", {
    method: "POST",
    headers: { authorization: `Bearer ${shop.apiKey}` },
    body: formOf({ bytes }),
    signal: abort.signal
  })
  const answer = shop.commerce.fetch(request, { clientAddress: "127.0.0.1" }).catch(() => undefined)
  while ((await stored()) === before);
  abort.abort()
  await answer
}

/** The process that decodes, which is a child of this one. */
const decodingPids = (): ReadonlyArray<number> =>
  execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" })
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, ...words]) => Number(parent) === process.pid && words.join(" ").includes("thumbnailProgram"))
    .map(([pid]) => Number(pid))

describe("a picture that would take minutes to decode", () => {
  beforeEach(() => open())

  it("is refused by its headers, to merchants and to shoppers, and nothing is kept of it", async () => {
    const progressive = await sharp({ create: { width: 800, height: 500, channels: 3, background: "#c80" } })
      .jpeg({ progressive: true })
      .toBuffer()
    const bytes = withMoreScans(progressive, 2_636)
    const shoppers = `/vc/${shop.channelId}/customization-upload`
    for (const path of ["/v1/media", shoppers]) {
      const { status, body } = await sendTo(shop)(path, formOf({ bytes, type: "image/jpeg" }))
      expect([status, body.code, body.details.errors]).toEqual([
        400,
        "VALIDATION_FAILED",
        { file: "has more than 100 scans" }
      ])
    }
    expect([storage.objects.size, decodingPids()]).toEqual([0, []])
    const ordinary = await upload(progressive, "image/jpeg")
    expect([ordinary.status, await thumbnailOf(ordinary.body.id)]).toEqual([
      201,
      ordinary.body.url.replace(".jpg", "-thumb.webp")
    ])
  })
})

describe("beside pictures whose decoding does not end", () => {
  beforeEach(() => open({ thumbnailWaitMillis: 1_000 }))

  it("logins, files and uploads go on, and all thumbnails come when it does", async () => {
    const neighbour = await shop.openStore()
    const shopper = { email: "ada@example.com", password: "Corr3ct-Horse" }
    const at = `/vc/${neighbour.channelId}/customers`
    expect((await shop.call("POST", `${at}/register`, { body: shopper })).status).toBe(200)
    const file = await upload(png(20, 20), "image/png", neighbour)
    while (decodingPids().length === 0) await upload(png(10, 10))
    const [pid = 0] = decodingPids()
    // From now on a picture takes as long as whoever sent it likes.
    process.kill(pid, "SIGSTOP")

    for (let i = 0; i < 4; i++) await leaveDuringThumbnail(png(3_000, 2_000))
    const hostile = Array.from({ length: 8 }, () => upload(png(3_000, 2_000)))
    for (let i = 0; i < 8; i++) {
      expect((await shop.call("POST", `${at}/login`, { body: shopper })).status).toBe(200)
      expect((await shop.call("GET", new URL(file.body.url).pathname.replace("/api", ""))).status).toBe(200)
    }
    const theirs = await upload(png(30, 30), "image/png", neighbour)
    expect([theirs.status, theirs.body.thumbnailUrl]).toEqual([201, null])
    const answers = await Promise.all(hostile)
    expect(answers.map(({ status, body }) => [status, body.thumbnailUrl])).toEqual(answers.map(() => [201, null]))

    process.kill(pid, "SIGCONT")
    await advance(minute)
    await pass()
    expect(await thumbnailOf(theirs.body.id, neighbour)).toBe(theirs.body.url.replace(".png", "-thumb.webp"))
    for (const { body } of answers) expect(await thumbnailOf(body.id)).toBe(body.url.replace(".png", "-thumb.webp"))
  })
})

describe("a picture that is not decoded in time", () => {
  beforeEach(() => open({ decodingMillis: 1 }))

  it("is kept, tried three times more at growing intervals, and has no thumbnail then", async () => {
    const { status, body } = await upload(png(4_000, 4_000))
    expect([status, body.thumbnailUrl]).toEqual([201, null])
    const tries: Array<number> = []
    for (const wait of [minute, 0, minute, 9 * minute, minute, 1_000 * minute, 1_000 * minute]) {
      await advance(wait)
      await pass()
      tries.push(Number((await row(body.id))?.thumbnail_tries))
    }
    expect(tries).toEqual([1, 1, 2, 2, 3, 3, 3])
    expect((await row(body.id))?.thumbnail_due).toBe(null)
    expect((await shop.call("GET", `/media/${body.key}`)).status).toBe(200)
  })
})

describe("a thumbnail", () => {
  beforeEach(() => open())

  it("of what cannot be decoded is not tried again", async () => {
    const { body } = await upload(jpeg(30, 20), "image/jpeg")
    expect(body.thumbnailUrl).toBe(null)
    expect(await row(body.id)).toEqual({ thumbnail_due: null, thumbnail_tries: 0 })
  })

  it("that the storage did not take, as when the process dies, is made later by the worker", async () => {
    put = (object) =>
      object.key.endsWith("-thumb.webp")
        ? Effect.fail(new ObjectStoreFailed({ operation: "put", cause: new Error("away") }))
        : storage.put(object)
    const { status, body } = await upload(png(900, 300))
    expect([status, body.thumbnailUrl]).toEqual([201, null])
    put = storage.put
    await pass()
    expect(await thumbnailOf(body.id)).toBe(null)
    await advance(minute)
    await pass()
    const made = (await shop.call("GET", `/v1/media/${body.id}`)).body
    expect(made).toEqual({ ...body, thumbnailUrl: body.url.replace(".png", "-thumb.webp") })
    const read = await shop.call("GET", new URL(made.thumbnailUrl).pathname.replace("/api", ""))
    expect([read.status, read.headers.get("content-type")]).toEqual([200, "image/webp"])
    expect(await row(body.id)).toMatchObject({ thumbnail_due: null })
  })

  it("that comes late is shown by products that took the file up before", async () => {
    put = (object) =>
      object.key.endsWith("-thumb.webp")
        ? Effect.fail(new ObjectStoreFailed({ operation: "put", cause: new Error("away") }))
        : storage.put(object)
    const { body: file } = await upload(png(900, 300))
    put = storage.put
    const body = { name: "Lamp", basePrice: "1.00", status: "active", images: [{ key: file.key }] }
    const { body: product } = await shop.call("POST", "/v1/products", { body })
    expect(product.images[0].thumbnailUrl).toBe(null)
    const shown = async () =>
      (await shop.call("GET", `/vc/${shop.channelId}/products/slug/${product.slug}`)).body.images[0].thumbnailUrl
    expect(await shown()).toBe(null)
    await advance(minute)
    await pass()
    const thumbnailUrl = file.url.replace(".png", "-thumb.webp")
    const after = (await shop.call("GET", `/v1/products/${product.id}`)).body
    expect(after.images).toEqual([{ ...product.images[0], thumbnailUrl }])
    expect(await shown()).toBe(thumbnailUrl)
    const { rows } = await client.query("SELECT data FROM event WHERE type = 'product.updated'")
    expect(rows).toMatchObject([{ data: { product: { images: [{ thumbnailUrl }] } } }])
  })

  it("goes with its file, also where no row says that it is there", async () => {
    // The bytes are there; the process never learns it.
    put = (object) =>
      object.key.endsWith("-thumb.webp")
        ? Effect.andThen(storage.put(object), Effect.die(new Error("the process dies")))
        : storage.put(object)
    const { body } = await upload(png(50, 50))
    expect([body.thumbnailUrl, storage.objects.size]).toEqual([null, 2])
    await shop.call("DELETE", `/v1/media/${body.id}`)
    await advance(31 * 24 * 60 * minute)
    await sweep()
    expect([...storage.objects.keys()]).toEqual([])
  })

  it("has left no process behind when the instance is closed", async () => {
    const another = await openTestCommerce({ role: "api" })
    await sendTo(another)("/v1/media", formOf({ bytes: png(9, 9) }))
    expect(decodingPids()).toHaveLength(1)
    await another.close()
    expect(decodingPids()).toEqual([])
  })
})
