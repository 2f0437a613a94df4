/** Log-in of people to the dashboard, their sessions, and the invitations they accept. */
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { boolean, string } from "@effect-commerce/core/kernel/Fields"
import { PasswordsBusy } from "@effect-commerce/core/identity/IdentityErrors"
import {
  AcceptInvitation,
  DashboardSession,
  ForgotPassword,
  LogIn,
  LogInResult,
  Me,
  ResetPassword
} from "@effect-commerce/core/team/DashboardUser"
import {
  DashboardLoginRejected,
  DashboardSessionNotFound,
  DashboardTokenRejected
} from "@effect-commerce/core/team/TeamErrors"
import { TeamMember } from "@effect-commerce/core/team/TeamMember"
import { Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { identityErrors } from "../identity/identityErrors.ts"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { personRoute, visitorRoute } from "../middleware/Policy.ts"
import { CrossSiteRequest, RateLimited } from "../middleware/Refusals.ts"
import { Success } from "../middleware/Responses.ts"
import { teamErrors } from "./teamErrors.ts"

const fails = failsBy(teamErrors, identityErrors)

const minute = 60_000
const loggingIn = { cap: { limit: 5, ms: minute } }
const withSecrets = { cap: { limit: 3, ms: minute } }

const Message = Schema.Struct({
  success: boolean("Always true.", true),
  message: string("A sentence for the person.", "If an account needs it, a mail is on its way")
}).annotate({ identifier: "DashboardMessage", description: "That it is done." })

export class AuthGroup extends apiGroup("auth", {
  part: "Dashboard",
  title: "Log-in to the dashboard",
  description: "People who manage stores: log-in, sessions, forgotten passwords, and invitations they accept."
}).add(
  HttpApiEndpoint.post("logIn", "/auth/login", {
    payload: LogIn,
    success: LogInResult,
    error: fails(DashboardLoginRejected, PasswordsBusy, CrossSiteRequest, RateLimited)
  }).pipe(
    visitorRoute({
      ...loggingIn,
      exampleRequest: { email: "ada@example.com", password: "Corr3ct-Horse!" },
      summary: "Log in to the dashboard",
      description:
        "Opens a session for 30 days, which ends earlier if it is not used for seven days. A wrong password and an " +
        "unknown e-mail address get the same 401. At most 5 attempts a minute from one IP address; wrong passwords " +
        "for one account from one address make it wait longer. With `cookie: true` the session is set as an HttpOnly " +
        "cookie and not returned; writes then carry the `csrfToken` as X-CSRF-Token."
    })
  ),
  HttpApiEndpoint.post("logOut", "/auth/logout", { success: Success }).pipe(
    personRoute({
      summary: "Log out",
      description: "Ends the session of the request at once, on every server, and removes the cookie."
    })
  ),
  HttpApiEndpoint.get("me", "/auth/me", { success: Me }).pipe(
    personRoute({
      summary: "Get the person who is logged in",
      description: "Returns the person, the stores that they work for with their role in each, and the session."
    })
  ),
  HttpApiEndpoint.post("acceptInvitation", "/auth/invitations/accept", {
    payload: AcceptInvitation,
    success: TeamMember,
    error: fails(DashboardTokenRejected, FieldRejected, PasswordsBusy)
  }).pipe(
    visitorRoute({
      ...loggingIn,
      exampleRequest: { token: "store_01m80xf46ytpaesbq3tpc4sw1t", password: "Corr3ct-Horse!", name: "Grace Hopper" },
      summary: "Accept an invitation",
      description:
        "Joins the team with the token of the mail, which works once and for seven days. A person who is new here " +
        "chooses a password; one who has a password needs none. It opens no session: log in afterwards."
    })
  ),
  HttpApiEndpoint.post("forgotPassword", "/auth/forgot-password", {
    payload: ForgotPassword,
    success: Message
  }).pipe(
    visitorRoute({
      ...withSecrets,
      summary: "Ask for a new password for the dashboard",
      description:
        "Sends an e-mail with a link where there is such a person. The response is the same whether there is one or " +
        "not. At most 3 requests a minute from one IP address."
    })
  ),
  HttpApiEndpoint.post("resetPassword", "/auth/reset-password", {
    payload: ResetPassword,
    success: Message,
    error: fails(DashboardTokenRejected, PasswordsBusy)
  }).pipe(
    visitorRoute({
      ...withSecrets,
      summary: "Set a new password for the dashboard",
      description:
        "Sets a new password with the token of the link in the e-mail, which works once and for an hour. All " +
        "sessions of the person end. A password that is not accepted does not use the token up."
    })
  ),
  HttpApiEndpoint.get("sessions", "/auth/sessions", {
    success: Schema.Array(DashboardSession).annotate({
      identifier: "DashboardSessionList",
      description: "Open sessions, last used first."
    })
  }).pipe(
    personRoute({
      summary: "List open sessions",
      description:
        "Returns the person's open sessions, last used first, with the device and the address of the log-in: at " +
        "most 100."
    })
  ),
  HttpApiEndpoint.delete("endSession", "/auth/sessions/:id", {
    params: { id: string("Id of the session.", "sess_01k9f3m2q7x4b8n6c5d1e0h2jk") },
    success: Success,
    error: fails(DashboardSessionNotFound)
  }).pipe(
    personRoute({
      summary: "End a session",
      description: "Ends one of the person's own sessions at once, on every server; also that of the request."
    })
  )
) {}
