/**
 * The text search vector of a product, which its listing row stores and an index serves. Each lexeme begins with the
 * mark of the store, so that a search reads entries of its own store only, and with a level: 1 has the words of names,
 * 2 also those of numbers, tags and variants, 3 all words. Brands, categories and options are in it by their ids, so
 * that renaming one writes no product.
 */
import { sha256Hex } from "../../crypto/Hashing.ts"
import { VersionedCache } from "../../cache/VersionedCache.ts"
import type { ProductState, VariantState } from "../../product/Product.ts"
import { chunksOf } from "./searchWords.ts"

/** Words of a product that are indexed, beginning with its names; the rest of long descriptions is not searched. */
const mostSearchedWords = 3_000
const mostPositions = 100
/** Positions between two fields, so that quoted words match within one field only. */
const gap = 2

/** The same as `search_mark` in PostgreSQL. */
export const searchMark = (storeId: string): string => {
  const remembered = marks.get(storeId, 0n)
  if (remembered !== undefined) return remembered
  const mark = sha256Hex(storeId).slice(0, 6)
  marks.set(storeId, 0n, mark)
  return mark
}
const marks = new VersionedCache<string>(1_000)

const withoutTags = (text: string): string => text.replace(/<[^>]*>/g, " ").replace(/&(?:#?\w{1,10});/g, " ")

const translated = ({ translations }: ProductState, field: "name" | "description"): ReadonlyArray<string> =>
  Object.values(translations).flatMap((texts) => {
    const text = typeof texts === "object" && texts !== null && field in texts ? texts[field as never] : undefined
    return typeof text === "string" ? [text] : []
  })

/** Whether the variant's name is generated from its options: then it is found by their ids. */
const isMadeOfOptions = ({ optionIds, attributes, name }: VariantState): boolean =>
  optionIds.length > 0 && Object.values(attributes).join(" / ") === name

const present = (...texts: ReadonlyArray<string | null>) => texts.filter((text) => text !== null)

/** The texts that can be searched, by level. */
const textsByLevel = (
  product: ProductState
): readonly [names: ReadonlyArray<string>, others: ReadonlyArray<string>, descriptions: ReadonlyArray<string>] => [
  [product.name, ...translated(product, "name")],
  [
    ...present(product.sku, product.gtin, product.mpn),
    ...product.tags,
    ...product.variants.flatMap((variant) => present(variant.sku, isMadeOfOptions(variant) ? null : variant.name))
  ],
  [...present(product.description), ...translated(product, "description")]
]

/** Filter keys of things that are found by their names. */
const foundByName = /^(?:cat|brand|opt)_/

/** Words with their positions, for each level that they are found at. */
class Vector {
  readonly #ids: Array<string> = []
  readonly #levels: ReadonlyArray<Map<string, Array<number>>> = [new Map(), new Map(), new Map()]
  #position = 1

  get isFull(): boolean {
    return this.#position > mostSearchedWords
  }

  #put(word: string, level: number, position: number): void {
    for (let found = level; found < this.#levels.length; found++) {
      const entries = this.#levels[found]
      const positions = entries?.get(word)
      if (positions === undefined) entries?.set(word, [position])
      else if (positions.length < mostPositions) positions.push(position)
    }
  }

  /** Adds the words of a text at this level, 0 to 2, and the levels after it. */
  text(text: string, level: number): void {
    for (const { words, joined } of chunksOf(text)) {
      if (this.isFull) return
      // The joined word has the position of the first of its words.
      if (joined !== undefined) this.#put(joined, level, this.#position)
      for (const word of words) this.#put(word, level, this.#position++)
    }
    this.#position += gap
  }

  id(id: string): void {
    this.#ids.push(id)
  }

  /** Each lexeme begins with the mark; the mark alone is also a lexeme, which every product of the store has. */
  toText(mark: string): string {
    let text = `'${mark}'`
    for (const id of this.#ids) text += ` '${mark}#${id}'`
    for (const [level, entries] of this.#levels.entries())
      for (const [word, positions] of entries) text += ` '${mark}${level + 1}${word}':${positions.join(",")}`
    return text
  }
}

/** The vector as text that PostgreSQL reads. Words are letters and digits only, so that nothing needs to be escaped. */
export const searchVector = (storeId: string, product: ProductState, filterKeys: ReadonlyArray<string>): string => {
  const vector = new Vector()
  for (const key of filterKeys) if (foundByName.test(key)) vector.id(key)
  const [names, others, descriptions] = textsByLevel(product)
  const isHtml = product.descriptionFormat === "html"
  for (const text of names) vector.text(text, 0)
  for (const text of others) vector.text(text, 1)
  for (const text of descriptions) vector.text(isHtml ? withoutTags(text) : text, 2)
  return vector.toText(searchMark(storeId))
}

/** Maximum number of words of a product that misspelt words can be corrected to. */
export const mostCorrections = 500
/** Maximum number of characters of such a word. */
const longestCorrection = 32

const isCorrection = (word: string): boolean =>
  word.length > 2 && word.length <= longestCorrection && !/^[0-9]+$/.test(word)

/** The words of names, numbers, tags and variants that misspelt words can be corrected to, each once. */
export const correctionWords = (products: ReadonlyArray<ProductState>): ReadonlyArray<string> => [
  ...new Set(
    products.flatMap((product) => {
      const [names, others] = textsByLevel(product)
      const words = [...names, ...others].flatMap(chunksOf).flatMap((chunk) => chunk.words)
      return [...new Set(words.filter(isCorrection))].slice(0, mostCorrections)
    })
  )
]
