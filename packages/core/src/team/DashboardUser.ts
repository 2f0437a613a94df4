/** People of the dashboard: how they are shown, how they log in, and their sessions. */
import { Schema } from "effect"
import {
  arrayOf,
  boolean,
  described,
  email,
  nullableString,
  oneOf,
  optional,
  string,
  text,
  timestamp
} from "../kernel/Fields.ts"
import { GivenPassword, NewPassword } from "../customer/PasswordRules.ts"
import { type TeamRole, teamRoles } from "./TeamRole.ts"

/** How every token of a session begins. */
export const sessionMark = "dash_"

/** A session ends 30 days after log-in, or after seven days in which it was not used. In milliseconds. */
export const sessionLifetime = 30 * 86_400_000
export const sessionIdle = 7 * 86_400_000

/** How long a link in a mail can be used to choose a new password: an hour, in milliseconds. */
export const resetLifetime = 3_600_000

/** Characters of a device's description that are kept. */
export const longestDevice = 200

const StoreAccess = Schema.Struct({
  id: string("Id of the store.", "store_01m80xf46ytpaesbq3tpc4sw1t"),
  name: string("Name of the store.", "Corner shop"),
  role: oneOf(teamRoles, "What the person may do there.")
}).annotate({ identifier: "StoreAccess", description: "A store that a person works for." })

const userFields = {
  id: string("Id of the person.", "user_01k9f3m2q7x4b8n6c5d1e0h2jk"),
  email: email("E-mail address, with which the person logs in.", "ada@example.com"),
  name: nullableString("What the person is called.", "Ada Byron"),
  stores: arrayOf(StoreAccess, "The stores that the person works for, oldest first, at most 500."),
  createdAt: timestamp("When the person came to be known here.")
}

export const DashboardUser = Schema.Struct(userFields).annotate({
  identifier: "DashboardUser",
  description: "A person who logs in to the dashboard."
})
export type DashboardUser = typeof DashboardUser.Type

const expiry = timestamp("When the session ends at the latest. One that is not used for seven days ends before.")
const csrf = described(
  Schema.NullOr(Schema.String),
  "What writes that are identified by the cookie carry as X-CSRF-Token; null without a cookie."
)

export const LogInResult = Schema.Struct({
  token: described(
    Schema.NullOr(Schema.String),
    "The token, for Authorization: Bearer. It is shown this once; null if the session is kept in a cookie.",
    "dash_p1PETlKzMSr9tVRgjBjW5K16CSArhhvWeCiTeEfDU"
  ),
  expiresAt: expiry,
  csrfToken: csrf,
  user: DashboardUser
}).annotate({ identifier: "DashboardLogInResult", description: "A new session, and whose it is." })

export const Me = Schema.Struct({
  ...userFields,
  session: Schema.Struct({
    id: string("Id of this session.", "sess_01k9f3m2q7x4b8n6c5d1e0h2jk"),
    expiresAt: expiry
  }).annotate({ identifier: "CurrentSession", description: "The session of this request." }),
  csrfToken: csrf
}).annotate({ identifier: "DashboardMe", description: "The person who is logged in, and the session." })

export const DashboardSession = Schema.Struct({
  id: string("Id of the session.", "sess_01k9f3m2q7x4b8n6c5d1e0h2jk"),
  current: boolean("Whether it is the session of this request."),
  device: nullableString("What the browser or program called itself at log-in.", "Mozilla/5.0 (X11; Linux x86_64)"),
  address: nullableString("The IP address of the log-in.", "203.0.113.7"),
  createdAt: timestamp("When the person logged in."),
  lastUsedAt: timestamp("When it was last used, to the minute."),
  expiresAt: expiry
}).annotate({ identifier: "DashboardSession", description: "A session that is open." })
export type DashboardSession = typeof DashboardSession.Type

/** Any text: an invalid address gets the same response as an unknown person. */
const AnyEmail = described(text(1_000).annotate({ format: "email" }), "E-mail address.", "ada@example.com")
const MailToken = described(text(1_000), "The token of the link in the e-mail.")
const name = described(Schema.NullOr(text(200)), "What the person is called, at most 200 characters.", "Grace Hopper")

export const LogIn = Schema.Struct({
  email: AnyEmail,
  password: GivenPassword,
  cookie: optional(
    Schema.Boolean,
    "True keeps the session in a cookie that scripts cannot read, for a page on the same origin as this server."
  )
}).annotate({ identifier: "DashboardLogIn", description: "E-mail address and password of a person of the dashboard." })
export type LogIn = typeof LogIn.Type

export const ForgotPassword = Schema.Struct({ email: AnyEmail }).annotate({
  identifier: "DashboardForgotPassword",
  description: "The e-mail address of a person who has forgotten the password."
})

export const ResetPassword = Schema.Struct({ token: MailToken, newPassword: NewPassword }).annotate({
  identifier: "DashboardResetPassword",
  description: "The token of the mail, and the new password."
})
export type ResetPassword = typeof ResetPassword.Type

export const AcceptInvitation = Schema.Struct({
  token: MailToken,
  password: Schema.optionalKey(NewPassword).annotate({
    description: "The password of a person who is new here. Ignored where the person has one."
  }),
  name: Schema.optionalKey(name)
}).annotate({ identifier: "AcceptInvitation", description: "The token of an invitation." })
export type AcceptInvitation = typeof AcceptInvitation.Type

/** A person as the table has them. */
export interface DashboardUserState {
  readonly id: string
  readonly accountId: string
  /** Trimmed, lower case. */
  readonly email: string
  readonly name: string | null
  readonly passwordHash: string
  readonly passwordVersion: number
  readonly createdAt: Date
}

export interface AccessState {
  readonly id: string
  readonly name: string
  readonly role: TeamRole
}

export const toDashboardUser = (
  { id, email: address, name: called, createdAt }: Omit<DashboardUserState, "passwordHash" | "passwordVersion">,
  stores: ReadonlyArray<AccessState>
): DashboardUser => ({ id, email: address, name: called, stores, createdAt: createdAt.toISOString() })

/** The person behind a session's token. */
export interface Person extends Omit<DashboardUserState, "passwordHash" | "passwordVersion"> {
  readonly sessionId: string
  readonly expiresAt: Date
}

/** What people see as the author of what somebody does. */
export const calledOf = ({ name: called, email: address }: Pick<DashboardUserState, "name" | "email">): string =>
  called ?? address
