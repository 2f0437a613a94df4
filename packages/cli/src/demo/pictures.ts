/**
 * The pictures of the demo store, as SVG: of each product, of each of its colours, some from nearby, of departments and
 * of brands. The same store gives the same pictures.
 */
import { drawingOf } from "./drawings/drawingOf.ts"
import type { Drawing } from "./drawings/pen.ts"
import { emblemOf, type Placed, sceneOf, tints } from "./drawings/scene.ts"
import { colours } from "./options.ts"
import type { SeedDocument } from "./SeedDocument.ts"

type Product = NonNullable<SeedDocument["products"]>[number]

export interface DemoPicture {
  /** Name of its file in the media library. */
  readonly name: string
  readonly alt: string
  readonly svg: () => string
}

/**
 * A product, category or brand with pictures; `variants` are those with a picture of their own, by the name of its
 * file.
 */
export interface Pictured {
  readonly externalId: string
  readonly name: string
  readonly pictures: ReadonlyArray<DemoPicture>
  readonly variants: ReadonlyArray<{ readonly externalId: string; readonly picture: string }>
}

/** One large, the others beside it. */
const three: ReadonlyArray<Placed["at"]> = [
  [-66, 14, 0, 0.75],
  [106, -92, 0, 0.5],
  [104, 98, 0, 0.5]
]
const four: ReadonlyArray<Placed["at"]> = [
  [-94, -92, 0, 0.5],
  [94, -92, 0, 0.5],
  [-94, 94, 0, 0.5],
  [94, 94, 0, 0.5]
]

const together = (names: ReadonlyArray<string>): ReadonlyArray<Placed> =>
  names.map((name, i) => {
    const at = (names.length > 3 ? four : three)[i]
    return at === undefined ? { drawing: drawingOf(name) } : { drawing: drawingOf(name), at }
  })

const departments: Readonly<Record<string, ReadonlyArray<string>>> = {
  home: ["Glowstone table lamp", "Marlow mug", "Drift percale duvet cover", "Orchard casserole 4 l"],
  outdoor: ["Skylark tent two", "Cairn daypack 26", "Watering can 9 l", "Spoke light set"],
  apparel: ["Oxford shirt", "Cable jumper", "Five-pocket jean", "Bobble hat"],
  cookware: ["Orchard casserole 6 l", "Fenwick skillet 28 cm", "Ambrook milk pan"],
  tableware: ["Marlow dinner plate", "Pell carafe 1 l", "Marlow mug"],
  bedding: ["Hush sateen duvet cover", "Loft wool blanket", "Hush sateen flat sheet"],
  lighting: ["Beacon desk lamp", "Halden pendant small", "Wick lantern"],
  storage: ["Rush laundry basket", "Crate medium", "Tin canister set"],
  camping: ["Skylark tent four", "Guyline lantern", "Ember gas stove"],
  hiking: ["Cairn trekking pack 48", "Contour compass", "Becks bottle 1 l"],
  cycling: ["Pannier roll 20 l", "Spoke front light", "Velo lock plus"],
  shirts: ["Chambray shirt", "Rugby shirt", "Light tee"],
  knitwear: ["Guernsey jumper", "Cotton cardigan", "Rollneck"],
  trousers: ["Straight chino", "Five-pocket jean", "Swim short"],
  accessories: ["Roll-top backpack", "Sun hat", "Leather gloves"],
  stationery: ["Field notebook ruled", "Nib ink bottle", "Post letter set"],
  garden: ["Watering can 5 l", "Pruning shears", "Terracotta pot large"],
  bathroom: ["Cove bath sheet", "Basin soap pump", "Bristle nail brush"],
  leisure: ["Gambit draughts", "Dice cup and five", "Kite delta"]
}

const kits: Readonly<Record<string, ReadonlyArray<string>>> = {
  "Marlow breakfast for two": ["Marlow side plate", "Marlow pasta bowl", "Marlow mug"],
  "Kestrel cutlery for four": [
    "Kestrel dinner fork",
    "Kestrel table knife",
    "Kestrel soup spoon",
    "Kestrel dinner fork"
  ],
  "First kitchen set": ["Harrow saucepan 1.5 l", "Fenwick skillet 20 cm", "Ambrook milk pan"]
}

