/** Who works for a store. */
import { ResourceChanged } from "@effect-commerce/core/database/Precondition"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { string } from "@effect-commerce/core/kernel/Fields"
import { listEnvelope, pageQuery } from "@effect-commerce/core/kernel/Pagination"
import {
  InvitationsExhausted,
  LastOwner,
  RoleInsufficient,
  TeamMemberExists,
  TeamMemberNotFound
} from "@effect-commerce/core/team/TeamErrors"
import { ChangeMember, InviteMember, TeamMember } from "@effect-commerce/core/team/TeamMember"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { storePath } from "../middleware/PathParameters.ts"
import { type Facts, storeAdminRoute } from "../middleware/Policy.ts"
import { Success } from "../middleware/Responses.ts"
import { row } from "../middleware/Versioned.ts"
import { AuthGroup } from "./AuthApi.ts"
import { teamErrors } from "./teamErrors.ts"

const fails = failsBy(teamErrors)
const at = "/stores/:storeId/team" as const
const member = { ...storePath, id: string("Id of the place in the team.", "team_01k9f3m2q7x4b8n6c5d1e0h2jk") }
const version = row("teamMember", "id")

/** A key reads with `store:read`. To change who works for a store it needs every scope: an owner may do everything. */
const team = (facts: Facts) => storeAdminRoute("store", facts)
const change = (facts: Facts) => team({ ...facts, everyScope: true })

export class TeamGroup extends apiGroup("team", {
  part: "Dashboard",
  title: "Team of a store",
  description:
    "Who works for a store: an `owner` may do everything, an `admin` everything but ownership, `staff` everything " +
    "but team, keys, providers, domains and settings."
}).add(
  HttpApiEndpoint.get("list", at, { params: storePath, query: pageQuery, success: listEnvelope(TeamMember) }).pipe(
    team({
      summary: "List the team",
      description: "Returns who works for the store and who is invited: owners first, then admins, then staff."
    })
  ),
  HttpApiEndpoint.post("invite", at, {
    params: storePath,
    payload: InviteMember,
    success: TeamMember.pipe(HttpApiSchema.status(201)),
    error: fails(TeamMemberExists, RoleInsufficient, InvitationsExhausted, FieldRejected)
  }).pipe(
    change({
      exampleRequest: { email: "grace@example.com", role: "staff" },
      reads: TeamMember,
      oneTransaction: true,
      summary: "Invite a person",
      description:
        "Sends an invitation, which can be accepted for seven days. For an address that is invited already it sends " +
        "another one and ends the link of the one before; at most five a day, and 200 of the store. Only " +
        "an owner invites owners."
    })
  ),
  HttpApiEndpoint.patch("change", `${at}/:id`, {
    params: member,
    payload: ChangeMember,
    success: TeamMember,
    error: fails(TeamMemberNotFound, RoleInsufficient, LastOwner, ResourceChanged)
  }).pipe(
    change({
      exampleRequest: { role: "admin" },
      reads: TeamMember,
      version,
      oneTransaction: true,
      summary: "Change a role",
      description:
        "Gives a person another role, at once, and tells them by e-mail. Only an owner makes owners or changes the " +
        "role of one; the last owner keeps it: 409."
    })
  ),
  HttpApiEndpoint.delete("remove", `${at}/:id`, {
    params: member,
    success: Success,
    error: fails(TeamMemberNotFound, RoleInsufficient, LastOwner, ResourceChanged)
  }).pipe(
    change({
      version,
      oneTransaction: true,
      summary: "Remove a person",
      description:
        "Removes a person from the team, who is shut out of the store at once, or withdraws an invitation. The last " +
        "owner cannot be removed: 409."
    })
  )
) {}

export const teamGroups = [AuthGroup, TeamGroup] as const
