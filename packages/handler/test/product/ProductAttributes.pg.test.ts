/** Products with attributes: their variants are combinations of options, and are shown under the options' names. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
let count = 0
beforeAll(async () => {
  shop = await openTestCommerce()
})
afterAll(() => shop.close())

interface Made {
  readonly id: string
  readonly name: string
  readonly options: ReadonlyArray<{ readonly id: string; readonly name: string }>
}
/** An attribute of its own name in each test. */
const attribute = async (name: string, ...options: ReadonlyArray<string>): Promise<Made> => {
  count += 1
  const { body } = await shop.call("POST", "/v1/attributes", {
    body: { name: `${name} ${count}`, options: options.map((option) => ({ name: option })) }
  })
  return body
}
const using = (made: Made, ...options: ReadonlyArray<string>) => ({
  attributeId: made.id,
  optionIds: (options.length === 0 ? made.options.map(({ name }) => name) : options).map(
    (option) => made.options.find(({ name }) => name === option)?.id ?? option
  )
})
const post = (body: object) =>
  shop.call("POST", "/v1/products", { body: { name: "Shirt", basePrice: "20.00", ...body } })
const patch = (id: string, body: object) => shop.call("PATCH", `/v1/products/${id}`, { body })
interface Variant {
  readonly id: string
  readonly name: string
  readonly sku: string | null
  readonly price: string
  readonly position: number
  readonly attributes: Readonly<Record<string, string>>
}
const options = (body: { readonly variants: ReadonlyArray<Variant> }) =>
  body.variants.map(({ attributes }) => Object.values(attributes).join(" "))
/** A new cart with one unit of a variant. */
const cartWith = async (productId: string, variantId: string): Promise<string> => {
  const { body } = await shop.call("POST", `${storefront()}/cart`)
  const item = { productId, variantId, quantity: 1 }
  expect((await shop.call("POST", `${storefront()}/cart/${body.id}/items`, { body: item })).status).toBe(200)
  return body.id
}
const storefront = () => `/vc/${shop.channelId}`
const problem = ({
  status,
  body
}: {
  readonly status: number
  readonly body: { readonly code?: string; readonly details?: { readonly errors?: unknown } }
}) => [status, body.code, body.details?.errors ?? body.details]

