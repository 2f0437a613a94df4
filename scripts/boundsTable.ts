/** The table of docs/bounds.md that says how many of a thing a store may have, from the declarations of the rooms. */
import type { StoreBound } from "../packages/core/src/kernel/StoreBound.ts"

const begin = "<!-- Made from the declarations of the rooms by `npm run bounds`. -->"
const end = "<!-- Here `npm run bounds` ends. -->"

/** Formats a table as the formatter does: columns as wide as their widest cell, numbers to the right. */
const tableOf = (bounds: ReadonlyArray<StoreBound>): string => {
  const rows = bounds.map(({ words, says = words, most }) => [says, most.toLocaleString("en")] as const)
  const left = Math.max(...rows.map(([says]) => says.length))
  const right = "at most".length
  return [
    `| ${"what".padEnd(left)} | at most |`,
    `| ${"-".repeat(left)} | ${"-".repeat(right - 1)}: |`,
    ...rows.map(([says, most]) => `| ${says.padEnd(left)} | ${most.padStart(right)} |`)
  ].join("\n")
}

/** The page with a new text between its two marks. */
export const withBounds = (page: string, bounds: ReadonlyArray<StoreBound>): string => {
  const from = page.indexOf(begin)
  const to = page.indexOf(end)
  if (from === -1 || to < from) throw new Error("docs/bounds.md lacks the marks of its table")
  return `${page.slice(0, from)}${begin}\n\n${tableOf(bounds)}\n\n${page.slice(to)}`
}
