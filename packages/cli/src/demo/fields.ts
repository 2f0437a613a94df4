/**
 * The demo store's own fields: three that its lists can be filtered by, and an engraving that shoppers ask for. The
 * material of a product is found in its name and description, else it is the usual one of its department.
 */
import { drawingOf } from "./drawings/drawingOf.ts"
import { colours } from "./options.ts"
import type { SeedRow } from "./SeedDocument.ts"

interface Choice {
  readonly value: string
  readonly label: string
  readonly german: string
  readonly swatchColor?: string
}

const choice = (value: string, label: string, german: string, swatchColor?: string): Choice => ({
  value,
  label,
  german,
  ...(swatchColor === undefined ? {} : { swatchColor })
})

const materials = [
  choice("wood", "Wood", "Holz"),
  choice("steel", "Steel", "Stahl"),
  choice("brass", "Brass", "Messing"),
  choice("aluminium", "Aluminium", "Aluminium"),
  choice("ceramic", "Ceramic", "Keramik"),
  choice("glass", "Glass", "Glas"),
  choice("cotton", "Cotton", "Baumwolle"),
  choice("linen", "Linen", "Leinen"),
  choice("wool", "Wool", "Wolle"),
  choice("silk", "Silk", "Seide"),
  choice("leather", "Leather", "Leder"),
  choice("willow", "Willow and grass", "Weide und Gras"),
  choice("paper", "Paper", "Papier"),
  choice("nylon", "Nylon", "Nylon"),
  choice("other", "Other", "Anderes")
]

const colourFamilies = [
  choice("natural", "Natural", "Natur", "#d9cbb0"),
  choice("metal", "Metal", "Metall", "#9aa0a6"),
  choice("dark", "Dark", "Dunkel", "#2b2d31"),
  choice("blue", "Blue", "Blau", "#31527b"),
  choice("green", "Green", "Grün", "#3f6b4f"),
  choice("yellow", "Yellow", "Gelb", "#d0a13c"),
  choice("red", "Red", "Rot", "#a8402f")
]

const care = [
  choice("dishwasher", "Dishwasher", "Spülmaschine"),
  choice("machine_wash", "Machine wash", "Maschinenwäsche"),
  choice("hand_wash", "Hand wash", "Handwäsche"),
  choice("wipe_clean", "Wipe clean", "Feucht abwischen")
]

const selectOf = (
  key: string,
  { type, name, german, choices }: Readonly<{ type: string; name: string; german: string; choices: typeof materials }>
) => ({
  externalId: key,
  key,
  name,
  type,
  filterable: true,
  enumValues: choices.map(({ german: _german, ...shown }) => shown),
  translations: {
    de: { name: german, enumValues: Object.fromEntries(choices.map((one) => [one.value, one.german])) }
  }
})

/** What shoppers can have engraved. */
const engravable: ReadonlySet<string> = new Set(["Nib fountain pen", "Key loop", "Card wallet", "Gambit chess set"])

export const metafieldDefinitions = (
  goods: ReadonlyArray<{ readonly externalId: string; readonly name: string }>
): ReadonlyArray<SeedRow & { readonly name: string }> => [
  selectOf("material", { type: "SELECT", name: "Material", german: "Material", choices: materials }),
  selectOf("colour_family", { type: "SELECT", name: "Colour family", german: "Farbton", choices: colourFamilies }),
  selectOf("care", { type: "MULTI_SELECT", name: "Care", german: "Pflege", choices: care }),
  {
    externalId: "engraving",
    key: "engraving",
    name: "Engraving",
    type: "TEXT",
    isCustomerInput: true,
    maxLength: 20,
    description: "Up to twenty letters.",
    productIds: goods.filter(({ name }) => engravable.has(name)).map(({ externalId }) => externalId),
    translations: { de: { name: "Gravur", description: "Bis zu zwanzig Buchstaben." } }
  }
]

/** One of these words, whatever its case. */
const wordsOf = (...parts: ReadonlyArray<string>): RegExp => new RegExp(`\\b(${parts.join("")})\\b`, "i")

