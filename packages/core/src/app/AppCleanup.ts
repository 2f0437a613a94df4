/**
 * Deletes what nobody can reach any more: mappings and events of installations that were removed, and events past their
 * time. Each statement deletes a bounded number of rows, stores take turns, and whatever a process leaves undone the
 * next pass of any process does.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { storesInTurn } from "../database/StoreTurns.ts"
import { inboundMillis } from "./AppInbound.ts"
import { AppInboundRepository } from "./AppInboundRepository.ts"
import { AppInstallationRepository } from "./AppInstallationRepository.ts"
import { AppMappingRepository } from "./AppMappingRepository.ts"

/** Rows of one transaction. Events may be large. */
const mappingsAtOnce = 1_000
const eventsAtOnce = 200

export class AppCleanup extends Context.Service<AppCleanup>()("@effect-commerce/core/app/AppCleanup", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const installations = yield* AppInstallationRepository
    const mappings = yield* AppMappingRepository
    const inbound = yield* AppInboundRepository

    /** One piece of an installation that has ended: some mappings, else some events, else the row itself. */
    const removeEnded = (storeId: string) =>
      database.write(storeId)(
        Effect.gen(function* () {
          const ended = yield* installations.takeEnded(storeId)
          if (ended === undefined) return false
          const place = { storeId, installationId: ended.id }
          if ((yield* mappings.removeSome(place, mappingsAtOnce)) > 0) return true
          if ((yield* inbound.removeSome(place, undefined, eventsAtOnce)) > 0) return true
          return yield* installations.remove(storeId, ended.id)
        })
      )

    const removeOld = Effect.fnUntraced(function* (storeId: string, before: Date) {
      const installationId = yield* inbound.withOld(storeId, before)
      if (installationId === undefined) return false
      const place = { storeId, installationId }
      yield* database.write(storeId)(
        Effect.andThen(inbound.hold(place), inbound.removeSome(place, before, eventsAtOnce))
      )
      return true
    })

    return {
      pass: Effect.gen(function* () {
        yield* storesInTurn("Deleting what removed apps had", installations.storesWithEnded, removeEnded)
        const before = new Date((yield* Clock.currentTimeMillis) - inboundMillis)
        yield* storesInTurn("Deleting old events of apps", inbound.storesWithOld(before), (storeId) =>
          removeOld(storeId, before)
        )
      })
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make).pipe(
    Layer.provide([AppInstallationRepository.layer, AppMappingRepository.layer, AppInboundRepository.layer])
  )
}
