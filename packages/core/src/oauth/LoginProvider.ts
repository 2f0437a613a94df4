/**
 * A login provider as a store has set it up: its code, its row, its shape on the wire, and the bodies that create and
 * change it. The client secret is written and never shown.
 */
import { Schema } from "effect"
import { boolean, described, filledText, optional, string, text, timestamp } from "../kernel/Fields.ts"
import { type FieldErrors, itemProblems, problemsOf } from "../kernel/FieldErrors.ts"
import type { StoreBound } from "../kernel/StoreBound.ts"

/** Bounded because all of a store's are listed at once, and each may keep what its issuer says in memory. */
export const loginProviderBound: StoreBound = { field: "oauthProviders", most: 20, words: "login providers" }

const named = ["GOOGLE", "FACEBOOK", "GITHUB"] as const
export type NamedProvider = (typeof named)[number]

const names: Readonly<Record<NamedProvider, string>> = { GOOGLE: "Google", FACEBOOK: "Facebook", GITHUB: "GitHub" }

const customPattern = /^custom:([a-z0-9][a-z0-9_-]{0,62})$/i

const isNamed = (code: string): code is NamedProvider => (named as ReadonlyArray<string>).includes(code)

/**
 * The code as it is stored: `GOOGLE`, `FACEBOOK` or `GITHUB` in upper case, `CUSTOM:` with the slug in lower case.
 * undefined for any other text.
 */
export const providerCodeOf = (given: string): string | undefined => {
  const upper = given.toUpperCase()
  if (isNamed(upper)) return upper
  const slug = customPattern.exec(given)?.[1]
  return slug === undefined ? undefined : `CUSTOM:${slug.toLowerCase()}`
}

/** The provider with documented addresses that a code names; undefined for an issuer of the store's own. */
export const namedProvider = (code: string): NamedProvider | undefined => (isNamed(code) ? code : undefined)

/** What a button says: the company, or the words of the slug. */
export const providerName = (code: string): string =>
  isNamed(code)
    ? names[code]
    : code
        .slice("CUSTOM:".length)
        .split(/[-_]+/)
        .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
        .join(" ")
        .trim()

const sentences = {
  provider:
    "Who confirms the customer: GOOGLE, FACEBOOK or GITHUB, or CUSTOM: and a slug of your choice for an OpenID " +
    "Connect issuer. Upper and lower case are the same.",
  clientId: "The client id (or app id) that the provider has given to your shop.",
  clientSecret: "The client secret that belongs to it. It is stored encrypted and never shown.",
  isEnabled: "Whether storefronts offer it and customers can sign in by it.",
  issuer:
    "For CUSTOM: the issuer of the OpenID Connect provider, under which it publishes " +
    "`.well-known/openid-configuration`. `{tenant}` in it is replaced by `tenant`. For GOOGLE it is known.",
  scopes:
    "What is asked for in place of the usual scopes. `openid` is always asked for where the provider speaks OpenID " +
    "Connect. An empty list stands for the usual scopes.",
  tenant:
    "For CUSTOM: what replaces `{tenant}` in the issuer. For GOOGLE: the domain of the Google Workspace whose " +
    "members may sign in. Empty: none."
}

const maxIssuer = 1_000
const scope = text(100).pipe(
  Schema.check(Schema.isPattern(/^[\x21\x23-\x5B\x5D-\x7E]+$/, { message: "must be a scope without white space" }))
)

/** What is stored beside the client: absent fields have their usual value. */
export const ProviderConfig = Schema.Struct({
  issuer: optional(filledText(maxIssuer), sentences.issuer, "https://login.example.com"),
  scopes: optional(Schema.Array(scope).pipe(Schema.check(Schema.isMaxLength(20))), sentences.scopes, [
    "openid",
    "email",
    "profile"
  ]),
  tenant: optional(text(200), sentences.tenant, "example.com")
}).annotate({ identifier: "OAuthProviderConfig", description: "What a provider needs besides the client." })
export type ProviderConfig = typeof ProviderConfig.Type

export const LoginProviderView = Schema.Struct({
  id: string("Id of the login provider.", "oap_01k9f3m2q7x4b8n6c5d1e0h2jk"),
  storeId: string("The store it belongs to."),
  provider: string("GOOGLE, FACEBOOK, GITHUB, or CUSTOM: and a slug. Paths name it by this code.", "GOOGLE"),
  clientId: string(sentences.clientId, "4711.apps.googleusercontent.com"),
  isEnabled: boolean(sentences.isEnabled),
  providerConfig: ProviderConfig,
  createdAt: timestamp("When it was created."),
  updatedAt: timestamp("When it was last changed. It is the version that If-Match names.")
}).annotate({
  identifier: "OAuthProvider",
  description: "A service by which customers of a store can sign in. Its client secret is never returned."
})
export type LoginProviderView = typeof LoginProviderView.Type

