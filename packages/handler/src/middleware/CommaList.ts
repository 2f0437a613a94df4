/**
 * A list of values in one query field, separated by commas. Each value becomes part of a statement, so their number is
 * bounded.
 */
import { Schema } from "effect"

/** Values of one field. */
const maxListed = 100

const parts = (text: string): ReadonlyArray<string> =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")

/** One value, or several with commas between. */
export const CommaList = Schema.String.pipe(
  Schema.check(
    Schema.makeFilter(
      (text: string) =>
        text.split(",").length <= maxListed || `must name at most ${maxListed}, with commas between them`,
      // Keeps what describes the field in the API document, which has no word for this rule.
      { toJsonSchema: () => ({}) }
    )
  )
)

/** The values without blanks, each once; undefined where there are none. */
export const listOf = (text: string | undefined): ReadonlyArray<string> | undefined => {
  const found = [...new Set(parts(text ?? ""))]
  return found.length === 0 ? undefined : found
}

/** Annotation: the values that a list with commas between may have. The API document shows it as an array of them. */
export const documentedList = "x-list"

type Known = readonly [string, ...ReadonlyArray<string>]

const shown = (known: Known, description: string) => ({ description, [documentedList]: known })

/** One of these values, or several with commas between. The endpoint refuses any other. */
export const listOfKnown = (known: Known, description: string) => CommaList.annotate(shown(known, description))

const closed = (known: Known, description: string, areKnown: (text: string) => boolean) =>
  CommaList.pipe(
    Schema.check(
      Schema.makeFilter((text: string) => areKnown(text) || `must be of ${known.join(", ")}`, {
        toJsonSchema: () => ({})
      })
    )
  ).annotate(shown(known, description))

/** One of these values, or several with commas between; any other is refused. */
export const closedList = (known: Known, description: string) =>
  closed(known, description, (text) => text.split(",").every((part) => known.includes(part.trim())))

/** The same, where nothing between commas is no value and allowed. */
export const closedListOrEmpty = (known: Known, description: string) =>
  closed(known, description, (text) => parts(text).every((part) => known.includes(part)))
