/**
 * How an invitation is accepted. A person who is known here needs no password for it; one who is new chooses it. A part
 * of Teams.
 */
import { Clock, Effect } from "effect"
import { sha256Hex } from "../crypto/Hashing.ts"
import { Database } from "../database/Database.ts"
import { PasswordHashes } from "../identity/PasswordHashes.ts"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import { trimmedText } from "../kernel/GivenText.ts"
import { makeId } from "../kernel/Ids.ts"
import { Stores } from "../store/Stores.ts"
import type { AcceptInvitation } from "./DashboardUser.ts"
import { DashboardUserRepository } from "./DashboardUserRepository.ts"
import type { LoginOrigin } from "./DashboardSessions.ts"
import { DashboardTokenRejected } from "./TeamErrors.ts"
import { toTeamMember } from "./TeamMember.ts"
import { TeamRepository } from "./TeamRepository.ts"

export const makeInvitations = Effect.gen(function* () {
  const database = yield* Database
  const repository = yield* TeamRepository
  const users = yield* DashboardUserRepository
  const passwords = yield* PasswordHashes
  const stores = yield* Stores

  /** The hash of a new person's password; null for a person who has one. */
  const hashFor = Effect.fnUntraced(function* (
    email: string,
    { password }: AcceptInvitation,
    { address }: Pick<LoginOrigin, "address">
  ) {
    if ((yield* users.findByEmail(email)) !== undefined) return null
    if (password === undefined) return yield* FieldRejected.at("password", "is required of a person who is new here")
    return yield* passwords.hash(`dashboard ${address ?? "host"}`, password)
  })

  /** The person of the address; where two invitations make them at once, one does and the other finds them. */
  const personFor = Effect.fnUntraced(function* (
    row: { readonly accountId: string; readonly email: string; readonly name: string | null },
    passwordHash: string | null,
    now: number
  ) {
    const made = { ...row, id: makeId("user", now), createdAt: new Date(now) }
    if (passwordHash !== null && (yield* users.insert({ ...made, passwordHash }))) return made.id
    const found = yield* users.findByEmail(row.email)
    return found === undefined ? yield* new DashboardTokenRejected() : found.id
  })

  return {
    /** The member as it then is; of several concurrent calls one succeeds. A rejected one leaves the token usable. */
    accept: Effect.fn("Teams.accept")(function* (input: AcceptInvitation, origin: Pick<LoginOrigin, "address">) {
      const now = yield* Clock.currentTimeMillis
      const at = new Date(now)
      const tokenHash = sha256Hex(input.token)
      const invitation = yield* repository.invitationOf(tokenHash, at)
      if (invitation === undefined) return yield* new DashboardTokenRejected()
      const { storeId, email } = invitation
      const passwordHash = yield* hashFor(email, input, origin)
      const { accountId } = yield* Effect.orDie(stores.context(storeId))
      return yield* database.write(storeId)(
        Effect.gen(function* () {
          yield* repository.lock(storeId)
          const name = trimmedText(input.name)
          const userId = yield* personFor({ accountId, email, name }, passwordHash, now)
          const joined = yield* repository.join(tokenHash, userId, at)
          if (joined === undefined) return yield* new DashboardTokenRejected()
          return toTeamMember(joined)
        })
      )
    })
  }
})
