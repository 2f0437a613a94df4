/** What storefronts send and get when a customer signs in by a provider. */
import { Schema } from "effect"
import { AuthResult } from "../customer/CustomerView.ts"
import { described, nullableString, optional, text, url } from "../kernel/Fields.ts"

/** In UTF-16 code units. */
const longestRedirect = 1_000
const longestGivenState = 500
/** What is sealed of them, in the address at the provider, of which browsers and servers take some 8,000 characters. */
export const longestState = 6_000

export const authorizeQuery = {
  redirectUrl: described(
    text(longestRedirect),
    "The page of your storefront to which the provider sends the customer back, on the sales channel's domain (in " +
      "test mode also on localhost). Register it with the provider, letter by letter.",
    "https://shop.example.com/signed-in"
  ),
  state: optional(
    text(longestGivenState),
    "Any text of yours, such as the page to go on with. The response of the callback returns it.",
    "/checkout"
  )
}

export const Authorization = Schema.Struct({
  url: url(
    "Send the customer's browser there. It works once, for ten minutes. Keep its parameter `state` in the browser's " +
      "session, and go on only if the same comes back."
  )
}).annotate({ identifier: "OAuthAuthorization", description: "Where a sign-in goes on: at the provider." })

export const SignInCallback = Schema.Struct({
  code: described(text(4_000).pipe(Schema.check(Schema.isMinLength(1))), "The parameter `code` of the page's address."),
  state: described(text(longestState), "The parameter `state` of the page's address, as it came."),
  iss: optional(
    text(1_000),
    "The parameter `iss` of the page's address, where the provider sends one. It must be the provider's issuer.",
    "https://login.example.com"
  )
}).annotate({
  identifier: "OAuthCallback",
  description: "What the provider has added to the address of the page to which it sent the customer back."
})
export type SignInCallback = typeof SignInCallback.Type

export const SignInResult = Schema.Struct({
  ...AuthResult.fields,
  state: nullableString("The text that `authorize` was given; null where it was given none.", "/checkout")
}).annotate({ identifier: "OAuthResult", description: "The result of signing in by a provider." })
export type SignInResult = typeof SignInResult.Type

/** Why a text cannot be a redirect URL, apart from its host; undefined where it can. */
export const redirectProblem = (given: string): string | undefined => {
  if (/[\\\s\p{Cc}]/u.test(given)) return "must not contain white space or a backslash"
  if (!URL.canParse(given)) return "must be an absolute URL"
  const { hash, username, password } = new URL(given)
  if (hash !== "" || given.includes("#")) return "must not have a fragment"
  return username === "" && password === "" ? undefined : "must not carry a user name or a password"
}
