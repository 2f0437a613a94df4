/**
 * Who calls an admin route: an admin key with the route's scope; on the dashboard's routes also a person whose role
 * includes the area, and below an installation the app by its token (AppCredential.ts).
 */
import { type KeyHolder, keyMark } from "@effect-commerce/core/identity/ApiKey"
import { everyScope, grants, resources } from "@effect-commerce/core/identity/Scope"
import { StoreNotFound } from "@effect-commerce/core/store/StoreErrors"
import { calledOf } from "@effect-commerce/core/team/DashboardUser"
import { RoleInsufficient } from "@effect-commerce/core/team/TeamErrors"
import { roleMay } from "@effect-commerce/core/team/TeamRole"
import { Context, Effect, Result } from "effect"
import { authenticateApp, installationIn, showsAppToken } from "./AppCredential.ts"
import { AdminCaller } from "./Callers.ts"
import { namedStore } from "./NamedStore.ts"
import type { PolicyFacts } from "./Policy.ts"
import {
  type Authenticated,
  type CredentialLookups,
  keepPrivate,
  type Presented,
  refuseSuspended,
  type Request
} from "./Presented.ts"
import { type RateLimited, ScopeInsufficient, StoreIdMismatch, StoreIdRequired, Unauthorized } from "./Refusals.ts"
import { readSession, shownBy, type ShownSession, showsSession } from "./SessionCredential.ts"

export const authenticateAdmin = Effect.fnUntraced(function* (
  lookups: CredentialLookups,
  presented: Presented
): Effect.fn.Return<Authenticated, RateLimited> {
  const { policy, request, params, exchange, requestLimits } = presented
  keepPrivate(exchange)
  const shown = yield* shownBy(request, policy.area !== undefined)
  const { given, isDoubled: doubled } = shown
  if (policy.area !== undefined && showsSession(shown)) {
    const read = yield* readSession(lookups.sessions, request, shown, requestLimits)
    const admitted = Result.map(read, (session) => ({
      identify: (body: Uint8Array) => identifyPerson(lookups, session, presented, body)
    }))
    return { holder: undefined, admitted }
  }
  if (policy.installation !== undefined && showsAppToken(shown))
    return yield* authenticateApp(lookups, shown.given ?? "", presented)
  const holder =
    doubled || given === undefined || !given.startsWith(keyMark)
      ? undefined
      : yield* lookups.keys.recognise(given, requestLimits.reading(true))
  if (holder === undefined) {
    if (given === undefined) return refusedKey(wanted(policy))
    yield* requestLimits.markFailed
    return refusedKey(doubled ? "Send one credential, not two" : "This API key is not valid")
  }
  const required = lackedScope(policy, holder.scopes)
  if (required !== undefined) return { holder, admitted: Result.fail(new ScopeInsufficient({ required })) }
  const identify =
    policy.storeInPath === true
      ? () => identifyKeyFor(lookups, holder, params["storeId"] ?? "")
      : (body: Uint8Array) => identifyKey(lookups, holder, request, body)
  return {
    holder,
    admitted: Result.succeed({
      identify: policy.installation === undefined ? identify : installationIn(presented, identify)
    })
  }
})

const wanted = ({ installation }: PolicyFacts): string =>
  installation === undefined
    ? "An admin API key is required: Authorization: Bearer svc_… or X-API-Key"
    : "The token of the app or an admin API key is required: Authorization: Bearer app_inst_… or X-API-Key"

/** A scope that the route needs and these lack: any of `scopes` is enough, of the others each is needed. */
const lackedScope = (policy: PolicyFacts, held: ReadonlyArray<string>): string | undefined => {
  const { scopes } = policy
  if (scopes === undefined) return neededScopes(policy).find((scope) => !grants(held, scope))
  return scopes.some((scope) => grants(held, scope)) ? undefined : scopes.join(" or ")
}

/** The route's own scope first. */
const neededScopes = ({ scope, everyScope: isWhole }: PolicyFacts): ReadonlyArray<string> =>
  isWhole === true ? [scope ?? "", ...resources.flatMap((one) => [`${one}:read`, `${one}:write`])] : [scope ?? ""]

const refusedKey = (reason: string) => ({ holder: undefined, admitted: Result.fail(new Unauthorized({ reason })) })

const identifyKey = Effect.fnUntraced(function* (
  lookups: CredentialLookups,
  holder: KeyHolder,
  request: Request,
  body: Uint8Array
) {
  const asked = yield* namedStore(request, body)
  if (holder.storeId === null && asked === undefined) return yield* new StoreIdRequired()
  if (holder.storeId !== null && asked !== undefined && asked !== holder.storeId) return yield* new StoreIdMismatch()
  return yield* identifyKeyFor(lookups, holder, holder.storeId ?? asked ?? "")
})

/**
 * The key acting for one store: a store of its account, or its own store if it is bound to one. Any other store is
 * unknown to it.
 */
const identifyKeyFor = Effect.fnUntraced(function* (lookups: CredentialLookups, holder: KeyHolder, storeId: string) {
  if (holder.storeId !== null && storeId !== holder.storeId) return yield* new StoreNotFound({ id: storeId })
  const store = yield* lookups.stores.context(storeId)
  if (store.accountId !== holder.accountId) return yield* new StoreNotFound({ id: store.id })
  yield* refuseSuspended(store)
  const { keyId, name: keyName, accountId, storeId: keyStoreId, scopes } = holder
  const introduce = Context.add(AdminCaller, { keyId, keyName, accountId, keyStoreId, scopes, store, person: null })
  return {
    storeId: store.id,
    store,
    credential: `key:${keyId}`,
    introduce,
    ...(keyStoreId === null ? { sees: { apiKey: "accountApiKey" as const } } : {})
  }
})

/**
 * A person acting for one store: the one in the path, the one that query or body name, or the only one that they work
 * for. A store that the person does not work for is unknown to them. The role is read now: whoever was removed a moment
 * ago is shut out.
 */
const identifyPerson = Effect.fnUntraced(function* (
  lookups: CredentialLookups,
  { session }: ShownSession,
  { policy, request, params }: Presented,
  body: Uint8Array
) {
  const { person } = session
  const named = policy.storeInPath === true ? (params["storeId"] ?? "") : yield* namedStore(request, body)
  const asked = named ?? (yield* lookups.teams.onlyStoreOf(person.id))
  if (asked === undefined) return yield* new StoreIdRequired()
  const store = yield* lookups.stores.context(asked)
  const role = yield* lookups.teams.roleOf(store.id, person.id)
  if (role === undefined) return yield* new StoreNotFound({ id: store.id })
  yield* refuseSuspended(store)
  const area = policy.area ?? "ownership"
  if (!roleMay(role, area)) return yield* new RoleInsufficient({ role, area })
  yield* lookups.sessions.touch(session)
  const introduce = Context.add(AdminCaller, {
    keyId: person.id,
    keyName: calledOf(person),
    accountId: store.accountId,
    keyStoreId: store.id,
    scopes: everyScope,
    store,
    person: { ...person, role }
  })
  return { storeId: store.id, store, credential: `user:${person.id}`, introduce }
})
