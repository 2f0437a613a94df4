/**
 * Makes a store from its file, all of it or nothing. The file is read twice. The first time it is checked to its end,
 * and the bytes of its files are stored; then its rows are written in one transaction, with every constraint and
 * trigger of the schema in force, in batches of a bounded size. A process that dies leaves no row, and files at most,
 * which the next try finds. What storefronts read is composed after the commit; should that end early, the worker does
 * the rest.
 */
import { Cause, Clock, Context, Effect, Layer, type Stream } from "effect"
import { RootSecret } from "../crypto/RootSecret.ts"
import { Database } from "../database/Database.ts"
import { FaultPoint } from "../database/FaultPoint.ts"
import { analyzeGrown } from "../database/TableStatistics.ts"
import { makeId } from "../kernel/Ids.ts"
import { ObjectStore } from "../media/ObjectStore.ts"
import { StoreBeginnings } from "../store/StoreBeginnings.ts"
import { AccountNotFound } from "../store/StoreErrors.ts"
import { ListingRepair } from "../storefront/ListingRepair.ts"
import { type Arrival, arrivedRow, unknownToken } from "./internal/arrivals.ts"
import { makeBatches, type NewRow } from "./internal/batches.ts"
import { readFile } from "./internal/readFile.ts"
import { makeStoredFiles, type StoredFiles } from "./internal/storedFiles.ts"
import { carriedTables } from "./internal/tableOrder.ts"
import type { Place, ReadLine } from "./internal/TransferReader.ts"
import { ImportRefused } from "./TransferErrors.ts"
import type { Again, Header } from "./TransferFormat.ts"
import type { TableFacts } from "./TableFacts.ts"
import { TransferRepository } from "./TransferRepository.ts"

export interface ImportAsked {
  /** The bytes of the file, from its beginning each time that it is called. */
  readonly source: () => Stream.Stream<Uint8Array, ImportRefused>
  /** The account that the store is to belong to; a new one by default. */
  readonly accountId?: string | undefined
  /** Called with how many bytes more were read; each byte is read twice. */
  readonly progress?: ((bytes: number) => void) | undefined
  /** Called while products are composed. */
  readonly composing?: ((done: number, all: number) => void) | undefined
}

export interface Imported {
  readonly id: string
  readonly accountId: string
  readonly name: string
  readonly anonymised: boolean
  readonly rows: Readonly<Record<string, number>>
  readonly files: number
  /** What is to be made or set again. */
  readonly again: ReadonlyArray<Again>
}

const nothing = () => undefined

/** The tables and the schema of this database. */
interface Here {
  readonly place: Place
  /** Those of the installation too. */
  readonly tableOf: (name: string) => TableFacts
}

