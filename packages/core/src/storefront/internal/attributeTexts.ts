/** What composed documents show of attributes: the texts of the holes that name options by id. */
import type { VocabularyPieces } from "./vocabularyPieces.ts"

type Parts = ReadonlyArray<string>

const pieces = (kind: string, ids: Parts, vocabulary: VocabularyPieces): Parts =>
  ids.flatMap((id) => vocabulary.piece(kind, id) ?? [])

/** The same without the marks around each. */
const bare = (kind: string, ids: Parts, vocabulary: VocabularyPieces): Parts =>
  pieces(kind, ids, vocabulary).map((piece) => piece.slice(1, -1))

/** Of each part, the first id is the attribute's and the others are its options'. */
const attributesOf = (parts: Parts, vocabulary: VocabularyPieces): string => {
  const attributes = parts.flatMap((part) => {
    const [id = "", ...options] = part.split(" ")
    const piece = vocabulary.piece("attribute", id)
    if (piece === undefined) return []
    return [`${piece.slice(0, -1)},"options":[${pieces("option", options, vocabulary).join(",")}]}`]
  })
  return `[${attributes.join(",")}]`
}

/** By kind of hole. */
export const attributeTexts: Readonly<Record<string, (parts: Parts, vocabulary: VocabularyPieces) => string>> = {
  a: attributesOf,
  c: (options, vocabulary) => `{${bare("option_choice", options, vocabulary).join(",")}}`,
  n: (options, vocabulary) => `"${bare("option_name", options, vocabulary).join(" / ")}"`
}