const emblems: Readonly<Record<string, readonly [drawing: string, colour: string]>> = {
  "fenwick-harrow": ["Orchard casserole 4 l", "#8a3b2c"],
  saltmarsh: ["Marlow mug", "#3f7079"],
  "drift-mill": ["Guernsey jumper", "#5a5f8a"],
  halden: ["Beacon desk lamp", "#2f3440"],
  skylark: ["Skylark tent two", "#c8643a"],
  velo: ["Velo lock plus", "#3f6b4f"],
  "loom-last": ["Umbrella", "#1f2d4d"],
  folio: ["Kite delta", "#7a5a8a"],
  dibber: ["Watering can 5 l", "#4f7a3f"]
}

const tintOf = (place: number): string => tints[place % tints.length] ?? "#e8ddd0"

const coloursOf = ({ variants = [] }: Product): ReadonlyArray<string> => [
  ...new Set(
    variants.flatMap(({ attributes }) => {
      const { Colour } = (attributes ?? {}) as Readonly<Record<string, string>>
      return Colour === undefined ? [] : [Colour]
    })
  )
]

const fileOf = (externalId: string, view = ""): string => `${externalId}${view === "" ? "" : `-${view}`}.webp`

/** Its pictures: one for each colour, or one of the product; then a close-up if there is a detail. */
const ofProduct = (product: Product, place: number): Pictured => {
  const { externalId, name, variants = [] } = product
  const inColours = coloursOf(product)
  const kit = kits[name]
  const drawn = kit === undefined ? drawingOf(name) : undefined
  const tint = tintOf(place * 3)
  const front = (drawing: Drawing, at: string): string => sceneOf([{ drawing }], { tint: at })
  const fronts: ReadonlyArray<DemoPicture> =
    drawn === undefined
      ? [{ name: fileOf(externalId), alt: name, svg: () => sceneOf(together(kit ?? []), { tint }) }]
      : inColours.length === 0
        ? [{ name: fileOf(externalId), alt: name, svg: () => front(drawn, tint) }]
        : inColours.map((colour, i) => ({
            name: fileOf(externalId, colour.toLowerCase()),
            alt: `${name} in ${colour.toLowerCase()}`,
            svg: () => front({ ...drawn, colour: colours[colour]?.[1] ?? drawn.colour }, tintOf(place * 3 + i * 3))
          }))
  const near = drawn?.detail
  const first = inColours[0]
  const shown =
    drawn === undefined || first === undefined ? drawn : { ...drawn, colour: colours[first]?.[1] ?? drawn.colour }
  const details: ReadonlyArray<DemoPicture> =
    shown === undefined || near === undefined
      ? []
      : [
          {
            name: fileOf(externalId, "near"),
            alt: `${name}, seen from nearby`,
            svg: () => sceneOf([{ drawing: shown }], { tint, near })
          }
        ]
  return {
    externalId,
    name,
    pictures: [...fronts, ...details],
    variants: variants.flatMap(({ externalId: variant, attributes }) => {
      const { Colour } = (attributes ?? {}) as Readonly<Record<string, string>>
      return Colour === undefined
        ? []
        : [{ externalId: String(variant), picture: fileOf(externalId, Colour.toLowerCase()) }]
    })
  }
}

const one = (externalId: string, name: string, picture: Omit<DemoPicture, "name">): Pictured => ({
  externalId,
  name,
  pictures: [{ ...picture, name: fileOf(`demo-${externalId}`) }],
  variants: []
})

/** Products in the order in which the shop shows them. */
export const picturesOf = ({ products = [], categories = [], brands = [] }: SeedDocument) => ({
  products: products
    .toSorted((a, b) => Number(a["menuOrder"]) - Number(b["menuOrder"]))
    .map((product, place) => ofProduct(product, place)),
  categories: categories.map(({ externalId, name }, place) =>
    one(externalId, name, {
      alt: name,
      svg: () => sceneOf(together(departments[externalId] ?? []), { tint: tintOf(place * 3) })
    })
  ),
  brands: brands.map(({ externalId, name }) => {
    const [drawing = "", colour = "#333333"] = emblems[externalId] ?? []
    return one(externalId, name, { alt: `The mark of ${name}`, svg: () => emblemOf(drawingOf(drawing), colour) })
  })
})
