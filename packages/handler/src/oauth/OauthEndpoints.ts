import { CustomerNotFound } from "@effect-commerce/core/customer/CustomerErrors"
import { CustomerTokens } from "@effect-commerce/core/customer/CustomerTokens"
import { RateLimits } from "@effect-commerce/core/guard/RateLimits"
import { LoginProviders } from "@effect-commerce/core/oauth/LoginProviders"
import { ProviderLogins } from "@effect-commerce/core/oauth/ProviderLogins"
import { Effect, Layer } from "effect"
import { Exchange } from "../middleware/Exchange.ts"
import { endpointsOf } from "../middleware/GroupEndpoints.ts"
import { countFailedAuth } from "../middleware/Limits.ts"
import { Unauthorized } from "../middleware/Refusals.ts"
import { languageKeptOf } from "../middleware/RequestLanguages.ts"
import { succeed } from "../middleware/Responses.ts"
import { HandlerSettings } from "../middleware/Settings.ts"
import { asAdmin, onChannel, type Shopper } from "../middleware/Surfaces.ts"
import { LoginProvidersGroup, ProviderLoginsGroup } from "./OauthApi.ts"

const providers = endpointsOf(LoginProvidersGroup, (handlers) =>
  Effect.map(LoginProviders, (useCases) =>
    handlers.handleAll({
      list: asAdmin(({ store }) => useCases.list(store)),
      create: asAdmin(({ store }, { payload }) => useCases.create(store, payload)),
      get: asAdmin(({ store }, { params }) => useCases.get(store, params.provider)),
      update: asAdmin(({ store }, { params, payload }) => useCases.update(store, params.provider, payload)),
      remove: asAdmin(({ store }, { params }) => succeed(useCases.remove(store, params.provider)))
    })
  )
)

const placeOf = ({ store, channel, customer }: Shopper) =>
  Effect.map(languageKeptOf(store, {}), (locale) => ({ store, channel, customer: customer ?? null, locale }))

/** What counts as a failed authentication of the client: a forged state, code or answer. */
const refused: ReadonlySet<string> = new Set(["SignInStateRejected", "SignInCodeRejected", "SignInRejected"])

const logins = endpointsOf(
  ProviderLoginsGroup,
  Effect.fnUntraced(function* (handlers) {
    const useCases = yield* LoginProviders
    const { authorize, callback } = yield* ProviderLogins
    const tokens = yield* CustomerTokens
    const limits = yield* RateLimits
    const settings = yield* HandlerSettings
    const count = Effect.flatMap(Exchange, (exchange) => countFailedAuth(limits, settings, exchange))
    const signedOut = new Unauthorized({ reason: "This token is not valid; sign in again" })

    return handlers.handleAll({
      offered: onChannel(({ store }) => useCases.offered(store)),
      authorize: onChannel((caller, { params, query }) =>
        Effect.flatMap(placeOf(caller), (place) => authorize(place, params.provider, query))
      ),
      callback: onChannel((caller, { params, payload }) =>
        Effect.flatMap(placeOf(caller), (place) => callback(place, params.provider, payload)).pipe(
          Effect.tapError(({ _tag }) => (refused.has(_tag) ? count : Effect.void)),
          // Another process has deleted the customer a moment ago.
          Effect.catchIf(
            (error) => error instanceof CustomerNotFound,
            ({ id }) => Effect.andThen(tokens.forget(caller.store.id, id), Effect.fail(signedOut))
          )
        )
      )
    })
  })
)

export const oauthEndpoints = Layer.merge(providers, logins)
