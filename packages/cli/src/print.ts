/** What commands print: one JSON document, or lines for people; progress and notices go to standard error. */
export const printJson = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`)

export const printLines = (lines: ReadonlyArray<string>): void => void process.stdout.write(`${lines.join("\n")}\n`)

export const note = (line: string): void => void process.stderr.write(`${line}\n`)

/** `name  value` in two columns. */
export const columns = (rows: Readonly<Record<string, unknown>>): ReadonlyArray<string> => {
  const width = Math.max(...Object.keys(rows).map((name) => name.length))
  return Object.entries(rows).map(([name, value]) => `${name.padEnd(width)}  ${Array.isArray(value) ? value.join(" ") : String(value)}`)
}
