/** The frame of every command: settings are read, the work is imported only now, the answer is printed. */
import { Effect } from "effect"
import { columns, printJson, printLines } from "./print.ts"
import { root, type SharedFlags, settingFlags } from "./root.ts"
import type { Settings } from "./Settings.ts"

/** `work` answers the JSON document; `lines` how people read it (two columns unless told). */
export const runCommand = <A>(
  work: (settings: Settings, flags: SharedFlags) => Promise<A>,
  lines: (answer: A) => ReadonlyArray<string> = (answer) => (Array.isArray(answer) ? answer.flatMap((row) => [...columns(row), ""]) : columns(answer as Record<string, unknown>))
) =>
  Effect.flatMap(root, (flags) =>
    Effect.promise(async () => {
      const { readSettings } = await import("./Settings.ts")
      const answer = await work(readSettings(settingFlags(flags)), flags)
      if (answer === undefined) return
      if (flags.json) printJson(answer)
      else printLines(lines(answer))
    })
  )
