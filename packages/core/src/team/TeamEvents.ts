/** Internal events, which only mails are made from. Tokens in them are sealed as those of customers are. */
import { Schema } from "effect"
import { defineEvent } from "../kernel/EventDefinition.ts"
import { TeamRole } from "./TeamRole.ts"

export const teamInvitationAsked = defineEvent("internal.team_invitation", {
  description: "A person is invited to a store's team.",
  data: Schema.Struct({
    memberId: Schema.String,
    email: Schema.String,
    role: TeamRole,
    inviterName: Schema.String,
    /** Whether the person has a password here already. */
    isKnown: Schema.Boolean,
    /** Sealed for the member's id. */
    token: Schema.String,
    expiresAt: Schema.String
  }),
  internal: true
})

export const teamRoleChanged = defineEvent("internal.team_role_changed", {
  description: "A person of a store's team has another role.",
  data: Schema.Struct({ memberId: Schema.String, email: Schema.String, role: TeamRole, previousRole: TeamRole }),
  internal: true
})

export const dashboardResetAsked = defineEvent("internal.dashboard_reset", {
  description: "A person of the dashboard asked to choose a new password.",
  data: Schema.Struct({
    userId: Schema.String,
    email: Schema.String,
    name: Schema.NullOr(Schema.String),
    /** Sealed for the person's id. */
    token: Schema.String,
    expiresAt: Schema.String
  }),
  internal: true
})

export const teamEvents = [teamInvitationAsked, teamRoleChanged, dashboardResetAsked]