describe("a VARIABLE product with attributes", () => {
  it("has a variant for each combination, with the product's price, a SKU of its options and no stock", async () => {
    const size = await attribute("Size", "S", "M")
    const colour = await attribute("Colour", "Red", "Blue")
    const made = await post({ type: "VARIABLE", sku: "SH", attributes: [using(size), using(colour, "Blue", "Red")] })
    expect(made.status).toBe(201)
    expect(
      made.body.variants.map(({ name, sku, price, attributes, position }: Variant) => [
        name,
        sku,
        price,
        attributes,
        position
      ])
    ).toEqual([
      ["S / Blue", "SH-S-BLUE", "20.00", { [size.name]: "S", [colour.name]: "Blue" }, 0],
      ["S / Red", "SH-S-RED", "20.00", { [size.name]: "S", [colour.name]: "Red" }, 1],
      ["M / Blue", "SH-M-BLUE", "20.00", { [size.name]: "M", [colour.name]: "Blue" }, 2],
      ["M / Red", "SH-M-RED", "20.00", { [size.name]: "M", [colour.name]: "Red" }, 3]
    ])
    expect(made.body.inventory).toMatchObject({ total: 0, canPurchase: false })
    expect(made.body.attributes.map((one: Made) => [one.name, one.options.map((option) => option.name)])).toEqual([
      [size.name, ["S", "M"]],
      [colour.name, ["Blue", "Red"]]
    ])
    expect(
      made.body.productAttributeOptions.map((option: { attributeId: string; name: string }) => [
        option.attributeId,
        option.name
      ])
    ).toEqual([
      [size.id, "S"],
      [size.id, "M"],
      [colour.id, "Blue"],
      [colour.id, "Red"]
    ])
    expect((await shop.call("GET", `/v1/attributes/${size.id}`)).body.productCount).toBe(1)
  })

  it("takes the variants of the body by their options, makes the others, or none where it is told", async () => {
    const size = await attribute("Size", "S", "M", "L")
    const body = {
      attributes: [using(size)],
      variants: [
        { attributes: { [size.name.toUpperCase()]: "m" }, price: "25.00", sku: "M-1", inventory: { total: 4 } }
      ]
    }
    const all = await post(body)
    expect(all.body.variants.map(({ name, price }: Variant) => [name, price])).toEqual([
      ["S", "20.00"],
      ["M", "25.00"],
      ["L", "20.00"]
    ])
    expect(all.body.inventory.total).toBe(4)
    const one = await post({ ...body, generateVariants: false })
    expect(options(one.body)).toEqual(["M"])
    const later = await patch(one.body.id, { generateVariants: true })
    expect(options(later.body).sort()).toEqual(["L", "M", "S"])
  })

  it("gets the combinations that new options and attributes add, and keeps what was deleted away", async () => {
    const size = await attribute("Size", "S", "M", "L")
    const colour = await attribute("Colour", "Red", "Blue")
    const { body } = await post({ type: "VARIABLE", attributes: [using(size, "S", "M"), using(colour)] })
    const gone = body.variants.find(({ name }: Variant) => name === "M / Blue")
    await shop.call("DELETE", `/v1/products/${body.id}/variants/${gone.id}`)
    const same = await patch(body.id, { attributes: [using(size, "S", "M"), using(colour)] })
    expect(options(same.body)).toEqual(["S Red", "S Blue", "M Red"])
    const more = await patch(body.id, { attributes: [using(size), using(colour)] })
    expect(options(more.body)).toEqual(["S Red", "S Blue", "M Red", "L Red", "L Blue"])
    const cut = await attribute("Cut", "Slim", "Wide")
    const wider = await patch(body.id, { attributes: [using(cut), using(size), using(colour)] })
    const kept = wider.body.variants.filter(({ id }: Variant) =>
      more.body.variants.some((old: Variant) => old.id === id)
    )
    expect(options({ variants: kept })).toEqual([
      "Slim S Red",
      "Slim S Blue",
      "Slim M Red",
      "Slim L Red",
      "Slim L Blue"
    ])
    expect(wider.body.variants).toHaveLength(10)
    expect(options(wider.body)).not.toContain("Wide M Blue")
  })

  it("loses an attribute only where its variants stay apart, and an option only when no variant has it", async () => {
    const size = await attribute("Size", "S", "M")
    const colour = await attribute("Colour", "Red")
    const { body } = await post({ type: "VARIABLE", attributes: [using(size), using(colour)] })
    expect(problem(await patch(body.id, { attributes: [using(colour)] }))).toEqual([409, "CONFLICT", undefined])
    const small = body.variants[0].id
    expect(problem(await patch(body.id, { attributes: [using(size, "M"), using(colour)] }))).toEqual([
      400,
      "VALIDATION_FAILED",
      { attributes: `the variant ${small} has the option S: delete it first` }
    ])
    const both = { attributes: [using(size, "M"), using(colour)], variants: [{ id: small, _delete: true }] }
    expect(options((await patch(body.id, both)).body)).toEqual(["M Red"])
    const apart = await patch(body.id, { attributes: [using(size, "M")] })
    expect([options(apart.body), apart.body.variants[0].name]).toEqual([["M"], "M"])
    const free = await patch(body.id, { attributes: [] })
    expect([free.body.attributes, free.body.variants[0].attributes, free.body.variants[0].name]).toEqual([
      [],
      { [size.name]: "M" },
      "M"
    ])
  })

  it("takes up variants of free words by their names", async () => {
    const size = await attribute("Size", "Small", "Large")
    const { body } = await post({
      variants: [{ attributes: { [size.name]: "small" }, price: "7.00" }, { attributes: { [size.name]: "Large" } }]
    })
    const { body: after } = await patch(body.id, { attributes: [using(size)] })
    expect(after.variants.map(({ id, name, price }: Variant) => [id, name, price])).toEqual([
      [body.variants[0].id, "Small", "7.00"],
      [body.variants[1].id, "Large", "20.00"]
    ])
  })

  it("is refused beyond 500 variants before anything is kept", async () => {
    const numbers = Array.from({ length: 25 }, (_, i) => `${i + 1}`)
    const [a, b] = [await attribute("A", ...numbers), await attribute("B", ...numbers)]
    const tooMany = await post({ name: "Far too many", type: "VARIABLE", attributes: [using(a), using(b)] })
    expect(problem(tooMany)).toEqual([
      400,
      "VALIDATION_FAILED",
      { attributes: "would make 625 variants; a product has at most 500" }
    ])
    expect((await shop.call("GET", "/v1/products?search=far%20too%20many")).body.meta.total).toBe(0)
    const many = await post({ type: "VARIABLE", attributes: [using(a), using(b, ...numbers.slice(0, 16))] })
    expect([many.status, many.body.variants.length]).toEqual([201, 400])
  })

  it.each([
    ["an unknown option", (s: Made) => ({ attributes: [using(s, "opt_none")] }), "attributes.0.optionIds"],
    ["no option", (s: Made) => ({ attributes: [{ attributeId: s.id, optionIds: [] }] }), "attributes.0.optionIds"],
    ["an attribute twice", (s: Made) => ({ attributes: [using(s), using(s)] }), "attributes"],
    ["an option twice", (s: Made) => ({ attributes: [using(s, "S", "S")] }), "attributes.0.optionIds"],
    [
      "a variant without an option",
      (s: Made) => ({ attributes: [using(s)], variants: [{ price: 1 }] }),
      "variants.0.attributes"
    ],
    [
      "a variant of an attribute it has not",
      (s: Made) => ({ attributes: [using(s)], variants: [{ attributes: { [s.name]: "S", Fit: "x" } }] }),
      "variants.0.attributes.Fit"
    ]
  ])("with %s is refused by the name of the field", async (_what, bodyOf, field) => {
    const refused = await post({ type: "VARIABLE", ...bodyOf(await attribute("Size", "S", "M")) })
    expect([refused.status, Object.keys(refused.body.details.errors)]).toEqual([400, [field]])
  })

  it("takes and changes single variants by their options, and no combination twice", async () => {
    const size = await attribute("Size", "S", "M", "L")
    const { body } = await post({ type: "VARIABLE", attributes: [using(size)], generateVariants: false })
    const path = `/v1/products/${body.id}/variants`
    const small = await shop.call("POST", path, { body: { attributes: { [size.name]: "S" }, name: "Tiny" } })
    expect([small.status, small.body.name, small.body.attributes]).toEqual([201, "Tiny", { [size.name]: "S" }])
    const again = await shop.call("POST", path, { body: { attributes: { [size.name]: "s" } } })
    expect([again.status, again.body.code]).toEqual([409, "CONFLICT"])
    const bare = await shop.call("POST", path, { body: { price: 3 } })
    expect(problem(bare)).toEqual([400, "VALIDATION_FAILED", { attributes: `must name an option of ${size.name}` }])
    const moved = await shop.call("PATCH", `${path}/${small.body.id}`, {
      body: { attributes: { [size.name]: "L" }, name: "" }
    })
    expect([moved.body.name, moved.body.attributes]).toEqual(["L", { [size.name]: "L" }])
    const priced = await shop.call("PATCH", `${path}/${small.body.id}`, { body: { price: "3.00" } })
    expect([priced.body.name, priced.body.price, priced.body.attributes]).toEqual(["L", "3.00", { [size.name]: "L" }])
  })
})

