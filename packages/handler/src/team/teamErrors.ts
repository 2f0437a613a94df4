import type {
  DashboardLoginRejected,
  DashboardSessionNotFound,
  DashboardTokenRejected,
  InvitationsExhausted,
  LastOwner,
  RoleInsufficient,
  TeamMemberExists,
  TeamMemberNotFound
} from "@effect-commerce/core/team/TeamErrors"
import { type ErrorRows, missing } from "../middleware/ErrorRow.ts"
import { pipelineErrors } from "../middleware/pipelineErrors.ts"

export const teamErrors: ErrorRows<
  | DashboardLoginRejected
  | DashboardTokenRejected
  | DashboardSessionNotFound
  | TeamMemberNotFound
  | TeamMemberExists
  | LastOwner
  | RoleInsufficient
  | InvitationsExhausted
> = {
  DashboardLoginRejected: {
    code: "UNAUTHORIZED",
    message: () => "E-mail address or password is wrong",
    headers: () => ({ "www-authenticate": "Bearer" })
  },
  DashboardTokenRejected: {
    code: "VALIDATION_FAILED",
    message: () => "Invalid request: token: is not valid, was used, or has expired",
    details: () => ({ errors: { token: "is not valid, was used, or has expired" } })
  },
  DashboardSessionNotFound: missing("session"),
  TeamMemberNotFound: missing("person in the team"),
  TeamMemberExists: {
    code: "CONFLICT",
    message: () => "This person is in the team already",
    details: () => ({ field: "email", reason: "in_team" })
  },
  LastOwner: {
    code: "CONFLICT",
    message: () => "A store keeps an owner: make somebody else an owner first",
    details: () => ({ reason: "last_owner" })
  },
  RoleInsufficient: pipelineErrors.RoleInsufficient,
  InvitationsExhausted: {
    code: "BUSINESS_RULE_VIOLATION",
    message: (e) =>
      `${e.ofStore ? "The store has" : "This address was"} sent ${e.most} invitations today; try again tomorrow`,
    details: (e) => ({ most: e.most })
  }
}
