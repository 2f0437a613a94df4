/**
 * Sets up a new installation: account, store, one test-mode sales channel, one admin key with every scope, one
 * dashboard owner; all or nothing, once.
 */
import { Clock, Context, Effect, Layer, Option, Schema } from "effect"
import { Database } from "../database/Database.ts"
import { normaliseEmail } from "../kernel/Address.ts"
import { makeId } from "../kernel/Ids.ts"
import { SalesChannels } from "../store/SalesChannels.ts"
import { Stores } from "../store/Stores.ts"
import { ApiKeys } from "./ApiKeys.ts"
import { DashboardUserRepository } from "./DashboardUserRepository.ts"
import { hashPassword } from "./Passwords.ts"
import { everyScope } from "./Scope.ts"

/** How long a process waits before it looks again whether another one's first run is over. */
const patience = "200 millis"

/** `storeId` is the oldest store that is there. */
class AlreadySetUp extends Schema.TaggedError<AlreadySetUp>()("AlreadySetUp", { storeId: Schema.String }) {}

export interface SetUpInput {
  readonly name: string
  readonly currency: string
  readonly country: string
  readonly email: string
  readonly password: string
}

/** `apiKey` is shown here and never again. */
export interface SetUp {
  readonly accountId: string
  readonly storeId: string
  readonly salesChannelId: string
  readonly apiKey: string
  readonly keyPrefix: string
  readonly ownerEmail: string
}

export class Installations extends Context.Service<Installations>()("@effect-commerce/core/identity/Installations", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const stores = yield* Stores
    const channels = yield* SalesChannels
    const keys = yield* ApiKeys
    const users = yield* DashboardUserRepository
    /**
     * What a process does with an installation when it starts, in one transaction: all or nothing, however it ends. Of
     * several processes one does it and the others wait, then look for themselves. Like any transaction it may run
     * again, so nothing but the database may happen in it.
     */
    const firstRun = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      database
        .platform(Effect.flatMap(users.takeFirstRun, (taken) => (taken ? Effect.asSome(work) : Effect.succeedNone)))
        .pipe(
          Effect.flatMap(
            Option.match({
              onSome: Effect.succeed,
              onNone: () => Effect.andThen(Effect.sleep(patience), firstRun(work))
            })
          )
        )

    return {
      firstRun,
      setUp: Effect.fn("Installations.setUp")(function* (input: SetUpInput) {
        const passwordHash = yield* hashPassword(input.password)
        const ownerEmail = normaliseEmail(input.email)
        return yield* database.platform(
          Effect.gen(function* () {
            yield* users.lockSetUp
            const [present] = yield* stores.list
            if (present !== undefined) return yield* new AlreadySetUp({ storeId: present.id })
            const store = yield* stores.create({ name: input.name, currency: input.currency, country: input.country })
            const channel = yield* channels.create(store.id, { name: "Storefront" })
            const rights = {
              accountId: store.accountId,
              storeId: store.id,
              name: "init",
              scopes: everyScope,
              tier: "ENTERPRISE" as const
            }
            const key = yield* Effect.orDie(keys.mint(rights))
            const now = yield* Clock.currentTimeMillis
            yield* users.insert({
              id: makeId("user", now),
              accountId: store.accountId,
              email: ownerEmail,
              passwordHash,
              createdAt: new Date(now)
            })
            return {
              accountId: store.accountId,
              storeId: store.id,
              salesChannelId: channel.id,
              apiKey: key.key,
              keyPrefix: key.keyPrefix,
              ownerEmail
            }
          })
        )
      })
    }
  })
}) {
  static readonly layer = Layer.effect(Installations, Installations.make).pipe(
    Layer.provide(DashboardUserRepository.layer)
  )
}