describe("new names of attributes and options", () => {
  it("show on products, variants, carts and stock at once", async () => {
    const size = await attribute("Size", "S")
    const { body } = await post({
      status: "active",
      attributes: [using(size)],
      variants: [{ attributes: { [size.name]: "S" }, inventory: { total: 5 } }]
    })
    const cartId = await cartWith(body.id, body.variants[0].id)
    await shop.call("PATCH", `/v1/attributes/${size.id}`, {
      body: { name: `Length ${count}`, options: [{ id: size.options[0]?.id, name: "Short" }] }
    })
    const named = { [`Length ${count}`]: "Short" }
    const read = await shop.call("GET", `/v1/products/${body.id}`)
    expect([read.body.variants[0].name, read.body.variants[0].attributes]).toEqual(["Short", named])
    const shown = await shop.call("GET", `${storefront()}/products/${body.id}`)
    expect([shown.body.variants[0].name, shown.body.attributes[0].name]).toEqual(["Short", `Length ${count}`])
    const { body: cart } = await shop.call("GET", `${storefront()}/cart/${cartId}`)
    expect([cart.items[0].name, cart.items[0].attributes]).toEqual(["Shirt - Short", named])
    const stock = await shop.call("GET", `${storefront()}/inventory?productIds=${body.id}`)
    expect(stock.body.inventory[0].variants[0].name).toBe("Short")
  })
})

