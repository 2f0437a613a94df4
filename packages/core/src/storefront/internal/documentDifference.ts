/**
 * Whether two documents of a product answer the same. Their texts may differ where their answers do not: a document
 * holds ids of things that were deleted since, and its parts may stand in another order. So documents that are not the
 * same are read, with everything that fills their holes alike, and the answers compared.
 */
import type { StockFacts } from "../../kernel/Availability.ts"
import { changesOf, languagesIn, type ShownWith, spliced } from "./documentText.ts"
import type { VocabularyPieces } from "./vocabularyPieces.ts"

/** A document with the rows of stock that are read with it. */
export interface Comparable {
  readonly document: string
  readonly stockKeys: ReadonlyArray<string>
}

/** Parts of both texts from where they differ. */
export interface Compared {
  readonly expected: string
  readonly found: string
}

/** Characters that are told of each text. */
const told = 80
/** Before the first one that differs. */
const before = 30

/** Stock of which each key has another number, so that documents that show another thing's stock differ. */
class EveryStock extends Map<string, StockFacts> {
  override get(key: string): StockFacts {
    const total = [...key].reduce((sum, letter) => (Math.imul(sum, 31) + (letter.codePointAt(0) ?? 0)) >>> 0, 7)
    return {
      trackingMode: "TRACKED",
      backorderMode: "DENY",
      backorderLimit: 0,
      total: 1 + (total % 1_000_000),
      reserved: 0
    }
  }
}
const stock = new EveryStock()

/** Every product is seen, so that documents that name another one differ. */
class EveryLink extends Set<string> {
  override has(): boolean {
    return true
  }
}
const links = new EveryLink()

const excerpts = (expected: string, found: string): Compared => {
  let at = 0
  while (at < expected.length && expected.charCodeAt(at) === found.charCodeAt(at)) at += 1
  const from = Math.max(0, at - before)
  return { expected: expected.slice(from, from + told), found: found.slice(from, from + told) }
}

/** Undefined where they answer the same in every language and at every time. */
export const firstDifference = (
  expected: Comparable,
  found: Comparable,
  { vocabulary, now }: { readonly vocabulary: VocabularyPieces; readonly now: number }
): Compared | undefined => {
  if (expected.stockKeys.join() !== found.stockKeys.join())
    return excerpts(expected.stockKeys.join(), found.stockKeys.join())
  if (expected.document === found.document) return undefined
  const both = [expected.document, found.document]
  const changes = both.flatMap(changesOf)
  const moments = new Set([now, ...changes, ...changes.map((at) => at - 1)])
  const languages = new Set(both.flatMap(languagesIn))
  const readings: ReadonlyArray<ShownWith["reading"]> = [
    undefined,
    ...[...languages].map((language) => ({ wanted: [language], own: "" }))
  ]
  for (const at of moments)
    for (const reading of readings) {
      const shown = { now: at, vocabulary, stock, links, reading }
      const [wanted, is] = [spliced(expected.document, shown), spliced(found.document, shown)]
      if (wanted !== is) return excerpts(wanted, is)
    }
  return undefined
}
