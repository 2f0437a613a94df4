/** The demo store's sets: kits of its own goods, by their names. */
import { inGerman, departmentsInGerman } from "./german.ts"
import { brandsOf } from "./makers.ts"
import type { SeedDocument, SeedRow } from "./SeedDocument.ts"

type Product = NonNullable<SeedDocument["products"]>[number]

interface Kit {
  readonly name: string
  readonly about: string
  readonly department: string
  /** Its own price; without one it costs what its components cost, less a tenth. */
  readonly price?: string
  readonly components: Readonly<Record<string, number>>
}

const kits: ReadonlyArray<Kit> = [
  {
    name: "Marlow breakfast for two",
    about: "Plates, bowls and mugs for two who get up together",
    department: "tableware",
    components: { "Marlow side plate": 2, "Marlow pasta bowl": 2, "Marlow mug": 2 }
  },
  {
    name: "Kestrel cutlery for four",
    about: "Four of each, and no more hunting for the fourth",
    department: "tableware",
    price: "69.00",
    components: { "Kestrel dinner fork": 4, "Kestrel table knife": 4, "Kestrel soup spoon": 4 }
  },
  {
    name: "First kitchen set",
    about: "A pan, a pot and a milk pan: what a first kitchen needs",
    department: "cookware",
    components: { "Fenwick skillet 20 cm": 1, "Harrow saucepan 1.5 l": 1, "Ambrook milk pan": 1 }
  }
]

const componentsOf = ({ components }: Kit, goods: ReadonlyArray<Product>) =>
  Object.entries(components).map(([name, quantity]) => {
    const product = goods.find((one) => one.name === name)
    if (product === undefined) throw new Error(`the demo store has no ${name}`)
    return { productId: product.externalId, quantity }
  })

export const demoKits = (goods: ReadonlyArray<Product>): ReadonlyArray<SeedRow & { readonly name: string }> =>
  kits.map((kit, i) => ({
    externalId: `demo-kit-${i + 1}`,
    name: kit.name,
    sku: `KIT-000${i + 1}`,
    type: "KIT",
    status: "active",
    description: `${kit.about}.`,
    descriptionFormat: "text",
    metaDescription: `${kit.name}: ${kit.about.charAt(0).toLowerCase()}${kit.about.slice(1)}.`,
    categories: [kit.department],
    brands: brandsOf(kit.department),
    tags: ["gift", "set"],
    translations: { de: { name: inGerman(kit.name), description: departmentsInGerman[kit.department]?.promise } },
    ...(kit.price === undefined
      ? { kitPricingMode: "COMPONENTS", kitDiscountValue: 10 }
      : { kitPricingMode: "FIXED", basePrice: kit.price }),
    kitComponents: componentsOf(kit, goods)
  }))
