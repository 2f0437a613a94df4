import { Brands } from "@effect-commerce/core/taxonomy/Brands"
import { Categories } from "@effect-commerce/core/taxonomy/Categories"
import { Products } from "@effect-commerce/core/product/Products"
import { type CoreServices } from "@effect-commerce/core/CommerceCore"
import { CustomerAddresses } from "@effect-commerce/core/customer/CustomerAddresses"
import { Customers } from "@effect-commerce/core/customer/Customers"
import { Database } from "@effect-commerce/core/database/Database"
import { ShippingClasses } from "@effect-commerce/core/shipping/ShippingClasses"
import { ShippingZones } from "@effect-commerce/core/shipping/ShippingZones"
import { Reviews } from "@effect-commerce/core/review/Reviews"
import { Regions } from "@effect-commerce/core/store/Regions"
import type { StoreContext } from "@effect-commerce/core/store/StoreContext"
import { Stores } from "@effect-commerce/core/store/Stores"
import { TaxRates } from "@effect-commerce/core/tax/TaxRates"
import { Effect } from "effect"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { demoStore } from "../src/demo/demoStore.ts"
import { loadInto } from "../src/seed.ts"
import { refusals } from "./seedRefusals.ts"
import { openSeeding } from "./seeding.ts"

let seeding: Awaited<ReturnType<typeof openSeeding>>
let store: StoreContext

beforeAll(async () => {
  seeding = await openSeeding()
})
afterAll(() => seeding.close())
beforeEach(async () => {
  store = await seeding.newStore()
})

const run = <A, E>(effect: Effect.Effect<A, E, CoreServices>): Promise<A> => seeding.run(effect)
const load = (document: unknown) => seeding.load(store, document)
const refusal = (document: unknown) => seeding.refusal(store, document)
const productOf = (externalId: string) => seeding.productOf(store, externalId)
const rowsOf = (table: string) =>
  run(
    Effect.flatMap(
      Database,
      ({ sql }) =>
        sql<{ readonly n: number }>`SELECT count(*)::int AS n FROM ${sql(table)} WHERE store_id = ${store.id}`
    )
  ).then((rows) => rows[0]?.n)

