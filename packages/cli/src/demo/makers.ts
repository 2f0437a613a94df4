/** The demo store's brands: invented makers, each of a few departments. */
import type { SeedRow } from "./SeedDocument.ts"

interface Maker {
  readonly id: string
  readonly name: string
  readonly about: string
  readonly german: string
  readonly departments: ReadonlyArray<string>
}

const makers: ReadonlyArray<Maker> = [
  {
    id: "fenwick-harrow",
    name: "Fenwick & Harrow",
    about: "Pans and pots from a small forge.",
    german: "Pfannen und Töpfe aus einer kleinen Schmiede.",
    departments: ["cookware"]
  },
  {
    id: "saltmarsh",
    name: "Saltmarsh Pottery",
    about: "Plates, bowls and what stands beside a basin.",
    german: "Teller, Schalen und was neben dem Becken steht.",
    departments: ["tableware", "bathroom"]
  },
  {
    id: "drift-mill",
    name: "Drift Mill",
    about: "A weaving mill by a cold river.",
    german: "Eine Weberei an einem kalten Fluss.",
    departments: ["bedding", "knitwear"]
  },
  {
    id: "halden",
    name: "Halden Works",
    about: "Lamps and shelves, made to be mended.",
    german: "Lampen und Regale, die sich reparieren lassen.",
    departments: ["lighting", "storage"]
  },
  {
    id: "skylark",
    name: "Skylark Outdoor",
    about: "Everything for a night outside.",
    german: "Alles für eine Nacht im Freien.",
    departments: ["camping", "hiking"]
  },
  {
    id: "velo",
    name: "Velo Supply",
    about: "Parts and bags for riders in every weather.",
    german: "Teile und Taschen für Radfahrer bei jedem Wetter.",
    departments: ["cycling"]
  },
  {
    id: "loom-last",
    name: "Loom & Last",
    about: "Clothes that are worn for years.",
    german: "Kleidung für viele Jahre.",
    departments: ["shirts", "trousers", "accessories"]
  },
  {
    id: "folio",
    name: "Folio Paper",
    about: "Paper, pens and games for quiet evenings.",
    german: "Papier, Stifte und Spiele für ruhige Abende.",
    departments: ["stationery", "leisure"]
  },
  {
    id: "dibber",
    name: "Dibber & Daughters",
    about: "Tools for gardens of every size.",
    german: "Werkzeug für Gärten jeder Größe.",
    departments: ["garden"]
  }
]

export const brands: ReadonlyArray<SeedRow & { readonly name: string }> = makers.map(({ id, name, about, german }) => ({
  externalId: id,
  name,
  description: about,
  translations: { de: { description: german } }
}))

export const brandsOf = (department: string): ReadonlyArray<string> =>
  makers.flatMap(({ id, departments }) => (departments.includes(department) ? [id] : []))
