/**
 * Changes the code of a sign-in into who signed in. For OpenID Connect the ID token says so: the OAuth library checks
 * its claims and its nonce, and its signature is verified by the issuer's published keys, with asymmetric algorithms
 * only and the instance's clock. GitHub and Facebook are asked with the access token, which is then forgotten.
 */
import { Clock, Effect, Redacted } from "effect"
import type { AuthorizationServer, Client } from "oauth4webapi"
import { hmacSha256Hex } from "../crypto/Hashing.ts"
import { idTokenAlgorithms, type Issuer, type Issuers } from "./IssuerMetadata.ts"
import type { UsableProvider } from "./LoginProviders.ts"
import type { LoginServices, PlainAddresses } from "./LoginServices.ts"
import { SignInCodeRejected, SignInRejected } from "./OauthErrors.ts"
import { type Calling, objectOf, OddAnswer, type ProviderCalls } from "./ProviderCalls.ts"
import {
  isSubject,
  profileOfClaims,
  profileOfFacebook,
  profileOfGithub,
  type ProviderProfile
} from "./ProviderProfile.ts"
import type { SignInState } from "./SignInState.ts"

/** Seconds by which the clocks of a provider and of this instance may differ. */
const leeway = 60
/** Seconds that an ID token may be old: as long as a sign-in may take. */
const maxAge = 600

export interface ReturnedCode {
  readonly code: string
  readonly state: string
  /** RFC 9207: the issuer that answered, where the storefront passes it on. */
  readonly iss: string | undefined
}

type Claims = Readonly<Record<string, unknown>>

/** What providers answer where the code is the problem. Facebook says so by a number. */
const codeErrors: ReadonlySet<unknown> = new Set(["invalid_grant", "bad_verification_code"])
const facebookCodeError = 100

const isCodeError = (error: unknown): boolean =>
  codeErrors.has(error) ||
  (typeof error === "object" && error !== null && "code" in error && error.code === facebookCodeError)

/** The token response, or why there is none. */
const tokensOf = async (response: Response): Promise<Claims> => {
  if (response.status >= 500) throw new OddAnswer(`it answered the code with the status ${response.status}`)
  const answer = await objectOf(response)
  if (isCodeError(answer["error"])) throw new SignInCodeRejected()
  if (response.status !== 200 || answer["error"] !== undefined)
    throw new OddAnswer(`it does not accept the client, its secret or its redirect (status ${response.status})`)
  if (typeof answer["access_token"] !== "string") throw new OddAnswer("its token response has no access token")
  return answer
}

/** Seconds by which the instance's clock is ahead of the one that the library reads. */
const skewOf = (now: number): number => Math.round((now - performance.timeOrigin - performance.now()) / 1_000)

