/** What product.* events carry: the merchant's view, without costs and without places of downloads. */
import { Ajv2020 } from "ajv/dist/2020.js"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"

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

const file = { name: "Manual.pdf", url: "https://files.example/secret-place.pdf", size: 7, mimeType: "application/pdf" }
const stored = { name: "Film.mp4", storageKey: "private/film-place.mp4", size: 9, mimeType: "video/mp4" }
const made = async (body: object) => {
  const answer = await shop.call("POST", "/v1/products", {
    body: { name: "Shirt", basePrice: "10.00", costPrice: "4.00", ...body }
  })
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body
}
const variants = [
  {
    attributes: { Size: "S" },
    costPrice: "3.00",
    inventory: { total: 5 },
    isDownloadable: true,
    downloadData: { files: [file, stored], downloadLimit: 3 }
  },
  { attributes: { Size: "M" }, status: "draft", costPrice: "3.00", inventory: { total: 4, trackingMode: "UNTRACKED" } }
]
type Told = {
  readonly type: string
  readonly data: { readonly productId: string; readonly product: Record<string, unknown> }
}
const told = async (id: string) =>
  (
    await client.query(
      "SELECT type, data FROM event WHERE type LIKE 'product.%' AND data ->> 'productId' = $1 ORDER BY seq",
      [id]
    )
  ).rows as unknown as ReadonlyArray<Told>

/** A merchant's own reading of the product, but for what events never carry. */
const merchants = async (id: string) => {
  const {
    costPrice: _,
    salesChannelIds: _s,
    downloadData,
    variants: all,
    ...product
  } = (await shop.call("GET", `/v1/products/${id}`)).body
  return {
    ...product,
    downloadData: withoutPlaces(downloadData),
    variants: all.map(
      ({
        costPrice: _c,
        downloadData: data,
        ...variant
      }: {
        readonly costPrice: unknown
        readonly downloadData: unknown
      }) => ({
        ...variant,
        downloadData: withoutPlaces(data)
      })
    )
  }
}
const withoutPlaces = (data: unknown) => {
  if (data === null || data === undefined) return null
  const { files, ...rest } = data as {
    readonly files: ReadonlyArray<{ readonly url: unknown; readonly storageKey: unknown }>
  }
  return { ...rest, files: files.map(({ url: _u, storageKey: _k, ...shown }) => shown) }
}

describe("the events of a product", () => {
  it("carry what its merchant reads: drafts, inactive categories and true stock; no cost and no place of a download", async () => {
    const category = (await shop.call("POST", "/v1/categories", { body: { name: "Hidden", isActive: false } })).body
    const { id, variants: own } = await made({ variants, categories: [category.id], downloadData: { files: [file] } })
    await shop.call("PATCH", `/v1/products/${id}`, { body: { status: "active", description: "changed" } })
    const [created, updated] = await told(id)
    expect([created?.type, updated?.type]).toEqual(["product.created", "product.updated"])
    expect(updated?.data.product).toEqual(await merchants(id))
    for (const event of [created, updated]) {
      expect(event?.data.product).toMatchObject({
        categories: [{ id: category.id, name: "Hidden", taxBehavior: "taxable" }],
        inventory: { total: 9, available: 9 },
        variants: [
          { id: own[0].id, status: "active" },
          { id: own[1].id, status: "draft" }
        ]
      })
      expect(JSON.stringify(event)).not.toMatch(
        /costPrice|secret-place|film-place|storageKey|"url":\s*"https:\/\/files/
      )
      expect(JSON.stringify(event)).toContain("Manual.pdf")
    }
  })

  it("do so whichever way the product was written: variant by variant, in bulk, as a draft", async () => {
    const { id } = await made({ variants })
    const added = await shop.call("POST", `/v1/products/${id}/variants`, {
      body: { attributes: { Size: "L" }, status: "draft", inventory: { total: 2 } }
    })
    await shop.call("PATCH", `/v1/products/${id}/variants/${added.body.id}`, { body: { name: "Large" } })
    const shownOf = (event: Told | undefined) =>
      ((event?.data.product["variants"] ?? []) as ReadonlyArray<{ readonly name: string }>).map(({ name }) => name)
    const before = await told(id)
    expect(before.slice(1).map(shownOf)).toEqual([
      ["S", "M", "L"],
      ["S", "M", "Large"]
    ])
    await shop.call("DELETE", `/v1/products/${id}/variants/${added.body.id}`)
    const last = (await told(id)).at(-1)
    expect([shownOf(last), last?.data.product]).toEqual([["S", "M"], await merchants(id)])

    const job = await shop.call("POST", "/v1/products/bulk", {
      body: { products: [{ name: "In bulk", basePrice: 1, externalSourceId: "bulk-1", variants }] }
    })
    let report = job
    while (report.body.status !== "COMPLETED") report = await shop.call("GET", `/v1/products/bulk/${job.body.jobId}`)
    const bulk = report.body.results[0].productId
    expect((await told(bulk)).map(({ data }) => data.product)).toEqual([await merchants(bulk)])
  })

  it("show stock below zero as it is", async () => {
    const { id } = await made({ status: "active", inventory: { total: 1, backorderMode: "ALLOW" } })
    const shopper = shopperOf(shop)
    expect((await shopper.complete(await shopper.checkout(await shopper.cart([id, 3])), "below")).status).toBe(200)
    await shop.call("PATCH", `/v1/products/${id}`, { body: { name: "Owed" } })
    expect((await told(id)).at(-1)?.data.product["inventory"]).toMatchObject({ total: -2, reserved: 0, available: -2 })
  })

  it("are as the catalogue of events says", async () => {
    const { id } = await made({ variants })
    const { body: catalog } = await shop.call("GET", "/v1/webhook-subscriptions/event-catalog")
    const entry = catalog.find(({ type }: { readonly type: string }) => type === "product.created")
    const matches = new Ajv2020({ strict: false, validateFormats: false }).compile(entry.schema)
    const [event] = await told(id)
    expect([matches(event?.data), matches.errors]).toEqual([true, null])
    expect(JSON.stringify(entry.schema)).not.toMatch(/costPrice|storageKey/)
  })
})
