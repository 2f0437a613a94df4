/**
 * What documents show of a store's metafield definitions: a document holds the values of its product and the
 * definitions it is attached to by their ids, and the definitions say the rest. A definition that is changed, switched
 * off or deleted is one row, and right at once for every product.
 */
import type { MetafieldFacts } from "../../metafield/MetafieldFields.ts"
import { customizationField } from "../../metafield/ProductMetafield.ts"

/** As the vocabulary's statement answers it. */
export interface MetafieldWord extends MetafieldFacts {
  readonly appliesToAllProducts: boolean
  readonly position: number
}

type Reading = { readonly wanted: ReadonlyArray<string>; readonly own: string } | undefined

export interface MetafieldPieces {
  /** JSON of `metafields`, from ids and values (as JSON) in turn. */
  readonly values: (parts: ReadonlyArray<string>) => string
  /** JSON of `customizationFields` of a product that is attached to these definitions. */
  readonly inputs: (attached: ReadonlyArray<string>, reading: Reading) => string
}

/** Readings whose texts are kept. */
const keptReadings = 8

const byPlace = (a: MetafieldWord, b: MetafieldWord): number =>
  a.position - b.position || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)

export const compileMetafields = (words: ReadonlyArray<MetafieldWord>): MetafieldPieces => {
  const active = words.filter(({ isActive }) => isActive).toSorted(byPlace)
  const places = new Map(active.map(({ id, key }, place) => [id, { place, name: JSON.stringify(key) }]))
  const inputs = active.filter(({ input }) => input !== null)
  const kept = new Map<string, ReadonlyArray<string>>()

  const textsIn = (reading: Reading): ReadonlyArray<string> => {
    const name = reading === undefined ? "" : JSON.stringify(reading)
    const known = kept.get(name)
    if (known !== undefined) return known
    const texts = inputs.map((word) => JSON.stringify(customizationField(word, reading)))
    if (kept.size >= keptReadings) kept.clear()
    kept.set(name, texts)
    return texts
  }

  return {
    values: (parts) => {
      const shown: Array<{ readonly place: number; readonly text: string }> = []
      for (let at = 0; at + 1 < parts.length; at += 2) {
        const known = places.get(parts[at] ?? "")
        if (known !== undefined) shown.push({ place: known.place, text: `${known.name}:${parts[at + 1]}` })
      }
      const texts = shown.sort((a, b) => a.place - b.place).map(({ text }) => text)
      return `{${texts.join(",")}}`
    },
    inputs: (attached, reading) => {
      if (inputs.length === 0) return "[]"
      const texts = textsIn(reading)
      const shown = inputs.flatMap(({ id, appliesToAllProducts }, at) =>
        appliesToAllProducts || attached.includes(id) ? [texts[at]] : []
      )
      return `[${shown.join(",")}]`
    }
  }
}
