/**
 * Owners without an invitation: a new store belongs to the people who own a store of its account, and the operator adds
 * owners to any store.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { PasswordHashes } from "../identity/PasswordHashes.ts"
import { normaliseEmail } from "../kernel/Address.ts"
import { trimmedText } from "../kernel/GivenText.ts"
import { makeId } from "../kernel/Ids.ts"
import { StoreBeginnings } from "../store/StoreBeginnings.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { DashboardUserRepository } from "./DashboardUserRepository.ts"
import { TeamRepository } from "./TeamRepository.ts"

/** What a new store begins with: the owners of its account. */
export const ownedFromTheStart = Layer.effect(
  StoreBeginnings,
  Effect.map(TeamRepository, (repository) => [
    Effect.fnUntraced(function* ({ id, accountId, now }) {
      for (const owner of yield* repository.ownersOfAccount(accountId))
        yield* repository.insertMember(id, { id: makeId("team", now.getTime()), role: "owner", ...owner }, now)
    })
  ])
).pipe(Layer.provide(TeamRepository.layer))

export interface OwnerInput {
  readonly email: string
  readonly name?: string | undefined
  readonly password: string
}

export class StoreOwners extends Context.Service<StoreOwners>()("@effect-commerce/core/team/StoreOwners", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const users = yield* DashboardUserRepository
    const repository = yield* TeamRepository
    const passwords = yield* PasswordHashes

    return {
      /** `isNew`: the password was set. A person who has a password keeps it. */
      add: Effect.fn("StoreOwners.add")(function* (
        { id: storeId, accountId }: Pick<StoreContext, "id" | "accountId">,
        input: OwnerInput
      ) {
        const passwordHash = yield* passwords.hash("dashboard host", input.password)
        const now = yield* Clock.currentTimeMillis
        const createdAt = new Date(now)
        const email = normaliseEmail(input.email)
        return yield* database.platform(
          Effect.gen(function* () {
            yield* repository.lock(storeId)
            const made = { id: makeId("user", now), accountId, email, name: trimmedText(input.name) }
            const isNew = yield* users.insert({ ...made, passwordHash, createdAt })
            const userId = isNew ? made.id : ((yield* users.findByEmail(email))?.id ?? made.id)
            yield* repository.insertMember(
              storeId,
              { id: makeId("team", now), userId, email, role: "owner" },
              createdAt
            )
            return { userId, email, isNew }
          })
        )
      })
    }
  })
}) {
  static readonly layer = Layer.effect(StoreOwners, StoreOwners.make).pipe(
    Layer.provide([TeamRepository.layer, DashboardUserRepository.layer])
  )
}