export class StoreImport extends Context.Service<StoreImport>()("@effect-commerce/core/transfer/StoreImport", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* TransferRepository
    const objects = yield* ObjectStore
    const root = yield* RootSecret
    const repair = yield* ListingRepair
    const beginnings = yield* StoreBeginnings

    const look = Effect.gen(function* () {
      const tables = yield* repository.tables
      const byName = new Map(tables.map((table) => [table.name, table]))
      const schema = (yield* repository.schema) ?? { id: 0, name: "none" }
      const tableOf = (name: string) => byName.get(name) ?? { name, columns: [], key: [], needs: [], parent: null }
      return { place: { tables: carriedTables(tables), schema }, tableOf }
    })

    /** Keeps other imports of the store away until the scope ends. */
    const takeTurn = Effect.fnUntraced(function* ({ storeId }: Header) {
      if (!(yield* repository.alone(storeId)))
        return yield* new ImportRefused({ reason: `the store ${storeId} is being imported by another process` })
      if ((yield* repository.storeName(storeId)) !== undefined)
        return yield* new ImportRefused({
          reason: `the store ${storeId} exists in this database already: an import makes a store, and changes none`
        })
    })

    /** Reads the whole file and stores its files; writes no row. */
    const check = Effect.fnUntraced(function* (asked: ImportAsked, { place }: Here, files: StoredFiles) {
      const { accountId, source, progress = nothing } = asked
      if (accountId !== undefined && !(yield* repository.accountExists(accountId)))
        return yield* new AccountNotFound({ id: accountId })
      const each = (read: ReadLine) => (read.kind === "file" ? files.take(read.line, read.part) : Effect.void)
      const reader = yield* readFile({ source: source(), place, begin: takeTurn, each, progress })
      return { header: yield* headerOf(reader), rows: reader.rows, files: reader.files }
    })

    /** Writes the rows, in the transaction that is open. */
    const write = Effect.fnUntraced(function* (
      asked: ImportAsked,
      here: Here,
      header: Header,
      arrival: Arrival,
      now: Date
    ) {
      const batches = makeBatches(repository.insert)
      const { storeId, accountId } = arrival
      const tokens: Array<NewRow> = []
      const put = (read: ReadLine) => {
        if (read.kind === "file") return Effect.void
        const token = read.table.name === "app_installation" ? unknownToken(read) : undefined
        if (token !== undefined) tokens.push({ table: here.tableOf("app_token"), text: token, line: read.line })
        const row = arrivedRow(read, arrival)
        return row === undefined ? Effect.void : batches.add(row)
      }
      yield* repository.unhurried
      if (asked.accountId === undefined)
        yield* batches.add({
          table: here.tableOf("account"),
          text: JSON.stringify({ id: accountId, name: header.name, created_at: now }),
          line: 1
        })
      const { source, progress = nothing } = asked
      yield* readFile({ source: source(), place: here.place, begin: () => Effect.void, each: put, progress })
      yield* Effect.forEach(tokens, batches.add, { discard: true })
      yield* batches.flush
      if ((yield* repository.numberEventsAfter(storeId)) !== true)
        return yield* new ImportRefused({ reason: "an event has a greater sequence than any of an installation" })
      yield* Effect.forEach(beginnings, (begin) => begin({ id: storeId, accountId, now }), { discard: true })
      yield* FaultPoint.hit("transfer.written")
    })

    /**
     * Takes away the files of an import that was refused or interrupted, unless the store is there: its commit may have
     * come before. After a defect nobody knows whether it commits (the connection was lost), so they stay.
     */
    const takeBack = Effect.fnUntraced(function* (files: StoredFiles, cause: Cause.Cause<unknown>) {
      const owner = files.owner()
      if (owner === undefined || Cause.hasDies(cause)) return
      if ((yield* repository.storeName(owner)) === undefined) yield* files.remove
    })

    const run = Effect.fn("StoreImport.run")(function* (asked: ImportAsked) {
      const here = yield* look
      const files = makeStoredFiles(objects)
      const millis = yield* Clock.currentTimeMillis
      const accountId = asked.accountId ?? makeId("acct", millis)
      const imported = yield* Effect.gen(function* () {
        const checked = yield* check(asked, here, files)
        const { header, rows } = checked
        const { storeId } = header
        const opens = header.seal === root.mark
        const arrival = { storeId, accountId, opens, root }
        yield* database.write(storeId)(write(asked, here, header, arrival, new Date(millis)))
        const again = opens ? header.again : [...header.again, ...header.sealed]
        const { name, anonymised } = header
        const made: Imported = { id: storeId, accountId, name, anonymised, rows, files: checked.files, again }
        return made
      }).pipe(
        Effect.onError((cause) => takeBack(files, cause)),
        Effect.scoped
      )
      yield* analyzeGrown(database)
      yield* repair.finish(imported.id, asked.composing ?? nothing)
      return imported
    })

    return { run }
  })
}) {
  static readonly layer = Layer.effect(this, this.make).pipe(Layer.provide(TransferRepository.layer))
}

/** A file that was read to its end has one. */
const headerOf = ({ header }: { readonly header: Header | undefined }): Effect.Effect<Header, ImportRefused> =>
  header === undefined ? Effect.fail(new ImportRefused({ reason: "the file is empty" })) : Effect.succeed(header)
