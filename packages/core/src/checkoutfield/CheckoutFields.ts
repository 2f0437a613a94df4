/**
 * The use cases of checkout fields, and the fields of a store as its checkouts read them. Every write raises the
 * store's rules version in its transaction and does so first, as those of tax rates do: a version always names one
 * state of the fields.
 */
import { Clock, Context, Effect, Layer, Result } from "effect"
import { Database } from "../database/Database.ts"
import { orFail } from "../database/Repository.ts"
import { type FieldRejected, fieldsRejected } from "../kernel/FieldRejected.ts"
import { makeId } from "../kernel/Ids.ts"
import { mapItems, type Page } from "../kernel/Pagination.ts"
import { compiledRules } from "../store/compiledRules.ts"
import { checkRoom } from "../store/StoreBounds.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { Stores } from "../store/Stores.ts"
import { blankField, changeField } from "./checkedField.ts"
import {
  checkoutFieldBound,
  type CheckoutFieldInput,
  type CheckoutFieldPatch,
  type StoredField,
  toCheckoutFieldView
} from "./CheckoutField.ts"
import { CheckoutFieldNotFound } from "./CheckoutFieldErrors.ts"
import { CheckoutFieldRepository } from "./CheckoutFieldRepository.ts"
import { fieldsByKey, type FieldsByKey } from "./FieldValues.ts"

/** The fields of one store in one state. */
interface CompiledFields {
  /** The version of the store's rules. */
  readonly version: bigint
  readonly fields: FieldsByKey
}

export class CheckoutFields extends Context.Service<CheckoutFields>()(
  "@effect-commerce/core/checkoutfield/CheckoutFields",
  {
    make: Effect.gen(function* () {
      const database = yield* Database
      const repository = yield* CheckoutFieldRepository
      const stores = yield* Stores

      const compiled = compiledRules({
        read: repository.readRules,
        compile: ({ fields, rulesVersion }): CompiledFields => ({ version: rulesVersion, fields: fieldsByKey(fields) }),
        none: (version): CompiledFields => ({ version, fields: new Map() })
      })

      const find = (store: StoreContext, id: string) =>
        orFail(repository.find(store.id, id), () => new CheckoutFieldNotFound({ id }))
      const read = (store: StoreContext, id: string) =>
        Effect.map(find(store, id), (field) => toCheckoutFieldView(store, field))

      const changed = (
        current: StoredField,
        changes: CheckoutFieldPatch,
        { currency }: StoreContext
      ): Effect.Effect<StoredField, FieldRejected> => {
        const field = changeField(current, changes, currency)
        if (Result.isSuccess(field)) return Effect.succeed(field.success)
        return fieldsRejected(field.failure) ?? Effect.succeed(current)
      }

      const create = Effect.fn("CheckoutFields.create")(function* (known: StoreContext, input: CheckoutFieldInput) {
        const now = yield* Clock.currentTimeMillis
        const id = makeId("chkfield", now)
        return yield* database.write(known.id)(
          Effect.gen(function* () {
            // Locks out every other writer of the store's rules, so that two cannot both take the last place.
            const store = yield* stores.bumpRules(known)
            const field = yield* changed(blankField, input, store)
            yield* checkRoom(checkoutFieldBound, yield* repository.count(store.id))
            yield* repository.insert(store.id, id, field, new Date(now))
            return yield* Effect.orDie(read(store, id))
          })
        )
      })

      const update = Effect.fn("CheckoutFields.update")(function* (
        known: StoreContext,
        id: string,
        patch: CheckoutFieldPatch
      ) {
        const now = yield* Clock.currentTimeMillis
        return yield* database.write(known.id)(
          Effect.gen(function* () {
            const store = yield* stores.bumpRules(known)
            const field = yield* changed(yield* find(store, id), patch, store)
            yield* repository.update(store.id, id, field, new Date(now))
            return yield* read(store, id)
          })
        )
      })

      /** Open checkouts forget what was filled in; orders keep it. */
      const remove = Effect.fn("CheckoutFields.remove")(function* (store: StoreContext, id: string) {
        yield* database.write(store.id)(
          Effect.gen(function* () {
            yield* stores.bumpRules(store)
            if (!(yield* repository.remove(store.id, id))) return yield* new CheckoutFieldNotFound({ id })
          })
        )
      })

      return {
        create,
        update,
        remove,
        get: read,
        list: (store: StoreContext, page: Page) =>
          mapItems(repository.list(store.id, page), (field) => toCheckoutFieldView(store, field)),
        /** Ids by key; keys that no field has are left out. */
        idsByKey: (store: StoreContext, keys: ReadonlyArray<string>) => repository.idsByKey(store.id, keys),
        /** The fields of a store as of its rules version: no statement on a process that has read them. */
        of: ({ id, rulesVersion }: Pick<StoreContext, "id" | "rulesVersion">) =>
          Effect.map(compiled(id, rulesVersion), ({ fields }) => fields)
      }
    })
  }
) {
  static readonly layer = Layer.effect(CheckoutFields, CheckoutFields.make).pipe(
    Layer.provide(CheckoutFieldRepository.layer)
  )
}
