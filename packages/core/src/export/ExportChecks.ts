/** Reads the filters of an export: what a resource's list cannot filter by is refused. Pure. */
import { Effect } from "effect"
import { type FieldRejected, rejectFields } from "../kernel/FieldRejected.ts"
import { parseIsoTime } from "../kernel/IsoTime.ts"
import { orderStatuses } from "../order/Order.ts"
import type { ExportFilters, ExportInput, ExportResource } from "./Export.ts"

type Given = NonNullable<ExportInput["filters"]>
type Filter = keyof Given

const productStatuses = ["active", "draft"] as const

/** What the list of each resource can be narrowed by, and the words of its statuses. */
const known: Readonly<
  Record<ExportResource, { readonly filters: ReadonlyArray<Filter>; readonly statuses: ReadonlyArray<string> }>
> = {
  orders: { filters: ["status", "createdFrom", "createdTo", "search"], statuses: orderStatuses },
  customers: { filters: ["createdFrom", "createdTo", "search"], statuses: [] },
  products: { filters: ["status", "createdFrom", "createdTo", "search"], statuses: productStatuses },
  inventory: { filters: ["search"], statuses: [] }
}

/** Statuses in the case in which they are stored; undefined for an unknown word. */
const statusesOf = (given: NonNullable<Given["status"]>, words: ReadonlyArray<string>) => {
  const named = (typeof given === "string" ? given.split(",") : given).map((word) => word.trim().toLowerCase())
  const found = named.map((name) => words.find((word) => word.toLowerCase() === name))
  return found.every((word) => word !== undefined) && found.length > 0 ? [...new Set(found)] : undefined
}

/** The filters as they are stored; blank texts and nulls filter nothing. */
export const readFilters = (
  resource: ExportResource,
  given: Given = {}
): Effect.Effect<ExportFilters, FieldRejected> => {
  const { filters, statuses } = known[resource]
  const errors: Record<string, string> = {}
  const read: { -readonly [K in keyof ExportFilters]: ExportFilters[K] } = {}
  const isGiven = (filter: Filter) => given[filter] !== undefined && given[filter] !== null && given[filter] !== ""
  for (const filter of ["status", "createdFrom", "createdTo", "search"] as const)
    if (isGiven(filter) && !filters.includes(filter)) errors[`filters.${filter}`] = `is no filter of ${resource}`
  if (isGiven("status") && filters.includes("status")) {
    const named = statusesOf(given.status ?? [], statuses)
    if (named === undefined) errors["filters.status"] = `must be of ${statuses.join(", ")}`
    else read.status = named
  }
  for (const filter of ["createdFrom", "createdTo"] as const) {
    if (!isGiven(filter)) continue
    const at = parseIsoTime(given[filter] ?? "")
    if (at === undefined) errors[`filters.${filter}`] = "must be an ISO 8601 date or time"
    else read[filter] = at.toISOString()
  }
  const words = given.search?.trim() ?? ""
  if (words !== "") read.search = words
  return Effect.as(rejectFields(errors), read)
}
