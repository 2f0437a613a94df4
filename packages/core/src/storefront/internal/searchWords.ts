/**
 * Words as a search compares them: what text is made of when it is kept, and what a search asks for. Case, accents and
 * other marks count for nothing, and letters that are written in two ways are one. The SQL function `search_words` does
 * the same to names of brands and categories; a test compares the two.
 */

/** Letters whose base no decomposition of Unicode gives. */
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

/** The text without case, marks and compatibility forms. Folding what is folded changes nothing. */
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

/** Letters of a word that count. */
export const longestWord = 64

/** Scripts that write words without blanks between them: each pair of neighbours is a word. */
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

/** Words that punctuation stands between, as one. */
export const joinedWord = (words: ReadonlyArray<string>): string => cut(words.join(""))

/** The words of a text between two blanks: `AB-100/x` is `ab`, `100` and `x`, and `ab100x` as a whole. */
export interface Chunk {
  readonly words: ReadonlyArray<string>
  /** All of it in one word, where punctuation stands between words. */
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

/** The chunks of a text that have words. */
export const chunksOf = (text: string): ReadonlyArray<Chunk> =>
  fold(text)
    .split(/[\s\u0085]+/u)
    .map(chunkOf)
    .filter(({ words }) => words.length > 0)

/** Whether the beginning of a word is enough to look for: one letter is not, one character of an unspaced script is. */
export const isBeginning = (word: string): boolean => word.length > 1 || unspaced.test(word)
