import { exif, gif, jpeg, png, pngOfSize, webp } from "@effect-commerce/core/testing/TestImages"
import { memoryObjectStore } from "@effect-commerce/core/testing/MemoryObjectStore"
import pg from "pg"
import sharp from "sharp"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { formOf, sendTo } from "./sendForm.ts"
import { asDocumented } from "../system/documentedAnswers.ts"

const megabyte = 1_048_576
const storage = memoryObjectStore()
let shop: TestCommerce
let send: ReturnType<typeof sendTo>
let client: InstanceType<typeof pg.Client>

beforeAll(async () => {
  shop = asDocumented(await openTestCommerce({ media: { store: storage } }))
  send = sendTo(shop)
  client = new pg.Client(shop.database.nodePostgres)
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await shop.close()
})

const upload = async (bytes: Uint8Array, type = "image/png", name = "lamp.png", texts = {}) =>
  send("/v1/media", formOf({ bytes, type, name }, texts))
const files = async () => Number((await client.query("SELECT count(*) AS n FROM media_file")).rows[0]?.n)

describe("a file that is uploaded", () => {
  it("is answered with what it is, and read by id and in the list", async () => {
    const sent = png(640, 480)
    const made = await upload(sent, "image/png", "lamp.png", { alt: "A lamp" })
    expect(made.status).toBe(201)
    const { id, url, key, thumbnailUrl, createdAt, updatedAt, ...rest } = made.body
    expect(rest).toEqual({
      mimeType: "image/png",
      width: 640,
      height: 480,
      size: sent.length,
      name: "lamp.png",
      alt: "A lamp"
    })
    expect(id).toMatch(/^media_[0-9a-z]{26}$/)
    expect(key).toMatch(new RegExp(`^${shop.storeId}/[0-9a-f]{32}-[0-9a-z]{26}\\.png$`))
    expect(url).toBe(`http://commerce.test/api/media/${key}`)
    expect(thumbnailUrl).toBe(url.replace(".png", "-thumb.webp"))
    expect([createdAt, updatedAt]).toEqual([updatedAt, createdAt])
    expect(Buffer.from(storage.objects.get(key) ?? [])).toEqual(sent)

    expect((await shop.call("GET", `/v1/media/${id}`)).body).toEqual(made.body)
    const list = await shop.call("GET", "/v1/media?limit=1")
    expect(list.body).toEqual({ data: [made.body], meta: { page: 1, limit: 1, total: 1, totalPages: 1 } })
  })

  it("has a thumbnail of at most 400 pixels a side, the right way up", async () => {
    const photo = await sharp({ create: { width: 1_200, height: 600, channels: 3, background: "#c00" } })
      .jpeg()
      .withMetadata({ orientation: 6 })
      .toBuffer()
    const { body } = await upload(photo, "image/jpeg", "photo.jpg")
    expect([body.width, body.height]).toEqual([600, 1_200])
    const small = storage.objects.get(body.thumbnailUrl.split("/api/media/")[1])
    expect(await sharp(small).metadata()).toMatchObject({ format: "webp", width: 200, height: 400 })
  })

  it("has none where its pixels cannot be read, and is kept all the same", async () => {
    const made = await upload(jpeg(30, 20), "image/jpeg", "headers.jpg")
    expect([made.status, made.body.width, made.body.height, made.body.thumbnailUrl]).toEqual([201, 30, 20, null])
  })

  it("may be a JPEG, a PNG, a WebP or a GIF", async () => {
    for (const [bytes, type] of [
      [jpeg(5, 4), "image/jpeg"],
      [png(5, 4), "image/png"],
      [webp(5, 4), "image/webp"],
      [gif(5, 4), "image/gif"]
    ] as const) {
      const made = await upload(bytes, type)
      expect([made.status, made.body.mimeType, made.body.width, made.body.height]).toEqual([201, type, 5, 4])
    }
  })

  it("does not keep where it was taken", async () => {
    const { body } = await upload(jpeg(5, 4, exif(6)), "image/jpeg")
    expect(Buffer.from(storage.objects.get(body.key) ?? []).includes("GPS")).toBe(false)
  })

  it("is another file each time, so that deleting one leaves the other", async () => {
    const [a, b] = [await upload(png(7, 7)), await upload(png(7, 7))]
    expect(a.body.key).not.toBe(b.body.key)
    expect((await shop.call("DELETE", `/v1/media/${a.body.id}`)).body).toEqual({ success: true })
    expect((await shop.call("GET", `/v1/media/${b.body.id}`)).status).toBe(200)
  })

  it("is one file under one Idempotency-Key", async () => {
    const form = await new Request("http://x", { method: "POST", body: formOf({ bytes: png(8, 8) }) }).bytes()
    const boundary = /^--(\S+)/.exec(Buffer.from(form).toString("latin1"))?.[1]
    const headers = { "idempotency-key": "once", "content-type": `multipart/form-data; boundary=${boundary}` }
    const [a, b] = [
      await shop.call("POST", "/v1/media", { raw: form, headers }),
      await shop.call("POST", "/v1/media", { raw: form, headers })
    ]
    expect([a.status, b.status, b.body]).toEqual([201, 201, a.body])
  })

  it("is called by the last part of its name, without what is invisible", async () => {
    const named = async (name: string) => (await upload(png(2, 2), "image/png", name)).body.name
    expect(await named("../../etc/passwd.png")).toBe("passwd.png")
    expect(await named("C:\\pictures\\lamp.png")).toBe("lamp.png")
    expect(await named("Lämpchen 灯.png")).toBe("Lämpchen 灯.png")
    expect((await upload(png(2, 2), "image/png", "x.png", { name: "Desk lamp" })).body.name).toBe("Desk lamp")
  })
})

