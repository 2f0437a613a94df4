/**
 * The demo store: more than two hundred goods in a tree of departments, in English and German, with brands, attributes,
 * fields of its own, modifiers, reviews, variants, sale windows, stock, taxes, regions, shipping, and what it gives its
 * shoppers. The same `now` gives the same store.
 */
import { type Department, departments } from "./departments.ts"
import { modifierGroups, modifierGroupsOf } from "./extras.ts"
import { metafieldDefinitions, metafieldsOf } from "./fields.ts"
import { departmentsInGerman, inGerman } from "./german.ts"
import { demoKits } from "./kits.ts"
import { brands, brandsOf } from "./makers.ts"
import { customers, isTalkedAbout, reviewsOf } from "./opinions.ts"
import { bundleOffersOf, coupons, giftCards, loyalty, promotions } from "./offers.ts"
import { attributes, attributesOf } from "./options.ts"
import { regions } from "./regions.ts"
import type { SeedDocument } from "./SeedDocument.ts"
import { inShopOrder } from "./shopWindow.ts"
import { shippingZones, taxRates } from "./taxesAndZones.ts"

type Product = NonNullable<SeedDocument["products"]>[number]

const day = 86_400_000

/** A small number made from a text: stock counts and sales that look random and are always the same. */
const scatter = (text: string): number =>
  [...text].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9_973, 7)

const cents = (price: number): string => price.toFixed(2)

/** Days from now at which a sale begins. */
const saleStarts = (chance: number): number => [-7, -3, -7, 7, -30][chance % 5] ?? 0

/** One good in seven is on sale: now, soon, or not any more. */
const saleOf = (price: number, chance: number, now: number) => {
  if (chance % 7 !== 0) return {}
  const starts = now + saleStarts(chance) * day
  return {
    salePrice: cents(Math.round(price * 80) / 100),
    salePriceStartsAt: new Date(starts).toISOString(),
    salePriceEndsAt: new Date(starts + 21 * day).toISOString()
  }
}

/** Some goods are sold out, some are low in stock, some can be backordered. */
const inventoryOf = (chance: number) => {
  const total = chance % 17 === 0 ? 0 : chance % 9 === 0 ? 1 + (chance % 4) : 6 + (chance % 90)
  const backorder =
    chance % 23 === 0
      ? { backorderMode: "LIMITED", backorderLimit: 10 }
      : chance % 29 === 0
        ? { backorderMode: "ALLOW" }
        : {}
  return { trackingMode: "TRACKED", total, lowStockThreshold: 5, ...backorder }
}

const combinationsOf = (
  options: Readonly<Record<string, ReadonlyArray<string>>>
): ReadonlyArray<Record<string, string>> =>
  Object.entries(options).reduce<ReadonlyArray<Record<string, string>>>(
    (made, [name, values]) => made.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    [{}]
  )

const variantsOf = (sku: string, price: number, options: NonNullable<Department["options"]>) =>
  combinationsOf(options).map((attributes, i) => ({
    externalId: `${sku}-${i + 1}`,
    sku: `${sku}-${i + 1}`,
    attributes,
    price: cents(attributes["Size"] === "King" || attributes["Size"] === "XL" ? price * 1.1 : price),
    inventory: inventoryOf(scatter(`${sku}-${i}`))
  }))

const tagsOf = (chance: number): ReadonlyArray<string> => [
  ...(chance % 7 === 0 ? ["bestseller"] : []),
  ...(chance % 5 === 0 ? ["gift"] : []),
  ...(chance % 13 === 0 ? ["new"] : [])
]

/** The first word of a name is that of its series: goods of a series belong together. */
const seriesOf = (name: string): string => name.split(" ")[0] ?? ""

const relatedTo = ({ externalId, name }: Product, goods: ReadonlyArray<Product>): ReadonlyArray<string> =>
  goods
    .filter((other) => other.externalId !== externalId && seriesOf(other.name) === seriesOf(name))
    .map((other) => other.externalId)
    .slice(0, 4)

const gtinOf = (serial: number): string => {
  const body = `20${String(serial).padStart(10, "0")}`
  const sum = [...body].reduce((total, digit, i) => total + Number(digit) * (i % 2 === 0 ? 1 : 3), 0)
  return `${body}${(10 - (sum % 10)) % 10}`
}

const productOf = (department: Department, row: string, serial: number, now: number): Product => {
  const [name = "", amount = "0", kilograms = "0", special = "", colours] = row.split("|")
  const options = {
    ...department.options,
    ...(colours === undefined ? {} : { Colour: colours.split(", ") })
  }
  const price = Number(amount)
  const chance = scatter(name)
  const sku = `${department.id.slice(0, 3).toUpperCase()}-${String(serial).padStart(4, "0")}`
  const common = {
    externalId: `demo-${sku.toLowerCase()}`,
    name,
    sku,
    description: `${special}. ${department.promise}`,
    descriptionFormat: "text",
    metaDescription: `${name}: ${special.charAt(0).toLowerCase()}${special.slice(1)}.`,
    basePrice: cents(price),
    costPrice: cents(Math.round(price * 42) / 100),
    shippingWeightValue: Number(kilograms),
    shippingWeightUnit: "kg",
    categories: [department.id],
    brands: brandsOf(department.id),
    tags: tagsOf(chance),
    metafields: metafieldsOf({ department: department.id, name, special, colour: colours?.split(", ")[0] }),
    modifierGroups: modifierGroupsOf(department.id, name),
    translations: { de: { name: inGerman(name), description: departmentsInGerman[department.id]?.promise } },
    status: chance % 41 === 0 ? "draft" : "active",
    ...(chance % 3 === 0 ? { gtin: gtinOf(serial) } : {}),
    ...(name.startsWith("Seed tin") ? { taxBehavior: "exempt" } : {})
  }
  return Object.keys(options).length === 0
    ? { ...common, type: "SIMPLE", ...saleOf(price, chance, now), inventory: inventoryOf(chance) }
    : {
        ...common,
        type: "VARIABLE",
        attributes: attributesOf(options),
        variants: variantsOf(sku, price, options)
      }
}

const goodsAt = (now: number): ReadonlyArray<Product> => {
  let serial = 0
  return departments.flatMap((department) =>
    department.goods
      .split("\n")
      .filter((row) => row !== "")
      .map((row) => productOf(department, row, ++serial, now))
  )
}

/** `now` in epoch milliseconds: the sale windows lie around it. */
export const demoStore = (now: number): SeedDocument => {
  const goods = goodsAt(now)
  const reviews = reviewsOf(goods, scatter)
  const products = goods.map((good) => (isTalkedAbout(good.name) ? { ...good, related: relatedTo(good, goods) } : good))
  const categories = departments.map(({ id, name, description, parent }) => {
    const german = departmentsInGerman[id]
    return {
      externalId: id,
      name,
      description,
      translations: { de: { name: german?.name, description: german?.description } },
      ...(parent === undefined ? {} : { parent })
    }
  })
  return {
    categories,
    brands,
    regions,
    taxRates,
    shippingZones,
    attributes,
    modifierGroups,
    metafieldDefinitions: metafieldDefinitions(goods),
    products: inShopOrder([...products, ...demoKits(goods)]),
    promotions,
    coupons,
    bundleOffers: bundleOffersOf(goods),
    customers,
    giftCards,
    loyalty,
    reviews
  }
}
