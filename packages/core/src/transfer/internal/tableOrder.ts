/** The tables of a store in an order in which every foreign key finds its row. Pure. */
import type { TableFacts } from "../TableFacts.ts"
import { carried, leftOut } from "../TransferredTables.ts"

/** Those that have rows of a store and are carried; the store itself comes first. */
export const carriedTables = (tables: ReadonlyArray<TableFacts>): ReadonlyArray<TableFacts> => {
  const wanted = tables.filter(({ name }) => leftOut[name] === undefined)
  const names = new Set(wanted.map(({ name }) => name))
  const placed = new Set<string>()
  const ordered: Array<TableFacts> = []
  const isReady = ({ name, needs }: TableFacts) =>
    !placed.has(name) &&
    [...needs, ...(carried[name]?.after ?? [])].every((needed) => placed.has(needed) || !names.has(needed)) &&
    (name === "store" || placed.has("store"))
  while (ordered.length < wanted.length) {
    const ready = wanted.filter(isReady)
    if (ready.length === 0) throw new Error("foreign keys of tables go round in a circle")
    for (const table of ready) placed.add(table.name)
    ordered.push(...ready)
  }
  return ordered
}
