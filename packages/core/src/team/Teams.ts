/**
 * Who works for a store, and in which role. Changes of one store's team are made one after another, so that a store
 * never loses its last owner. A role is read with every request: whoever is removed from the team is shut out at once.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { randomSecret, sha256Hex } from "../crypto/Hashing.ts"
import { RootSecret } from "../crypto/RootSecret.ts"
import { mailTokenContext, mailTokenPurpose } from "../customer/CustomerEvents.ts"
import { Database } from "../database/Database.ts"
import { RateLimits } from "../guard/RateLimits.ts"
import { normaliseEmail } from "../kernel/Address.ts"
import { makeId } from "../kernel/Ids.ts"
import { Outbox } from "../outbox/Outbox.ts"
import { checkRoom } from "../store/StoreBounds.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { DashboardUserRepository } from "./DashboardUserRepository.ts"
import { makeInvitations } from "./Invitations.ts"
import {
  InvitationsExhausted,
  LastOwner,
  RoleInsufficient,
  TeamMemberExists,
  TeamMemberNotFound
} from "./TeamErrors.ts"
import { teamInvitationAsked, teamRoleChanged } from "./TeamEvents.ts"
import {
  type ChangeMember,
  invitationLifetime,
  type InviteMember,
  mostInvitationMails,
  teamBound,
  type TeamMemberState,
  toTeamMember
} from "./TeamMember.ts"
import { TeamRepository } from "./TeamRepository.ts"
import { type DashboardArea, roleMay, type TeamRole } from "./TeamRole.ts"

const dayMillis = 86_400_000

/** Who changes a team. */
export interface TeamAuthor {
  /** What people read in the invitation. */
  readonly name: string
  /** Null for an admin key with every scope, and for the operator: both may do everything. */
  readonly userId: string | null
}

/** Mails of the day: of the store, and to the address. Counted apart from the team, which forgets whoever leaves. */
const mailWindows = (storeId: string, email: string) => [
  { bucket: `invitations:${storeId}`, limit: mostInvitationMails.ofStore, ms: dayMillis },
  { bucket: `invitations:${storeId}:${sha256Hex(email)}`, limit: mostInvitationMails.toAddress, ms: dayMillis }
]

export class Teams extends Context.Service<Teams>()("@effect-commerce/core/team/Teams", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* TeamRepository
    const users = yield* DashboardUserRepository
    const secret = yield* RootSecret
    const outbox = yield* Outbox
    const limits = yield* RateLimits
    const { accept } = yield* makeInvitations

    /** The author's role as it is under the lock: it may have changed since the request was admitted. */
    const checkAuthor = Effect.fnUntraced(function* (storeId: string, { userId }: TeamAuthor, area: DashboardArea) {
      if (userId === null) return
      const role = yield* repository.roleOf(storeId, userId)
      if (role === undefined || !roleMay(role, area)) return yield* new RoleInsufficient({ role: role ?? "none", area })
    })

    const areaFor = (...roles: ReadonlyArray<TeamRole>): DashboardArea =>
      roles.includes("owner") ? "ownership" : "team"

    const seen = Effect.fnUntraced(function* (storeId: string, id: string) {
      const row = yield* repository.find(storeId, id)
      return row === undefined ? yield* new TeamMemberNotFound({ id }) : row
    })

    /** A store keeps an owner who can log in. */
    const checkOwners = Effect.fnUntraced(function* (storeId: string, { id, role, userId }: TeamMemberState) {
      if (role !== "owner" || userId === null) return
      if ((yield* repository.countOwners(storeId)) <= 1) return yield* new LastOwner({ id })
    })

    /** Counts a mail; inside the write, so that one that comes to nothing does not count. */
    const countMail = Effect.fnUntraced(function* (storeId: string, email: string) {
      const windows = mailWindows(storeId, email)
      const { refused } = yield* limits.takeWithWrite(windows)
      const full = windows[refused]
      if (full !== undefined) return yield* new InvitationsExhausted({ most: full.limit, ofStore: refused === 0 })
    })

    const invite = Effect.fn("Teams.invite")(function* (store: StoreContext, by: TeamAuthor, input: InviteMember) {
      const now = yield* Clock.currentTimeMillis
      const email = normaliseEmail(input.email)
      const token = randomSecret("", 32)
      const tokenExpiresAt = new Date(now + invitationLifetime)
      return yield* database.write(store.id)(
        Effect.gen(function* () {
          const count = yield* repository.countToAdd(store.id)
          const before = yield* repository.findByEmail(store.id, email)
          yield* checkAuthor(store.id, by, areaFor(input.role, ...(before === undefined ? [] : [before.role])))
          if (before !== undefined && before.userId !== null) return yield* new TeamMemberExists({ email })
          if (before === undefined) yield* checkRoom(teamBound, count)
          yield* countMail(store.id, email)
          const id = before?.id ?? makeId("team", now)
          const { role } = input
          yield* repository.invite(store.id, {
            id,
            email,
            role,
            invitedBy: by.name,
            tokenHash: sha256Hex(token),
            tokenExpiresAt,
            now: new Date(now)
          })
          const isKnown = (yield* users.findByEmail(email)) !== undefined
          yield* outbox.append(store.id, teamInvitationAsked, {
            memberId: id,
            email,
            role,
            inviterName: by.name,
            isKnown,
            token: secret.seal(mailTokenPurpose, mailTokenContext(store.id, id), token),
            expiresAt: tokenExpiresAt.toISOString()
          })
          return toTeamMember(yield* Effect.orDie(seen(store.id, id)))
        })
      )
    })

    const change = Effect.fn("Teams.change")(function* (
      store: StoreContext,
      by: TeamAuthor,
      id: string,
      { role }: ChangeMember
    ) {
      const now = new Date(yield* Clock.currentTimeMillis)
      return yield* database.write(store.id)(
        Effect.gen(function* () {
          yield* repository.lock(store.id)
          const before = yield* seen(store.id, id)
          yield* checkAuthor(store.id, by, areaFor(before.role, role))
          if (before.role === role) return toTeamMember(before)
          yield* checkOwners(store.id, before)
          yield* repository.setRole(store.id, id, role, now)
          // The mail of an invitation names its role; one that was changed is only shown once it is accepted.
          if (before.userId !== null)
            yield* outbox.append(store.id, teamRoleChanged, {
              memberId: id,
              email: before.email,
              role,
              previousRole: before.role
            })
          return toTeamMember(yield* seen(store.id, id))
        })
      )
    })

    const remove = Effect.fn("Teams.remove")(function* (store: StoreContext, by: TeamAuthor, id: string) {
      yield* database.write(store.id)(
        Effect.gen(function* () {
          yield* repository.lock(store.id)
          const before = yield* seen(store.id, id)
          yield* checkAuthor(store.id, by, areaFor(before.role))
          yield* checkOwners(store.id, before)
          yield* repository.remove(store.id, id)
        })
      )
    })

    return {
      list: (store: StoreContext) => Effect.map(repository.list(store.id), (rows) => rows.map(toTeamMember)),
      roleOf: repository.roleOf,
      /** The store of a person who works for one alone; undefined for anybody else. */
      onlyStoreOf: (userId: string) =>
        Effect.map(users.storesOf(userId), (stores) => (stores.length === 1 ? stores[0]?.id : undefined)),
      invite,
      change,
      remove,
      accept
    }
  })
}) {
  static readonly layer = Layer.effect(Teams, Teams.make).pipe(
    Layer.provide([TeamRepository.layer, DashboardUserRepository.layer])
  )
}
