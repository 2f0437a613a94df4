/**
 * Signing in by a provider: OAuth 2.0 with an authorisation code, PKCE and, where the provider speaks OpenID Connect, a
 * nonce. `authorize` stores nothing; `callback` records that its state is used, asks the provider with no transaction
 * open, and then signs the customer in. A provider that does not answer ends in time, and holds up no other store: what
 * is under way for one provider of a store has slots of its own.
 */
import { Clock, Context, Effect, Exit, Layer } from "effect"
import { RootSecret } from "../crypto/RootSecret.ts"
import { CustomerSignIns } from "../customer/CustomerSignIns.ts"
import { Database } from "../database/Database.ts"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import { makeProviderTurns } from "../payment/ProviderTurns.ts"
import { admitsReturn, type SalesChannel } from "../store/SalesChannel.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { makeCodeExchange } from "./CodeExchange.ts"
import { Identities } from "./Identities.ts"
import { IdentityRepository } from "./IdentityRepository.ts"
import { makeIssuers } from "./IssuerMetadata.ts"
import { issuerOf, namedProvider } from "./LoginProvider.ts"
import { LoginProviders, type UsableProvider } from "./LoginProviders.ts"
import { LoginServices } from "./LoginServices.ts"
import { LoginProviderNotReady, SignInStateRejected } from "./OauthErrors.ts"
import { type ExchangeFailure, makeProviderCalls } from "./ProviderCalls.ts"
import { longestState, redirectProblem, type SignInCallback, type SignInResult } from "./SignIn.ts"
import { isJustBefore, newState, openState, sealState, type SignInState, stateHash } from "./SignInState.ts"

/** A storefront, and the customer who is signed in there, if any. */
export interface SignInPlace {
  readonly store: StoreContext
  readonly channel: SalesChannel
  readonly customer: { readonly id: string; readonly issuedAt: Date } | null
  /** The language of the request, for mails; null is the store's own. */
  readonly locale: string | null
}

export interface AuthorizationAsked {
  readonly redirectUrl: string
  readonly state?: string | undefined
}

const usualScopes = {
  openid: ["openid", "email", "profile"],
  facebook: ["email", "public_profile"],
  github: ["read:user", "user:email"]
}

