/**
 * How large what a merchant stores of a product may be: at each bound it is kept, one above it is refused by name and
 * nothing is written.
 */
import { ListingRepair } from "@effect-commerce/core/storefront/ListingRepair"
import type { Effect } from "effect"
import { randomBytes } from "node:crypto"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
let client: InstanceType<typeof pg.Client>
beforeAll(async () => {
  shop = await openTestCommerce()
  client = new pg.Client(shop.database.nodePostgres)
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await shop.close()
})

const post = (body: object) => shop.call("POST", "/v1/products", { body: { name: "Lamp", basePrice: "1.00", ...body } })
const patch = (id: string, body: object) => shop.call("PATCH", `/v1/products/${id}`, { body })
const count = async () => (await client.query("SELECT count(*)::int AS n FROM product")).rows[0]?.["n"]
const refusal = async (call: ReturnType<typeof post>) => {
  const { status, body } = await call
  return [status, body.code, Object.keys(body.details?.errors ?? {})]
}
/** Text that does not compress. */
const noise = (length: number) => randomBytes(length).toString("hex").slice(0, length)
const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value))
const file = { name: "Manual.pdf", url: "https://files.example/manual.pdf", size: 12, mimeType: "application/pdf" }
const files = (n: number) => Array.from({ length: n }, () => file)
/** An object whose JSON has exactly so many bytes. */
const sized = (n: number) => ({ de: { name: "x".repeat(n - bytes({ de: { name: "" } })) } })
const languages = (n: number) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`de-${100 + i}`, {}]))
const optionsOf = (n: number) => ({ Size: noise(n - bytes({ Size: "" })) })
const variant = (attributes: object) => ({ variants: [{ attributes }] })

const fits: ReadonlyArray<readonly [what: string, at: object, above: object, field: string]> = [
  ["50 files", { downloadData: { files: files(50) } }, { downloadData: { files: files(51) } }, "downloadData.files"],
  [
    "50 files of a variant",
    { variants: [{ downloadData: { files: files(50) } }] },
    { variants: [{ downloadData: { files: files(51) } }] },
    "variants.0.downloadData.files"
  ],
  [
    "250 tags",
    { tags: Array.from({ length: 250 }, () => "t") },
    { tags: Array.from({ length: 251 }, () => "t") },
    "tags"
  ],
  [
    "translations into 100 languages",
    { translations: languages(100) },
    { translations: languages(101) },
    "translations"
  ],
  ["64 KiB of translations", { translations: sized(65_536) }, { translations: sized(65_537) }, "translations"],
  [
    "options of 2,000 bytes that do not compress",
    variant(optionsOf(2_000)),
    variant(optionsOf(2_001)),
    "variants.0.attributes"
  ],
  [
    "50 options of a variant",
    variant(Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`o${i}`, "x"]))),
    variant(Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`o${i}`, "x"]))),
    "variants.0.attributes"
  ],
  [
    "the greatest place of a variant",
    { variants: [{ position: 2_147_483_647 }] },
    { variants: [{ position: 2_147_483_648 }] },
    "variants.0.position"
  ],
  [
    "the greatest place of a picture",
    { images: [{ url: "u", position: 2_147_483_647 }] },
    { images: [{ url: "u", position: 2_147_483_648 }] },
    "images.0.position"
  ]
]

