/**
 * Sets up a new installation in one transaction, only once: account, store, one test-mode sales channel, one admin key
 * with every scope, one dashboard owner.
 */
import { Clock, Context, Effect, Layer, Option, Schema } from "effect"
import { Database } from "../database/Database.ts"
import { ApiKeys } from "../identity/ApiKeys.ts"
import { PasswordHashes } from "../identity/PasswordHashes.ts"
import { everyScope } from "../identity/Scope.ts"
import { normaliseEmail } from "../kernel/Address.ts"
import { makeId } from "../kernel/Ids.ts"
import { SalesChannels } from "../store/SalesChannels.ts"
import { Stores } from "../store/Stores.ts"
import { DashboardUserRepository } from "./DashboardUserRepository.ts"
import { TeamRepository } from "./TeamRepository.ts"

/** Polling interval while another process does the first run. */
const patience = "200 millis"

/** `storeId` is the oldest existing store. */
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

export class Installations extends Context.Service<Installations>()("@effect-commerce/core/team/Installations", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const stores = yield* Stores
    const channels = yield* SalesChannels
    const keys = yield* ApiKeys
    const users = yield* DashboardUserRepository
    const team = yield* TeamRepository
    const passwords = yield* PasswordHashes
    /**
     * Runs a process's work on a new installation in one transaction. If several processes start, one does it and the
     * others wait, then check for themselves. Like any transaction it may run again, so it may have no effects outside
     * of the database.
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
        const passwordHash = yield* passwords.hash("dashboard host", input.password)
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
            const at = new Date(now)
            const userId = makeId("user", now)
            yield* users.insert({
              id: userId,
              accountId: store.accountId,
              email: ownerEmail,
              name: null,
              passwordHash,
              createdAt: at
            })
            const owner = { id: makeId("team", now), userId, email: ownerEmail, role: "owner" as const }
            yield* team.insertMember(store.id, owner, at)
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
    Layer.provide([DashboardUserRepository.layer, TeamRepository.layer])
  )
}
