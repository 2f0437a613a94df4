/**
 * What a client knows: one line in an append-only file before each call and one after it, on disk before the next thing
 * happens. The audit believes the file, not the memory of the process that wrote it.
 */
import { closeSync, openSync, readFileSync, writeSync } from "node:fs"
import type { Operation } from "./History.ts"
import type { Line } from "./Purchase.ts"

export interface Intent {
  readonly checkoutId: string
  readonly key: string
  readonly lines: ReadonlyArray<Line>
}

export interface Known {
  readonly what: "ok" | "fail" | "unknown"
  readonly status: number | null
  readonly orderId?: string
  readonly orderNumber?: string
  /** The answer's bytes, base64. */
  readonly bytes?: string
  readonly code?: string
}

/**
 * A purchase as the file has it; `known` is the last known outcome. Times are milliseconds of this process's monotonic
 * clock.
 */
export interface Entry extends Intent {
  readonly began: number
  readonly heard: number | undefined
  readonly known: Known
}

export interface Journal {
  readonly intend: (intent: Intent) => void
  readonly hear: (key: string, known: Known) => void
  /** Read from the file. A purchase of which nothing was heard is unknown. */
  readonly read: () => ReadonlyArray<Entry>
  readonly close: () => void
}

type Word = { readonly at: number } & (
  | ({ readonly word: "intent" } & Intent)
  | ({ readonly word: "heard"; readonly key: string } & Known)
)

const nothing: Known = { what: "unknown", status: null }

export const openJournal = (path: string): Journal => {
  const file = openSync(path, "a", 0o600)
  const append = (word: Word): void => void writeSync(file, `${JSON.stringify(word)}\n`)
  return {
    intend: (intent) => append({ at: performance.now(), word: "intent", ...intent }),
    hear: (key, known) => append({ at: performance.now(), word: "heard", key, ...known }),
    read: () => {
      const entries = new Map<string, Entry>()
      for (const line of readFileSync(path, "utf8").split("\n")) {
        if (line === "") continue
        const { at, ...said } = JSON.parse(line) as Word
        if (said.word === "intent") {
          const { checkoutId, key, lines } = said
          entries.set(key, { checkoutId, key, lines, began: at, heard: undefined, known: nothing })
          continue
        }
        const { word: _word, key, ...known } = said
        const entry = entries.get(key)
        if (entry === undefined) throw new Error(`the journal heard of ${key} before it was intended`)
        entries.set(key, { ...entry, heard: at, known })
      }
      return [...entries.values()]
    },
    close: () => closeSync(file)
  }
}

/** The journal as a history; what was not heard of may have happened. */
export const historyOf = (entries: ReadonlyArray<Entry>): ReadonlyArray<Operation> =>
  entries.map(({ began, heard, known, lines }) => ({
    began,
    ended: known.what === "unknown" ? undefined : heard,
    outcome: known.what === "unknown" ? "info" : known.what,
    ...(known.orderNumber === undefined ? {} : { number: Number(known.orderNumber.replace("#", "")) }),
    units: new Map(lines.map((line) => [line.productId, line.quantity]))
  }))