export const makeCodeExchange = (calls: ProviderCalls, issuers: Issuers, services: LoginServices["Service"]) => {
  /** Sends the code with the verifier. The parameters are checked by the library before: state and issuer. */
  const request = async (
    calling: Calling,
    { server, provider }: { readonly server: AuthorizationServer; readonly provider: UsableProvider },
    returned: ReturnedCode,
    begun: SignInState
  ): Promise<Claims> => {
    const { oauth, fetch } = calling
    const secret = Redacted.value(provider.secret)
    const parameters = checkedParameters(calling, { server, provider }, returned)
    const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"]
    const isPost = methods.includes("client_secret_post") || !methods.includes("client_secret_basic")
    const authentication = isPost ? oauth.ClientSecretPost(secret) : oauth.ClientSecretBasic(secret)
    const options = { [oauth.customFetch]: fetch, [oauth.allowInsecureRequests]: true }
    return tokensOf(
      await oauth.authorizationCodeGrantRequest(
        server,
        clientOf(provider),
        authentication,
        parameters,
        begun.redirectUrl,
        begun.verifier,
        options
      )
    )
  }

  const verified = (provider: UsableProvider, issuer: Issuer, tokens: Claims, begun: SignInState) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      calls.exchange<Claims, SignInRejected>(
        provider.provider,
        async (calling) => {
          const { oauth, jose } = calling
          const client = { ...clientOf(provider), [oauth.clockSkew]: skewOf(now), [oauth.clockTolerance]: leeway }
          const claimed = await oauth.processAuthorizationCodeResponse(
            issuer.server,
            client,
            new Response(JSON.stringify(tokens), { headers: { "content-type": "application/json" } }),
            { expectedNonce: begun.nonce, requireIdToken: true }
          )
          const { payload } = await jose.jwtVerify(claimed.id_token ?? "", jose.createLocalJWKSet(issuer.keys), {
            algorithms: [...idTokenAlgorithms],
            issuer: issuer.server.issuer,
            audience: provider.clientId,
            requiredClaims: ["sub", "iat", "exp", "nonce"],
            clockTolerance: leeway,
            maxTokenAge: maxAge,
            currentDate: new Date(now)
          })
          return payload as Claims
        },
        (reason) => new SignInRejected({ provider: provider.provider, reason })
      )
    )

  /** Once more with the issuer's newest keys, where none of those that are kept fits. */
  const claimsOf = (
    storeId: string,
    provider: UsableProvider,
    name: string,
    { issuer, tokens, begun }: { readonly issuer: Issuer; readonly tokens: Claims; readonly begun: SignInState }
  ) =>
    Effect.catchTag(verified(provider, issuer, tokens, begun), "SignInRejected", (rejected) =>
      rejected.reason !== unknownKey
        ? Effect.fail(rejected)
        : Effect.flatMap(issuers.withNewKeys(storeId, provider.provider, name, issuer), (renewed) =>
            renewed === issuer ? Effect.fail(rejected) : verified(provider, renewed, tokens, begun)
          )
    )

  /** The claims of the userinfo endpoint, for issuers whose ID tokens have no address. */
  const userInfo = (provider: UsableProvider, { server }: Issuer, subject: string, accessToken: string) =>
    calls.exchange<Claims, SignInRejected>(
      provider.provider,
      async ({ oauth, fetch }) => {
        const client = clientOf(provider)
        const options = { [oauth.customFetch]: fetch, [oauth.allowInsecureRequests]: true }
        const response = await oauth.userInfoRequest(server, client, accessToken, options)
        if (response.status !== 200) throw new OddAnswer(`its userinfo has the status ${response.status}`)
        return (await oauth.processUserInfoResponse(server, client, subject, response)) as Claims
      },
      (reason) => new SignInRejected({ provider: provider.provider, reason })
    )

  const byIdToken = Effect.fnUntraced(function* (
    storeId: string,
    provider: UsableProvider,
    name: string,
    returned: ReturnedCode,
    begun: SignInState
  ) {
    const issuer = yield* issuers.of(storeId, provider.provider, name)
    const { server } = issuer
    const tokens = yield* calls.exchange<Claims, SignInCodeRejected | SignInRejected>(provider.provider, (calling) =>
      request(calling, { server, provider }, returned, begun)
    )
    const claims = yield* claimsOf(storeId, provider, name, { issuer, tokens, begun })
    const subject = claims["sub"]
    const wrong = (reason: string) => new SignInRejected({ provider: provider.provider, reason })
    if (!isSubject(subject)) return yield* wrong("its subject cannot name a person")
    const { tenant } = provider.providerConfig
    if (provider.provider === "GOOGLE" && tenant !== undefined && claims["hd"] !== tenant)
      return yield* wrong("the account is not of the tenant")
    const asks = claims["email"] === undefined && server.userinfo_endpoint !== undefined
    const more = asks ? yield* userInfo(provider, issuer, subject, String(tokens["access_token"])) : {}
    return profileOfClaims(server.issuer, subject, { ...more, ...claims })
  })

  /** A provider without ID tokens: `ask` reads who signed in with the access token. */
  const byAccessToken = (
    provider: UsableProvider,
    { token, api }: PlainAddresses,
    returned: ReturnedCode,
    begun: SignInState,
    ask: (get: (path: string) => Promise<unknown>, accessToken: string) => Promise<ProviderProfile>
  ) =>
    calls.exchange<ProviderProfile, SignInCodeRejected | SignInRejected>(provider.provider, async (calling) => {
      const server: AuthorizationServer = {
        issuer: new URL(api).origin,
        token_endpoint: token,
        token_endpoint_auth_methods_supported: ["client_secret_post"]
      }
      const tokens = await request(calling, { server, provider }, returned, begun)
      const accessToken = String(tokens["access_token"])
      const get = async (path: string): Promise<unknown> => {
        const headers = { accept: "application/json", authorization: `Bearer ${accessToken}` }
        const response = await calling.fetch(`${api}${path}`, { method: "GET", headers })
        if (response.status !== 200) throw new OddAnswer(`its API answered with the status ${response.status}`)
        return response.json()
      }
      return ask(get, accessToken)
    })

  const byFacebook = (provider: UsableProvider, returned: ReturnedCode, begun: SignInState) =>
    byAccessToken(provider, services.facebook, returned, begun, async (get, accessToken) => {
      const proof = hmacSha256Hex(Redacted.value(provider.secret), accessToken)
      const person = (await get(`/me?fields=id,name,first_name,last_name,email&appsecret_proof=${proof}`)) as Claims
      if (!isSubject(person["id"])) throw new OddAnswer("its user has no id")
      return profileOfFacebook(new URL(services.facebook.api).origin, person["id"], person)
    })

  const byGithub = (provider: UsableProvider, returned: ReturnedCode, begun: SignInState) =>
    byAccessToken(provider, services.github, returned, begun, async (get) => {
      const user = (await get("/user")) as Claims
      const id = user["id"]
      if (typeof id !== "number" || !Number.isSafeInteger(id)) throw new OddAnswer("its user has no id")
      const emails = await get("/user/emails")
      const listed = Array.isArray(emails) ? emails.slice(0, mostEmails) : []
      return profileOfGithub(new URL(services.github.api).origin, String(id), user, listed)
    })

  return { byIdToken, byFacebook, byGithub }
}

const clientOf = ({ clientId }: UsableProvider): Client => ({ client_id: clientId })

const mostEmails = 100
const unknownKey = "ERR_JWKS_NO_MATCHING_KEY"

/** The parameters of the way back as the library has checked them; another issuer than the provider's is a mix-up. */
const checkedParameters = (
  { oauth }: Calling,
  { server, provider }: { readonly server: AuthorizationServer; readonly provider: UsableProvider },
  { code, state, iss }: ReturnedCode
): URLSearchParams => {
  // A storefront need not pass the issuer on: the state names the provider already.
  const { authorization_response_iss_parameter_supported: _, ...rest } = server
  const returned = new URLSearchParams({ code, state, ...(iss === undefined ? {} : { iss }) })
  try {
    return oauth.validateAuthResponse(iss === undefined ? rest : server, clientOf(provider), returned, state)
  } catch {
    throw new SignInRejected({ provider: provider.provider, reason: "the answer is of another issuer" })
  }
}
