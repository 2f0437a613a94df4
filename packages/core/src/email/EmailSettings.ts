/**
 * A store's settings for its mails: whether and which mails are sent, the sender's name, and how many an hour. A store
 * without a row has the defaults. The fields of services that do not exist yet (campaigns, sender domains) are null,
 * empty or false.
 */
import { Schema } from "effect"
import { isEmail } from "../kernel/Address.ts"
import { type FieldErrors, problemsOf, wholeProblem } from "../kernel/FieldErrors.ts"
import {
  boolean,
  clearable,
  described,
  integer,
  json,
  nullableString,
  optional,
  string,
  timestamp,
  nullableEmail
} from "../kernel/Fields.ts"
import { trimmedText } from "../kernel/GivenText.ts"
import { freeForm } from "../kernel/JsonSize.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { type EmailType, isEmailType } from "../template/EmailType.ts"
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
  readonly clickTrackingEnabled: boolean
  readonly footerAddress: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** Descriptions of the fields, for responses and bodies. */
const sentences = {
  emailsEnabled: "Whether any mail is sent.",
  defaultFromName: "Name that mails come from; null: the store's name.",
  defaultReplyTo: "Address that replies go to; null: the sender's.",
  eventSettings:
    "By kind of mail: false or { enabled: false } keeps that kind from being sent. Other entries are kept as they are.",
  hourlyRateLimit: "How many mails the store sends an hour, from 1 to 1000. More wait and leave later.",
  customDomainId: "The store's own sender domain; always null.",
  clickTrackingEnabled: "Whether clicks on links are counted. Opens never are.",
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
  customDomainId: described(Schema.Null, sentences.customDomainId),
  dailyCampaignSendLimit: always("How many campaign mails are sent a day"),
  clickTrackingEnabled: boolean(sentences.clickTrackingEnabled),
  footerAddress: nullableString(sentences.footerAddress, "1 Main St, San Francisco, CA 94105"),
  footerSocialLinks: described(Schema.Record(Schema.String, Schema.String), "Links in the footer; always empty."),
  footerCustomText: always("A text in the footer"),
  fontFamily: always("The font of mails"),
  deliveryProviderOverride: always("Another way to send mails"),
  sesTenantName: always("The tenant at a mail service"),
  marketingSendingPaused: described(Schema.Literal(false), "Whether marketing mails are paused; always false."),
  marketingPauseReason: always("Why marketing mails are paused"),
  marketingPausedAt: always("Since when marketing mails are paused"),
  createdAt: timestamp("When the settings were first written; before that, when the store was created."),
  updatedAt: timestamp("When they last changed. It is the version that If-Match names."),
  customDomain: always("The store's own sender domain"),
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
  customDomainId: clearable(Schema.String, "The store's own sender domain. There are none yet: only null is accepted."),
  footerAddress: clearable(Schema.String, sentences.footerAddress, "1 Main St, San Francisco, CA 94105")
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
  clickTrackingEnabled: false,
  footerAddress: null,
  createdAt: at,
  updatedAt: at
})

/** Whether mails of this kind are sent. */
export const sends = (settings: EmailSettingsState, type: EmailType): boolean => {
  const own = settings.eventSettings[type]
  const isOff = own === false || (typeof own === "object" && own !== null && "enabled" in own && own.enabled === false)
  return settings.emailsEnabled && !isOff
}

const longestName = 100
const longestFooter = 500

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
    customDomainId:
      changes.customDomainId === undefined || changes.customDomainId === null
        ? undefined
        : "is not a domain of this store",
    footerAddress:
      (changes.footerAddress?.length ?? 0) > longestFooter ? `must be at most ${longestFooter} characters` : undefined
  })

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
  footerAddress: trimmedText(given(changes.footerAddress, current.footerAddress)),
  updatedAt: at
})

export const toEmailSettings = (
  store: StoreContext,
  { createdAt, updatedAt, ...state }: EmailSettingsState
): EmailSettings => ({
  ...state,
  accountId: store.accountId,
  storeId: store.id,
  customDomainId: null,
  dailyCampaignSendLimit: null,
  footerSocialLinks: {},
  footerCustomText: null,
  fontFamily: null,
  deliveryProviderOverride: null,
  sesTenantName: null,
  marketingSendingPaused: false,
  marketingPauseReason: null,
  marketingPausedAt: null,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
  customDomain: null
})
