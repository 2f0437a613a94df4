/** The login providers of a store, and how customers sign in by them. */
import { ResourceChanged } from "@effect-commerce/core/database/Precondition"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { string } from "@effect-commerce/core/kernel/Fields"
import {
  LoginProviderChanges,
  LoginProviderView,
  NewLoginProvider,
  OfferedProvider
} from "@effect-commerce/core/oauth/LoginProvider"
import {
  IdentityTaken,
  LinkRequired,
  LoginProviderNotConfigured,
  LoginProviderNotFound,
  LoginProviderNotReady,
  LoginProviderTaken,
  SignInCodeRejected,
  SignInRejected,
  SignInStateRejected,
  SignInWithoutEmail
} from "@effect-commerce/core/oauth/OauthErrors"
import { Authorization, authorizeQuery, SignInCallback, SignInResult } from "@effect-commerce/core/oauth/SignIn"
import { Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { channelPath } from "../middleware/PathParameters.ts"
import { adminRoute, channelRoute } from "../middleware/Policy.ts"
import { Unauthorized } from "../middleware/Refusals.ts"
import { Success } from "../middleware/Responses.ts"
import { useCase } from "../middleware/Versioned.ts"
import { oauthErrors } from "./oauthErrors.ts"

const fails = failsBy(oauthErrors)

const LoginProviderList = Schema.Array(LoginProviderView).annotate({
  identifier: "OAuthProviderList",
  description: "The login providers of a store, the oldest first."
})
const OfferedProviders = Schema.Array(OfferedProvider).annotate({
  identifier: "OfferedOAuthProviders",
  description: "The services by which customers can sign in, the oldest first."
})

const provider = string(
  "The code of the provider: GOOGLE, FACEBOOK, GITHUB, or CUSTOM: and its slug, encoded for a URL. Upper and lower " +
    "case are the same.",
  "google"
)
const named = { provider }

export class LoginProvidersGroup extends apiGroup("oauthProviders", {
  part: "Admin",
  title: "Login providers",
  description:
    "Services by which customers of a store can sign in: Google, Facebook, GitHub and OpenID Connect issuers."
}).add(
  HttpApiEndpoint.get("list", "/v1/oauth-providers", { success: LoginProviderList }).pipe(
    adminRoute({
      summary: "List login providers",
      description: "Lists the login providers of the store as a plain array, the oldest first, without their secrets."
    })
  ),
  HttpApiEndpoint.post("create", "/v1/oauth-providers", {
    payload: NewLoginProvider,
    success: LoginProviderView,
    error: fails(FieldRejected, LoginProviderTaken)
  }).pipe(
    adminRoute({
      reads: LoginProviderView,
      summary: "Set up a login provider",
      description:
        "Sets up a service by which customers can sign in. The client secret is stored encrypted and never returned. " +
        "A provider can be set up once. The provider is not called: whether it works shows when a customer signs in."
    })
  ),
  HttpApiEndpoint.get("get", "/v1/oauth-providers/:provider", {
    params: named,
    success: LoginProviderView,
    error: fails(LoginProviderNotFound)
  }).pipe(
    adminRoute({
      summary: "Get a login provider",
      description: "Returns one login provider by its code, without its secret."
    })
  ),
  HttpApiEndpoint.patch("update", "/v1/oauth-providers/:provider", {
    params: named,
    payload: LoginProviderChanges,
    success: LoginProviderView,
    error: fails(FieldRejected, LoginProviderNotFound, ResourceChanged)
  }).pipe(
    adminRoute({
      version: useCase,
      summary: "Change a login provider",
      description:
        "Changes the fields in the body and leaves the others, also inside of `providerConfig`. A new secret " +
        "replaces the old one at once. Switched off, it signs nobody in; customers stay linked to it."
    })
  ),
  HttpApiEndpoint.delete("remove", "/v1/oauth-providers/:provider", {
    params: named,
    success: Success,
    error: fails(LoginProviderNotFound, ResourceChanged)
  }).pipe(
    adminRoute({
      version: useCase,
      summary: "Delete a login provider",
      description:
        "Deletes a login provider with its secret. Customers stay linked: set up again with the same issuer, it " +
        "signs in the same customers."
    })
  )
) {}

const minute = 60_000
const signingIn = { cap: { limit: 5, ms: minute }, customer: "optional" } as const
const at = "/vc/:salesChannelId/customers/oauth" as const

export class ProviderLoginsGroup extends apiGroup("oauthLogins", {
  part: "Storefront",
  title: "Signing in by other services",
  description: "Customers sign in with an account at Google, Facebook, GitHub or an OpenID Connect issuer."
}).add(
  HttpApiEndpoint.get("offered", `${at}/providers`, { params: channelPath, success: OfferedProviders }).pipe(
    channelRoute("customerAuth", {
      summary: "List the services to sign in by",
      description: "Lists the login providers that are switched on, as a plain array, for the buttons of a login page."
    })
  ),
  HttpApiEndpoint.get("authorize", `${at}/:provider/authorize`, {
    params: { ...channelPath, provider },
    query: authorizeQuery,
    success: Authorization,
    error: fails(FieldRejected, LoginProviderNotFound, LoginProviderNotConfigured, LoginProviderNotReady)
  }).pipe(
    channelRoute("customerAuth", {
      ...signingIn,
      summary: "Begin to sign in by a service",
      description:
        "Returns the address at the provider to send the customer's browser to. With a customer's token the account " +
        "will be linked to that customer. At most 5 requests a minute from one IP address."
    })
  ),
  HttpApiEndpoint.post("callback", `${at}/:provider/callback`, {
    params: { ...channelPath, provider },
    payload: SignInCallback,
    success: SignInResult,
    error: fails(
      Unauthorized,
      FieldRejected,
      LoginProviderNotFound,
      LoginProviderNotConfigured,
      LoginProviderNotReady,
      SignInStateRejected,
      SignInCodeRejected,
      SignInRejected,
      LinkRequired,
      IdentityTaken,
      SignInWithoutEmail
    )
  }).pipe(
    channelRoute("customerAuth", {
      ...signingIn,
      summary: "Sign in by a service",
      description:
        "Changes what the provider has added to your page's address into a customer's token, valid for seven days. A " +
        "new person gets an account; one whose address the provider has not verified also gets the verification " +
        "e-mail. Where a customer has the address, and the provider or the customer has not verified it, it is 409 " +
        'with `details.reason: "link_required"`: let the customer log in with the password, authorize again, and ' +
        "send the customer's token with this request, which links the account. A state works once, for ten minutes. " +
        "At most 5 attempts a minute from one IP address."
    })
  )
) {}

export const oauthGroups = [LoginProvidersGroup, ProviderLoginsGroup] as const
