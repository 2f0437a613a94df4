/** What commands print: one JSON document, or lines for people; progress and notices go to standard error. */
export const printText = (text: string): void => void process.stdout.write(text.endsWith("\n") ? text : `${text}\n`)

export const printJson = (value: unknown): void => printText(JSON.stringify(value))

export const printLines = (lines: ReadonlyArray<string>): void => {
  if (lines.length > 0) printText(lines.join("\n"))
}

/** The error of a command as one line, with overlong words shortened. */
export const refusalLine = (problem: string): string => `commerce: ${oneLine(problem)}`

export const oneLine = (text: string): string =>
  text
    .replaceAll(/\s*[\r\n\u2028\u2029]+\s*/g, " ")
    .replaceAll(longWord, (word) => `${word.slice(0, longestWord)}…`)
    .trim()

/** Characters: more than any path or URL that somebody types, and short enough for a readable line. */
const longestWord = 200
const longWord = new RegExp(`\\S{${longestWord + 1},}`, "g")

export const note = (line: string): void => void process.stderr.write(line.endsWith("\n") ? line : `${line}\n`)

/** Resolves when all output has left the process: a pipe may be slow. */
export const flushed = async (): Promise<void> => {
  for (const stream of [process.stdout, process.stderr])
    await new Promise<void>((done) => stream.write("", () => done()))
}

/**
 * Resolves when standard output has taken what was printed, so that a slow reader slows the work down instead of
 * filling the memory.
 */
export const drained = (): Promise<void> =>
  process.stdout.writableNeedDrain
    ? new Promise((done) => process.stdout.once("drain", () => done()))
    : Promise.resolve()

/** `name  value` in two columns. */
export const columns = (rows: Readonly<Record<string, unknown>>): ReadonlyArray<string> => {
  const width = Math.max(0, ...Object.keys(rows).map((name) => name.length))
  return Object.entries(rows).map(([name, value]) => `${name.padEnd(width)}  ${cell(value)}`.trimEnd())
}

/** A table with a heading; nothing where there are no rows. */
export const table = (rows: ReadonlyArray<Readonly<Record<string, unknown>>>): ReadonlyArray<string> => {
  const [first] = rows
  if (first === undefined) return []
  const lines = [Object.keys(first), ...rows.map((row) => Object.values(row).map(cell))]
  const widths = Object.keys(first).map((_, i) => Math.max(...lines.map((line) => line[i]?.length ?? 0)))
  return lines.map((line) =>
    line
      .map((text, i) => text.padEnd(widths[i] ?? 0))
      .join("  ")
      .trimEnd()
  )
}

const cell = (value: unknown): string =>
  value === null || value === undefined ? "-" : Array.isArray(value) ? value.join(" ") : String(value)
