/**
 * Writes everything that a store owns as lines of a file (TransferFormat.ts): its rows as one snapshot has them, then
 * the bytes of its files, read outside of the transaction. Memory does not grow with the store: rows come by a cursor,
 * two megabytes at a time or a single larger one, and the next ones when what is written has been taken.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { startSha256 } from "../crypto/Hashing.ts"
import { RootSecret } from "../crypto/RootSecret.ts"
import { ObjectStore } from "../media/ObjectStore.ts"
import { StoreNotFound } from "../store/StoreErrors.ts"
import { readWhole } from "./internal/fileBytes.ts"
import { rowsAhead } from "./internal/rowSelection.ts"
import { carriedTables } from "./internal/tableOrder.ts"
import { makeMadeUpPeople } from "./MadeUpPeople.ts"
import { withoutSeals } from "./Seals.ts"
import {
  type End,
  type FilePart,
  formatName,
  formatVersion,
  type Header,
  partBytes,
  rowLine,
  type Row
} from "./TransferFormat.ts"
import { TransferRepository, type UnderWay } from "./TransferRepository.ts"

export interface ExportAsked {
  readonly storeId: string
  /** With people made up, and without secrets. */
  readonly anonymised?: boolean | undefined
  /** With the bytes of its files. */
  readonly media?: boolean | undefined
  /** Takes lines, each with its end; the next ones come when it is done. */
  readonly write: (lines: string) => Effect.Effect<void>
  /** Called with the rows that are written and the rows in all, which are counted only then. */
  readonly progress?: ((done: number, all: number) => void) | undefined
}

export interface Exported {
  readonly id: string
  readonly name: string
  readonly rows: Readonly<Record<string, number>>
  readonly files: number
  /** What the installation goes on with, and an import of the file too: none where people are made up. */
  readonly underWay: UnderWay
}

const noneUnderWay: UnderWay = { calling: 0, awaitingShopper: 0, unsettled: 0 }

/** Bytes of rows that are read at once; a row that is larger comes alone. */
const readBytes = 2 * 1_048_576

export class StoreExport extends Context.Service<StoreExport>()("@effect-commerce/core/transfer/StoreExport", {
  make: Effect.gen(function* () {
    const repository = yield* TransferRepository
    const root = yield* RootSecret
    const objects = yield* ObjectStore

    /** What follows from people is the same in each export of the installation, and in no other. */
    const peopleOf = (storeId: string) => makeMadeUpPeople(root.derive(`transfer/people/${storeId}`))

    const header = Effect.fnUntraced(function* ({ storeId, anonymised = false }: ExportAsked, at: Date) {
      const name = yield* repository.storeName(storeId)
      if (name === undefined) return yield* new StoreNotFound({ id: storeId })
      const tables = carriedTables(yield* repository.tables)
      const { id, name: migration } = (yield* repository.schema) ?? { id: 0, name: "none" }
      const made: Header = {
        format: formatName,
        version: formatVersion,
        schema: { id, name: migration },
        storeId,
        name,
        exportedAt: at.toISOString(),
        anonymised,
        seal: anonymised ? null : root.mark,
        tables: tables.map((table) => table.name),
        again: yield* repository.again(storeId),
        sealed: yield* repository.sealed(storeId)
      }
      return { header: made, tables }
    })

    /** The text of a row as it is carried, or undefined. */
    const textOf = (asked: ExportAsked) => {
      if (asked.anonymised !== true) return (_: string, row: string): string | undefined => row
      const madeUp = peopleOf(asked.storeId)
      return (table: string, row: string): string | undefined => {
        const carried = withoutSeals(table, madeUp.row(table, JSON.parse(row) as Row))
        return carried === undefined ? undefined : madeUp.line(JSON.stringify(carried))
      }
    }

    const writeRows = Effect.fnUntraced(function* (asked: ExportAsked, at: Date, write: ExportAsked["write"]) {
      const { storeId, anonymised = false, progress } = asked
      const begun = yield* header(asked, at)
      yield* write(`${JSON.stringify(begun.header)}\n`)
      let all = 0
      if (progress !== undefined)
        for (const table of begun.tables) all += yield* repository.count(table, storeId, anonymised)
      const carriedText = textOf(asked)
      const rows: Record<string, number> = {}
      let done = 0
      for (const table of begun.tables) {
        yield* repository.open(table, storeId, at, anonymised)
        let most = 1
        for (;;) {
          const found = yield* repository.next(most)
          const texts = found.flatMap(({ row }) => carriedText(table.name, row) ?? [])
          if (texts.length > 0) {
            yield* write(texts.map((row) => `${rowLine(table.name, row)}\n`).join(""))
            rows[table.name] = (rows[table.name] ?? 0) + texts.length
          }
          done += found.length
          progress?.(Math.min(done, all), all)
          const last = found.at(-1)
          if (last === undefined || found.length < most) break
          most = last.ahead <= readBytes ? rowsAhead : 1
        }
        yield* repository.close
      }
      const underWay = anonymised ? noneUnderWay : ((yield* repository.underWay(storeId)) ?? noneUnderWay)
      return { name: begun.header.name, rows, underWay }
    })

    const writeFile = Effect.fnUntraced(function* (key: string, type: string, write: ExportAsked["write"]) {
      const bytes = yield* readWhole(objects, key)
      if (bytes === undefined) return 0
      for (let part = 0; part === 0 || part * partBytes < bytes.length; part++) {
        const from = part * partBytes
        const line: FilePart = {
          file: key,
          type,
          part,
          last: from + partBytes >= bytes.length,
          bytes: Buffer.from(bytes.subarray(from, from + partBytes)).toString("base64")
        }
        yield* write(`${JSON.stringify(line)}\n`)
      }
      return 1
    })

    const writeFiles = Effect.fnUntraced(function* (asked: ExportAsked, at: Date, write: ExportAsked["write"]) {
      let files = 0
      let after = ""
      for (;;) {
        const page = yield* repository.files(asked.storeId, after, at, asked.anonymised ?? false)
        for (const { key, thumbnailKey, mimeType } of page) {
          files += yield* writeFile(key, mimeType, write)
          if (thumbnailKey !== null) files += yield* writeFile(thumbnailKey, "image/webp", write)
        }
        const last = page.at(-1)
        if (last === undefined) return files
        after = last.id
      }
    })

    const run = Effect.fn("StoreExport.run")(function* (asked: ExportAsked) {
      const at = new Date(yield* Clock.currentTimeMillis)
      const sum = startSha256()
      const write = (lines: string) => {
        sum.add(lines)
        return asked.write(lines)
      }
      const { name, rows, underWay } = yield* repository.snapshot(writeRows(asked, at, write))
      const files = asked.media === true ? yield* writeFiles(asked, at, write) : 0
      const end: End = { rows, files, sha256: sum.hex() }
      yield* asked.write(`${JSON.stringify({ end })}\n`)
      const exported: Exported = { id: asked.storeId, name, rows, files, underWay }
      return exported
    })

    return { run }
  })
}) {
  static readonly layer = Layer.effect(this, this.make).pipe(Layer.provide(TransferRepository.layer))
}
