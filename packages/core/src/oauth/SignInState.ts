/**
 * The state of a sign-in that has begun: everything the way back needs, sealed for its store, channel and provider, and
 * given to the browser as the `state` parameter. Beginning a sign-in stores nothing, so that nobody can fill a table by
 * it; a state that comes back is recorded as used. Only this installation can make or read one.
 */
import { Option, Schema } from "effect"
import { randomSecret, sha256Hex } from "../crypto/Hashing.ts"
import type { RootSecret } from "../crypto/RootSecret.ts"

/** How long, in milliseconds, a shopper may take at the provider. */
const stateLifetime = 10 * 60_000

export const SignInState = Schema.Struct({
  /** The PKCE verifier (RFC 7636), of 256 bits. */
  verifier: Schema.String,
  /** What the ID token must repeat. */
  nonce: Schema.String,
  redirectUrl: Schema.String,
  /** What the storefront gave, and gets back. */
  given: Schema.NullOr(Schema.String),
  /** The customer who was signed in when it began, and whom the identity is to be linked to. */
  customerId: Schema.NullOr(Schema.String),
  /** Milliseconds of the instance's clock. */
  expiresAt: Schema.Finite
})
export type SignInState = typeof SignInState.Type

/** What a state is good for, and for nothing else. */
export interface StatePlace {
  readonly storeId: string
  readonly channelId: string
  /** The code of the provider, and the row: a provider that was deleted and set up anew is another one. */
  readonly provider: string
  readonly providerId: string
}

const purpose = "sign-in-state"
const contextOf = ({ storeId, channelId, provider, providerId }: StatePlace): string =>
  `${storeId}|oauth|state|${channelId}|${provider}|${providerId}`

const Sealed = Schema.fromJsonString(SignInState)
const encode = Schema.encodeSync(Sealed)
const decode = Schema.decodeUnknownOption(Sealed)

export const newState = (
  begun: Pick<SignInState, "redirectUrl" | "given" | "customerId">,
  now: number
): SignInState => ({
  ...begun,
  verifier: randomSecret("", 32),
  nonce: randomSecret("", 32),
  expiresAt: now + stateLifetime
})

export const sealState = (root: RootSecret["Service"], place: StatePlace, state: SignInState): string =>
  root.seal(purpose, contextOf(place), encode(state))

/** undefined for a text that is no state of this place, and for one that has expired. */
export const openState = (
  root: RootSecret["Service"],
  place: StatePlace,
  sealed: string,
  now: number
): SignInState | undefined => {
  try {
    const state = Option.getOrUndefined(decode(root.open(purpose, contextOf(place), sealed)))
    return state !== undefined && now < state.expiresAt ? state : undefined
  } catch {
    return undefined
  }
}

/** Whether a customer who logged in at that time did so shortly before the sign-in began. */
export const isJustBefore = (loggedInAt: Date, { expiresAt }: Pick<SignInState, "expiresAt">): boolean => {
  const later = expiresAt - stateLifetime - loggedInAt.getTime()
  return later >= 0 && later <= stateLifetime
}

/** What a used state is remembered by. */
export const stateHash = (sealed: string): string => sha256Hex(sealed)
