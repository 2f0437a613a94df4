/**
 * The mappings of an installation. Every write holds the installation first, so that writers take turns: of two
 * requests with one key the second finds what the first has written.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { checkVersion } from "../database/Precondition.ts"
import { orFail } from "../database/Repository.ts"
import { sameJson } from "../kernel/CanonicalJson.ts"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import { makeId } from "../kernel/Ids.ts"
import { mapItems, type Page } from "../kernel/Pagination.ts"
import { fullProblem } from "../store/StoreBounds.ts"
import type { InstallationPlace } from "./AppInstallation.ts"
import { InstallationNotFound, MappingNotFound, MappingTaken } from "./AppErrors.ts"
import { AppInstallationRepository, type HeldInstallation } from "./AppInstallationRepository.ts"
import {
  changedMapping,
  chargeOfMapping,
  mappingBytesProblem,
  type MappingFields,
  type MappingInput,
  type MappingKey,
  type MappingPatch,
  type MappingState,
  mostMappings,
  newMapping,
  toMappingView
} from "./AppMapping.ts"
import { AppMappingRepository, type MappingFilter } from "./AppMappingRepository.ts"

export class AppMappings extends Context.Service<AppMappings>()("@effect-commerce/core/app/AppMappings", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const installations = yield* AppInstallationRepository
    const repository = yield* AppMappingRepository

    const viewOf = ({ storeId, installationId }: InstallationPlace, state: MappingState) =>
      toMappingView(storeId, installationId, state)

    /** Fails for an installation that is not there; its writers take turns until the transaction ends. */
    const hold = ({ storeId, installationId }: InstallationPlace) =>
      orFail(installations.hold(storeId, installationId), () => new InstallationNotFound({ id: installationId }))

    const known = ({ storeId, installationId }: InstallationPlace) =>
      orFail(installations.find(storeId, installationId), () => new InstallationNotFound({ id: installationId }))

    const add = Effect.fnUntraced(function* (place: InstallationPlace, input: MappingInput, held: HeldInstallation) {
      const now = yield* Clock.currentTimeMillis
      const mapping = { ...changedMapping(newMapping(input), input), ...keyOf(input) }
      const charge = chargeOfMapping(mapping)
      yield* refuse(
        fullProblem({ field: "mappings", most: mostMappings, words: "mappings" }, held.mappings) ??
          mappingBytesProblem(held.mappingBytes, charge)
      )
      return yield* written(repository.insert(place, makeId("map", now), { ...mapping, charge }, new Date(now)))
    })

    const change = Effect.fnUntraced(function* (
      place: InstallationPlace,
      current: MappingState,
      fields: MappingFields,
      held: HeldInstallation
    ) {
      const now = new Date(yield* Clock.currentTimeMillis)
      const charge = chargeOfMapping({ ...keyOf(current), ...fields })
      const added = charge - current.charge
      yield* refuse(mappingBytesProblem(held.mappingBytes, added))
      return yield* written(repository.update(place, current.id, { ...fields, charge, added }, now))
    })

    const create = Effect.fn("AppMappings.create")(function* (place: InstallationPlace, input: MappingInput) {
      const state = yield* database.write(place.storeId)(
        Effect.gen(function* () {
          const held = yield* hold(place)
          const taken = yield* repository.findByKey(place, input)
          if (taken !== undefined) return yield* new MappingTaken({ mappingId: taken.id, ...keyOf(input) })
          return yield* add(place, input, held)
        })
      )
      return viewOf(place, state)
    })

    /**
     * Creates the mapping, or updates the one with its key: what the body leaves out stays. The same body again changes
     * nothing, not even the version.
     */
    const upsert = Effect.fn("AppMappings.upsert")(function* (place: InstallationPlace, input: MappingInput) {
      const state = yield* database.write(place.storeId)(
        Effect.gen(function* () {
          const held = yield* hold(place)
          const current = yield* repository.findByKey(place, input)
          if (current === undefined) return yield* add(place, input, held)
          yield* checkVersion(current.updatedAt)
          const changed = changedMapping(current, input)
          return isSame(current, changed) ? current : yield* change(place, current, changed, held)
        })
      )
      return viewOf(place, state)
    })

    const update = Effect.fn("AppMappings.update")(function* (
      place: InstallationPlace,
      id: string,
      patch: MappingPatch
    ) {
      const state = yield* database.write(place.storeId)(
        Effect.gen(function* () {
          const held = yield* hold(place)
          const current = yield* orFail(repository.find(place, id), () => new MappingNotFound({ id }))
          return yield* change(place, current, changedMapping(current, patch), held)
        })
      )
      return viewOf(place, state)
    })

    /** Unlinks: the resource and what is on the platform stay. */
    const remove = Effect.fn("AppMappings.remove")(function* (place: InstallationPlace, id: string) {
      yield* database.write(place.storeId)(
        Effect.gen(function* () {
          yield* hold(place)
          if (!(yield* repository.remove(place, id))) return yield* new MappingNotFound({ id })
        })
      )
    })

    return {
      create,
      upsert,
      update,
      remove,
      get: Effect.fnUntraced(function* (place: InstallationPlace, id: string) {
        yield* known(place)
        return viewOf(place, yield* orFail(repository.find(place, id), () => new MappingNotFound({ id })))
      }),
      /** Codes of the platforms that installed apps of the store have mappings for, in alphabetical order. */
      platforms: repository.platforms,
      /** Newest first. */
      list: Effect.fnUntraced(function* (place: InstallationPlace, page: Page, filter: MappingFilter) {
        yield* known(place)
        return yield* mapItems(repository.list(place, page, filter), (state) => viewOf(place, state))
      })
    }
  })
}) {
  static readonly layer = Layer.effect(AppMappings, AppMappings.make).pipe(
    Layer.provide([AppInstallationRepository.layer, AppMappingRepository.layer])
  )
}

const refuse = (problem: string | undefined) =>
  problem === undefined ? Effect.void : FieldRejected.at("mappings", problem)

const keyOf = ({ resourceType, internalId, platformCode }: MappingKey) => ({
  resourceType,
  internalId,
  platformCode
})

/** Every write of a held installation returns its row. */
const written = (statement: Effect.Effect<MappingState | undefined>) =>
  Effect.flatMap(statement, (row) =>
    row === undefined ? Effect.die(new Error("a mapping that is held is not there")) : Effect.succeed(row)
  )

const isSame = (current: MappingState, changed: MappingFields): boolean =>
  current.externalId === changed.externalId &&
  current.externalUrl === changed.externalUrl &&
  current.syncStatus === changed.syncStatus &&
  sameJson(current.metadata, changed.metadata)
