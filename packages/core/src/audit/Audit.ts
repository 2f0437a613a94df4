/**
 * The auditor checks every law of the books, store after store, on one read-only snapshot of the database. It may run
 * beside any number of servers: it changes nothing, blocks nothing, and transactions under way are no breaches. Memory
 * does not grow with the number of stores, rows or breaches.
 */
import { Cause, Context, Effect, Layer } from "effect"
import { SqlError } from "effect/sql"
import { DocumentChecks } from "../storefront/DocumentChecks.ts"
import { classify } from "../database/SqlErrors.ts"
import { StoreNotFound } from "../store/StoreErrors.ts"
import { AuditRepository } from "./AuditRepository.ts"
import { type Finding, findingsOf, mostTold } from "./Law.ts"
import { laws } from "./Laws.ts"
import { documentLaw } from "../storefront/listingLaws.ts"

export interface AuditOptions {
  /** Only this store; every store by default. */
  readonly storeId?: string | undefined
  /** Called for each store that has breaches, in the order of the stores' ids. */
  readonly tell: (findings: ReadonlyArray<Finding>) => Effect.Effect<void>
  /** Called after each store. */
  readonly progress?: ((done: number, all: number) => void) | undefined
  /** Called while a store's documents of products are compared with its rows. */
  readonly documents?: ((done: number, all: number) => void) | undefined
}

export interface Audited {
  readonly laws: number
  readonly stores: number
  readonly findings: number
}

const storesAtOnce = 500

export class Audit extends Context.Service<Audit>()("@effect-commerce/core/audit/Audit", {
  make: Effect.gen(function* () {
    const repository = yield* AuditRepository

    const checks = yield* DocumentChecks

    const differentDocuments = (storeId: string, told: AuditOptions["documents"]) =>
      Effect.map(checks.different(storeId, mostTold + 1, told), (different) =>
        findingsOf(
          documentLaw,
          storeId,
          different.map(({ productId: id, expected, found }) => ({ id, expected, found }))
        )
      )

    const run = Effect.fnUntraced(function* ({ storeId, tell, progress, documents }: AuditOptions) {
      const all = storeId === undefined ? yield* repository.countStores : 1
      let [stores, findings] = [0, 0]
      const breachesOf = Effect.fnUntraced(function* (id: string) {
        return [...(yield* repository.breaches(id)), ...(yield* differentDocuments(id, documents))]
      })
      const look = Effect.fnUntraced(function* (id: string) {
        const found = yield* Effect.catchCause(repository.apart(breachesOf(id)), (cause) =>
          Cause.hasInterruptsOnly(cause) || classify(Cause.squash(cause)) === "unavailable"
            ? Effect.failCause(cause)
            : Effect.succeed([unreadable(id, cause)])
        )
        stores += 1
        findings += found.length
        if (found.length > 0) yield* tell(found)
        progress?.(stores, all)
      })
      if (storeId !== undefined) {
        if (!(yield* repository.storeExists(storeId))) return yield* new StoreNotFound({ id: storeId })
        yield* look(storeId)
      } else {
        let page = yield* repository.storesAfter("", storesAtOnce)
        while (page.length > 0) {
          yield* Effect.forEach(page, look, { discard: true })
          page = yield* repository.storesAfter(page.at(-1) ?? "", storesAtOnce)
        }
      }
      return { laws: laws.length + 1, stores, findings }
    })

    return { run: (options: AuditOptions) => Effect.withSpan(repository.snapshot(run(options)), "Audit.run") }
  })
}) {
  static readonly layer = Layer.effect(Audit, Audit.make).pipe(
    Layer.provide([AuditRepository.layer, DocumentChecks.layer])
  )
}

/** The finding for a store whose check failed; the stores after it are audited all the same. */
const unreadable = (storeId: string, cause: Cause.Cause<unknown>): Finding => {
  const failure = Cause.squash(cause)
  const why: unknown = SqlError.isSqlError(failure) ? failure.reason.cause : failure
  return {
    law: "store.readable",
    says: "what a store has can be read",
    storeId,
    table: "store",
    id: storeId,
    expected: "readable",
    found: `not read to its end: ${why instanceof Error ? why.message : String(why)}`
  }
}