describe("a file that is refused", () => {
  const refused = async (form: FormData, path = "/v1/media") => {
    const [rows, objects] = [await files(), storage.objects.size]
    const { status, body } = await send(path, form)
    expect([await files(), storage.objects.size]).toEqual([rows, objects])
    return { status, code: body.code, errors: body.details?.errors }
  }
  const validation = (errors: object) => ({ status: 400, code: "VALIDATION_FAILED", errors })

  it("lies about its type", async () => {
    expect(await refused(formOf({ bytes: png(3, 3), type: "image/jpeg" }))).toEqual(
      validation({ file: "is declared as another type than it is (image/png)" })
    )
    expect(await refused(formOf({ bytes: Buffer.from("<svg/>"), type: "image/png" }))).toEqual(
      validation({ file: "is not a JPEG, PNG, WebP or GIF image" })
    )
  })

  it("has more than 40 megapixels", async () => {
    expect((await upload(gif(8_000, 5_000), "image/gif")).status).toBe(201)
    expect(await refused(formOf({ bytes: gif(8_001, 5_000), type: "image/gif" }))).toEqual(
      validation({ file: "has more than 40 megapixels" })
    )
  })

  it("has more than ten megabytes, one byte suffices", async () => {
    expect((await upload(pngOfSize(10 * megabyte - 1))).status).toBe(201)
    const most = await upload(pngOfSize(10 * megabyte))
    expect([most.status, most.body.size]).toEqual([201, 10 * megabyte])
    expect(await refused(formOf({ bytes: pngOfSize(10 * megabyte + 1) }))).toMatchObject({
      status: 413,
      code: "PAYLOAD_TOO_LARGE"
    })
    expect(await refused(formOf({ bytes: pngOfSize(11 * megabyte) }))).toMatchObject({
      status: 413,
      code: "PAYLOAD_TOO_LARGE"
    })
  })

  it("is not there, or not alone", async () => {
    expect(await refused(formOf(undefined))).toEqual(validation({ file: "send either a file or a sourceUrl" }))
    expect(await refused(formOf({ bytes: png(2, 2) }, { sourceUrl: "https://x.example/a.png" }))).toEqual(
      validation({ file: "send either a file or a sourceUrl" })
    )
    const two = formOf({ bytes: png(2, 2) })
    two.append("file", new Blob([new Uint8Array(png(2, 2))], { type: "image/png" }), "b.png")
    expect(await refused(two)).toEqual(validation({ file: "send one file" }))
    const strange = new FormData()
    strange.append("photo", new Blob([new Uint8Array(png(2, 2))], { type: "image/png" }), "b.png")
    expect(await refused(strange)).toEqual(validation({ photo: "send the file as `file`" }))
    expect(await refused(formOf(undefined, { file: "text" }))).toEqual(
      validation({ file: "must be sent as a file, with a filename" })
    )
  })

  it("comes in a form that is broken, of too many parts, or no form at all", async () => {
    const raw = (body: string, type: string) =>
      shop.call("POST", "/v1/media", { raw: body, headers: { "content-type": type } })
    const broken = await raw("--b\r\nnonsense", "multipart/form-data; boundary=b")
    expect([broken.status, broken.body.details.errors]).toEqual([
      400,
      { body: "must be a whole multipart/form-data form" }
    ])
    expect((await raw("--b\r\n", "multipart/form-data")).status).toBe(400)
    expect((await raw("x", "application/octet-stream")).status).toBe(415)
    const many = new FormData()
    for (let i = 0; i < 30; i++) many.append(`text${i}`, "x")
    expect(await refused(many)).toEqual(validation({ body: "has too many parts" }))
    expect(await refused(formOf({ bytes: png(2, 2) }, { alt: "x".repeat(1_001) }))).toEqual(
      validation({ alt: "must have at most 1000 characters" })
    )
  })
})

