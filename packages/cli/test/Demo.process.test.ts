/** The demo store as a newcomer finds it, through the storefront's own routes. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { demoStore } from "../src/demo/demoStore.ts"
import { demoPictures } from "../src/demo/pictures.ts"
import { commerce, folder, type Serving, serving } from "./runCli.ts"

interface Facet {
  readonly name: string
  readonly options?: ReadonlyArray<unknown>
  readonly values?: ReadonlyArray<unknown>
}
interface Shown {
  readonly name: string
  readonly displayPrice: string
  readonly kitPricingMode: string | null
  readonly kitComponents: ReadonlyArray<unknown>
  readonly reviewCount: number
  readonly images: ReadonlyArray<{ readonly url: string; readonly alt: string | null }>
  readonly modifierGroups: ReadonlyArray<{ readonly name: string; readonly freeQuantity: number }>
  readonly customizationFields: ReadonlyArray<{ readonly key: string }>
}
interface Page {
  readonly data: ReadonlyArray<Shown>
  readonly meta: { readonly total: number }
  readonly facets: {
    readonly categories: ReadonlyArray<unknown>
    readonly brands: ReadonlyArray<unknown>
    readonly attributes: ReadonlyArray<Facet>
    readonly metafields: ReadonlyArray<Facet>
  }
}

const made = folder()
let server: Serving
let shop = ""
beforeAll(async () => {
  server = await serving(["--demo", "--data-dir", made.path])
  shop = `${server.url}/vc/${/^sales channel +(\S+)/m.exec(server.out())?.[1] ?? ""}`
}, 180_000)
afterAll(async () => {
  await server.end("SIGTERM")
  made.remove()
})

const got = async <A>(path: string): Promise<A> => (await (await fetch(`${shop}${path}`)).json()) as A
const list = (query: string) => got<Page>(`/products?${query}`)
const bySlug = (slug: string, query = "") => got<Shown>(`/products/slug/${slug}${query}`)

describe("the demo store", () => {
  it("is the same for the same moment, in English and German", () => {
    expect(demoStore(0)).toEqual(demoStore(0))
    const { products = [], categories = [] } = demoStore(0)
    const texts = [...products, ...categories].map(({ name, translations }) => ({
      name,
      german: (translations as { readonly de: { readonly name: string; readonly description: string } }).de
    }))
    expect(texts.filter(({ name, german }) => german.name === name).map(({ name }) => name)).toEqual(["Camping"])
    for (const { german } of texts) expect(german.description.length).toBeGreaterThan(10)
  })

  it("says which of its languages an answer is in", async () => {
    const language = async (query: string, accept: string) =>
      (
        await fetch(`${shop}/products/slug/nib-fountain-pen${query}`, { headers: { "accept-language": accept } })
      ).headers.get("content-language")
    expect([await language("", "en"), await language("", "de-CH"), await language("?locale=de", "en")]).toEqual([
      "en",
      "de",
      "de"
    ])
  })

  it("draws each picture the same each time, of at most three kilobytes", () => {
    for (const { draw } of demoPictures) {
      expect(draw()).toEqual(draw())
      expect(draw().length).toBeLessThan(3_000)
    }
  })

  it("can be narrowed by categories, brands, attributes and fields of its own", async () => {
    const { facets } = await list("facets=true&limit=1")
    expect(facets.categories.length).toBe(19)
    expect(facets.brands.length).toBe(9)
    expect(facets.attributes.map(({ name, options }) => [name, options?.length])).toEqual([
      ["Colour", 7],
      ["Size", 7],
      ["Waist", 4]
    ])
    expect(facets.metafields.map(({ name }) => name).sort()).toEqual(["Care", "Colour family", "Material"])
    for (const { values = [] } of facets.metafields) expect(values.length).toBeGreaterThanOrEqual(4)
    expect((await list("category=shirts&attr.Colour=navy&attr.Size=m")).meta.total).toBeGreaterThanOrEqual(5)
    expect((await list("mf.material=steel&category=cookware")).meta.total).toBeGreaterThanOrEqual(5)
  })

  it("finds a product whose name is misspelt, and speaks German", async () => {
    expect((await list("search=skilet")).data.map(({ name }) => name)).toEqual([
      "Fenwick skillet 20 cm",
      "Fenwick skillet 28 cm"
    ])
    const pen = await bySlug("nib-fountain-pen", "?locale=de")
    expect([pen.name, pen.reviewCount]).toEqual(["Nib Füller", 2])
    expect(pen.modifierGroups.map(({ name, freeQuantity }) => [name, freeQuantity])).toEqual([
      ["Geschenkverpackung", 0],
      ["Art der Gravur", 0],
      ["Extras", 1]
    ])
    expect(pen.customizationFields.map(({ key }) => key)).toEqual(["engraving"])
    const { name } = await got<{ readonly name: string }>("/categories/slug/cookware?locale=de")
    expect(name).toBe("Kochgeschirr")
  })

  it("sells kits at a price of their own and at that of what is in them", async () => {
    const [own, together] = [await bySlug("kestrel-cutlery-for-four"), await bySlug("first-kitchen-set")]
    expect([own.kitPricingMode, own.displayPrice, own.kitComponents.length]).toEqual(["FIXED", "69.00", 3])
    // (34.90 + 39.50 + 22.40) less a tenth
    expect([together.kitPricingMode, together.displayPrice]).toEqual(["COMPONENTS", "87.12"])
  })

  it("has a picture with a text for every product, which is served as what it is, and stores each one once", async () => {
    const { data, meta } = await list("limit=100")
    expect(meta.total).toBeGreaterThanOrEqual(200)
    for (const { name, images } of data)
      expect(images.map(({ alt }) => alt)).toEqual([expect.stringMatching(new RegExp(`^${name}: a drawing of `))])
    const answer = await fetch(data[0]?.images[0]?.url ?? "")
    expect([answer.status, answer.headers.get("content-type"), answer.headers.get("x-content-type-options")]).toEqual([
      200,
      "image/png",
      "nosniff"
    ])
    const key = /^admin key +(\S+)/m.exec(server.out())?.[1] ?? ""
    const stored = async () => {
      const answered = await fetch(`${server.url}/v1/media?limit=1`, { headers: { authorization: `Bearer ${key}` } })
      return ((await answered.json()) as Page).meta.total
    }
    expect(await stored()).toBe(demoPictures.length)
    expect((await commerce(["seed", "--demo", "--data-dir", made.path])).code).toBe(0)
    expect(await stored()).toBe(demoPictures.length)
  }, 180_000)
})