export class ProviderLogins extends Context.Service<ProviderLogins>()("@effect-commerce/core/oauth/ProviderLogins", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const providers = yield* LoginProviders
    const identities = yield* Identities
    const repository = yield* IdentityRepository
    const customers = yield* CustomerSignIns
    const services = yield* LoginServices
    const root = yield* RootSecret
    const calls = yield* makeProviderCalls
    const issuers = makeIssuers(calls)
    const exchange = makeCodeExchange(calls, issuers, services)
    const turns = makeProviderTurns()

    const placeOf = ({ store, channel }: SignInPlace, { provider, id }: UsableProvider) => ({
      storeId: store.id,
      channelId: channel.id,
      provider,
      providerId: id
    })

    /** Runs what calls the provider, in one of its slots and in time. */
    const inTurn = <A, E extends ExchangeFailure>(
      storeId: string,
      { id, provider }: UsableProvider,
      work: Effect.Effect<A, E>
    ): Effect.Effect<A, E | LoginProviderNotReady> => {
      const whose = { storeId, providerId: id }
      const notReady = (reason: string) => new LoginProviderNotReady({ provider, reason, hasAnswered: false })
      const begin = Effect.flatMap(Clock.currentTimeMillis, (now) =>
        turns.room(whose, now) > 0
          ? Effect.sync(() => turns.begin(whose, 1))
          : Effect.fail(notReady("too many sign-ins wait for it, or it has not answered for a while"))
      )
      const timed = Effect.timeoutOrElse(work, {
        duration: services.timeoutMillis,
        orElse: () => Effect.fail(notReady("it did not answer in time"))
      })
      return Effect.acquireUseRelease(
        begin,
        () => timed,
        (_, exit) => Effect.map(Clock.currentTimeMillis, (now) => turns.end(whose, hasAnswered(exit), now))
      )
    }

    const nameOf = ({ providerConfig }: UsableProvider): string => issuerOf(providerConfig) ?? services.google

    /** The provider's page, and what it is asked for. */
    const pageOf = Effect.fnUntraced(function* (storeId: string, provider: UsableProvider) {
      const known = namedProvider(provider.provider)
      if (known === "FACEBOOK") return { page: services.facebook.authorize, scopes: usualScopes.facebook }
      if (known === "GITHUB") return { page: services.github.authorize, scopes: usualScopes.github }
      const found = issuers.of(storeId, provider.provider, nameOf(provider))
      const { server } = yield* inTurn(storeId, provider, found)
      return { page: server.authorization_endpoint, scopes: usualScopes.openid }
    })

    const authorize = Effect.fn("ProviderLogins.authorize")(function* (
      place: SignInPlace,
      given: string,
      { redirectUrl, state }: AuthorizationAsked
    ) {
      const { store, channel, customer } = place
      const problem =
        redirectProblem(redirectUrl) ??
        (admitsReturn(channel, redirectUrl) ? undefined : "must be on the sales channel's domain")
      if (problem !== undefined) return yield* FieldRejected.at("redirectUrl", problem)
      const provider = yield* providers.usable(store, given)
      const { page, scopes } = yield* pageOf(store.id, provider)
      const begun = newState(
        { redirectUrl, given: state ?? null, customerId: customer?.id ?? null },
        yield* Clock.currentTimeMillis
      )
      const challenge = yield* calls.exchange(provider.provider, ({ oauth }) =>
        oauth.calculatePKCECodeChallenge(begun.verifier)
      )
      const sealed = sealState(root, placeOf(place, provider), begun)
      if (sealed.length > longestState)
        return yield* FieldRejected.at("redirectUrl", "is too long together with state, once both are encoded")
      const url = new URL(page)
      const parameters = {
        response_type: "code",
        client_id: provider.clientId,
        redirect_uri: redirectUrl,
        scope: scopesOf(provider, scopes).join(" "),
        state: sealed,
        nonce: begun.nonce,
        code_challenge: challenge,
        code_challenge_method: "S256",
        ...hostedDomain(provider)
      }
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
      return { url: url.href }
    })

    /** The state that has come back, used up. */
    const taken = Effect.fnUntraced(function* (place: SignInPlace, provider: UsableProvider, sealed: string) {
      const now = yield* Clock.currentTimeMillis
      const begun = openState(root, placeOf(place, provider), sealed, now)
      if (begun === undefined || (begun.customerId !== null && begun.customerId !== place.customer?.id))
        return yield* new SignInStateRejected()
      const { id } = place.store
      const isFirst = yield* database.write(id)(
        repository.useState(id, stateHash(sealed), new Date(begun.expiresAt), new Date(now))
      )
      return isFirst ? begun : yield* new SignInStateRejected()
    })

    const profileOf = (
      storeId: string,
      provider: UsableProvider,
      { code, state, iss }: SignInCallback,
      begun: SignInState
    ) => {
      const returned = { code, state, iss }
      const known = namedProvider(provider.provider)
      if (known === "FACEBOOK") return exchange.byFacebook(provider, returned, begun)
      if (known === "GITHUB") return exchange.byGithub(provider, returned, begun)
      return exchange.byIdToken(storeId, provider, nameOf(provider), returned, begun)
    }

    const callback = Effect.fn("ProviderLogins.callback")(function* (
      place: SignInPlace,
      given: string,
      returned: SignInCallback
    ) {
      const { store, channel, customer: signedIn, locale } = place
      const provider = yield* providers.usable(store, given)
      const begun = yield* taken(place, provider, returned.state)
      const profile = yield* inTurn(store.id, provider, profileOf(store.id, provider, returned, begun))
      const customer = yield* identities.resolve(store, {
        visit: { channelId: channel.id, locale },
        provider: provider.provider,
        profile,
        customerId: signedIn?.id ?? null,
        isLinkAsked: begun.customerId !== null,
        isJustLoggedIn: signedIn !== null && isJustBefore(signedIn.issuedAt, begun)
      })
      const result: SignInResult = { ...(yield* customers.answer(store, channel.id, customer)), state: begun.given }
      return result
    })

    return { authorize, callback }
  })
}) {
  static readonly layer = Layer.effect(ProviderLogins, ProviderLogins.make).pipe(
    Layer.provide(IdentityRepository.layer)
  )
}

/**
 * Whether the provider has said anything; undefined where nobody waited for it to the end. A code that it does not like
 * is an answer: nobody can bring it into disrepute by sending wrong ones.
 */
const hasAnswered = (exit: Exit.Exit<unknown, ExchangeFailure>): boolean | undefined => {
  if (Exit.isSuccess(exit)) return true
  const failure = exit.cause.reasons.find((reason) => reason._tag === "Fail")
  if (failure === undefined) return undefined
  return failure.error._tag !== "LoginProviderNotReady" || failure.error.hasAnswered
}

const scopesOf = (
  { provider, providerConfig }: UsableProvider,
  usual: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const { scopes = usual } = providerConfig
  const speaksOpenId = provider !== "FACEBOOK" && provider !== "GITHUB"
  return speaksOpenId && !scopes.includes("openid") ? ["openid", ...scopes] : scopes
}

/** Google shows accounts of this domain only; whether the account is one is checked in the ID token. */
const hostedDomain = ({ provider, providerConfig: { tenant } }: UsableProvider): Readonly<Record<string, string>> =>
  provider === "GOOGLE" && tenant !== undefined ? { hd: tenant } : {}
