/** Conflicts between values that platforms send and values written by somebody else: listed, resolved, ignored. */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { checkVersion } from "../database/Precondition.ts"
import { orFail } from "../database/Repository.ts"
import type { Page } from "../kernel/Pagination.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { ProductChanges } from "../taxonomy/ProductChanges.ts"
import { makeValueWrites } from "./ValueWrites.ts"
import {
  type ConflictStatus,
  type MetafieldConflictState,
  type ResolveConflict,
  toMetafieldConflict
} from "./MetafieldConflict.ts"
import { MetafieldConflictRepository, type Settlement } from "./MetafieldConflictRepository.ts"
import { MetafieldDefinitionRepository } from "./MetafieldDefinitionRepository.ts"
import {
  MetafieldConflictNotFound,
  MetafieldConflictSettled,
  MetafieldResolutionRequired,
  MetafieldsRejected
} from "./MetafieldErrors.ts"
import { MetafieldValueRepository } from "./MetafieldValueRepository.ts"

export class MetafieldConflicts extends Context.Service<MetafieldConflicts>()(
  "@effect-commerce/core/metafield/MetafieldConflicts",
  {
    make: Effect.gen(function* () {
      const database = yield* Database
      const repository = yield* MetafieldConflictRepository
      const definitions = yield* MetafieldDefinitionRepository
      const values = yield* MetafieldValueRepository
      const writes = yield* makeValueWrites
      const productChanges = yield* ProductChanges

      const read = (storeId: string, id: string) =>
        orFail(repository.find(storeId, id), () => new MetafieldConflictNotFound({ id }))

      /** An open conflict, with its product locked: every writer of values and conflicts locks the product first. */
      const held = Effect.fnUntraced(function* (storeId: string, id: string) {
        const { productId } = yield* read(storeId, id)
        const products = yield* productChanges.lock(storeId, [productId])
        const conflict = yield* read(storeId, id)
        yield* checkVersion(conflict.updatedAt)
        if (conflict.status !== "PENDING") return yield* new MetafieldConflictSettled({ id, status: conflict.status })
        return { conflict, products }
      })

      const settled = Effect.fnUntraced(function* (
        store: StoreContext,
        id: string,
        settlement: Settlement,
        now: number
      ) {
        yield* repository.settle(store.id, id, settlement, new Date(now))
        return toMetafieldConflict(store, yield* Effect.orDie(read(store.id, id)))
      })

      const chosenBy = (
        { resolution, value }: ResolveConflict,
        { sourceValue, sourcePlatform }: MetafieldConflictState
      ): Effect.Effect<{ readonly value: unknown; readonly source: string | null } | undefined, MetafieldsRejected> => {
        if (resolution === "accept_source") return Effect.succeed({ value: sourceValue, source: sourcePlatform })
        if (resolution !== "custom") return Effect.undefined
        return value === undefined
          ? Effect.fail(new MetafieldsRejected({ errors: { value: "is needed with custom" } }))
          : Effect.succeed({ value, source: null })
      }

      /** A value that the definition no longer accepts is rejected, and the conflict stays open. */
      const resolve = Effect.fn("MetafieldConflicts.resolve")(function* (
        store: StoreContext,
        id: string,
        decision: ResolveConflict
      ) {
        const now = yield* Clock.currentTimeMillis
        const { resolution } = decision
        return yield* database.write(store.id)(
          Effect.gen(function* () {
            const { conflict, products } = yield* held(store.id, id)
            if (resolution === undefined || resolution === null) return yield* new MetafieldResolutionRequired()
            const chosen = yield* chosenBy(decision, conflict)
            // A definition is locked before its conflicts, in the same order as when it is deleted.
            if (chosen !== undefined) yield* definitions.lockByKey(store.id, [conflict.definition.key])
            const answer = yield* settled(store, id, { status: "RESOLVED", resolution }, now)
            if (chosen === undefined) return answer
            const sent = [{ productId: conflict.productId, key: conflict.definition.key, value: chosen.value }]
            // The merchant decides: the chosen value is written without opening another conflict.
            const plan = yield* writes
              .whole(store.id, { products, sent, source: null, now }, "value")
              .pipe(Effect.mapError(namingValue))
            if (chosen.source !== null) yield* values.claim(store.id, conflict, chosen.source)
            if (plan.some(({ kind }) => kind === "written")) {
              yield* productChanges.changed(store, [conflict.productId], now)
            }
            return answer
          })
        )
      })

      /** The value stays, and the same value from the platform opens no further conflict. */
      const ignore = Effect.fn("MetafieldConflicts.ignore")(function* (store: StoreContext, id: string) {
        const now = yield* Clock.currentTimeMillis
        return yield* database.write(store.id)(
          Effect.andThen(held(store.id, id), settled(store, id, { status: "IGNORED", resolution: null }, now))
        )
      })

      return {
        /** Those of one status, the newest first. */
        list: (store: StoreContext, status: ConflictStatus, page: Page) =>
          Effect.map(repository.list(store.id, status, page), (all) =>
            all.map((state) => toMetafieldConflict(store, state))
          ),
        resolve,
        ignore
      }
    })
  }
) {
  static readonly layer = Layer.effect(MetafieldConflicts, MetafieldConflicts.make).pipe(
    Layer.provide([
      MetafieldConflictRepository.layer,
      MetafieldDefinitionRepository.layer,
      MetafieldValueRepository.layer
    ])
  )
}

/** The body of a decision has a single field for the value, whatever the metafield's key. */
const namingValue = ({ errors }: MetafieldsRejected) =>
  new MetafieldsRejected({ errors: { value: Object.values(errors)[0] ?? "is not accepted" } })
