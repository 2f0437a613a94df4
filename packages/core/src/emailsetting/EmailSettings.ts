/**
 * A store's settings for its mails: whether and which mails are sent, the sender's name, and how many an hour. A store
 * without a row has the defaults. The fields of services that do not exist are null or empty.
 */
import { Schema } from "effect"
import { EmailDomain } from "../emaildomain/EmailDomain.ts"
import { isEmail } from "../kernel/Address.ts"
import { type FieldErrors, problemsOf, wholeProblem } from "../kernel/FieldErrors.ts"
import {
  boolean,
  clearable,
  described,
  integer,
  json,
  nullableInteger,
  nullableString,
  nullableTimestamp,
  optional,
  string,
  timestamp,
  nullableEmail
} from "../kernel/Fields.ts"
import { trimmedText } from "../kernel/GivenText.ts"
import { freeForm } from "../kernel/JsonSize.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { carriesToken, type EmailType, isEmailType, isMarketing } from "../template/EmailType.ts"
import { breaksLines } from "../template/TemplateRenderer.ts"

export interface EmailSettingsState {
  readonly id: string
  readonly emailsEnabled: boolean
  readonly defaultFromName: string | null
  readonly defaultReplyTo: string | null
  /**
   * By kind of mail: `false` or `{ enabled: false }` switches that kind off. Other entries are kept as they are.
   */
  readonly eventSettings: Readonly<Record<string, unknown>>
  /** 1 to 1000. */
  readonly hourlyRateLimit: number
  readonly customDomainId: string | null
  /** Null: as many as the hourly limit lets pass. */
  readonly dailyCampaignSendLimit: number | null
  readonly clickTrackingEnabled: boolean
  readonly footerAddress: string | null
  readonly marketingSendingPaused: boolean
  readonly marketingPauseReason: string | null
  readonly marketingPausedAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** Descriptions of the fields, for responses and bodies. */
const sentences = {
  emailsEnabled: "Whether any mail is sent.",
  defaultFromName: "Name that mails come from; null: the store's name.",
  defaultReplyTo: "Address that replies go to; null: the sender's.",
  eventSettings:
    "By kind of mail: false or { enabled: false } keeps that kind from being sent. Kinds that carry a token, such as " +
    "PASSWORD_RESET, cannot be switched off. Other entries are kept as they are.",
  hourlyRateLimit: "How many mails the store sends an hour, from 1 to 1000. More wait and leave later.",
  customDomainId:
    "The store's own domain that mails come from (/v1/email/domains), which must be verified; null: the " +
    "installation's address.",
  dailyCampaignSendLimit: "How many marketing mails are made in 24 hours; null: no limit of its own.",
  clickTrackingEnabled: "Whether clicks on links of marketing mails are counted. Opens never are.",
  marketingSendingPaused: "Whether marketing mails are paused.",
  marketingPauseReason: "Why they are paused, for the merchant.",
  footerAddress: "Postal address at the end of mails. Marketing mails cannot be sent without it."
}
const always = (what: string) => described(Schema.Null, `${what}; always null.`)

/** On the wire. */
export const EmailSettings = Schema.Struct({
  id: string("Id of the settings."),
  accountId: string("The account that owns the store."),
  storeId: string("The store that the settings belong to."),
  emailsEnabled: boolean(sentences.emailsEnabled),
  defaultFromName: nullableString(sentences.defaultFromName, "Demo store"),
  defaultReplyTo: nullableEmail(sentences.defaultReplyTo, "help@shop.example.com"),
  eventSettings: json(sentences.eventSettings),
  hourlyRateLimit: integer(sentences.hourlyRateLimit, 100),
  customDomainId: nullableString(sentences.customDomainId, "dom_01k9f3m2q7x4b8n6c5d1e0h2jk"),
  dailyCampaignSendLimit: nullableInteger(sentences.dailyCampaignSendLimit, 500),
  clickTrackingEnabled: boolean(sentences.clickTrackingEnabled),
  footerAddress: nullableString(sentences.footerAddress, "1 Main St, San Francisco, CA 94105"),
  footerSocialLinks: described(Schema.Record(Schema.String, Schema.String), "Links in the footer; always empty."),
  footerCustomText: always("A text in the footer"),
  fontFamily: always("The font of mails"),
  deliveryProviderOverride: always("Another way to send mails"),
  sesTenantName: always("The tenant at a mail service"),
  marketingSendingPaused: boolean(sentences.marketingSendingPaused),
  marketingPauseReason: nullableString(sentences.marketingPauseReason, "Complaints after the last campaign"),
  marketingPausedAt: nullableTimestamp("Since when they are paused; null where they are not."),
  createdAt: timestamp("When the settings were first written; before that, when the store was created."),
  updatedAt: timestamp("When they last changed. It is the version that If-Match names."),
  customDomain: Schema.NullOr(EmailDomain).annotate({ description: "The domain of `customDomainId`." }),
  hasOwnerEmail: Schema.optionalKey(
    boolean(
      "Whether the store has an owner with an e-mail address for mails about new orders. Only in responses " + "to GET."
    )
  )
}).annotate({ identifier: "EmailSettings", description: "How a store sends mails." })
export type EmailSettings = typeof EmailSettings.Type

/** Absent leaves a field as it is, null clears it. */
export const EmailSettingsChanges = Schema.Struct({
  emailsEnabled: optional(Schema.Boolean, sentences.emailsEnabled),
  clickTrackingEnabled: optional(Schema.Boolean, sentences.clickTrackingEnabled),
  defaultFromName: clearable(Schema.String, sentences.defaultFromName, "Demo store"),
  defaultReplyTo: clearable(Schema.String, sentences.defaultReplyTo, "help@shop.example.com"),
  eventSettings: clearable(freeForm(), sentences.eventSettings),
  hourlyRateLimit: optional(Schema.Finite, sentences.hourlyRateLimit, 100),
  customDomainId: clearable(Schema.String, sentences.customDomainId, "dom_01k9f3m2q7x4b8n6c5d1e0h2jk"),
  dailyCampaignSendLimit: clearable(Schema.Finite, sentences.dailyCampaignSendLimit, 500),
  footerAddress: clearable(Schema.String, sentences.footerAddress, "1 Main St, San Francisco, CA 94105"),
  marketingSendingPaused: optional(Schema.Boolean, sentences.marketingSendingPaused),
  marketingPauseReason: clearable(Schema.String, sentences.marketingPauseReason, "Complaints after the last campaign")
}).annotate({
  identifier: "ChangeEmailSettings",
  description: "Settings to change. An absent field stays as it is, null clears it."
})
export type EmailSettingsChanges = typeof EmailSettingsChanges.Type

export const defaultHourlyLimit = 100

/** The settings of a store without a row; `at` is used for its times. */
export const defaultSettings = (store: { readonly id: string }, at: Date): EmailSettingsState => ({
  id: `emailset_${store.id}`,
  emailsEnabled: true,
  defaultFromName: null,
  defaultReplyTo: null,
  eventSettings: {},
  hourlyRateLimit: defaultHourlyLimit,
  customDomainId: null,
  dailyCampaignSendLimit: null,
  clickTrackingEnabled: false,
  footerAddress: null,
  marketingSendingPaused: false,
  marketingPauseReason: null,
  marketingPausedAt: null,
  createdAt: at,
  updatedAt: at
})

const switchesOff = (own: unknown): boolean =>
  own === false || (typeof own === "object" && own !== null && "enabled" in own && own.enabled === false)

/** Why the store sends no marketing mail at all; undefined if it may. */
export const marketingProblem = (
  settings: EmailSettingsState
): "footerAddress" | "marketingSendingPaused" | undefined => {
  if (settings.footerAddress === null) return "footerAddress"
  return settings.marketingSendingPaused ? "marketingSendingPaused" : undefined
}

/** Whether mails of this kind are sent. A switch does not hold for kinds that somebody waits for with a token. */
export const sends = (settings: EmailSettingsState, type: EmailType): boolean =>
  settings.emailsEnabled &&
  (carriesToken(type) || !switchesOff(settings.eventSettings[type])) &&
  !(isMarketing(type) && marketingProblem(settings) !== undefined)

const longestName = 100
const longestFooter = 500
const longestReason = 500
const mostCampaignMails = 1_000_000

const nameProblem = (name: string | null | undefined): string | undefined => {
  if (name === null || name === undefined) return undefined
  // Checked before trimming: a line break at the ends is a mistake too, or an injection.
  if (breaksLines(name)) return "must be one line without control characters"
  return name.length > longestName ? `must be at most ${longestName} characters` : undefined
}

const replyToProblem = (address: string | null | undefined): string | undefined => {
  if (address === null || address === undefined) return undefined
  const kept = address.trim()
  return !breaksLines(address) && (kept === "" || isEmail(kept)) ? undefined : "must be one e-mail address"
}

/** `false`, `true` or `{ enabled: boolean }` for an existing kind of mail; anything for other names. */
const eventProblem = (settings: Readonly<Record<string, unknown>>): string | undefined => {
  const needed = Object.entries(settings).find(
    ([type, value]) => isEmailType(type) && carriesToken(type) && switchesOff(value)
  )
  if (needed !== undefined) return `${needed[0]} cannot be switched off: somebody waits for its token`
  const wrong = Object.entries(settings).find(([type, value]) => {
    if (!isEmailType(type) || typeof value === "boolean") return false
    return typeof value !== "object" || value === null || ("enabled" in value && typeof value.enabled !== "boolean")
  })
  return wrong === undefined ? undefined : `${wrong[0]} must be true, false or { enabled }`
}

const given = <A>(value: A | undefined, current: A): A => (value === undefined ? current : value)

/** The problem of each given field. */
export const settingsChangeProblems = (changes: EmailSettingsChanges): FieldErrors =>
  problemsOf({
    defaultFromName: nameProblem(changes.defaultFromName),
    defaultReplyTo: replyToProblem(changes.defaultReplyTo),
    hourlyRateLimit: wholeProblem(changes.hourlyRateLimit, 1, 1_000),
    eventSettings: eventProblem(changes.eventSettings ?? {}),
    dailyCampaignSendLimit: wholeProblem(changes.dailyCampaignSendLimit ?? undefined, 0, mostCampaignMails),
    footerAddress: lengthProblem(changes.footerAddress, longestFooter),
    marketingPauseReason: lengthProblem(changes.marketingPauseReason, longestReason)
  })

const lengthProblem = (text: string | null | undefined, most: number): string | undefined =>
  (text?.length ?? 0) > most ? `must be at most ${most} characters` : undefined

/** A reason is kept only while there is a pause. */
const pauseAfter = (current: EmailSettingsState, changes: EmailSettingsChanges, at: Date) => {
  if (!given(changes.marketingSendingPaused, current.marketingSendingPaused))
    return { marketingSendingPaused: false, marketingPauseReason: null, marketingPausedAt: null }
  return {
    marketingSendingPaused: true,
    marketingPauseReason: trimmedText(given(changes.marketingPauseReason, current.marketingPauseReason)),
    marketingPausedAt: current.marketingPausedAt ?? at
  }
}

/** The settings after changes that have no problem. */
export const changeSettings = (
  current: EmailSettingsState,
  changes: EmailSettingsChanges,
  at: Date
): EmailSettingsState => ({
  ...current,
  emailsEnabled: given(changes.emailsEnabled, current.emailsEnabled),
  clickTrackingEnabled: given(changes.clickTrackingEnabled, current.clickTrackingEnabled),
  defaultFromName: trimmedText(given(changes.defaultFromName, current.defaultFromName)),
  defaultReplyTo: trimmedText(given(changes.defaultReplyTo, current.defaultReplyTo)),
  eventSettings: given(changes.eventSettings, current.eventSettings) ?? {},
  hourlyRateLimit: given(changes.hourlyRateLimit, current.hourlyRateLimit),
  customDomainId: given(changes.customDomainId, current.customDomainId),
  dailyCampaignSendLimit: given(changes.dailyCampaignSendLimit, current.dailyCampaignSendLimit),
  footerAddress: trimmedText(given(changes.footerAddress, current.footerAddress)),
  ...pauseAfter(current, changes, at),
  updatedAt: at
})

export const toEmailSettings = (
  store: StoreContext,
  { createdAt, updatedAt, marketingPausedAt, ...state }: EmailSettingsState,
  customDomain: EmailDomain | null
): EmailSettings => ({
  ...state,
  accountId: store.accountId,
  storeId: store.id,
  footerSocialLinks: {},
  footerCustomText: null,
  fontFamily: null,
  deliveryProviderOverride: null,
  sesTenantName: null,
  marketingPausedAt: marketingPausedAt?.toISOString() ?? null,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
  customDomain
})