describe("files of the library", () => {
  it("are found by name and text, and by nothing of their keys", async () => {
    await upload(png(2, 2), "image/png", "100%_oak.png", { alt: "Oak table" })
    const found = async (search: string) =>
      (await shop.call("GET", `/v1/media?search=${encodeURIComponent(search)}`)).body.data.map(
        (one: { name: string }) => one.name
      )
    expect(await found("OAK TA")).toEqual(["100%_oak.png"])
    expect(await found("100%_")).toEqual(["100%_oak.png"])
    expect(await found("store_")).toEqual([])
  })

  it("change their words under their version", async () => {
    const { body } = await upload(png(2, 2))
    const patch = (change: object, version = body.updatedAt) =>
      shop.call("PATCH", `/v1/media/${body.id}`, { body: change, headers: { "if-match": `"${version}"` } })
    const changed = await patch({ name: " New name ", alt: "Text" })
    expect([changed.status, changed.body.name, changed.body.alt]).toEqual([200, "New name", "Text"])
    expect(changed.body).toMatchObject({ url: body.url, key: body.key, createdAt: body.createdAt })
    expect((await patch({ alt: null })).status).toBe(409)
    expect((await patch({ alt: null }, changed.body.updatedAt)).body).toMatchObject({ name: "New name", alt: null })
    expect((await shop.call("PATCH", `/v1/media/${body.id}`, { body: { name: " " } })).status).toBe(400)
    expect((await shop.call("PATCH", `/v1/media/${body.id}`, { body: { name: "x".repeat(256) } })).status).toBe(400)
  })

  it("are unknown once deleted, also to a second delete", async () => {
    const { body } = await upload(png(2, 2))
    expect((await shop.call("DELETE", `/v1/media/${body.id}`)).body).toEqual({ success: true })
    for (const method of ["GET", "PATCH", "DELETE"]) {
      const again = await shop.call(method, `/v1/media/${body.id}`, method === "PATCH" ? { body: { alt: "x" } } : {})
      expect([method, again.status, again.body.code]).toEqual([method, 404, "RESOURCE_NOT_FOUND"])
    }
  })
})
