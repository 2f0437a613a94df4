import { Schema } from "effect"

export class LoginProviderNotFound extends Schema.TaggedError<LoginProviderNotFound>()("LoginProviderNotFound", {
  provider: Schema.String
}) {}

/** The store has set this provider up already. */
export class LoginProviderTaken extends Schema.TaggedError<LoginProviderTaken>()("LoginProviderTaken", {
  provider: Schema.String
}) {}

/** The store has not set this provider up, or has switched it off. */
export class LoginProviderNotConfigured extends Schema.TaggedError<LoginProviderNotConfigured>()(
  "LoginProviderNotConfigured",
  { provider: Schema.String }
) {}

/**
 * The provider does not answer, or not as its protocol says, or does not accept the shop's client. `reason` is for the
 * merchant's log, and repeats nothing that the provider has sent.
 */
export class LoginProviderNotReady extends Schema.TaggedError<LoginProviderNotReady>()("LoginProviderNotReady", {
  provider: Schema.String,
  reason: Schema.String,
  /** Whether its last response was one, below 500: it is there then, whatever it thinks of us or of a code. */
  hasAnswered: Schema.Boolean
}) {}

/** The state is not one of ours, is of another provider, channel or customer, has expired, or was used. */
export class SignInStateRejected extends Schema.TaggedError<SignInStateRejected>()("SignInStateRejected", {}) {}

/** The provider does not accept the code: it is wrong, was used, or has expired. */
export class SignInCodeRejected extends Schema.TaggedError<SignInCodeRejected>()("SignInCodeRejected", {}) {}

/** What the provider says of the person does not hold: a signature, an issuer, an audience, a time, a nonce. */
export class SignInRejected extends Schema.TaggedError<SignInRejected>()("SignInRejected", {
  provider: Schema.String,
  reason: Schema.String
}) {}

/** A customer has the address, and it is not certain that both are the same person: they must log in, and link. */
export class LinkRequired extends Schema.TaggedError<LinkRequired>()("LinkRequired", { provider: Schema.String }) {}

/** The account at the provider is another customer's. */
export class IdentityTaken extends Schema.TaggedError<IdentityTaken>()("IdentityTaken", { provider: Schema.String }) {}

/** The provider gives no e-mail address, without which there is no customer. */
export class SignInWithoutEmail extends Schema.TaggedError<SignInWithoutEmail>()("SignInWithoutEmail", {
  provider: Schema.String
}) {}
