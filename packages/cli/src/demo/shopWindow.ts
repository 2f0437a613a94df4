/** The order in which the demo store shows its products: a varied front page, then the departments in turn. */
import type { SeedDocument } from "./SeedDocument.ts"

type Product = NonNullable<SeedDocument["products"]>[number]

const frontPage = [
  "Glowstone table lamp",
  "Oxford shirt",
  "Orchard casserole 4 l",
  "Skylark tent two",
  "Field notebook ruled",
  "Cable jumper",
  "Marlow mug",
  "Cairn daypack 26",
  "Terracotta pot large",
  "Fenwick skillet 20 cm",
  "Sun hat",
  "Murmur bedside lamp",
  "Five-pocket jean",
  "Gambit chess set",
  "Rush laundry basket",
  "Watering can 9 l",
  "Nib fountain pen",
  "Cove bath towel",
  "Spoke light set",
  "Hush sateen duvet cover",
  "Pell carafe 1 l",
  "Becks bottle 1 l",
  "Halden pendant large",
  "Kite delta"
]

/** With `menuOrder` from 1 on, none twice. */
export const inShopOrder = (products: ReadonlyArray<Product>): ReadonlyArray<Product> => {
  const seen = new Map<string, number>()
  const placed = products.map((product) => {
    const [department = ""] = product.categories ?? []
    const turn = (seen.get(department) ?? 0) + 1
    seen.set(department, turn)
    const front = frontPage.indexOf(product.name)
    return { product, place: front === -1 ? turn * 1_000 : front }
  })
  const places = new Map(
    placed.toSorted((a, b) => a.place - b.place).map(({ product: { externalId } }, i) => [externalId, i + 1])
  )
  return products.map((product) => ({ ...product, menuOrder: places.get(product.externalId) ?? 0 }))
}
