/** Reads the filters of an export: what a resource's list cannot filter by is refused. Pure. */
import { Effect } from "effect"
import { type FieldRejected, rejectFields } from "../kernel/FieldRejected.ts"
import { parseIsoTime } from "../kernel/IsoTime.ts"
import { orderStatuses } from "../order/Order.ts"
import type { ExportFilters, ExportInput, ExportResource } from "./Export.ts"

type Given = NonNullable<ExportInput["filters"]>
type Filter = keyof Given

const filterNames = ["status", "createdFrom", "createdTo", "search"] as const

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

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== ""

/** What is wrong with the times, and what they are. */
const readTimes = (given: Given, errors: Record<string, string>): Pick<ExportFilters, "createdFrom" | "createdTo"> =>
  Object.fromEntries(
    (["createdFrom", "createdTo"] as const).flatMap((filter) => {
      if (!isGiven(given[filter])) return []
      const at = parseIsoTime(given[filter] ?? "")
      if (at !== undefined) return [[filter, at.toISOString()]]
      errors[`filters.${filter}`] = "must be an ISO 8601 date or time"
      return []
    })
  )

/** The filters as they are stored; blank texts and nulls filter nothing. */
export const readFilters = (
  resource: ExportResource,
  given: Given = {}
): Effect.Effect<ExportFilters, FieldRejected> => {
  const { filters, statuses } = known[resource]
  const errors: Record<string, string> = {}
  const foreign = filterNames.filter((filter) => isGiven(given[filter]) && !filters.includes(filter))
  for (const filter of foreign) errors[`filters.${filter}`] = `is no filter of ${resource}`
  const named = isGiven(given.status) ? statusesOf(given.status ?? [], statuses) : []
  if (named === undefined) errors["filters.status"] ??= `must be of ${statuses.join(", ")}`
  const times = readTimes(given, errors)
  const search = given.search?.trim() ?? ""
  return Effect.as(rejectFields(errors), {
    ...(named === undefined || named.length === 0 ? {} : { status: named }),
    ...times,
    ...(search === "" ? {} : { search })
  })
}
