/**
 * The sales channels of a store. `resolve` runs on every storefront request and returns cached channels for at most
 * `crossProcessDelay`.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import type { RowReader } from "../guard/RateLimits.ts"
import { blankProblem, longProblem, problemsOf } from "../kernel/FieldErrors.ts"
import { isNoId, makeId } from "../kernel/Ids.ts"
import { absenceDelay, crossProcessDelay, TimedCache } from "../cache/TimedCache.ts"
import {
  domainPattern,
  type NewSalesChannel,
  type SalesChannel,
  type SalesChannelChanges,
  salesChannelBound
} from "./SalesChannel.ts"
import { checkRoom } from "./StoreBounds.ts"
import { SalesChannelNotFound } from "./StoreErrors.ts"
import { type FieldRejected, rejectFields } from "../kernel/FieldRejected.ts"
import { type ChannelRow, StoreRepository } from "./StoreRepository.ts"
import { longestName } from "./Stores.ts"

export class SalesChannels extends Context.Service<SalesChannels>()("@effect-commerce/core/store/SalesChannels", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* StoreRepository
    const cache = new TimedCache<SalesChannel>(crossProcessDelay, 10_000)

    const unknown = new TimedCache<true>(absenceDelay, 10_000)

    /**
     * Finds the channel of any store, because the id in the path identifies the tenant. `read` reads the channel if
     * neither it nor its absence is cached.
     */
    const resolve = <E = never>(id: string, read?: RowReader<E>) =>
      Effect.clockWith((clock) =>
        Effect.flatMap(clock.currentTimeMillis, (now): Effect.Effect<SalesChannel, SalesChannelNotFound | E> => {
          const cached = cache.get(id, now)
          if (cached !== undefined) return Effect.succeed(cached)
          if (isNoId(id) || unknown.get(id, now) === true) return Effect.fail(new SalesChannelNotFound({ id }))
          return Effect.flatMap(repository.findChannel(id, read), (row) => {
            if (row === undefined) {
              unknown.set(id, true, now)
              return Effect.fail(new SalesChannelNotFound({ id }))
            }
            const channel = toChannel(row)
            cache.set(id, channel, now)
            return Effect.succeed(channel)
          })
        })
      )

    /** Fields that are left out take their defaults: test mode, no domain, every scope enabled. */
    const create = Effect.fn("SalesChannels.create")(function* (storeId: string, input: NewSalesChannel) {
      const now = yield* Clock.currentTimeMillis
      const at = new Date(now)
      const row = yield* merge(input, {
        id: makeId("vc", now),
        storeId,
        name: input.name,
        domain: null,
        mode: "test",
        storefrontReadEnabled: true,
        cartEnabled: true,
        customerAuthEnabled: true,
        ordersWriteEnabled: true,
        createdAt: at,
        updatedAt: at
      })
      yield* database.platform(
        Effect.gen(function* () {
          yield* checkRoom(salesChannelBound, yield* repository.countChannelsToAdd(storeId))
          yield* repository.insertChannel(row)
        })
      )
      return toChannel(row)
    })

    const update = Effect.fn("SalesChannels.update")(function* (
      storeId: string,
      id: string,
      input: SalesChannelChanges
    ) {
      const now = yield* Clock.currentTimeMillis
      const row = yield* database.platform(
        Effect.gen(function* () {
          const current = yield* repository.lockChannel(storeId, id)
          if (current === undefined) return yield* new SalesChannelNotFound({ id })
          const changed = yield* merge(input, { ...current, updatedAt: new Date(now) })
          yield* repository.updateChannel(changed)
          return changed
        })
      )
      cache.delete(id)
      return toChannel(row)
    })

    const remove = Effect.fn("SalesChannels.remove")(function* (storeId: string, id: string) {
      const removed = yield* database.platform(repository.deleteChannel(storeId, id))
      if (!removed) return yield* new SalesChannelNotFound({ id })
      cache.delete(id)
    })

    const get = (storeId: string, id: string) =>
      Effect.flatMap(repository.findChannel(id), (row) =>
        row === undefined || row.storeId !== storeId
          ? Effect.fail(new SalesChannelNotFound({ id }))
          : Effect.succeed(toChannel(row))
      )

    return {
      create,
      update,
      remove,
      get,
      list: (storeId: string | undefined) =>
        Effect.map(repository.listChannels(storeId), (rows) => rows.map(toChannel)),
      /** How many stores have no channel with a domain, and so no known address. */
      storesWithoutDomain: repository.storesWithoutDomain,
      resolve,
      /** The same from the cache alone; undefined if the channel is not cached. */
      remembered: (id: string) => Effect.map(Clock.currentTimeMillis, (now) => cache.get(id, now))
    }
  })
}) {
  static readonly layer = Layer.effect(SalesChannels, SalesChannels.make).pipe(Layer.provide(StoreRepository.layer))
}

const toChannel = (row: ChannelRow): SalesChannel => ({
  ...row,
  connectionId: row.id,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString()
})

const merge = (input: SalesChannelChanges, current: ChannelRow): Effect.Effect<ChannelRow, FieldRejected> => {
  const domain = input.domain === undefined ? current.domain : (input.domain?.trim().toLowerCase() ?? null)
  const errors = problemsOf({
    name: blankProblem(input.name) ?? longProblem(input.name, longestName),
    domain: domain === null || domainPattern.test(domain) ? undefined : "must be a host name such as shop.example.com"
  })
  return Effect.as(rejectFields(errors), {
    ...current,
    name: input.name ?? current.name,
    domain,
    mode: input.mode ?? current.mode,
    ...switchesOf(input.scopes ?? {}, current)
  })
}

const switchesOf = (scopes: NonNullable<SalesChannelChanges["scopes"]>, current: ChannelRow) => ({
  storefrontReadEnabled: scopes.storefrontRead ?? current.storefrontReadEnabled,
  cartEnabled: scopes.cart ?? current.cartEnabled,
  customerAuthEnabled: scopes.customerAuth ?? current.customerAuthEnabled,
  ordersWriteEnabled: scopes.ordersWrite ?? current.ordersWriteEnabled
})
