/**
 * The work on exports: one page of one export at a time, under a lease. What a process leaves when it dies is taken up
 * by the next from the last part that is recorded: no row is written twice or left out.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { randomHex, uniqueName } from "../crypto/Hashing.ts"
import { RootSecret } from "../crypto/RootSecret.ts"
import { mailTokenContext, mailTokenPurpose } from "../customer/CustomerEvents.ts"
import { Database } from "../database/Database.ts"
import { HeavyReadRefused } from "../database/DatabaseErrors.ts"
import { FaultPoint } from "../database/FaultPoint.ts"
import { classify } from "../database/SqlErrors.ts"
import { storesInTurn } from "../database/StoreTurns.ts"
import { SignedLinks } from "../link/SignedLinks.ts"
import { ObjectStore, ObjectStoreFailed } from "../media/ObjectStore.ts"
import { Outbox } from "../outbox/Outbox.ts"
import { Stores } from "../store/Stores.ts"
import { type ExportState, mostExportBytes, mostKeptExportBytes } from "./Export.ts"
import { ExportedRepository, type Scanned, scannedAtOnce } from "./ExportedRepository.ts"
import { exportCompleted } from "./ExportEvents.ts"
import { headOf, linesOf, mediaTypeOf } from "./ExportFormat.ts"
import { ExportRepository, type NewPart } from "./ExportRepository.ts"
import { columns, exportRow } from "./ExportRows.ts"

/** Rows of one part, unless one record has more: what a process holds in memory. */
const mostRows = 2_000
/** How long a worker that says nothing keeps an export to itself, in milliseconds. */
const leaseMillis = 120_000
const mostTries = 5
const retryMillis = 15_000
/** How long a file is kept, and then the row about it. */
const fileMillis = 86_400_000
const rowMillis = 30 * 86_400_000
const removedAtOnce = 50
const removersAtOnce = 4
/** Stores whose exports one process works on at a time: a slow storage of one holds no other up. */
const storesAtOnce = 2

interface Page {
  readonly keys: ReadonlyArray<string>
  readonly after: string
  readonly isLast: boolean
}

/** Which of the records that were looked at go into the next part. */
export const pageOf = (scanned: ReadonlyArray<Scanned>, after: string): Page => {
  const keys: Array<string> = []
  let rows = 0
  let last = after
  for (const { key, size, matches } of scanned) {
    if (matches && keys.length > 0 && rows + size > mostRows) return { keys, after: last, isLast: false }
    if (matches) {
      keys.push(key)
      rows += size
    }
    last = key
  }
  return { keys, after: last, isLast: scanned.length < scannedAtOnce }
}

const tooLarge = "The file would be larger than 4 GiB: narrow the export by filters"
const noRoom =
  "All files of the store's exports would be larger than 8 GiB: export again when older ones are deleted, a day later"
const notStored = "The file could not be written; nothing of it is kept"

