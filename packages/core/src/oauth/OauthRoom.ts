/** The services of the oauth room. */
import { Layer } from "effect"
import type { Room } from "../database/Room.ts"
import { Identities } from "./Identities.ts"
import { loginProviderBound } from "./LoginProvider.ts"
import { LoginProviders } from "./LoginProviders.ts"
import { type LoginOptions, LoginServices, loginServicesOf } from "./LoginServices.ts"
import { oauthLaws } from "./oauthLaws.ts"
import { ProviderLogins } from "./ProviderLogins.ts"

export const oauthRoom = {
  layer: (options: LoginOptions) =>
    ProviderLogins.layer.pipe(
      Layer.provideMerge(LoginProviders.layer),
      Layer.provide(Identities.layer),
      Layer.provide(Layer.sync(LoginServices, () => loginServicesOf(options)))
    ),
  bounds: [loginProviderBound],
  laws: oauthLaws
} as const satisfies Room
