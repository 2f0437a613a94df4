/**
 * The words of a product as its listing row keeps them for search: a text search vector, found by an index. Each word
 * begins with a mark of the store, so that the entries of the index are one store's, and with the level it is found at:
 * 1 in names, 2 also in numbers, tags and variants, 3 anywhere. Brands, categories and options are there by
 * their ids: renaming one changes no product.
 */
import { sha256Hex } from "../../crypto/Hashing.ts"
import { VersionedCache } from "../../kernel/VersionedCache.ts"
import type { ProductState, VariantState } from "../../product/Product.ts"
import { chunksOf } from "./searchWords.ts"

/** Words of a product that are searched, from its names on. What follows in its descriptions is not. */
export const mostSearchedWords = 3_000
const mostPositions = 100
/** Words of a quotation stand in one field. */
const gap = 2

/** The same as `search_mark` in PostgreSQL. */
export const searchMark = (storeId: string): string => {
  const known = marks.get(storeId, 0n)
  if (known !== undefined) return known
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

/** A name that is made of the names of options follows them: it is found by their ids. */
const isMadeOfOptions = ({ optionIds, attributes, name }: VariantState): boolean =>
  optionIds.length > 0 && Object.values(attributes).join(" / ") === name

const present = (...texts: ReadonlyArray<string | null>) => texts.filter((text) => text !== null)

/** What is searched, by level, as it is kept; absent texts are left out. */
const fieldsOf = (
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

const isNamed = /^(?:cat|brand|opt)_/

/** Words by the level that they are found at, each with its places. */
class Vector {
  readonly #ids: Array<string> = []
  readonly #levels: ReadonlyArray<Map<string, Array<number>>> = [new Map(), new Map(), new Map()]
  #at = 1

  get isFull(): boolean {
    return this.#at > mostSearchedWords
  }

  /** One word at the place of the one before it where it is another reading of the same text. */
  #put(word: string, level: number, at: number): void {
    for (let found = level; found < this.#levels.length; found++) {
      const entries = this.#levels[found]
      const known = entries?.get(word)
      if (known === undefined) entries?.set(word, [at])
      else if (known.length < mostPositions) known.push(at)
    }
  }

  /** Found at this level, of 0 to 2, and at those behind it. */
  text(text: string, level: number): void {
    for (const { words, joined } of chunksOf(text)) {
      if (this.isFull) return
      if (joined !== undefined) this.#put(joined, level, this.#at)
      for (const word of words) this.#put(word, level, this.#at++)
    }
    this.#at += gap
  }

  id(id: string): void {
    this.#ids.push(id)
  }

  /** Each lexeme begins with the mark, which by itself is one too. */
  toText(mark: string): string {
    let text = `'${mark}'`
    for (const id of this.#ids) text += ` '${mark}#${id}'`
    for (const [level, entries] of this.#levels.entries())
      for (const [word, at] of entries) text += ` '${mark}${level + 1}${word}':${at.join(",")}`
    return text
  }
}

/** The vector as PostgreSQL reads it. Words are letters and digits alone, so nothing in them needs an escape. */
export const searchVector = (storeId: string, product: ProductState, terms: ReadonlyArray<string>): string => {
  const vector = new Vector()
  for (const id of terms) if (isNamed.test(id)) vector.id(id)
  const [names, others, descriptions] = fieldsOf(product)
  const isHtml = product.descriptionFormat === "html"
  for (const text of names) vector.text(text, 0)
  for (const text of others) vector.text(text, 1)
  for (const text of descriptions) vector.text(isHtml ? withoutTags(text) : text, 2)
  return vector.toText(searchMark(storeId))
}

/** Words of a product that misspelt ones may stand for; others of it are found as they are typed. */
export const mostCorrections = 500
/** Letters of such a word. */
const longestCorrection = 32

const isCorrection = (word: string): boolean =>
  word.length > 2 && word.length <= longestCorrection && !/^[0-9]+$/.test(word)

/** The words of names, numbers, tags and variants, each once, as far as they may be corrections. */
export const correctionWords = (products: ReadonlyArray<ProductState>): ReadonlyArray<string> => [
  ...new Set(
    products.flatMap((product) => {
      const [names, others] = fieldsOf(product)
      const words = [...names, ...others].flatMap(chunksOf).flatMap((chunk) => chunk.words)
      return [...new Set(words.filter(isCorrection))].slice(0, mostCorrections)
    })
  )
]