export class ExportWork extends Context.Service<ExportWork>()("@effect-commerce/core/export/ExportWork", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* ExportRepository
    const exported = yield* ExportedRepository
    const objects = yield* ObjectStore
    const outbox = yield* Outbox
    const stores = yield* Stores
    const links = yield* SignedLinks
    const secret = yield* RootSecret

    const remove = Effect.fnUntraced(function* (storeId: string, key: string) {
      yield* objects.remove(key)
      yield* database.write(storeId)(repository.forget(storeId, key))
    })

    /** Objects that a worker has begun and not recorded. */
    const clear = (storeId: string, id: string) =>
      Effect.flatMap(repository.leftovers(storeId, id), (keys) =>
        Effect.forEach(keys, (key) => remove(storeId, key), { discard: true })
      )

    const textOf = Effect.fnUntraced(function* (storeId: string, job: ExportState) {
      const { resource, format, filters, createdAt: until } = job
      const what = { storeId, resource, filters, until }
      const page = pageOf(yield* exported.scan(what, job.after ?? ""), job.after ?? "")
      const stored = page.keys.length === 0 ? [] : yield* exported.rows(what, page.keys)
      const { currency } = yield* stores.context(storeId)
      const rows = stored.map((row) => exportRow(resource, row, currency))
      const head = job.parts === 0 && (rows.length > 0 || page.isLast) ? headOf(format, columns[resource]) : ""
      return { page, rows: rows.length, text: head + linesOf(format, columns[resource], rows) }
    })

    /** Writes the bytes of a part under a name of its own, which is recorded first. */
    const store = Effect.fnUntraced(function* (storeId: string, job: ExportState, text: string, rows: number) {
      const bytes = Buffer.from(text, "utf8")
      const name = `${job.id}-${String(job.parts).padStart(6, "0")}-${randomHex("", 6)}.${job.format}`
      const part: NewPart = { key: `${storeId}/${name}`, rows, bytes: bytes.length }
      yield* database.write(storeId)(repository.begin(storeId, job.id, part, job.parts))
      yield* FaultPoint.hit("export.part-begun")
      if (objects.hasRoom !== undefined && !(yield* objects.hasRoom))
        return yield* new ObjectStoreFailed({ operation: "put", cause: new Error("the storage is nearly full") })
      yield* objects.put({ key: part.key, bytes, contentType: mediaTypeOf(job.format) })
      yield* FaultPoint.hit("export.part-stored")
      return part
    })

    const complete = Effect.fnUntraced(function* (storeId: string, job: ExportState, rows: bigint, now: number) {
      const expiresAt = new Date(now + fileMillis)
      yield* repository.end(storeId, job.id, null, { status: "DONE", expiresAt }, new Date(now))
      const token = links.sign("export", [storeId, job.id], expiresAt.getTime())
      yield* outbox.append(storeId, exportCompleted, {
        exportId: job.id,
        resource: job.resource,
        rows: Number(rows),
        token: secret.seal(mailTokenPurpose, mailTokenContext(storeId, job.id), token),
        expiresAt: expiresAt.toISOString()
      })
    })

    const fail = Effect.fnUntraced(function* (storeId: string, id: string, lease: string, reason: string) {
      const at = new Date(yield* Clock.currentTimeMillis)
      yield* database.write(storeId)(
        repository.end(storeId, id, lease, { status: "FAILED", reason, expiresAt: at }, at)
      )
    })

    /** The next part of an export, and its end where it is the last. */
    const step = Effect.fnUntraced(function* (storeId: string, job: ExportState, lease: string) {
      if (job.tries > 1) yield* clear(storeId, job.id)
      const { page, rows, text } = yield* textOf(storeId, job)
      const size = BigInt(Buffer.byteLength(text))
      if (job.bytes + size > mostExportBytes) return yield* fail(storeId, job.id, lease, tooLarge)
      if ((yield* repository.keptBytes(storeId)) + size > mostKeptExportBytes)
        return yield* fail(storeId, job.id, lease, noRoom)
      const part = text === "" ? undefined : yield* store(storeId, job, text, rows)
      const progress = { after: page.after, ...(part === undefined ? {} : { part }) }
      const kept = yield* database.write(storeId)(
        Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          const all = yield* repository.advance(storeId, job.id, lease, progress, new Date(now))
          if (all !== undefined && page.isLast) yield* complete(storeId, job, all, now)
          return all !== undefined
        })
      )
      yield* FaultPoint.hit("export.part-recorded")
      // Another worker has taken the lease: what this one has written is no part of the file.
      if (!kept && part !== undefined) yield* remove(storeId, part.key)
    })

    const failed = Effect.fnUntraced(function* (storeId: string, job: ExportState, lease: string, defect: unknown) {
      if (classify(defect) === "unavailable") return yield* Effect.die(defect)
      // Other reads of the store come first for now: that is no failure of the export.
      const isBusy = defect instanceof HeavyReadRefused && defect.reason === "busy"
      if (!isBusy)
        yield* Effect.annotateLogs(Effect.logError("A part of an export failed", defect), { storeId, exportId: job.id })
      if (!isBusy && job.tries >= mostTries) return yield* fail(storeId, job.id, lease, notStored)
      const now = yield* Clock.currentTimeMillis
      const then = { dueAt: new Date(now + retryMillis * job.tries), tries: isBusy ? job.tries - 1 : job.tries }
      yield* database.write(storeId)(repository.release(storeId, job.id, lease, then, new Date(now)))
    })

    const takeTurn = Effect.fn("ExportWork.takeTurn")(function* (storeId: string) {
      const now = yield* Clock.currentTimeMillis
      const lease = uniqueName("lease_")
      const job = yield* database.write(storeId)(
        repository.claim(storeId, lease, new Date(now), new Date(now + leaseMillis))
      )
      if (job === undefined) return false
      // Tries are counted before the work: of these no worker has lived to tell.
      if (job.tries > mostTries) {
        yield* Effect.annotateLogs(Effect.logError("An export is given up"), { storeId, exportId: job.id })
        yield* fail(storeId, job.id, lease, notStored)
        return true
      }
      yield* step(storeId, job, lease).pipe(
        Effect.catch((error) => failed(storeId, job, lease, error)),
        Effect.catchDefect((defect) => failed(storeId, job, lease, defect))
      )
      return true
    })

    const due = Effect.flatMap(Clock.currentTimeMillis, (now) => repository.storesWithDue(new Date(now)))

    /** Deletes the objects of an export whose time is over: first the bytes, then, at once, all that names them. */
    const sweepFiles = Effect.fnUntraced(function* (storeId: string) {
      const id = yield* repository.expired(storeId, new Date(yield* Clock.currentTimeMillis))
      if (id === undefined) return false
      const keys = yield* repository.keys(storeId, id)
      yield* Effect.forEach(keys, (key) => objects.remove(key), { concurrency: removersAtOnce, discard: true })
      yield* database.write(storeId)(repository.filesRemoved(storeId, id))
      return true
    })

    const sweep = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      yield* storesInTurn("Deleting files of exports", repository.storesWithExpired(new Date(now)), sweepFiles)
      const before = new Date(now - rowMillis)
      yield* storesInTurn("Forgetting old exports", repository.storesWithOld(before), (storeId) =>
        database.write(storeId)(repository.removeOld(storeId, before, removedAtOnce))
      )
    })

    return {
      /** Works on every export that is due; stores take turns. */
      pass: storesInTurn("Writing an export", due, takeTurn, storesAtOnce),
      sweep
    }
  })
}) {
  static readonly layer = Layer.effect(ExportWork, ExportWork.make)
}
