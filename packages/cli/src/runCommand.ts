/** The frame of every command: settings are read, the command's module is imported only then, the result is printed. */
import { Effect } from "effect"
import { columns, printJson, printLines, table } from "./print.ts"
import { root, type SharedFlags, settingFlags } from "./root.ts"
import type { Settings } from "./Settings.ts"

/** A result for people: a list as a table, anything else as two columns. */
const readable = (answer: object): ReadonlyArray<string> =>
  Array.isArray(answer) ? table(answer) : columns({ ...answer })

/** `json` is the result for scripts, if people get a longer one. */
export interface Reading<A> {
  readonly json?: ((answer: A) => unknown) | undefined
  readonly lines?: ((answer: A) => ReadonlyArray<string>) | undefined
}

/** A command that works on an installation. */
export const runCommand = <A extends object>(work: (settings: Settings) => Promise<A>, reading: Reading<A> = {}) =>
  withFlags(async (flags) => {
    const { readSettings } = await import("./Settings.ts")
    print(flags, await work(readSettings(settingFlags(flags))), reading)
  })

/** A command that needs no installation, and so no settings. */
export const runAlone = <A extends object>(work: () => Promise<A>, reading: Reading<A> = {}) =>
  withFlags(async (flags) => print(flags, await work(), reading))

export const withFlags = (work: (flags: SharedFlags) => Promise<void>) =>
  Effect.flatMap(root, (flags) => Effect.promise(() => work(flags)))

const print = <A extends object>(
  flags: SharedFlags,
  answer: A,
  { json = (same) => same, lines = readable }: Reading<A>
): void => {
  if (flags.json) printJson(json(answer))
  else printLines(lines(answer))
}
