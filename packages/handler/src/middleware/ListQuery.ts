/**
 * Closed sets of a query that the type of their schema does not tell: lists with commas between, and sort fields, of
 * which an unknown one is ignored. The API document shows the values that these annotations name.
 */
import { Schema } from "effect"

/** Annotation: the values that a text may have in the API document. */
export const documentedValues = "x-values"
/** Annotation: the text is a list with commas between; the values of its items, or none where they are free. */
export const documentedList = "x-list"

/** Query fields of a list that can be sorted. An unknown `sortBy` leaves the default order (interface.md, Pagination). */
export const sortedBy = (fields: readonly [string, ...ReadonlyArray<string>], byDefault: string) => ({
  sortBy: Schema.optionalKey(
    Schema.String.annotate({
      [documentedValues]: fields,
      description: `What to sort by. ${byDefault} Any other value leaves that order.`
    })
  ),
  sortOrder: Schema.optionalKey(Schema.Literals(["asc", "desc"]).annotate({ description: "Ascending or descending." }))
})
