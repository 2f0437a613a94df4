/** The demo store's modifier groups: what a shopper can add to a good. */
import type { SeedRow } from "./SeedDocument.ts"

const modifierOf = (name: string, german: string, rest: Readonly<Record<string, unknown>> = {}) => ({
  name,
  translations: { de: { name: german } },
  ...rest
})

export const modifierGroups: ReadonlyArray<SeedRow & { readonly name: string }> = [
  {
    externalId: "gift-wrap",
    name: "Gift wrap",
    selectionType: "SINGLE",
    translations: { de: { name: "Geschenkverpackung" } },
    modifiers: [
      modifierOf("Brown paper and string", "Packpapier und Schnur", { priceDelta: "3.00", sku: "WRAP-BROWN" }),
      modifierOf("Linen cloth", "Leinentuch", { priceDelta: "6.50", sku: "WRAP-LINEN" })
    ]
  },
  {
    externalId: "engraving",
    name: "Engraving style",
    selectionType: "SINGLE",
    translations: { de: { name: "Art der Gravur" } },
    modifiers: [
      modifierOf("Block letters", "Druckschrift", { priceDelta: "8.00" }),
      modifierOf("Script", "Schreibschrift", { priceDelta: "12.00" })
    ]
  },
  {
    externalId: "refills",
    name: "Extras",
    description: "One of them is free.",
    selectionType: "MULTIPLE",
    maxSelections: 3,
    freeQuantity: 1,
    translations: { de: { name: "Extras", description: "Eines davon ist kostenlos." } },
    modifiers: [
      modifierOf("Blue cartridges", "Blaue Patronen", { priceDelta: "2.50" }),
      modifierOf("Black cartridges", "Schwarze Patronen", { priceDelta: "2.50" }),
      modifierOf("Converter", "Konverter", { priceDelta: "5.50" })
    ]
  }
]

const wrapped: ReadonlySet<string> = new Set(["tableware", "accessories", "stationery", "leisure"])
const ofProducts: Readonly<Record<string, ReadonlyArray<string>>> = {
  "Nib fountain pen": ["engraving", "refills"],
  "Card wallet": ["engraving"],
  "Key loop": ["engraving"],
  "Gambit chess set": ["engraving"]
}

export const modifierGroupsOf = (department: string, name: string) =>
  [...(wrapped.has(department) ? ["gift-wrap"] : []), ...(ofProducts[name] ?? [])].map((groupId) => ({ groupId }))
