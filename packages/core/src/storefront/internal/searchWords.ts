/**
 * Splits text into words as a search compares them, both for the text of products and for what a shopper types. Case,
 * accents and other marks are ignored, and variants of a letter become one. The SQL function `search_words` does the
 * same to names of brands and categories; a test compares the two.
 */

/** Base letters that the decompositions of Unicode do not give. */
const bases: Readonly<Record<string, string>> = {
  ø: "o",
  œ: "oe",
  æ: "ae",
  đ: "d",
  ð: "d",
  ł: "l",
  þ: "th",
  ħ: "h",
  ŧ: "t",
  ς: "σ"
}
const withBase = /[øœæđðłþħŧς]/g
const marks = /\p{M}+/gu
const beyondAscii = /[^\0-\x7f]/

/** The text without case, marks and compatibility forms. Folding a folded text does not change it. */
export const fold = (text: string): string => {
  if (!beyondAscii.test(text)) return text.toLowerCase()
  return text
    .normalize("NFKD")
    .replace(marks, "")
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize("NFKD")
    .replace(marks, "")
    .replace(withBase, (letter) => bases[letter] ?? letter)
}

/** Characters of a word that are compared; the rest is ignored. */
const longestWord = 64

/** Scripts without spaces between words: each pair of neighbouring characters counts as a word. */
const unspacedScripts = ["Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar"]
const unspaced = new RegExp(
  `[[${unspacedScripts.map((script) => `\\p{Script=${script}}`).join("")}]&&[\\p{L}\\p{N}]]+`,
  "v"
)
const runs = new RegExp(`${unspaced.source}|(?:(?!${unspaced.source})[\\p{L}\\p{N}])+`, "gv")
const letters = /[\p{L}\p{N}]+/gu

const cut = (word: string): string => (word.length <= longestWord ? word : [...word].slice(0, longestWord).join(""))

const pairs = (run: string): ReadonlyArray<string> => {
  const letters = [...run]
  return letters.length < 2 ? [run] : letters.slice(1).map((letter, i) => `${letters[i] ?? ""}${letter}`)
}

/** Words with punctuation between them, as one word. */
export const joinedWord = (words: ReadonlyArray<string>): string => cut(words.join(""))

/** The words between two spaces of a text: `AB-100/x` is `ab`, `100` and `x`, and joined `ab100x`. */
export interface Chunk {
  readonly words: ReadonlyArray<string>
  /** All words as one, where punctuation stands between them. */
  readonly joined: string | undefined
}

const chunkOf = (text: string): Chunk => {
  const isUnspaced = beyondAscii.test(text) && unspaced.test(text)
  const parts = text.match(isUnspaced ? runs : letters) ?? []
  return {
    words: isUnspaced ? parts.flatMap((part) => (unspaced.test(part) ? pairs(part) : [cut(part)])) : parts.map(cut),
    joined: parts.length < 2 || isUnspaced ? undefined : joinedWord(parts)
  }
}

/** The chunks of a text; those without words are left out. */
export const chunksOf = (text: string): ReadonlyArray<Chunk> =>
  fold(text)
    .split(/[\s\u0085]+/u)
    .map(chunkOf)
    .filter(({ words }) => words.length > 0)

/** Whether it can match as the beginning of words: one letter cannot, one character of an unspaced script can. */
export const isBeginning = (word: string): boolean => word.length > 1 || unspaced.test(word)