const providerCode = text(100).pipe(
  Schema.check(Schema.makeFilter((given: string) => (providerCodeOf(given) === undefined ? notACode : true)))
)
const notACode = "must be GOOGLE, FACEBOOK, GITHUB, or CUSTOM: and a slug of letters, digits, - and _"
const clientId = described(filledText(500), sentences.clientId, "4711.apps.googleusercontent.com")
const clientSecret = described(filledText(2_000), sentences.clientSecret, "GOCSPX-…")

export const NewLoginProvider = Schema.Struct({
  provider: described(providerCode, sentences.provider, "google"),
  clientId,
  clientSecret,
  isEnabled: optional(Schema.Boolean, `${sentences.isEnabled} Default: true.`),
  providerConfig: Schema.optionalKey(ProviderConfig)
}).annotate({ identifier: "CreateOAuthProvider", description: "A login provider to set up." })
export type NewLoginProvider = typeof NewLoginProvider.Type

export const LoginProviderChanges = Schema.Struct({
  clientId: Schema.optionalKey(clientId),
  clientSecret: Schema.optionalKey(clientSecret),
  isEnabled: optional(Schema.Boolean, sentences.isEnabled),
  providerConfig: Schema.optionalKey(ProviderConfig)
}).annotate({
  identifier: "UpdateOAuthProvider",
  description:
    "What to change. An absent field stays as it is, also inside of `providerConfig`. null is not allowed: nothing " +
    "of a login provider can be cleared."
})
export type LoginProviderChanges = typeof LoginProviderChanges.Type

/** What a storefront needs for its buttons. */
export const OfferedProvider = Schema.Struct({
  provider: string("The code that paths name it by. Encode it for a URL: `CUSTOM%3Aacme`.", "GOOGLE"),
  name: string("What a button can say.", "Google")
}).annotate({ identifier: "OfferedOAuthProvider", description: "A service by which customers can sign in." })
export type OfferedProvider = typeof OfferedProvider.Type

export interface LoginProviderState {
  readonly id: string
  /** As `providerCodeOf` returns it. */
  readonly provider: string
  readonly clientId: string
  /** Sealed for the row. */
  readonly clientSecret: string
  readonly isEnabled: boolean
  readonly providerConfig: ProviderConfig
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** The purpose and the context under which the client secret of a row is sealed. */
export const clientSecretPurpose = "login-provider"
export const clientSecretContext = (storeId: string, id: string): string =>
  `${storeId}|oauth_provider|client_secret|${id}`

export const toLoginProviderView = (storeId: string, row: LoginProviderState): LoginProviderView => ({
  id: row.id,
  storeId,
  provider: row.provider,
  clientId: row.clientId,
  isEnabled: row.isEnabled,
  providerConfig: row.providerConfig,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString()
})

/** What is kept of a configuration: fields that are empty stand for their usual value, and are left out. */
export const filledConfig = ({ issuer, scopes = [], tenant = "" }: ProviderConfig): ProviderConfig => ({
  ...(issuer === undefined ? {} : { issuer: issuer.trim() }),
  ...(scopes.length === 0 ? {} : { scopes: [...new Set(scopes)] }),
  ...(tenant.trim() === "" ? {} : { tenant: tenant.trim() })
})

const tenantMark = "{tenant}"

/** The issuer of an OpenID Connect provider that the store has named. */
export const issuerOf = ({ issuer, tenant = "" }: ProviderConfig): string | undefined =>
  issuer?.replaceAll(tenantMark, encodeURIComponent(tenant))

const issuerProblem = (code: string, { issuer }: ProviderConfig): string | undefined => {
  const known = namedProvider(code)
  if (known === "FACEBOOK" || known === "GITHUB")
    return issuer === undefined ? undefined : `${known} has no issuer: leave it out`
  if (issuer === undefined)
    return known === undefined ? "is needed: the issuer of the OpenID Connect provider" : undefined
  return /[?#]/.test(issuer) ? "must have no query and no fragment" : undefined
}

const tenantProblem = (code: string, { issuer, tenant }: ProviderConfig): string | undefined => {
  const isPlaced = issuer?.includes(tenantMark) === true
  if (tenant === undefined) return isPlaced ? `is needed: the issuer names ${tenantMark}` : undefined
  if (code === "GOOGLE" || isPlaced) return undefined
  return code.startsWith("CUSTOM:") ? `says nothing: the issuer does not name ${tenantMark}` : `says nothing to ${code}`
}

/** What is wrong with a configuration for the provider of this code, without its address being looked up. */
export const configProblems = (code: string, config: ProviderConfig): FieldErrors => ({
  ...problemsOf({
    "providerConfig.issuer": issuerProblem(code, config),
    "providerConfig.tenant": tenantProblem(code, config)
  }),
  ...itemProblems("providerConfig.scopes", config.scopes ?? [], (scope) =>
    scope === "offline_access" ? "is never used: nothing is asked of a provider later" : undefined
  )
})
