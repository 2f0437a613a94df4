/**
 * Parses the search text of a shopper: words that must all occur, `"words in this order"`, `this or that`, and
 * `-without`. No text is invalid: what cannot be parsed is ignored, and a text of operators alone is no search. The
 * routes limit the length of the text. Only the first sixteen words are used.
 */
import type { SearchQuery, SearchTerm } from "../ProductFilter.ts"
import { type Chunk, chunksOf, isBeginning, joinedWord } from "./searchWords.ts"

/** Maximum number of words of a search that are used. */
const mostQueryWords = 16

const piece = /(-?)(?:"([^"]*)"|([^\s"]+))/g
const isOr = (text: string): boolean => text.toLowerCase() === "or"

interface Piece {
  readonly excluded: boolean
  readonly quoted: boolean
  readonly text: string
}

/** A quotation mark without a closing one is ignored. */
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

/** The term cut to its first `most` words, and these joined. */
const cutTo = (most: number, term: SearchTerm): SearchTerm => {
  if (term.words.length <= most) return term
  const words = term.words.slice(0, most)
  return { ...term, words, joined: term.joined === null || words.length < 2 ? null : joinedWord(words) }
}

/** The first sixteen words of all alternatives. */
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

/** Removes repeated terms. The last one always stays, because it may match as the beginning of a word. */
const withoutRepetitions = (terms: ReadonlyArray<SearchTerm>): ReadonlyArray<SearchTerm> =>
  terms.filter((term, i) => i === terms.length - 1 || !terms.slice(0, i).some((other) => sameAs(other, term)))

/** Undefined if the text contains nothing to search for. */
export const parseSearch = (text: string | undefined): SearchQuery | undefined => {
  const groups: Array<Array<SearchTerm>> = [[]]
  for (const one of piecesOf(text ?? "")) {
    if (!one.quoted && isOr(one.text)) groups.push([])
    else groups.at(-1)?.push(...termsOf(one))
  }
  const alternatives = bounded(groups)
    .map(withoutRepetitions)
    .filter((terms) => terms.length > 0)
  if (alternatives.length === 0) return undefined
  return alternatives.map((terms, i) => (i === alternatives.length - 1 ? withBeginning(terms) : terms))
}