/** The first one found in a product's name, else in its description. */
const told: ReadonlyArray<readonly [words: RegExp, material: string]> = [
  [/\b(linen|hemp)\b/i, "linen"],
  [/\b(lambswool|wool|merino|jumper|cashmere|tweed|rollneck|shawl|bobble|knitted)\b/i, "wool"],
  [/\bsilk\b/i, "silk"],
  [/\b(leather|bridle|wallet|key loop)\b/i, "leather"],
  [/\b(willow|sea grass|rush|reed|sun hat)\b/i, "willow"],
  [/\b(glass|carafe|ink bottle|soap pump)\b/i, "glass"],
  [/\b(ceramic|stoneware|terracotta|marlow|saltmarsh|ramekin|glowstone table|soap dish|basin)\b/i, "ceramic"],
  [/\b(pannier|levers|poles)\b/i, "nylon"],
  [/\b(brass|bell|curtain rings|wick lantern|picture light)\b/i, "brass"],
  [/\b(aluminium|halden|tarn kettle|torch|windshield|cage)\b/i, "aluminium"],
  [
    wordsOf(
      "steel|iron|forged|titanium|fork|spade|trowel|shears|knife|watering can|tin|boule|cook set|griddle|kestrel|",
      "becks|ember|velo|multitool|rollerball"
    ),
    "steel"
  ],
  [/\b(glass|carafe|ink bottle|soap pump)\b/i, "glass"],
  [
    wordsOf(
      "oak|beech|birch|walnut|cedar|ash|wood|wooden|chess|draughts|domino|kubb|croquet|crate|peg rail|pencil|",
      "bristle|murmur"
    ),
    "wood"
  ],
  [/\b(cotton|canvas|percale|sateen|terry|towel|bath mat|tee|denim|chino|piqué|webbing|felt)\b/i, "cotton"],
  [/\b(notebook|sketchbook|diary|letter|cards|jigsaw)\b/i, "paper"],
  [/\b(kite|umbrella|badminton|swim|walking)\b/i, "nylon"],
  [/\b(soap|candle|beeswax|wax|eraser|plasters|kneeling|compass|whistle|filter)\b/i, "other"]
]

interface DepartmentFacts {
  readonly material: string
  readonly care: ReadonlyArray<string>
}

const facts: Readonly<Record<string, DepartmentFacts>> = {
  cookware: { material: "steel", care: ["hand_wash"] },
  tableware: { material: "ceramic", care: ["dishwasher"] },
  bedding: { material: "cotton", care: ["machine_wash"] },
  lighting: { material: "aluminium", care: ["wipe_clean"] },
  storage: { material: "wood", care: ["wipe_clean"] },
  camping: { material: "nylon", care: ["hand_wash", "wipe_clean"] },
  hiking: { material: "nylon", care: ["hand_wash", "wipe_clean"] },
  cycling: { material: "aluminium", care: ["wipe_clean"] },
  shirts: { material: "cotton", care: ["machine_wash"] },
  knitwear: { material: "wool", care: ["hand_wash"] },
  trousers: { material: "cotton", care: ["machine_wash"] },
  accessories: { material: "leather", care: ["hand_wash"] },
  stationery: { material: "other", care: ["wipe_clean"] },
  garden: { material: "steel", care: ["wipe_clean"] },
  bathroom: { material: "cotton", care: ["machine_wash"] },
  leisure: { material: "wood", care: ["wipe_clean"] }
}

/** Departments whose goods are cloth even if their descriptions mention buttons and buckles. */
const ofCloth: ReadonlySet<string> = new Set(["bedding", "shirts", "knitwear", "trousers"])
const cloths: ReadonlySet<string> = new Set(["linen", "wool", "silk", "cotton", "nylon"])
const washable: ReadonlySet<string> = new Set(["linen", "cotton"])
/** Materials that are wiped, unless the department is machine-washed. */
const wiped: ReadonlySet<string> = new Set(["brass", "glass", "ceramic", "wood", "willow", "leather", "other"])

const materialOf = (department: string, texts: ReadonlyArray<string>): string => {
  const named = texts.flatMap((text) => told.filter(([words]) => words.test(text)).map(([, material]) => material))
  const fitting = ofCloth.has(department) ? named.filter((material) => cloths.has(material)) : named
  return fitting[0] ?? facts[department]?.material ?? "other"
}

const careOf = (department: string, material: string): ReadonlyArray<string> => {
  const usual = facts[department]?.care ?? ["wipe_clean"]
  if (cloths.has(material) && department === "tableware") return ["machine_wash"]
  if (usual.includes("machine_wash") && material === "wool") return ["hand_wash"]
  if (department === "bathroom" && wiped.has(material)) return ["wipe_clean"]
  if (department === "accessories" && washable.has(material)) return ["machine_wash"]
  if (department === "accessories" && wiped.has(material)) return ["wipe_clean"]
  return usual
}

const ofMaterial: Readonly<Record<string, string>> = {
  wood: "natural",
  willow: "natural",
  paper: "natural",
  steel: "metal",
  brass: "metal",
  aluminium: "metal"
}

/** The family of a colour, #rrggbb: by its hue where it has one, else by how light it is. */
const familyOf = (colour: string): string => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)]
  if (most - least < 22) return most > 165 ? "natural" : most < 110 ? "dark" : "metal"
  if (blue === most) return red > green + 8 ? "red" : "blue"
  if (green === most) return "green"
  if (green < red * 0.62) return "red"
  return most - least < 80 ? "natural" : "yellow"
}

/** `colour` is the first of those that the product comes in. */
export const metafieldsOf = ({
  department,
  name,
  special,
  colour
}: Readonly<{ department: string; name: string; special: string; colour: string | undefined }>) => {
  const material = materialOf(department, [name, special])
  const { art, colour: painted } = drawingOf(name)
  const own = colour === undefined ? (art.includes("url(#m)") ? painted : undefined) : colours[colour]?.[1]
  return {
    material,
    colour_family: own === undefined ? (ofMaterial[material] ?? "natural") : familyOf(own),
    care: careOf(department, material)
  }
}
