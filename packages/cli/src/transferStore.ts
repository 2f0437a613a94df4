/** The work of `commerce store export` and `commerce store import`. */
import { createReadStream } from "node:fs"
import { open, rename, rm, stat } from "node:fs/promises"
import { ImportRefused } from "@effect-commerce/core/transfer/TransferErrors"
import { type Exported, StoreExport } from "@effect-commerce/core/transfer/StoreExport"
import { type Imported, StoreImport } from "@effect-commerce/core/transfer/StoreImport"
import { Effect, Stream } from "effect"
import { withExisting } from "./existingDatabase.ts"
import { withCore } from "./openCore.ts"
import { columns, drained } from "./print.ts"
import { Refused, WrongUsage } from "./Refused.ts"
import { ProgressLine } from "./seed/ProgressLine.ts"
import type { Settings } from "./Settings.ts"

export interface ExportFlags {
  readonly id: string
  readonly out: string | undefined
  readonly anonymise: boolean
  readonly media: boolean
}

/** Counting rows takes a moment, so it is done for a terminal alone. */
const rowsShown = () => {
  if (!process.stderr.isTTY) return undefined
  let line: ProgressLine | undefined
  return (done: number, all: number): void => {
    line ??= new ProgressLine(all, "rows")
    line.to(done)
  }
}

/** Where lines go: a file that has its name once it is whole, or standard output. Rejects with Refused. */
const openOut = async (out: string | undefined) => {
  const nothing = () => Promise.resolve()
  if (out === undefined) {
    const write = (lines: string) => (process.stdout.write(lines) ? nothing() : drained())
    return { write, finish: nothing, drop: nothing }
  }
  const cannot = (error: unknown): never => {
    throw new Refused(`${out} cannot be written: ${codeOf(error)}`)
  }
  const begun = `${out}.part`
  // What a store knows of people is for nobody else on the machine.
  const file = await open(begun, "w", 0o600).catch(cannot)
  return {
    write: (lines: string) => file.writeFile(lines).catch(cannot),
    finish: async () => {
      await file.sync().catch(cannot)
      await file.close().catch(cannot)
      await rename(begun, out).catch(cannot)
    },
    drop: async () => {
      await file.close()
      await rm(begun, { force: true })
    }
  }
}

export const exportStore = async (settings: Settings, { id, out, anonymise, media }: ExportFlags) => {
  const place = await openOut(out)
  const write = (lines: string) => Effect.promise(() => place.write(lines))
  try {
    const exported = await withExisting(
      settings,
      Effect.flatMap(StoreExport, (exporting) =>
        exporting.run({ storeId: id, anonymised: anonymise, media, write, progress: rowsShown() })
      )
    )
    await place.finish()
    return exported
  } catch (error) {
    await place.drop()
    throw error
  }
}

/** `--json` prints one document on standard output, where the stream would be. */
export const checkExportFlags = (out: string | undefined, json: boolean): void => {
  if (json && out === undefined) throw new WrongUsage("--json needs --out: without it the export is what is printed")
}

export const tellExported = (exported: { readonly rows: Readonly<Record<string, number>>; readonly files: number }) =>
  `exported ${sumOf(exported.rows)} rows of ${Object.keys(exported.rows).length} tables` +
  (exported.files === 0 ? "" : ` and ${exported.files} files`)

/** For people, on standard error: undefined where nothing is under way. */
export const underWayLine = ({ id, underWay }: Pick<Exported, "id" | "underWay">): string | undefined => {
  const { calling, awaitingShopper, unsettled } = underWay
  const all = calling + awaitingShopper + unsettled
  return all === 0
    ? undefined
    : `${all} ${all === 1 ? "payment is" : "payments are"} under way (${calling} at the provider, ${awaitingShopper} ` +
        `waiting for the shopper, ${unsettled} not settled), and this installation goes on with them. To move the ` +
        `store, suspend it (\`commerce store suspend ${id}\`) and export it again until none is`
}

const sumOf = (rows: Readonly<Record<string, number>>): number => Object.values(rows).reduce((sum, n) => sum + n, 0)

const sourceOf = (file: string) => () =>
  Stream.fromAsyncIterable(createReadStream(file, { highWaterMark: 262_144 }), (error) =>
    error instanceof ImportRefused ? error : new ImportRefused({ reason: `${file} cannot be read: ${codeOf(error)}` })
  )

const codeOf = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException
  return code ?? message
}

const kibibyte = 1_024

export const importStore = async (
  settings: Settings,
  file: string,
  accountId: string | undefined
): Promise<Imported> => {
  const found = await stat(file).catch((error: unknown) => {
    throw new Refused(`${file} cannot be read: ${codeOf(error)}`)
  })
  if (!found.isFile()) throw new Refused(`${file} is no file: it is read twice, so it cannot be a pipe or a folder`)
  const reading = new ProgressLine(Math.ceil((found.size * 2) / kibibyte), "KiB, read twice")
  let bytes = 0
  let composed: ProgressLine | undefined
  return withCore(
    settings,
    Effect.flatMap(StoreImport, (importing) =>
      importing.run({
        source: sourceOf(file),
        accountId,
        progress: (more) => {
          bytes += more
          reading.to(Math.ceil(bytes / kibibyte))
        },
        composing: (done, all) => {
          composed ??= new ProgressLine(all, "products composed")
          composed.to(done)
        }
      })
    )
  )
}

/** For people: what was made, and what is left to do. */
export const importLines = ({ rows, again, files, ...made }: Imported): ReadonlyArray<string> => [
  ...columns({ ...made, rows: sumOf(rows), files }),
  ...(again.length === 0
    ? []
    : ["", "To be made or set again:", ...again.map(({ what, name }) => `  ${what}: ${name}`)])
]
