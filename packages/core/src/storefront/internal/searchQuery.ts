/**
 * What a search asks for, read from what a shopper types: words that all have to be there, `"words in this order"`,
 * `this or that`, and `-without`. Nothing that is typed is a mistake: what cannot be read is left out, and a search of
 * nothing but operators asks for nothing. The routes bound its text, and the first sixteen words are looked for: the
 * others are as if nobody had typed them.
 */
import { type Chunk, chunksOf, isBeginning, joinedWord } from "./searchWords.ts"

/** Of several words all must be there; quoted, one after the other. As PostgreSQL's `catalog_search` reads it. */
export interface SearchTerm {
  readonly words: ReadonlyArray<string>
  readonly joined: string | null
  readonly quoted: boolean
  /** Products that have it are left out. */
  readonly excluded: boolean
  /** The last word is what the shopper is typing: its beginning is enough. */
  readonly begins: boolean
}

/** Any of these, of which each has all of its terms. */
export type SearchQuery = ReadonlyArray<ReadonlyArray<SearchTerm>>

/** Words of a search that are looked for. */
export const mostQueryWords = 16

const piece = /(-?)(?:"([^"]*)"|([^\s"]+))/g
const isOr = (text: string): boolean => text.toLowerCase() === "or"

interface Piece {
  readonly excluded: boolean
  readonly quoted: boolean
  readonly text: string
}

/** A quotation mark that is not closed is none. */
const piecesOf = (text: string): ReadonlyArray<Piece> => {
  const plain = text.replace(/[“”„«»＂]/gu, '"')
  const balanced = plain.split('"').length % 2 === 1 ? plain : plain.replace(/"(?=[^"]*$)/, " ")
  return [...balanced.matchAll(piece)].map(([, minus = "", phrase, word]) => ({
    excluded: minus === "-",
    quoted: phrase !== undefined,
    text: phrase ?? word ?? ""
  }))
}

const termsOf = ({ excluded, quoted, text }: Piece): ReadonlyArray<SearchTerm> => {
  const chunks: ReadonlyArray<Chunk> = chunksOf(text)
  if (!quoted)
    return chunks.map(({ words, joined = null }) => ({ words, joined, quoted: false, excluded, begins: false }))
  const words = chunks.flatMap((chunk) => chunk.words)
  return words.length === 0 ? [] : [{ words, joined: null, quoted: true, excluded, begins: false }]
}

const withBeginning = (terms: ReadonlyArray<SearchTerm>): ReadonlyArray<SearchTerm> => {
  const last = terms.at(-1)
  if (last === undefined || last.quoted || last.excluded) return terms
  if (last.words.length === 1 && !isBeginning(last.words[0] ?? "")) return terms
  return [...terms.slice(0, -1), { ...last, begins: true }]
}

const sameAs = (a: SearchTerm, b: SearchTerm): boolean =>
  a.quoted === b.quoted && a.excluded === b.excluded && a.words.join(" ") === b.words.join(" ")

/** The words that a text begins with; what punctuation joins is joined of them alone. */
const cutTo = (most: number, term: SearchTerm): SearchTerm => {
  if (term.words.length <= most) return term
  const words = term.words.slice(0, most)
  return { ...term, words, joined: term.joined === null || words.length < 2 ? null : joinedWord(words) }
}

/** The first words of all. */
const bounded = (groups: ReadonlyArray<ReadonlyArray<SearchTerm>>): SearchQuery => {
  let left = mostQueryWords
  return groups.map((terms) =>
    terms.flatMap((term) => {
      const kept = cutTo(left, term)
      left -= kept.words.length
      return kept.words.length === 0 ? [] : [kept]
    })
  )
}

/** Each term once; the last one stays, of which the beginning may be enough. */
const withoutRepetitions = (terms: ReadonlyArray<SearchTerm>): ReadonlyArray<SearchTerm> =>
  terms.filter((term, i) => i === terms.length - 1 || !terms.slice(0, i).some((other) => sameAs(other, term)))

/** Undefined where it asks for nothing. */
export const parseSearch = (text: string | undefined): SearchQuery | undefined => {
  const groups: Array<Array<SearchTerm>> = [[]]
  for (const one of piecesOf(text ?? "")) {
    if (!one.quoted && isOr(one.text)) groups.push([])
    else groups.at(-1)?.push(...termsOf(one))
  }
  const asked = bounded(groups)
    .map(withoutRepetitions)
    .filter((terms) => terms.length > 0)
  if (asked.length === 0) return undefined
  return asked.map((terms, i) => (i === asked.length - 1 ? withBeginning(terms) : terms))
}
