import { pageOf, toPageOf } from "@effect-commerce/core/kernel/Pagination"
import { DashboardAccounts } from "@effect-commerce/core/team/DashboardAccounts"
import { DashboardSessions } from "@effect-commerce/core/team/DashboardSessions"
import { type LogIn, sessionLifetime } from "@effect-commerce/core/team/DashboardUser"
import { DashboardLoginRejected, DashboardTokenRejected } from "@effect-commerce/core/team/TeamErrors"
import { type TeamAuthor, Teams } from "@effect-commerce/core/team/Teams"
import { Effect, Layer } from "effect"
import type { AdminCaller, PersonCaller, VisitorCaller } from "../middleware/Callers.ts"
import { Exchange } from "../middleware/Exchange.ts"
import { endpointsOf } from "../middleware/GroupEndpoints.ts"
import { succeed } from "../middleware/Responses.ts"
import { endedCookie, keptCookie } from "../middleware/SessionCookie.ts"
import { asAdmin, asPerson, asVisitor } from "../middleware/Surfaces.ts"
import { AuthGroup } from "./AuthApi.ts"
import { makeLoginLimits } from "./LoginLimits.ts"
import { TeamGroup } from "./TeamApi.ts"

type Visitor = VisitorCaller["Service"]

const say = (message: string) => ({ success: true, message })

/** The same message whether or not there is such a person. */
const asked = say("If an account needs it, a mail is on its way")

const wrongSecrets: ReadonlySet<string> = new Set([
  DashboardLoginRejected.identifier,
  DashboardTokenRejected.identifier
])
const isWrong = ({ _tag }: { readonly _tag: string }): boolean => wrongSecrets.has(_tag)

/** Counts a wrong password or an invalid token as a failed authentication of the client. */
const counted = <A, E extends { readonly _tag: string }, R>({ countFailure }: Visitor, self: Effect.Effect<A, E, R>) =>
  Effect.tapError(self, (error) => (isWrong(error) ? countFailure : Effect.void))

const setCookie = (header: Effect.Effect<string>) =>
  Effect.flatMap(Effect.all([Exchange, header]), ([exchange, cookie]) =>
    Effect.sync(() => {
      exchange.headers["set-cookie"] = cookie
    })
  )

const auth = endpointsOf(
  AuthGroup,
  Effect.fnUntraced(function* (handlers) {
    const accounts = yield* DashboardAccounts
    const sessions = yield* DashboardSessions
    const teams = yield* Teams
    const { limited, lift } = yield* makeLoginLimits

    const logIn = Effect.fnUntraced(function* (
      visitor: Visitor,
      { email, password, cookie = false }: typeof LogIn.Type
    ) {
      if (cookie) yield* visitor.checkSameOrigin
      const attempt = counted(visitor, accounts.logIn({ email, password }, visitor.from))
      const { token, sessionId, expiresAt, user } = yield* limited(email, visitor.from.address)(attempt, isWrong)
      if (cookie) yield* setCookie(keptCookie(token, sessionLifetime / 1_000))
      return {
        token: cookie ? null : token,
        expiresAt: expiresAt.toISOString(),
        csrfToken: cookie ? sessions.csrfOf(sessionId) : null,
        user
      }
    })

    /** Ends a session of the person; the cookie goes with the session of the request. */
    const end = Effect.fnUntraced(function* ({ person, isCookie }: PersonCaller["Service"], id: string) {
      yield* sessions.end(person.id, id)
      if (isCookie && id === person.sessionId) yield* setCookie(endedCookie)
    })

    const me = Effect.fnUntraced(function* ({ person, isCookie }: PersonCaller["Service"]) {
      const profile = yield* accounts.profile(person)
      const session = { id: person.sessionId, expiresAt: person.expiresAt.toISOString() }
      return { ...profile, session, csrfToken: isCookie ? sessions.csrfOf(person.sessionId) : null }
    })

    return handlers.handleAll({
      logIn: asVisitor((visitor, { payload }) => logIn(visitor, payload)),
      // A session that another request has just ended is ended.
      logOut: asPerson((caller) =>
        succeed(Effect.catchTag(end(caller, caller.person.sessionId), "DashboardSessionNotFound", () => Effect.void))
      ),
      me: asPerson((caller) => me(caller)),
      acceptInvitation: asVisitor((visitor, { payload }) => counted(visitor, teams.accept(payload, visitor.from))),
      forgotPassword: asVisitor((_visitor, { payload }) => Effect.as(accounts.forgotPassword(payload.email), asked)),
      resetPassword: asVisitor((visitor, { payload }) =>
        Effect.as(
          Effect.tap(counted(visitor, accounts.resetPassword(payload, visitor.from)), ({ email }) => lift(email)),
          say("The password is changed; log in with the new one")
        )
      ),
      sessions: asPerson(({ person }) => sessions.list(person)),
      endSession: asPerson((caller, { params }) => succeed(end(caller, params.id)))
    })
  })
)

const authorOf = ({ keyName, person }: AdminCaller["Service"]): TeamAuthor => ({
  name: keyName,
  userId: person?.id ?? null
})

const team = endpointsOf(
  TeamGroup,
  Effect.fnUntraced(function* (handlers) {
    const teams = yield* Teams
    return handlers.handleAll({
      list: asAdmin(({ store }, { query }) => Effect.map(teams.list(store), (all) => toPageOf(pageOf(query), all))),
      invite: asAdmin((caller, { payload }) => teams.invite(caller.store, authorOf(caller), payload)),
      change: asAdmin((caller, { params, payload }) =>
        teams.change(caller.store, authorOf(caller), params.id, payload)
      ),
      remove: asAdmin((caller, { params }) => succeed(teams.remove(caller.store, authorOf(caller), params.id)))
    })
  })
)

export const teamEndpoints = Layer.mergeAll(auth, team)
