/**
 * Sessions of people in the dashboard: opened by a log-in, recognised on every request by the SHA-256 of their token,
 * ended by a log-out, a change of the password, or their time. A session is read with every request, so what ends it
 * ends it at once in every process. What no session has is remembered for `absenceDelay`.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { constantTimeEqual, hmacSha256Hex, randomSecret, sha256Hex } from "../crypto/Hashing.ts"
import { RootSecret } from "../crypto/RootSecret.ts"
import { Database } from "../database/Database.ts"
import type { RowReader } from "../guard/RateLimits.ts"
import { cutText } from "../kernel/CutText.ts"
import { makeId } from "../kernel/Ids.ts"
import { absenceDelay, TimedCache } from "../cache/TimedCache.ts"
import {
  type DashboardSession,
  type DashboardUserState,
  longestDevice,
  type Person,
  sessionIdle,
  sessionLifetime,
  sessionMark
} from "./DashboardUser.ts"
import { type FoundSession, SessionRepository, type SessionState } from "./SessionRepository.ts"
import { DashboardLoginRejected, DashboardSessionNotFound } from "./TeamErrors.ts"

/** How often, in milliseconds, the time of the last use is written. */
const touchInterval = 60_000
/** How long sessions that have ended are kept, in milliseconds. */
const keptEnded = 30 * 86_400_000

/** From where somebody logs in. */
export interface LoginOrigin {
  readonly device: string | null
  /** Null for calls of the host within the process. */
  readonly address: string | null
}

/** A token that is one of a session: `isOver` if its time has passed. */
export interface RecognisedSession {
  readonly person: Person
  readonly isOver: boolean
  readonly lastUsedAt: Date
}

export class DashboardSessions extends Context.Service<DashboardSessions>()(
  "@effect-commerce/core/team/DashboardSessions",
  {
    make: Effect.gen(function* () {
      const database = yield* Database
      const repository = yield* SessionRepository
      const secret = yield* RootSecret
      const unknown = new TimedCache<true>(absenceDelay, 10_000)

      /** What writes under a cookie must carry: only a page that may read an answer of this server knows it. */
      const csrfOf = (sessionId: string): string =>
        hmacSha256Hex(Buffer.from(secret.derive("dashboard-csrf")).toString("hex"), sessionId)

      const stateOf = (found: FoundSession, now: number): RecognisedSession => {
        const { lastUsedAt, ...person } = found
        const isOver = person.expiresAt.getTime() <= now || lastUsedAt.getTime() + sessionIdle <= now
        return { person, isOver, lastUsedAt }
      }

      return {
        /** The session of a token, or undefined: there never was one, or it was ended. */
        recognise: Effect.fnUntraced(function* <E>(token: string, read: RowReader<E>) {
          const now = yield* Clock.currentTimeMillis
          const hash = sha256Hex(token)
          if (unknown.get(hash, now) === true) return undefined
          const found = yield* repository.findByHash(hash, read)
          if (found !== undefined) return stateOf(found, now)
          unknown.set(hash, true, now)
          return undefined
        }),

        /** Notes that the session is used, at most once a minute. */
        touch: ({ person, lastUsedAt }: RecognisedSession) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) =>
            now - lastUsedAt.getTime() < touchInterval
              ? Effect.void
              : database.platform(repository.touch(person.sessionId, new Date(now)))
          ),

        /** Opens a session for a person whose password was checked. */
        open: Effect.fnUntraced(function* (
          { id: userId, passwordVersion }: Pick<DashboardUserState, "id" | "passwordVersion">,
          { device, address }: LoginOrigin
        ) {
          const now = yield* Clock.currentTimeMillis
          const token = randomSecret(sessionMark, 32)
          const session = {
            id: makeId("sess", now),
            device: device === null ? null : cutText(device, longestDevice),
            address,
            createdAt: new Date(now),
            expiresAt: new Date(now + sessionLifetime)
          }
          const tokenHash = sha256Hex(token)
          const isOpen = yield* database.platform(
            Effect.tap(repository.insert({ ...session, userId, tokenHash, passwordVersion }), () =>
              repository.trim(userId, new Date(now - keptEnded))
            )
          )
          if (!isOpen) return yield* new DashboardLoginRejected()
          return { token, sessionId: session.id, expiresAt: session.expiresAt }
        }),

        /** The person's open sessions, last used first. */
        list: Effect.fnUntraced(function* ({ id, sessionId }: Person) {
          const now = yield* Clock.currentTimeMillis
          const rows = yield* repository.open(id, new Date(now), new Date(now - sessionIdle))
          return rows.map((row) => viewOf(row, sessionId))
        }),

        end: Effect.fn("DashboardSessions.end")(function* (userId: string, id: string) {
          const now = new Date(yield* Clock.currentTimeMillis)
          const found = yield* database.platform(repository.end(userId, id, now))
          if (!found) return yield* new DashboardSessionNotFound({ id })
        }),

        /** Ends all sessions of a person, inside the transaction that changes the password. */
        endAll: repository.endAll,
        knowsAddress: repository.knowsAddress,
        csrfOf,
        isCsrfOf: (sessionId: string, given: string): boolean => constantTimeEqual(csrfOf(sessionId), given)
      }
    })
  }
) {
  static readonly layer = Layer.effect(DashboardSessions, DashboardSessions.make).pipe(
    Layer.provide(SessionRepository.layer)
  )
}

const viewOf = (row: SessionState, currentId: string): DashboardSession => ({
  id: row.id,
  current: row.id === currentId,
  device: row.device,
  address: row.address,
  createdAt: row.createdAt.toISOString(),
  lastUsedAt: row.lastUsedAt.toISOString(),
  expiresAt: row.expiresAt.toISOString()
})
