import type {
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
import { type ErrorRows, missing } from "../middleware/ErrorRow.ts"

const stateReason = "is not valid here, was used, or has expired: begin the sign-in again"
const codeReason = "is not accepted by the provider: begin the sign-in again"

export const oauthErrors: ErrorRows<
  | LoginProviderNotFound
  | LoginProviderTaken
  | LoginProviderNotConfigured
  | LoginProviderNotReady
  | SignInStateRejected
  | SignInCodeRejected
  | SignInRejected
  | LinkRequired
  | IdentityTaken
  | SignInWithoutEmail
> = {
  LoginProviderNotFound: missing("login provider"),
  LoginProviderTaken: {
    code: "CONFLICT",
    message: (e) => `The login provider ${e.provider} is set up already`,
    details: (e) => ({ reason: "provider_taken", provider: e.provider })
  },
  LoginProviderNotConfigured: {
    code: "PROVIDER_NOT_CONFIGURED",
    message: (e) => `The login provider ${e.provider} is not configured here`,
    details: (e) => ({ provider: e.provider })
  },
  LoginProviderNotReady: {
    code: "PROVIDER_NOT_READY",
    message: (e) => `The login provider ${e.provider} cannot be reached, or does not accept this shop`,
    details: (e) => ({ provider: e.provider }),
    headers: () => ({ "retry-after": "10" }),
    warning: (e) => `A customer could not sign in by ${e.provider}: ${e.reason}`
  },
  SignInStateRejected: {
    code: "VALIDATION_FAILED",
    message: () => `Invalid request: state: ${stateReason}`,
    details: () => ({ errors: { state: stateReason } })
  },
  SignInCodeRejected: {
    code: "VALIDATION_FAILED",
    message: () => `Invalid request: code: ${codeReason}`,
    details: () => ({ errors: { code: codeReason } })
  },
  SignInRejected: {
    code: "UNAUTHORIZED",
    message: (e) => `What ${e.provider} says of the customer does not hold: begin the sign-in again`,
    headers: () => ({ "www-authenticate": "Bearer" }),
    warning: (e) => `The answer of the login provider ${e.provider} was rejected: ${e.reason}`
  },
  LinkRequired: {
    code: "CONFLICT",
    message: () =>
      "A customer has this e-mail address: log in with the password, and authorize again with the customer's token",
    details: (e) => ({ reason: "link_required", provider: e.provider })
  },
  IdentityTaken: {
    code: "CONFLICT",
    message: (e) => `This account of ${e.provider} is linked to another customer`,
    details: (e) => ({ reason: "identity_taken", provider: e.provider })
  },
  SignInWithoutEmail: {
    code: "BUSINESS_RULE_VIOLATION",
    message: (e) => `${e.provider} gives no e-mail address of the customer, without which there is no account`,
    details: (e) => ({ reason: "email_missing", provider: e.provider })
  }
}
