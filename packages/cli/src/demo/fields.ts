/**
 * The demo store's own fields: three that its lists can be filtered by, and an engraving that shoppers ask for. What a
 * product is made of is read from its words, else it is what its department is mostly made of.
 */
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

/** The first that the words of a product have. */
const told: ReadonlyArray<readonly [words: RegExp, material: string]> = [
  [/\b(linen|hemp)\b/i, "linen"],
  [/\b(lambswool|wool|merino|jumper|cashmere|tweed|rollneck|cardigan)\b/i, "wool"],
  [/\bsilk\b/i, "silk"],
  [/\b(leather|hide|bridle)\b/i, "leather"],
  [/\b(willow|sea grass|rush)\b/i, "willow"],
  [/\b(oak|beech|birch|walnut|ash|cedar|wooden|chess|jigsaw|kubb)\b/i, "wood"],
  [/\bbrass\b/i, "brass"],
  [/\b(steel|iron|forged|titanium)\b/i, "steel"],
  [/\baluminium\b/i, "aluminium"],
  [/\b(ceramic|stoneware|terracotta|hand-glazed|marlow|ramekin)\b/i, "ceramic"],
  [/\bglass\b/i, "glass"],
  [/\b(cotton|canvas|percale|sateen|terry|towel|tee|denim|chino|piqué)\b/i, "cotton"],
  [/\b(notebook|sketchbook|diary|letter|paper|cards)\b/i, "paper"]
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
  garden: { material: "steel", care: ["wipe_clean"] },
  bathroom: { material: "cotton", care: ["machine_wash"] }
}

const materialOf = (department: string, text: string): string =>
  told.find(([words]) => words.test(text))?.[1] ?? facts[department]?.material ?? "other"

const colours: Readonly<Record<string, string>> = {
  wood: "natural",
  willow: "natural",
  linen: "natural",
  paper: "natural",
  steel: "metal",
  brass: "metal",
  aluminium: "metal"
}

/** `chance` picks a colour where the material does not decide. */
export const metafieldsOf = (department: string, text: string, chance: number) => {
  const material = materialOf(department, text)
  const cared = facts[department]?.care
  return {
    material,
    colour_family: colours[material] ?? ["dark", "blue", "green", "red"][chance % 4] ?? "dark",
    ...(cared === undefined ? {} : { care: cared })
  }
}
