/**
 * The addresses of providers that have no issuer of their own in a store's configuration, and how long a sign-in may
 * take. The defaults are what the companies document; tests put local servers in their place.
 */
import { Context } from "effect"

/** OAuth 2.0 without an ID token: who signed in is asked for with the access token. */
export interface PlainAddresses {
  readonly authorize: string
  readonly token: string
  /** The base of the API that says who signed in. */
  readonly api: string
}

export interface LoginOptions {
  /** The issuer of GOOGLE where a store names none. */
  readonly google?: string | undefined
  readonly facebook?: PlainAddresses | undefined
  readonly github?: PlainAddresses | undefined
  /** Milliseconds of real time for all that a sign-in asks of its provider; 15,000 by default. */
  readonly timeoutMillis?: number | undefined
}

const facebookVersion = "v23.0"

const defaults = {
  google: "https://accounts.google.com",
  facebook: {
    authorize: `https://www.facebook.com/${facebookVersion}/dialog/oauth`,
    token: `https://graph.facebook.com/${facebookVersion}/oauth/access_token`,
    api: `https://graph.facebook.com/${facebookVersion}`
  },
  github: {
    authorize: "https://github.com/login/oauth/authorize",
    token: "https://github.com/login/oauth/access_token",
    api: "https://api.github.com"
  },
  timeoutMillis: 15_000
}

export class LoginServices extends Context.Service<
  LoginServices,
  {
    readonly google: string
    readonly facebook: PlainAddresses
    readonly github: PlainAddresses
    readonly timeoutMillis: number
  }
>()("@effect-commerce/core/oauth/LoginServices") {}

export const loginServicesOf = (options: LoginOptions): LoginServices["Service"] => ({
  google: options.google ?? defaults.google,
  facebook: options.facebook ?? defaults.facebook,
  github: options.github ?? defaults.github,
  timeoutMillis: options.timeoutMillis ?? defaults.timeoutMillis
})
