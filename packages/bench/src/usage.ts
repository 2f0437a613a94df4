/** What the programs of this package print instead of a stack: their help, and one line for a wrong call. */
import { parseArgs, type ParseArgsConfig } from "node:util"

type Options = NonNullable<ParseArgsConfig["options"]>

/** Ends the process with 2, as wrong usage does. */
export const wrong = (line: string): never => {
  process.stderr.write(`${line}\n`)
  process.exit(2)
}

/** The flags of the command line; `--help` prints the help and ends the process. */
export const readFlags = <const O extends Options>(options: O, allowPositionals: boolean, help: string) => {
  const read = () => {
    try {
      return parseArgs({ options: { ...options, help: { type: "boolean", default: false } }, allowPositionals })
    } catch (error) {
      // The first sentence says what is wrong; the rest is advice on positional arguments.
      const [said = ""] = (error instanceof Error ? error.message : String(error)).split(". ")
      return wrong(`${said}; see --help`)
    }
  }
  const { values, positionals } = read()
  if ((values as Readonly<Record<string, unknown>>)["help"] === true) {
    process.stdout.write(help)
    process.exit(0)
  }
  return { values, positionals }
}

/** Names in a column with what they are beside them. */
export const columns = (rows: ReadonlyArray<readonly [string, string]>): string => {
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, words]) => `  ${name.padEnd(width)}  ${words}\n`).join("")
}
