/** The demo store's attributes: what the variants of its goods are made of. */
import type { SeedRow } from "./SeedDocument.ts"

export const colours: Readonly<Record<string, readonly [german: string, swatch: string]>> = {
  White: ["Weiß", "#f7f5ef"],
  Navy: ["Marineblau", "#1f2d4d"],
  Oatmeal: ["Hafer", "#d9cbb0"],
  Forest: ["Waldgrün", "#2f4a38"],
  Charcoal: ["Anthrazit", "#3b3d40"],
  Stone: ["Stein", "#b9b1a3"],
  Indigo: ["Indigo", "#2b3a67"],
  Sky: ["Himmelblau", "#9dbdd8"],
  Sage: ["Salbei", "#a3b59c"],
  Olive: ["Oliv", "#5c6046"],
  Mustard: ["Senf", "#d0a13c"],
  Rust: ["Rost", "#a8492f"]
}
const sizes: Readonly<Record<string, string>> = {
  S: "S",
  M: "M",
  L: "L",
  XL: "XL",
  Single: "Einzelbett",
  Double: "Doppelbett",
  King: "Überbreit"
}

const attributeOf = (name: string, german: string, rest: Readonly<Record<string, unknown>>) => ({
  externalId: name,
  name,
  translations: { de: { name: german } },
  ...rest
})

export const attributes: ReadonlyArray<SeedRow & { readonly name: string }> = [
  attributeOf("Colour", "Farbe", {
    displayType: "SWATCH",
    options: Object.entries(colours).map(([name, [german, swatchColor]]) => ({
      name,
      swatchColor,
      translations: { de: { name: german } }
    }))
  }),
  attributeOf("Size", "Größe", {
    displayType: "BUTTON",
    options: Object.entries(sizes).map(([name, german]) => ({ name, translations: { de: { name: german } } }))
  }),
  attributeOf("Waist", "Bundweite", {
    displayType: "BUTTON",
    options: ["30", "32", "34", "36"].map((name) => ({ name }))
  })
]

/** The attributes of a product with these options, as its row names them. */
export const attributesOf = (options: Readonly<Record<string, ReadonlyArray<string>>>) =>
  Object.entries(options).map(([attributeId, optionIds]) => ({ attributeId, optionIds }))
