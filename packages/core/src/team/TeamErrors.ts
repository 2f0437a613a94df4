import { Schema } from "effect"

/** The password is wrong, or there is no such person: the error does not say which. */
export class DashboardLoginRejected extends Schema.TaggedError<DashboardLoginRejected>()(
  "DashboardLoginRejected",
  {}
) {}

/** A token of a mail that was never issued, was used, or has expired. */
export class DashboardTokenRejected extends Schema.TaggedError<DashboardTokenRejected>()(
  "DashboardTokenRejected",
  {}
) {}

export class DashboardSessionNotFound extends Schema.TaggedError<DashboardSessionNotFound>()(
  "DashboardSessionNotFound",
  { id: Schema.String }
) {}

/** For the operator: nobody has this e-mail address. */
export class DashboardUserNotFound extends Schema.TaggedError<DashboardUserNotFound>()("DashboardUserNotFound", {
  email: Schema.String
}) {}

export class TeamMemberNotFound extends Schema.TaggedError<TeamMemberNotFound>()("TeamMemberNotFound", {
  id: Schema.String
}) {}

/** The person is in the team already. */
export class TeamMemberExists extends Schema.TaggedError<TeamMemberExists>()("TeamMemberExists", {
  email: Schema.String
}) {}

/** A store keeps at least one owner. */
export class LastOwner extends Schema.TaggedError<LastOwner>()("LastOwner", { id: Schema.String }) {}

/** The role does not include this. */
export class RoleInsufficient extends Schema.TaggedError<RoleInsufficient>()("RoleInsufficient", {
  role: Schema.String,
  area: Schema.String
}) {}

/** A store mails only so many invitations in a day, and fewer to one address. */
export class InvitationsExhausted extends Schema.TaggedError<InvitationsExhausted>()("InvitationsExhausted", {
  most: Schema.Int,
  /** Of the store; else to the address. */
  ofStore: Schema.Boolean
}) {}
