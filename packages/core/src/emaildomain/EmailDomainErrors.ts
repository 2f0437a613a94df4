import { Schema } from "effect"

export class EmailDomainNotFound extends Schema.TaggedError<EmailDomainNotFound>()("EmailDomainNotFound", {
  id: Schema.String
}) {}

/** The store has this domain already. */
export class EmailDomainTaken extends Schema.TaggedError<EmailDomainTaken>()("EmailDomainTaken", {
  domain: Schema.String
}) {}

/** The e-mail settings name the domain. */
export class EmailDomainInUse extends Schema.TaggedError<EmailDomainInUse>()("EmailDomainInUse", {
  id: Schema.String
}) {}

/** Name servers did not answer, or refused to: nothing is known of the records. */
export class EmailDomainNotLookedUp extends Schema.TaggedError<EmailDomainNotLookedUp>()("EmailDomainNotLookedUp", {
  domain: Schema.String,
  reason: Schema.String
}) {}