describe("deleting what variants have", () => {
  it("is refused with their number; by force they keep it and are sold on, and nothing new can take it up", async () => {
    const size = await attribute("Size", "S", "M")
    const { body } = await post({
      status: "active",
      attributes: [using(size)],
      variants: [{ attributes: { [size.name]: "S" }, inventory: { total: 5 } }]
    })
    const [small] = size.options
    const option = `/v1/attributes/${size.id}/options/${small?.id}`
    expect(problem(await shop.call("DELETE", option))).toEqual([409, "CONFLICT", { variantCount: 1 }])
    expect(problem(await shop.call("DELETE", `/v1/attributes/${size.id}`))).toEqual([
      409,
      "CONFLICT",
      { variantCount: 2 }
    ])
    const inPatch = { options: [{ id: small?.id, _delete: true }] }
    expect(problem(await shop.call("PATCH", `/v1/attributes/${size.id}`, { body: inPatch }))).toEqual([
      409,
      "CONFLICT",
      { variantCount: 1 }
    ])
    expect((await shop.call("DELETE", `${option}?force=true`)).status).toBe(200)
    const { body: kept } = await shop.call("GET", `/v1/products/${body.id}`)
    expect([options(kept), kept.productAttributeOptions.map((one: { name: string }) => one.name)]).toEqual([
      ["S", "M"],
      ["M"]
    ])
    const cartId = await cartWith(body.id, body.variants[0].id)
    expect((await shop.call("GET", `${storefront()}/cart/${cartId}`)).body.items[0].name).toBe("Shirt - S")
    expect((await post({ type: "VARIABLE", attributes: [using(size, "S")] })).status).toBe(400)
    expect((await shop.call("POST", `/v1/attributes/${size.id}/options`, { body: { name: "S" } })).status).toBe(201)

    expect((await shop.call("DELETE", `/v1/attributes/${size.id}?force=true`)).status).toBe(200)
    const { body: bare } = await shop.call("GET", `/v1/products/${body.id}`)
    expect([options(bare), bare.attributes]).toEqual([["S", "M"], []])
    // A new attribute of the name takes the variants up by their words.
    const { body: again } = await shop.call("POST", "/v1/attributes", {
      body: { name: size.name, options: [{ name: "S" }, { name: "M" }] }
    })
    const { body: taken } = await patch(body.id, { attributes: [using(again)] })
    expect([options(taken), taken.variants[0].id]).toEqual([["S", "M"], body.variants[0].id])
  })

  it("does not count the variants of deleted products", async () => {
    const size = await attribute("Size", "S")
    const { body } = await post({ type: "VARIABLE", attributes: [using(size)] })
    await shop.call("DELETE", `/v1/products/${body.id}`)
    expect((await shop.call("DELETE", `/v1/attributes/${size.id}`)).status).toBe(200)
  })
})

describe("the preview of a product's variants", () => {
  it("answers what a PATCH would leave and make, and changes nothing", async () => {
    const size = await attribute("Size", "S", "M")
    const colour = await attribute("Colour", "Red", "Blue")
    const { body } = await post({ sku: "SH", type: "VARIABLE", attributes: [using(size)] })
    const preview = (asked: object) => shop.call("POST", `/v1/products/${body.id}/variants/preview`, { body: asked })
    const attributes = [using(size), using(colour)]
    const { status, body: shown } = await preview({ attributes })
    expect([status, shown.newCount, shown.total]).toEqual([200, 2, 4])
    expect(shown.variants[0]).toEqual({
      variantId: body.variants[0].id,
      name: "S / Red",
      attributes: { [size.name]: "S", [colour.name]: "Red" },
      sku: "SH-S",
      price: "20.00"
    })
    expect(
      shown.variants.slice(2).map((one: { variantId: string | null } & Variant) => [one.variantId, one.name, one.sku])
    ).toEqual([
      [null, "S / Blue", "SH-S-BLUE"],
      [null, "M / Blue", "SH-M-BLUE"]
    ])
    expect((await shop.call("GET", `/v1/products/${body.id}`)).body).toEqual(body)
    const after = await patch(body.id, { attributes })
    expect(options(after.body)).toEqual(["S Red", "M Red", "S Blue", "M Blue"])
    await shop.call("DELETE", `/v1/products/${body.id}/variants/${after.body.variants[3].id}`)
    expect((await preview({})).body).toMatchObject({ newCount: 1, total: 4 })
    expect((await preview({ attributes: [using(size, "S"), using(colour)] })).status).toBe(400)
  })
})

describe("storefront lists", () => {
  it("count and filter by the options of active variants, and by those that describe a SIMPLE product", async () => {
    const size = await attribute("Size", "S", "M")
    await post({ name: "Sized", status: "active", type: "VARIABLE", attributes: [using(size, "S")] })
    await post({ name: "Simple", status: "active", attributes: [using(size, "S", "M")] })
    const list = async (query: string) => (await shop.call("GET", `${storefront()}/products?${query}`)).body
    const names = async (query: string) =>
      (await list(query)).data.map(({ name }: { readonly name: string }) => name).sort()
    const filter = `attr.${encodeURIComponent(size.name)}`
    expect(await names(`${filter}=s`)).toEqual(["Simple", "Sized"])
    expect(await names(`${filter}=M`)).toEqual(["Simple"])
    const { facets } = await list("facets=true&limit=1")
    const facet = facets.attributes.find(({ id }: Made) => id === size.id)
    expect([facet.name, facet.options.map((one: { name: string; count: number }) => [one.name, one.count])]).toEqual([
      size.name,
      [
        ["S", 2],
        ["M", 1]
      ]
    ])
    await shop.call("PATCH", `/v1/attributes/${size.id}`, { body: { isActive: false } })
    const hidden = (await list("facets=true&limit=1")).facets.attributes
    expect(hidden.some(({ id }: Made) => id === size.id)).toBe(false)
    expect(await names(`${filter}=s`)).toEqual([])
  })
})
