/**
 * Who calls a route below an installation: the app whose installation it is, by its token, or an admin key. A token is
 * of one installation, and has the scopes of the app's manifest and no others.
 */
import { type AppHolder, appTokenMark } from "@effect-commerce/core/app/AppInstallation"
import { grants } from "@effect-commerce/core/identity/Scope"
import { Context, Effect, Result } from "effect"
import { checkNotCompressed } from "./Body.ts"
import { InstallationCaller } from "./Callers.ts"
import { namedStore } from "./NamedStore.ts"
import {
  type Admitted,
  type Authenticated,
  type CredentialLookups,
  type Identified,
  type Presented,
  refuseSuspended
} from "./Presented.ts"
import { InstallationMismatch, type RateLimited, ScopeInsufficient, StoreIdMismatch, Unauthorized } from "./Refusals.ts"
import type { Shown } from "./SessionCredential.ts"

/** Whether this is an app token, valid or not, and no other credential. */
export const showsAppToken = ({ given, isDoubled }: Shown): boolean =>
  !isDoubled && given?.startsWith(appTokenMark) === true

export const authenticateApp = Effect.fnUntraced(function* (
  lookups: CredentialLookups,
  token: string,
  presented: Presented
): Effect.fn.Return<Authenticated, RateLimited> {
  const { policy, requestLimits } = presented
  const app = yield* lookups.apps.recognise(token, requestLimits.reading(true))
  if (app === undefined) {
    yield* requestLimits.markFailed
    return {
      holder: undefined,
      admitted: Result.fail(new Unauthorized({ reason: "This app token is not valid" }))
    }
  }
  const { installationId, tier } = app
  const holder = { installationId, tier, isReceiving: policy.rawBody === true }
  const refusal = refusalOf(presented, app)
  if (refusal !== undefined) return { holder, admitted: Result.fail(refusal) }
  const identify = (body: Uint8Array) => identifyApp(lookups, app, presented, body)
  return { holder, admitted: Result.succeed({ identify: installationIn(presented, identify) }) }
})

const refusalOf = (
  { policy, params }: Presented,
  { installationId, scopes }: AppHolder
): InstallationMismatch | ScopeInsufficient | undefined => {
  if (params["installationId"] !== installationId) return new InstallationMismatch()
  const needs = policy.installation?.needs
  if (needs === undefined) return new ScopeInsufficient({ required: policy.scope ?? "" })
  return grants(scopes, needs) ? undefined : new ScopeInsufficient({ required: needs })
}

const identifyApp = Effect.fnUntraced(function* (
  lookups: CredentialLookups,
  { installationId, storeId }: AppHolder,
  { request }: Presented,
  body: Uint8Array
) {
  const asked = yield* namedStore(request, body)
  if (asked !== undefined && asked !== storeId) return yield* new StoreIdMismatch()
  const store = yield* lookups.stores.context(storeId)
  yield* refuseSuspended(store)
  const introduce = (context: Context.Context<never>): Context.Context<never> => context
  return { storeId, store, credential: `app:${installationId}`, introduce }
})

const noBytes = new Uint8Array(0)

/**
 * Adds the installation in the path to what the endpoint finds. A body that is taken as it is says nothing of a store
 * of ours.
 */
export const installationIn =
  ({ policy, params, request }: Presented, identify: Admitted["identify"]): Admitted["identify"] =>
  (body) => {
    const isRaw = policy.rawBody === true
    const known = isRaw ? Effect.andThen(checkNotCompressed(request), identify(noBytes)) : identify(body)
    return Effect.map(known, (who): Identified => {
      const caller = {
        store: who.store,
        place: { storeId: who.storeId, installationId: params["installationId"] ?? "" },
        body: isRaw ? body : noBytes,
        contentType: request.headers["content-type"]
      }
      return { ...who, introduce: (context) => Context.add(who.introduce(context), InstallationCaller, caller) }
    })
  }
