/** The parts of the OpenID Connect provider that tests use; it brings no types. */
declare module "oidc-provider" {
  import type { RequestListener } from "node:http"

  export default class Provider {
    constructor(
      issuer: string,
      configuration: {
        readonly clients: ReadonlyArray<{
          readonly client_id: string
          readonly client_secret: string
          readonly redirect_uris: ReadonlyArray<string>
        }>
        readonly jwks: { readonly keys: ReadonlyArray<object> }
        readonly claims: Readonly<Record<string, ReadonlyArray<string>>>
        readonly cookies: { readonly keys: ReadonlyArray<string> }
        readonly pkce: { readonly required: () => boolean }
        readonly features: { readonly devInteractions: { readonly enabled: boolean } }
        readonly findAccount: (
          context: unknown,
          id: string
        ) => {
          readonly accountId: string
          readonly claims: () => Readonly<Record<string, unknown>>
        }
      }
    )
    callback(): RequestListener
  }
}