describe("a product", () => {
  it.each(fits)("keeps %s, and no more", async (_, at, above, field) => {
    const kept = await post(at)
    expect([kept.status, kept.body.code]).toEqual([201, undefined])
    expect((await shop.call("GET", `/v1/products/${kept.body.id}`)).status).toBe(200)
    const before = await count()
    expect(await refusal(post(above))).toEqual([400, "VALIDATION_FAILED", [field]])
    expect(await count()).toBe(before)
  })

  it("names no id that is longer than an id", async () => {
    for (const field of ["categories", "crossSells", "upsells", "related"]) {
      const refused = await post({ [field]: ["x".repeat(101)] })
      expect([refused.status, Object.keys(refused.body.details.errors)]).toEqual([400, [`${field}.0`]])
      expect(refused.text.length).toBeLessThan(1_000)
    }
  })

  it("weighs at most 256 KiB as shoppers see it, however it grew", async () => {
    const variants = Array.from({ length: 110 }, (_, i) => ({ attributes: { N: String(i) }, image: noise(1_500) }))
    // Long enough that a longer one changes nothing else, such as the SEO score.
    const description = "d".repeat(200)
    const made = await post({ variants, description, status: "active" })
    expect(made.status).toBe(201)
    const { id } = made.body
    const shown = async () => Buffer.byteLength((await shop.call("GET", `/vc/${shop.channelId}/products/${id}`)).text)
    const room = 262_144 - (await shown())
    expect(room).toBeGreaterThan(1_000)
    expect(room).toBeLessThan(90_000)
    const described = (length: number) => description + "d".repeat(length)
    const tooLarge = [400, "VALIDATION_FAILED", ["product"]]
    expect(await refusal(patch(id, { description: described(room + 1) }))).toEqual(tooLarge)
    expect((await shop.call("GET", `/v1/products/${id}`)).body.description).toBe(description)
    const full = await patch(id, { description: described(room) })
    expect([full.status, await shown()]).toEqual([200, 262_144])
    const variant = { attributes: { N: "one more" } }
    expect(await refusal(shop.call("POST", `/v1/products/${id}/variants`, { body: variant }))).toEqual(tooLarge)
    const [first] = full.body.variants
    const renamed = shop.call("PATCH", `/v1/products/${id}/variants/${first.id}`, { body: { name: noise(100) } })
    expect(await refusal(renamed)).toEqual(tooLarge)
    const { body: group } = await shop.call("POST", "/v1/modifier-groups", {
      body: { name: "Extras", selectionType: "MULTIPLE", modifiers: [{ name: "Gift wrap" }] }
    })
    expect(await refusal(patch(id, { modifierGroups: [{ groupId: group.id }] }))).toEqual(tooLarge)
    // What shoppers do not see has its own bound, and what makes it smaller is always taken.
    const path = `/v1/products/${id}/variants/${first.id}`
    expect((await shop.call("PATCH", path, { body: { costPrice: "0.50" } })).status).toBe(200)
    expect((await shop.call("DELETE", path)).status).toBe(200)

    expect((await patch(id, { modifierGroups: [{ groupId: group.id }] })).status).toBe(200)
    const grown = (length: number) =>
      shop.call("PATCH", `/v1/modifier-groups/${group.id}`, {
        body: { modifiers: Array.from({ length }, (_, i) => ({ name: `Extra ${i}` })) }
      })
    const refused = await grown(90)
    expect([refused.status, refused.body.details.errors]).toEqual([
      400,
      { modifiers: `would make the product ${id} larger than 262144 bytes as shoppers see it` }
    ])
    expect((await grown(2)).status).toBe(200)
    expect(await shown()).toBeLessThanOrEqual(262_144)
  })

  it("may stay too large where it was so before, and not grow", async () => {
    const { id } = (await post({ status: "active", description: "short" })).body
    await client.query("UPDATE product SET description = repeat('d', 300000) WHERE id = $1", [id])
    await shop.run(ListingRepair.use((stale) => stale.pass) as unknown as Effect.Effect<void>)
    expect((await patch(id, { name: "Lomp" })).status).toBe(200)
    expect(await refusal(patch(id, { name: "A longer lamp" }))).toEqual([400, "VALIDATION_FAILED", ["product"]])
    expect((await patch(id, { description: "short" })).status).toBe(200)
    expect((await patch(id, { name: "A longer lamp" })).status).toBe(200)
  })

  it("weighs at most 1 MiB as it is answered, with all that shoppers do not see", async () => {
    const hidden = (n: number) => ({
      variants: Array.from({ length: n }, (_, i) => ({
        attributes: { N: String(i) },
        status: "draft",
        downloadData: { files: files(50) }
      }))
    })
    const kept = await post(hidden(100))
    expect([kept.status, kept.body.details]).toEqual([201, undefined])
    expect(Buffer.byteLength(kept.text)).toBeGreaterThan(800_000)
    expect(await refusal(post(hidden(140)))).toEqual([400, "VALIDATION_FAILED", ["product"]])
  })

  it("of 250 variants, with 30 pictures and texts in five languages, fits", async () => {
    const words = (n: number) => "A lamp of oak and brass that lasts. ".repeat(Math.ceil(n / 36)).slice(0, n)
    const texts = { name: words(60), description: words(2_000), metaDescription: words(150) }
    const { status, body } = await post({
      ...texts,
      status: "active",
      translations: Object.fromEntries(["de", "fr", "it", "es"].map((language) => [language, texts])),
      images: Array.from({ length: 30 }, (_, i) => ({
        url: `https://cdn.example.com/shops/4711/products/lamps/oak-and-brass-${i}.jpg`,
        alt: words(80)
      })),
      variants: Array.from({ length: 250 }, (_, i) => ({
        attributes: { Colour: `Colour ${i % 25}`, Size: `Size ${Math.floor(i / 25)}` },
        sku: `LAMP-${i}-OAK-BRASS`,
        price: "149.00",
        image: `https://cdn.example.com/shops/4711/products/lamps/oak-and-brass-${i % 30}.jpg`,
        inventory: { total: 5 }
      }))
    })
    expect([status, body.details]).toEqual([201, undefined])
    const { text } = await shop.call("GET", `/vc/${shop.channelId}/products/${body.id}?locale=de`)
    expect(Buffer.byteLength(text)).toBeLessThan(262_144)
  })
})

