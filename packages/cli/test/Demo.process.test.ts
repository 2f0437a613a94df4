/** The demo store as a newcomer finds it, through the storefront's own routes. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { demoStore } from "../src/demo/demoStore.ts"
import { picturesOf } from "../src/demo/pictures.ts"
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
  readonly variants: ReadonlyArray<{
    readonly attributes: Readonly<Record<string, string>>
    readonly image: string | null
  }>
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
const pictures = picturesOf(demoStore(0))
const files = [...pictures.products, ...pictures.categories, ...pictures.brands].flatMap(({ pictures: own }) => own)
let server: Serving
let shop = ""
let drawnAfterKill = 0
let keyBefore = ""
const follow = /listening on (\S+)[^]*has its pictures: (?:\d+) drawn/
beforeAll(async () => {
  // The first start is killed when it has begun to draw: the second goes on.
  const killed = await serving(["--demo", "--data-dir", made.path])
  key = /^admin key +(\S+)/m.exec(killed.out())?.[1] ?? ""
  while ((await stored(killed)) < 3);
  keyBefore = (await referenceOf(killed)).apiKey
  await killed.end("SIGKILL")
  server = await serving(["--demo", "--data-dir", made.path], {}, follow)
  drawnAfterKill = Number(/has its pictures: (\d+) drawn/.exec(server.err() + server.out())?.[1])
  shop = `${server.url}/vc/${/^sales channel +(\S+)/m.exec(server.out())?.[1] ?? ""}`
}, 180_000)
afterAll(async () => {
  await server.end("SIGTERM")
  made.remove()
})

let key = ""
const stored = async ({ url }: Serving): Promise<number> => {
  const answered = await fetch(`${url}/v1/media?limit=1`, { headers: { authorization: `Bearer ${key}` } })
  return ((await answered.json()) as Page).meta.total
}

interface Reference {
  readonly ids: Readonly<Record<string, string>>
  readonly apiKey: string
}
const referenceOf = async ({ url }: Serving): Promise<Reference> =>
  (await (await fetch(`${url}/docs/values.json`)).json()) as Reference

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

  it("fills the samples of the reference page with its own ids, and with a key that ends with the next start", async () => {
    const { ids, apiKey } = await referenceOf(server)
    const document = await (await fetch(`${server.url}/docs/reference.json`)).text()
    for (const recorded of Object.keys(ids)) expect(document).toContain(recorded)
    const mug = await got<{ readonly id: string }>("/products/slug/marlow-mug")
    expect(Object.values(ids)).toEqual(expect.arrayContaining([shop.split("/").at(-1), mug.id]))
    const statusWith = async (held: string) =>
      (await fetch(`${server.url}/v1/orders`, { headers: { "x-api-key": held } })).status
    expect([await statusWith(apiKey), await statusWith(keyBefore)]).toEqual([200, 401])
  })

  it("shows no key where others can reach it", async () => {
    // Both servers count the requests of this address in the same window, and only the other has none.
    const unlimited = { COMMERCE_RATE_LIMIT_PER_MINUTE: "off" }
    const open = await serving(["--demo", "--host", "0.0.0.0", "--data-dir", made.path], unlimited)
    const { ids, apiKey } = await referenceOf({ ...open, url: open.url.replace("0.0.0.0", "127.0.0.1") })
    await open.end("SIGTERM")
    expect([Object.keys(ids).length > 2, apiKey]).toEqual([true, undefined])
  })

  it("has a drawing of its own for every product and every colour, the same each time", () => {
    const texts = files.map(({ svg }) => svg())
    expect(files.map(({ svg }) => svg())).toEqual(texts)
    expect(new Set(texts).size).toBe(files.length)
    expect(new Set(files.map(({ name }) => name)).size).toBe(files.length)
    for (const { pictures: own, variants } of pictures.products) {
      expect(own.length).toBeGreaterThanOrEqual(1)
      for (const { picture } of variants) expect(own.map(({ name }) => name)).toContain(picture)
    }
    expect(pictures.products.filter(({ pictures: own }) => own.length > 1).length).toBeGreaterThanOrEqual(70)
  })

  it("says of no cloth that it is of metal", () => {
    const { products = [] } = demoStore(0)
    const metals = products
      .filter(({ categories: [department = ""] = [] }) =>
        ["bedding", "shirts", "knitwear", "trousers"].includes(department)
      )
      .map(({ metafields }) => (metafields as { readonly material: string }).material)
    expect([...new Set(metals)].sort()).toEqual(["cotton", "linen", "nylon", "wool"])
  })

  it("begins with this and that: no two neighbours of one department", () => {
    const { products = [] } = demoStore(0)
    const first = products
      .toSorted((a, b) => Number(a["menuOrder"]) - Number(b["menuOrder"]))
      .slice(0, 24)
      .map(({ categories: [department] = [] }) => department)
    expect(first.filter((department, i) => department === first[i + 1])).toEqual([])
    expect(new Set(first).size).toBeGreaterThanOrEqual(15)
    expect(new Set(products.map(({ menuOrder }) => menuOrder)).size).toBe(products.length)
  })

  it("lists the cheapest delivery first", () => {
    for (const { rates = [] } of demoStore(0).shippingZones ?? []) {
      const amounts = rates.map(({ rateConfig }) => Number((rateConfig as { readonly amount?: string }).amount ?? 0))
      expect(amounts).toEqual(amounts.toSorted((a, b) => a - b))
    }
  })

  it("is spoken of: reviews of eighty products and more, good and bad, some in German", () => {
    const { reviews = [] } = demoStore(0)
    expect(new Set(reviews.map(({ productId }) => productId)).size).toBeGreaterThanOrEqual(80)
    expect(new Set(reviews.map(({ rating }) => rating))).toEqual(new Set([1, 2, 3, 4, 5]))
    expect(reviews.filter(({ locale }) => locale === "de").length).toBeGreaterThanOrEqual(20)
  })

  it("can be narrowed by categories, brands, attributes and fields of its own", async () => {
    const { facets } = await list("facets=true&limit=1")
    expect(facets.categories.length).toBe(19)
    expect(facets.brands.length).toBe(9)
    expect(facets.attributes.map(({ name, options }) => [name, options?.length])).toEqual([
      ["Colour", 12],
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

  it("has a picture with a text for every product, a colour's own for its variants, one for each department", async () => {
    const shown: Array<Shown> = []
    for (const page of [1, 2, 3]) shown.push(...(await list(`limit=100&page=${page}`)).data)
    expect(shown.length).toBeGreaterThanOrEqual(200)
    for (const { name, images } of shown)
      for (const { alt } of images) expect(alt).toMatch(new RegExp(`^${name}($| in |, seen)`))
    const addresses = shown.flatMap(({ images }) => images.map(({ url }) => url))
    expect(new Set(addresses).size).toBe(addresses.length)
    const shirt = await bySlug("oxford-shirt")
    const ofColour = (colour: string) =>
      new Set(shirt.variants.filter(({ attributes }) => attributes["Colour"] === colour).map(({ image }) => image))
    expect(["White", "Sky", "Navy"].map((colour) => [...ofColour(colour)])).toEqual(
      shirt.images.slice(0, 3).map(({ url }) => [url])
    )
    expect(shirt.images.map(({ alt }) => alt)).toEqual([
      "Oxford shirt in white",
      "Oxford shirt in sky",
      "Oxford shirt in navy",
      "Oxford shirt, seen from nearby"
    ])
    const answer = await fetch(shirt.images[0]?.url ?? "")
    expect([answer.status, answer.headers.get("content-type"), answer.headers.get("x-content-type-options")]).toEqual([
      200,
      "image/webp",
      "nosniff"
    ])
    expect((await answer.arrayBuffer()).byteLength).toBeLessThan(60_000)
    const { image } = await got<{ readonly image: string | null }>("/categories/slug/shirts")
    expect(image).toMatch(/\.webp$/)
  }, 180_000)

  it("goes on with its pictures where a killed start ended, and stores each one once", async () => {
    expect(drawnAfterKill).toBeGreaterThan(0)
    expect(drawnAfterKill).toBeLessThan(files.length)
    expect(await stored(server)).toBe(files.length)
    expect((await commerce(["seed", "--demo", "--data-dir", made.path])).code).toBe(0)
    expect(await stored(server)).toBe(files.length)
  }, 180_000)
})
