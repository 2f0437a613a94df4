/** Who works for a store: a person in a role, or an invitation that nobody has accepted yet. */
import { Schema } from "effect"
import { Email } from "../kernel/Address.ts"
import { described, email, nullableString, nullableTimestamp, oneOf, string, timestamp } from "../kernel/Fields.ts"
import type { StoreBound } from "../kernel/StoreBound.ts"
import { type TeamRole, teamRoles } from "./TeamRole.ts"

export const teamBound: StoreBound = {
  field: "team",
  most: 200,
  words: "people in the team",
  says: "people in a store's team, with those who are invited"
}

/** How long an invitation can be accepted, in milliseconds: seven days. */
export const invitationLifetime = 7 * 86_400_000

/** Invitations that a store mails in a day: to one address, and in all. */
export const mostInvitationMails = { toAddress: 5, ofStore: 200 }

const role = (description: string) => oneOf(teamRoles, description)

export const TeamMember = Schema.Struct({
  id: string("Id of the place in the team.", "team_01k9f3m2q7x4b8n6c5d1e0h2jk"),
  storeId: string("The store.", "store_01m80xf46ytpaesbq3tpc4sw1t"),
  userId: nullableString("Id of the person; null until the invitation is accepted."),
  email: email("E-mail address of the person.", "grace@example.com"),
  name: nullableString("What the person is called.", "Grace Hopper"),
  role: role("What the person may do: everything, everything but ownership, or the daily work."),
  status: oneOf(["active", "invited"], "Whether the person is in the team, or was only invited."),
  invitedBy: nullableString("Who invited the person; null for an owner from the start.", "Ada Byron"),
  expiresAt: nullableTimestamp("Until when the invitation can be accepted; null once it is."),
  createdAt: timestamp("When the person was invited."),
  updatedAt: timestamp("When it last changed. It is the version that If-Match names.")
}).annotate({ identifier: "TeamMember", description: "A person in a store's team, or one who is invited." })
export type TeamMember = typeof TeamMember.Type

export const InviteMember = Schema.Struct({
  email: described(Email, "E-mail address of the person.", "grace@example.com"),
  role: role("The role of the person. Only an owner makes owners.")
}).annotate({ identifier: "InviteTeamMember", description: "A person to invite to the team." })
export type InviteMember = typeof InviteMember.Type

export const ChangeMember = Schema.Struct({
  role: role("The new role. Only an owner makes owners, or changes the role of one.")
}).annotate({ identifier: "ChangeTeamMember", description: "The new role of a person." })
export type ChangeMember = typeof ChangeMember.Type

/** A row of the table, with the name of its person. */
export interface TeamMemberState {
  readonly id: string
  readonly storeId: string
  readonly userId: string | null
  readonly email: string
  readonly name: string | null
  readonly role: TeamRole
  readonly invitedBy: string | null
  readonly tokenExpiresAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

export const toTeamMember = (row: TeamMemberState): TeamMember => ({
  id: row.id,
  storeId: row.storeId,
  userId: row.userId,
  email: row.email,
  name: row.name,
  role: row.role,
  status: row.userId === null ? "invited" : "active",
  invitedBy: row.invitedBy,
  expiresAt: row.tokenExpiresAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString()
})