describe("the files of a product", () => {
  const whole = { ...file, storageKey: null }

  it("keep their ids as long as they are there, and get them from us", async () => {
    const { body } = await post({
      downloadData: { files: [{ id: "mine", ...file }], downloadLimit: 3, expiryDays: 30 }
    })
    const [{ id: fileId }] = body.downloadData.files
    expect(fileId).not.toBe("mine")
    expect(body.downloadData).toEqual({ files: [{ id: fileId, ...whole }], downloadLimit: 3, downloadExpiry: 30 })
    const again = await patch(body.id, {
      downloadData: { ...body.downloadData, files: [body.downloadData.files[0], body.downloadData.files[0]] }
    })
    const ids = again.body.downloadData.files.map((one: { readonly id: string }) => one.id)
    expect([ids[0], ids[1] === fileId, new Set(ids).size]).toEqual([fileId, false, 2])
    expect((await patch(body.id, { name: "Renamed" })).body.downloadData).toEqual(again.body.downloadData)
    expect((await patch(body.id, { downloadData: null })).body.downloadData).toBeNull()
  })

  it("of a variant are kept in the same way", async () => {
    const { body } = await post({
      variants: [{ attributes: { Size: "S" }, downloadData: { files: [file], downloadExpiry: 7 } }]
    })
    const [{ id, downloadData }] = body.variants
    expect(downloadData).toEqual({
      files: [{ id: downloadData.files[0].id, ...whole }],
      downloadLimit: null,
      downloadExpiry: 7
    })
    const renamed = await shop.call("PATCH", `/v1/products/${body.id}/variants/${id}`, {
      body: { name: "Small", downloadData }
    })
    expect(renamed.body.downloadData).toEqual(downloadData)
  })

  it.each([
    ["no files", {}],
    ["files that are no list", { files: { f: file } }],
    ["text for files", { files: "https://secret.example" }],
    ["text for the whole", "https://secret.example"],
    ["a file without a name", { files: [{ url: "https://secret.example" }] }],
    ["a file without a place", { files: [{ name: "n" }] }],
    ["a file that is text", { files: ["https://secret.example"] }],
    ["a size below zero", { files: [{ ...file, size: -1 }] }],
    ["a size that is text", { files: [{ ...file, size: "12" }] }],
    ["a name of 256 characters", { files: [{ ...file, name: "n".repeat(256) }] }],
    ["a place of 2,001 characters", { files: [{ ...file, url: "u".repeat(2_001) }] }],
    ["a key of 501 characters", { files: [{ ...file, storageKey: "u".repeat(501) }] }],
    ["a limit of none", { files: [file], downloadLimit: 0 }],
    ["a limit that is no whole number", { files: [file], downloadLimit: 1.5 }],
    ["an end before its beginning", { files: [file], expiryDays: 0 }],
    ["two ends", { files: [file], expiryDays: 1, downloadExpiry: 2 }]
  ])("are refused with %s, for products and variants alike", async (_, downloadData) => {
    const before = await count()
    const [own, ofVariant] = [await post({ downloadData }), await post({ variants: [{ downloadData }] })]
    expect([own.status, own.body.code, ofVariant.status, ofVariant.body.code]).toEqual([
      400,
      "VALIDATION_FAILED",
      400,
      "VALIDATION_FAILED"
    ])
    expect(await count()).toBe(before)
  })

  it("from before there were bounds are read in their one shape", async () => {
    const { body } = await post({ status: "active" })
    const old = {
      files: [{ id: "f", name: "n", url: "https://secret.example", path: "/srv" }, "odd", ...files(60)],
      bucket: "b",
      downloadLimit: 2
    }
    await client.query("UPDATE product SET download_data = $2 WHERE id = $1", [body.id, JSON.stringify(old)])
    const { downloadData } = (await shop.call("GET", `/v1/products/${body.id}`)).body
    expect(downloadData.files[0]).toEqual({
      id: "f",
      name: "n",
      url: "https://secret.example",
      storageKey: null,
      size: null,
      mimeType: null
    })
    expect([downloadData.files.length, downloadData.downloadLimit, downloadData.downloadExpiry]).toEqual([50, 2, null])
    const shown = await shop.call("GET", `/vc/${shop.channelId}/products/${body.id}`)
    expect(shown.body.downloadData.files[0]).toEqual({ id: "f", name: "n", size: null, mimeType: null })
    expect(shown.text).not.toContain("secret.example")
  })
})

describe("a category", () => {
  it("keeps 64 KiB of translations, and no more", async () => {
    const make = (translations: object) =>
      shop.call("POST", "/v1/categories", { body: { name: `C ${Math.random()}`, translations } })
    expect((await make(sized(65_536))).status).toBe(201)
    expect(await refusal(make(sized(65_537)))).toEqual([400, "VALIDATION_FAILED", ["translations"]])
  })
})
