/** The mails of events of teams: invitations, changed roles, forgotten passwords of people of the dashboard. */
import { Effect } from "effect"
import { eventReader } from "../kernel/EventDefinition.ts"
import type { RelayedEvent } from "../outbox/OutboxConsumer.ts"
import { dashboardResetAsked, teamInvitationAsked, teamRoleChanged } from "../team/TeamEvents.ts"
import { dashboardResetView, invitationView } from "./internal/dashboardViews.ts"
import { draftTo, type MailPlan, type MailSources, unsealed } from "./MailPlan.ts"

const readInvitation = eventReader(teamInvitationAsked, teamInvitationAsked.data)
const readRoleChange = eventReader(teamRoleChanged, teamRoleChanged.data)
const readDashboardReset = eventReader(dashboardResetAsked, dashboardResetAsked.data)

/** One mail for a person who is new here, the other for a person who has a password. */
const toInvited = (type: "TEAM_INVITATION" | "STORE_INVITATION"): MailPlan => ({
  type,
  draft: Effect.fnUntraced(function* (event: RelayedEvent, sources: MailSources) {
    const read = yield* readInvitation(event)
    if (read.isKnown !== (type === "STORE_INVITATION")) return undefined
    return {
      to: read.email,
      language: null,
      view: invitationView(read, sources.store, sources.dashboardBase),
      token: yield* unsealed(sources, read.memberId, read.token),
      expiresAt: new Date(read.expiresAt),
      ofService: true
    }
  })
})

const ofRoleChange: MailPlan = {
  type: "STORE_ROLE_CHANGED",
  draft: (event) =>
    Effect.map(readRoleChange(event), ({ email, role, previousRole }) =>
      draftTo(email, null, () => ({ role, previousRole }))
    )
}

const ofDashboardReset: MailPlan = {
  type: "PASSWORD_RESET",
  draft: Effect.fnUntraced(function* (event: RelayedEvent, sources: MailSources) {
    const read = yield* readDashboardReset(event)
    return {
      to: read.email,
      language: null,
      view: dashboardResetView(read, sources.dashboardBase),
      token: yield* unsealed(sources, read.userId, read.token),
      expiresAt: new Date(read.expiresAt),
      ofService: true
    }
  })
}

export const teamMailPlans: Readonly<Record<string, ReadonlyArray<MailPlan>>> = {
  [teamInvitationAsked.type]: [toInvited("TEAM_INVITATION"), toInvited("STORE_INVITATION")],
  [teamRoleChanged.type]: [ofRoleChange],
  [dashboardResetAsked.type]: [ofDashboardReset]
}
