/** The README's paragraph and table of what is built, as text, from the list of operations. */
import type { Part } from "../packages/handler/test/matrix/operationList.ts"

const begin = "<!-- Made from packages/handler/test/matrix/operations.txt by `npm run readme`. -->"
const end = "<!-- Here `npm run readme` ends. -->"

const count = (parts: ReadonlyArray<Part>): number => parts.reduce((sum, { operations }) => sum + operations.length, 0)

/** Formats a table as the formatter does: columns as wide as their widest cell, numbers to the right. */
const aligned = (rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const padded = (cell: string, column: number): string =>
    column === 1 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)
  const [head = "", ...lines] = rows.map((row) => `| ${row.map(padded).join(" | ")} |`)
  const rule = widths.map((width, column) => (column === 1 ? `${"-".repeat(width - 1)}:` : "-".repeat(width)))
  return [head, `| ${rule.join(" | ")} |`, ...lines]
}

const tableOf = (parts: ReadonlyArray<Part>): string => {
  const rows = parts.map(({ name, words, operations }) => [name, String(operations.length), words])
  const sentence = `The interface has ${count(parts)} operations, and all of them are built.`
  return [begin, "", sentence, "", ...aligned([["part", "operations", "what it is"], ...rows]), "", end].join("\n")
}

/** The README with what stands between its two marks made anew. */
export const withTable = (readme: string, parts: ReadonlyArray<Part>): string => {
  const from = readme.indexOf(begin)
  const to = readme.indexOf(end)
  if (from === -1 || to < from) throw new Error("The README lacks the marks of its table")
  return readme.slice(0, from) + tableOf(parts) + readme.slice(to + end.length)
}