describe("a store description", () => {
  it("is loaded with its references, in whatever order its rows stand", async () => {
    const seeded = await load({
      products: [
        {
          externalId: "cup",
          name: "Cup",
          basePrice: "4.50",
          categories: ["cups"],
          related: ["pot"],
          taxClassId: "food",
          inventory: { total: 7 }
        },
        { externalId: "pot", name: "Pot", basePrice: 30, categories: ["ware"] }
      ],
      categories: [
        { externalId: "cups", name: "Cups", parentId: "ware" },
        { externalId: "ware", name: "Ware" }
      ],
      taxRates: [{ externalId: "de-food", name: "Reduced", country: "DE", rate: 7, taxClassId: "Reduced goods" }],
      taxClasses: [{ externalId: "food", name: "Reduced goods" }],
      shippingZones: [
        {
          externalId: "de",
          name: "Germany",
          countries: ["DE"],
          rates: [{ externalId: "dhl", name: "Parcel", type: "FLAT", rateConfig: { amount: "4.90" } }]
        }
      ]
    })
    expect(seeded).toEqual({
      created: { categories: 2, taxClasses: 1, taxRates: 1, shippingZones: 1, products: 2 },
      updated: { categories: 0, taxClasses: 0, taxRates: 0, shippingZones: 0, products: 0 }
    })
    const [cup, pot] = [await productOf("cup"), await productOf("pot")]
    expect(cup).toMatchObject({ basePrice: "4.50", related: [pot.id], inventory: { total: 7 } })
    const tree = await run(Categories.use((categories) => categories.tree(store)))
    expect(tree).toMatchObject([{ name: "Ware", children: [{ name: "Cups", children: [] }] }])
    const [rate] = await run(TaxRates.use((rates) => rates.list(store)))
    expect(rate).toMatchObject({ rate: "7", taxClassId: cup.taxClassId })
    const zones = await run(ShippingZones.use((all) => all.list(store, {}, { page: 1, limit: 20 })))
    expect(zones.items).toMatchObject([
      { name: "Germany", rates: [{ name: "Parcel", rateConfig: { amount: "4.90" } }] }
    ])
  })

  it("changes the rows it names by their externalId, whatever else of them changed, and leaves the others alone", async () => {
    const first = {
      categories: [{ externalId: "a", name: "A" }],
      taxRates: [{ externalId: "vat", name: "VAT", country: "DE", rate: 19 }],
      shippingZones: [
        {
          externalId: "z",
          name: "Zone",
          countries: ["DE"],
          rates: [{ name: "Parcel", type: "FLAT", rateConfig: { amount: "4.90" } }]
        }
      ],
      products: [
        { externalId: "p", name: "Tea", basePrice: "4.50" },
        { externalId: "q", name: "Salt", basePrice: "1.00" }
      ]
    }
    await load(first)
    const second = await load({
      categories: [{ externalId: "a", name: "B" }],
      taxRates: [{ externalId: "vat", name: "Umsatzsteuer", country: "AT", rate: 20 }],
      shippingZones: [
        {
          externalId: "z",
          name: "Austria",
          countries: ["AT"],
          rates: [{ name: "Parcel", type: "FLAT", rateConfig: { amount: "6.90" } }]
        }
      ],
      products: [{ externalId: "p", name: "Green tea", basePrice: "5.00" }]
    })
    expect(second).toEqual({
      created: { categories: 0, taxRates: 0, shippingZones: 0, products: 0 },
      updated: { categories: 1, taxRates: 1, shippingZones: 1, products: 1 }
    })
    expect(await run(TaxRates.use((rates) => rates.list(store)))).toMatchObject([
      { name: "Umsatzsteuer", country: "AT", rate: "20" }
    ])
    const zones = await run(ShippingZones.use((all) => all.list(store, {}, { page: 1, limit: 20 })))
    expect(zones.items).toMatchObject([
      { name: "Austria", countries: ["AT"], rates: [{ name: "Parcel", rateConfig: { amount: "6.90" } }] }
    ])
    expect(zones.items[0]?.rates.length).toBe(1)
    expect([(await productOf("p")).name, (await productOf("q")).name]).toEqual(["Green tea", "Salt"])
    expect([await rowsOf("category"), await rowsOf("product")]).toEqual([1, 2])
  })

  it("brings variants up to date by externalId or SKU, adds new ones, and does not touch stock", async () => {
    const small = { externalId: "s", sku: "TEE-S", attributes: { Size: "S" }, price: "10.00", inventory: { total: 5 } }
    const large = { sku: "TEE-L", attributes: { Size: "L" }, price: "12.00", inventory: { total: 3 } }
    await load({
      products: [{ externalId: "tee", name: "Tee", basePrice: "10.00", type: "VARIABLE", variants: [small, large] }]
    })
    const before = await productOf("tee")
    await load({
      products: [
        {
          externalId: "tee",
          name: "Tee",
          basePrice: "10.00",
          type: "VARIABLE",
          variants: [
            { ...small, sku: "TEE-SMALL", price: "11.00", inventory: { total: 500 } },
            { ...large, price: "12" },
            { externalId: "xl", sku: "TEE-XL", attributes: { Size: "XL" }, price: "13.00", inventory: { total: 2 } }
          ]
        }
      ]
    })
    const after = await productOf("tee")
    expect(after.variants.map(({ sku, price, inventory }) => [sku, price, inventory.total])).toEqual([
      ["TEE-SMALL", "11.00", 5],
      ["TEE-L", "12.00", 3],
      ["TEE-XL", "13.00", 2]
    ])
    expect(after.variants.slice(0, 2).map(({ id }) => id)).toEqual(before.variants.map(({ id }) => id))
    expect(after.variants[1]?.updatedAt).toBe(before.variants[1]?.updatedAt)
  })

  it("may begin with a byte order mark, as editors write it", async () => {
    expect(
      (await load(`\uFEFF${JSON.stringify({ categories: [{ externalId: "a", name: "Café 💡" }] })}`)).created
    ).toEqual({ categories: 1 })
  })

  it("belongs to one store: the same externalId in another store is another row", async () => {
    await load({
      taxRates: [{ externalId: "vat", name: "VAT", country: "DE", rate: 19 }],
      products: [{ externalId: "p", name: "Tea", basePrice: "1.00" }]
    })
    const first = store
    store = await run(Stores.use((stores) => stores.create({ name: "Other", currency: "JPY", country: "JP" })))
    const seeded = await load({
      taxRates: [{ externalId: "vat", name: "Tax", country: "JP", rate: 10 }],
      products: [{ externalId: "p", name: "Tea", basePrice: 100 }]
    })
    expect(seeded.created).toEqual({ taxRates: 1, products: 1 })
    expect(await run(TaxRates.use((rates) => rates.list(first)))).toMatchObject([{ name: "VAT" }])
  })

  it("holds shipping classes, which rates and products name, and customers with the addresses they begin with", async () => {
    const document = {
      customers: [
        {
          externalId: "c-1",
          email: "Ada@Mugs.example",
          firstName: "Ada",
          addresses: [
            { line1: "1 Main St", city: "Ulm", country: "DE" },
            { line1: "2 Side St", city: "Ulm", country: "DE", label: "Work", isDefault: true }
          ]
        }
      ],
      products: [{ externalId: "sofa", name: "Sofa", basePrice: "400.00", shippingClassId: "bulky" }],
      shippingZones: [
        {
          externalId: "de",
          name: "Germany",
          countries: ["DE"],
          rates: [{ name: "Truck", type: "FLAT", rateConfig: { amount: "9.00" }, classCosts: { bulky: "30.00" } }]
        }
      ],
      shippingClasses: [{ externalId: "bulky", name: "Bulky goods" }]
    }
    expect(await load(document)).toEqual({
      created: { shippingClasses: 1, shippingZones: 1, products: 1, customers: 1 },
      updated: { shippingClasses: 0, shippingZones: 0, products: 0, customers: 0 }
    })
    const [bulky] = (await run(ShippingClasses.use((all) => all.list(store, { page: 1, limit: 20 })))).items
    expect([bulky?.name, bulky?.slug, (await productOf("sofa")).shippingClassId]).toEqual([
      "Bulky goods",
      "bulky-goods",
      bulky?.id
    ])
    const zones = await run(ShippingZones.use((all) => all.list(store, {}, { page: 1, limit: 20 })))
    expect(zones.items[0]?.rates[0]?.classCosts).toEqual({ [bulky?.id ?? ""]: "30.00" })
    const ada = await run(Customers.use((customers) => customers.getByEmail(store, "ada@mugs.example")))
    const book = await run(CustomerAddresses.use((addresses) => addresses.list(store, ada.id)))
    expect(book.map(({ line1, label, isDefault }) => [line1, label, isDefault])).toEqual([
      ["2 Side St", "Work", true],
      ["1 Main St", null, false]
    ])

    const again = await load({
      shippingClasses: [{ externalId: "bulky", name: "Big goods", slug: "big" }],
      customers: [{ ...document.customers[0], email: "ada@tea.example", lastName: "Byron" }]
    })
    expect(again).toEqual({
      created: { shippingClasses: 0, customers: 0 },
      updated: { shippingClasses: 1, customers: 1 }
    })
    const moved = await run(Customers.use((customers) => customers.getByEmail(store, "ada@tea.example")))
    expect([moved.id, moved.firstName, moved.lastName]).toEqual([ada.id, "Ada", "Byron"])
    expect((await run(CustomerAddresses.use((addresses) => addresses.list(store, ada.id)))).length).toBe(2)
    expect([await rowsOf("shipping_class"), await rowsOf("customer")]).toEqual([1, 1])
  })

  it("holds brands, which products name; one made by hand is found by its name", async () => {
    const byHand = await run(Brands.use((brands) => brands.create(store, { name: "Elm" })))
    const document = {
      products: [{ externalId: "chair", name: "Chair", basePrice: "80.00", brands: ["oak", "elm"] }],
      brands: [
        { externalId: "oak", name: "Oak", slug: "oak-and-sons", translations: { de: { name: "Eiche" } } },
        { externalId: "elm", name: "Elm", logo: "https://cdn.example.com/elm.png" }
      ]
    }
    expect(await load(document)).toEqual({
      created: { brands: 1, products: 1 },
      updated: { brands: 1, products: 0 }
    })
    const chair = await productOf("chair")
    expect(chair.brands.map(({ name }) => name)).toEqual(["Oak", "Elm"])
    expect(chair.brands[1]?.id).toBe(byHand.id)
    await load({ brands: [{ externalId: "elm", name: "Elm & Co" }] })
    await load({ products: [{ ...document.products[0], brands: ["elm"] }] })
    const renamed = { id: byHand.id, name: "Elm & Co", slug: "elm", translations: {} }
    expect((await productOf("chair")).brands).toEqual([renamed])
    await run(Brands.use((brands) => brands.remove(store, byHand.id)))
    expect((await load({ brands: [{ externalId: "elm", name: "Elm" }] })).created).toEqual({ brands: 1 })
  })

  it("holds modifier groups, which products attach; modifiers are found by their names", async () => {
    const toppings = {
      externalId: "toppings",
      name: "Toppings",
      selectionType: "MULTIPLE",
      freeQuantity: 1,
      modifiers: [
        { name: "Olives", priceDelta: "1.00" },
        { name: "Ham", priceDelta: "2.00" }
      ]
    }
    const pizza = {
      externalId: "pizza",
      name: "Pizza",
      basePrice: "10.00",
      modifierGroups: [{ groupId: "toppings", maxOverride: 3, defaultModifierIds: ["Ham"] }]
    }
    expect((await load({ products: [pizza], modifierGroups: [toppings] })).created).toEqual({
      modifierGroups: 1,
      products: 1
    })
    const made = await productOf("pizza")
    const [group] = made.modifierGroups
    expect(group).toMatchObject({ name: "Toppings", maxOverride: 3, defaultModifierIds: [group?.modifiers[1]?.id] })
    const dearer = { name: "Olives", priceDelta: "1.50", referencedProductId: "pizza" }
    const again = { ...toppings, name: "Extras", modifiers: [dearer, { name: "Basil" }] }
    expect((await load({ modifierGroups: [again] })).updated).toEqual({ modifierGroups: 1 })
    expect((await load({ products: [pizza] })).updated).toEqual({ products: 1 })
    const after = await productOf("pizza")
    expect(after.modifierGroups).toMatchObject([
      {
        attachmentId: group?.attachmentId,
        name: "Extras",
        defaultModifierIds: group?.defaultModifierIds,
        modifiers: [
          { id: group?.modifiers[0]?.id, name: "Olives", priceDelta: "1.50", referencedProductId: made.id },
          { id: group?.modifiers[1]?.id, name: "Ham", priceDelta: "2.00" },
          { name: "Basil", priceDelta: "0.00" }
        ]
      }
    ])
  })

  it("holds metafield definitions, which are found by their keys, and values of products, also of attached ones", async () => {
    const material = {
      externalId: "m-1",
      key: "material",
      name: "Material",
      type: "SELECT",
      filterable: true,
      enumValues: [{ value: "oak" }, { value: "ash" }]
    }
    const seats = { externalId: "m-2", key: "seats", name: "Seats", type: "NUMBER", productIds: ["sofa"] }
    const document = {
      products: [
        { externalId: "sofa", name: "Sofa", basePrice: "400.00", metafields: { material: "oak", seats: 3 } },
        { externalId: "lamp", name: "Lamp", basePrice: "40.00", metafields: { material: "ash" } }
      ],
      metafieldDefinitions: [material, seats]
    }
    const valuesOf = async (externalId: string) => (await productOf(externalId)).metafields
    expect((await load(document)).created).toEqual({ metafieldDefinitions: 2, products: 2 })
    expect([await valuesOf("sofa"), await valuesOf("lamp")]).toEqual([
      { material: "oak", seats: 3 },
      { material: "ash" }
    ])
    const again = {
      products: [{ ...document.products[1], metafields: { seats: 1 } }],
      metafieldDefinitions: [{ ...seats, externalId: "other", name: "Places", productIds: ["sofa", "lamp"] }]
    }
    expect((await load(again)).updated).toEqual({ metafieldDefinitions: 1, products: 1 })
    expect(await valuesOf("lamp")).toEqual({ material: "ash", seats: 1 })
    expect(await rowsOf("metafield_definition")).toBe(2)
  })

  it("holds regions, which zones name", async () => {
    const document = {
      shippingZones: [{ externalId: "de", name: "Germany", countries: ["DE"], regionIds: ["eu"] }],
      taxRates: [{ externalId: "vat", name: "VAT", country: "DE", rate: 19 }],
      regions: [
        { externalId: "eu", name: "Europe", currency: "EUR", countries: ["DE"], taxInclusive: true, isDefault: true }
      ]
    }
    expect((await load(document)).created).toEqual({ regions: 1, taxRates: 1, shippingZones: 1 })
    const [region] = (await run(Regions.use((regions) => regions.list(store, { page: 1, limit: 20 })))).items
    const zones = await run(ShippingZones.use((all) => all.list(store, {}, { page: 1, limit: 20 })))
    expect(zones.items[0]?.regionIds).toEqual([region?.id])
    expect(await run(TaxRates.use((rates) => rates.list(store)))).toMatchObject([{ isInclusive: true }])
    expect(
      (await load({ regions: [{ ...document.regions[0], name: "EU", countries: ["DE", "AT"] }] })).updated
    ).toEqual({
      regions: 1
    })
    const [renamed] = (await run(Regions.use((regions) => regions.list(store, { page: 1, limit: 20 })))).items
    expect([renamed?.id, renamed?.name, renamed?.countries]).toEqual([region?.id, "EU", ["DE", "AT"]])
  })

  it("holds reviews of products, by customers or by others, and keeps their words", async () => {
    const document = {
      reviews: [
        { externalId: "r1", productId: "tea", customerId: "ada", rating: 5, body: "Fresh.", status: "APPROVED" },
        { externalId: "r2", productId: "tea", authorName: "Bob", rating: 2, body: "Dry.", status: "APPROVED" },
        { externalId: "r3", productId: "tea", rating: 1, body: "Late." }
      ],
      customers: [{ externalId: "ada", email: "ada@mugs.example", firstName: "Ada" }],
      products: [{ externalId: "tea", name: "Tea", basePrice: "4.00" }]
    }
    expect((await load(document)).created).toEqual({ products: 1, customers: 1, reviews: 3 })
    const tea = await productOf("tea")
    expect([tea.avgRating, tea.reviewCount]).toEqual([3.5, 2])
    const again = await load({
      reviews: [
        { ...document.reviews[0], body: "Changed.", reply: "Thank you!" },
        { ...document.reviews[1], status: "REJECTED" }
      ]
    })
    expect(again.updated).toEqual({ reviews: 2 })
    const listed = await run(
      Reviews.use((reviews) =>
        reviews.list(store, { productId: tea.id }, { sortBy: "rating", descending: true }, { page: 1, limit: 20 })
      )
    )
    expect(listed.items.map(({ authorName, body, status, reply }) => [authorName, body, status, reply])).toEqual([
      ["Ada", "Fresh.", "APPROVED", "Thank you!"],
      ["Bob", "Dry.", "REJECTED", null],
      [null, "Late.", "PENDING", null]
    ])
    expect((await productOf("tea")).avgRating).toBe(5)
  })

  it("finds customers who registered and classes made by hand, and forgets the id of a customer who is deleted", async () => {
    const made = await run(Customers.use((customers) => customers.create(store, { email: "ada@mugs.example" })))
    const classed = await run(ShippingClasses.use((all) => all.create(store, { name: "Bulky" })))
    const document = {
      customers: [{ externalId: "c-1", email: "ADA@mugs.example", firstName: "Ada" }],
      shippingClasses: [{ externalId: "b", name: "Bulky" }]
    }
    expect((await load(document)).updated).toEqual({ customers: 1, shippingClasses: 1 })
    expect((await run(Customers.use((customers) => customers.get(store, made.id)))).firstName).toBe("Ada")
    await load({ shippingClasses: [{ externalId: "b", name: "Renamed" }] })
    expect((await run(ShippingClasses.use((all) => all.get(store, classed.id)))).name).toBe("Renamed")
    await run(Customers.use((customers) => customers.remove(store, made.id)))
    expect((await load({ customers: document.customers })).created).toEqual({ customers: 1 })
  })

  it("loads attributes and the products of their options, and brings both up to date", async () => {
    const document = {
      attributes: [
        { externalId: "size", name: "Size", options: [{ name: "S" }, { name: "M", externalId: "medium" }] },
        { externalId: "cut", name: "Cut", options: [{ name: "Slim" }] }
      ],
      products: [
        {
          externalId: "shirt",
          name: "Shirt",
          basePrice: "20.00",
          attributes: [{ attributeId: "size", optionIds: ["S", "medium"] }],
          variants: [{ attributes: { Size: "M" }, price: "22.00", externalId: "shirt-m" }]
        }
      ]
    }
    expect((await load(document)).created).toEqual({ attributes: 2, products: 1 })
    const pricesOf = async () => (await productOf("shirt")).variants.map(({ name, price }) => [name, price])
    expect(await pricesOf()).toEqual([
      ["S", "20.00"],
      ["M", "22.00"]
    ])
    const again = {
      attributes: [{ externalId: "size", name: "Length", options: [{ name: "Medium", externalId: "medium" }] }],
      products: [{ ...document.products[0], variants: [] }]
    }
    expect((await load(again)).updated).toEqual({ attributes: 1, products: 1 })
    expect(await pricesOf()).toEqual([
      ["S", "20.00"],
      ["Medium", "22.00"]
    ])
    const alone = { externalId: "belt", name: "Belt", attributes: [{ attributeId: "cut", optionIds: ["Slim"] }] }
    expect((await load({ products: [alone] })).created).toEqual({ products: 1 })
    expect((await productOf("belt")).attributes.map(({ name }) => name)).toEqual(["Cut"])
  })

  it("loads metafield definitions, which products name by their keys", async () => {
    const wood = { externalId: "wood", name: "Wood", key: "wood", type: "SELECT", enumValues: [{ value: "oak" }] }
    const stool = { externalId: "stool", name: "Stool", basePrice: "5.00", metafields: { wood: "oak" } }
    const both = { metafieldDefinitions: 1, products: 1 }
    expect((await load({ products: [stool], metafieldDefinitions: [wood] })).created).toEqual(both)
    const again = { ...wood, name: "Timber", productIds: ["stool"] }
    expect((await load({ metafieldDefinitions: [again] })).updated).toEqual({ metafieldDefinitions: 1 })
    expect((await productOf("stool")).metafields).toEqual({ wood: "oak" })
  })

  it.each(refusals)("is refused with its row and field, and nothing of it is kept: %j", async (document, line) => {
    expect(await refusal(document)).toContain(line)
    expect([
      await rowsOf("product"),
      await rowsOf("category"),
      await rowsOf("tax_rate"),
      await rowsOf("shipping_zone"),
      await rowsOf("shipping_class"),
      await rowsOf("customer"),
      await rowsOf("event")
    ]).toEqual([0, 0, 0, 0, 0, 0, 0])
  })

  it("makes kits after what they are made of, by the external ids of products and variants", async () => {
    const kit = {
      externalId: "set",
      name: "Set",
      type: "KIT",
      kitPricingMode: "COMPONENTS",
      kitDiscountValue: "5",
      kitComponents: [
        { productId: "mug", quantity: 2 },
        { productId: "shirt", variantId: "shirt-m", quantity: 1 }
      ]
    }
    const document = {
      products: [
        kit,
        { externalId: "mug", name: "Mug", status: "active", basePrice: "10.00" },
        {
          externalId: "shirt",
          name: "Shirt",
          status: "active",
          type: "VARIABLE",
          basePrice: "20.00",
          variants: [{ externalId: "shirt-m", attributes: { Size: "M" } }]
        }
      ]
    }
    expect((await load(document)).created["products"]).toBe(3)
    expect((await load(document)).updated["products"]).toBe(3)
    const made = await run(Products.use((products) => products.get(store, { slug: "set" }, "admin")))
    expect([made.basePrice, made.kitComponents.map(({ quantity }) => quantity)]).toEqual(["38.00", [2, 1]])
    expect(
      await refusal({ products: [{ ...kit, externalId: "set-2", kitComponents: [{ productId: "x", quantity: 1 }] }] })
    ).toContain("kitComponents.0.productId x is not a product of this store")
  })

  it("of the demo store holds more than 200 goods, the taxes of US states, EU countries and Canada, and zones", async () => {
    const seeded = await run(Effect.suspend(() => loadInto(store.id, demoStore)))
    expect(seeded.created["products"]).toBeGreaterThanOrEqual(200)
    const { sql } = await run(Database)
    const known = sql<{ readonly rows: number }>`SELECT reltuples AS rows FROM pg_class WHERE oid = 'product'::regclass`
    expect((await run(known))[0]?.rows, "PostgreSQL plans for as many as there are").toBeGreaterThanOrEqual(200)
    const rates = await run(TaxRates.use((all) => all.list(store)))
    const regionsOf = (country: string) =>
      new Set(rates.filter((rate) => rate.country === country).map((rate) => rate.region))
    expect([regionsOf("US").size, regionsOf("CA").size]).toEqual([46, 10])
    expect(new Set(rates.map((rate) => rate.country)).size).toBe(29)
    const again = await run(Effect.suspend(() => loadInto(store.id, demoStore)))
    expect(again.created).toEqual(Object.fromEntries(Object.keys(seeded.created).map((section) => [section, 0])))
    expect(again.updated).toEqual(seeded.created)
    expect(await rowsOf("product")).toBe(seeded.created["products"])
  })
})
