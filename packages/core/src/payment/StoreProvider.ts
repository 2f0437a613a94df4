/**
 * A payment provider as a store has set it up: its row, its shape on the wire, and the bodies that create and change
 * it. Credentials are written and never shown: a view says which fields are set.
 */
import { Schema } from "effect"
import {
  arrayOf,
  boolean,
  described,
  filledText,
  nullable,
  nullableTimestamp,
  optional,
  string,
  text,
  timestamp
} from "../kernel/Fields.ts"
import type { StoreBound } from "../kernel/StoreBound.ts"
import type { PaymentProvider, ProviderMode } from "./PaymentProvider.ts"

/** Bounded because all of a store's are read at once, and listed at each checkout. */
export const storeProviderBound: StoreBound = { field: "paymentProviders", most: 50, words: "payment providers" }

const sentences = {
  type:
    "What takes the payments: manual (the merchant records the money by hand), test (moves no money, for channels in " +
    "test mode), stripe, or the code of a provider that the host has installed.",
  name: "What shoppers and the merchant see it called.",
  credentials:
    "Its credentials by the names of their fields, such as secretKey. They are checked with the company, stored " +
    "encrypted and never shown again.",
  isEnabled: "Whether payments can begin by it. Those that have begun are unaffected."
}

export const PaymentProviderView = Schema.Struct({
  id: string("Id of the payment provider."),
  storeId: string("The store it belongs to."),
  type: string("What takes the payments: manual, test, stripe, or the code of another provider.", "stripe"),
  name: string(sentences.name, "Card"),
  kind: nullable(
    Schema.Literals(["manual", "card", "redirect"]),
    "How a shopper pays: outside of the shop (manual), in a form of the storefront (card) or on a page of the " +
      "company (redirect). Null while nothing of its type is installed."
  ),
  mode: nullable(
    Schema.Literals(["test", "live"]),
    "Which channels it serves: those in test mode or those in live mode. Null for both."
  ),
  account: string("The account's id at the company; empty where the company has none.", "acct_1OzY8sKx7"),
  isEnabled: boolean(sentences.isEnabled),
  credentialFields: arrayOf(Schema.String, "Names of the credentials that are set. Their values are never shown."),
  credentialsUpdatedAt: timestamp("When its credentials were last set."),
  previousCredentialsValidUntil: nullableTimestamp(
    "Until when the credentials before the last change are valid too, so that notices signed by them are still " +
      "accepted; null: they are not."
  ),
  createdAt: timestamp("When it was created."),
  updatedAt: timestamp("When it was last changed. It is the version that If-Match names.")
}).annotate({
  identifier: "PaymentProvider",
  description: "A way to pay that a store has set up, with the account that takes the money."
})
export type PaymentProviderView = typeof PaymentProviderView.Type

/** The most characters of one credential: a private key of 4096 bits has some 3,300. */
const longestCredential = 10_000
const credentials = described(Schema.Record(Schema.String, text(longestCredential)), sentences.credentials, {
  secretKey: "sk_test_…",
  webhookSecret: "whsec_…"
})

export const NewPaymentProvider = Schema.Struct({
  type: described(text(200), sentences.type, "manual"),
  name: optional(filledText(200), `${sentences.name} Default: the name of its type.`, "Bank transfer"),
  credentials: Schema.optionalKey(credentials),
  isEnabled: optional(Schema.Boolean, `${sentences.isEnabled} Default: true.`)
}).annotate({ identifier: "NewPaymentProvider", description: "A payment provider to set up." })
export type NewPaymentProvider = typeof NewPaymentProvider.Type

/** For how many hours the credentials before stay valid, where the caller does not say. */
const overlapHours = 24
const longestOverlap = 168

export const PaymentProviderChanges = Schema.Struct({
  name: optional(filledText(200), sentences.name, "Bank transfer"),
  credentials: Schema.optionalKey(credentials),
  credentialsOverlapHours: optional(
    Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: 0, maximum: longestOverlap }))),
    `For how many hours the credentials before stay valid beside new ones: 0 to ${longestOverlap}. Default: ` +
      `${overlapHours}.`,
    overlapHours
  ),
  isEnabled: optional(Schema.Boolean, sentences.isEnabled)
}).annotate({
  identifier: "ChangePaymentProvider",
  description:
    "What to change. An absent field stays as it is. New credentials are given whole, and must be of the same account."
})
export type PaymentProviderChanges = typeof PaymentProviderChanges.Type

export interface StoreProviderState {
  readonly id: string
  readonly type: string
  readonly name: string
  readonly isEnabled: boolean
  readonly account: string
  readonly mode: ProviderMode | null
  /** Sealed; null for a provider that needs none. */
  readonly credentials: string | null
  readonly credentialFields: ReadonlyArray<string>
  readonly credentialsUpdatedAt: Date
  /** Sealed; valid until then. */
  readonly previousCredentials: string | null
  readonly previousValidUntil: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

export const toPaymentProviderView = (
  storeId: string,
  row: StoreProviderState,
  provider: PaymentProvider | undefined,
  now: number
): PaymentProviderView => ({
  id: row.id,
  storeId,
  type: row.type,
  name: row.name,
  kind: provider?.kind ?? null,
  mode: row.mode,
  account: row.account,
  isEnabled: row.isEnabled,
  credentialFields: row.credentialFields,
  credentialsUpdatedAt: row.credentialsUpdatedAt.toISOString(),
  previousCredentialsValidUntil:
    row.previousValidUntil !== null && row.previousValidUntil.getTime() > now
      ? row.previousValidUntil.toISOString()
      : null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString()
})

/** New credentials in place of those that were there, which stay valid for a while. */
export const rotated = (
  current: StoreProviderState,
  credentials: string,
  hours: number | undefined,
  now: number
): Pick<StoreProviderState, "credentials" | "credentialsUpdatedAt" | "previousCredentials" | "previousValidUntil"> => {
  const overlap = (hours ?? overlapHours) * 3_600_000
  const keeps = current.credentials !== null && overlap > 0
  return {
    credentials,
    credentialsUpdatedAt: new Date(now),
    previousCredentials: keeps ? current.credentials : null,
    previousValidUntil: keeps ? new Date(now + overlap) : null
  }
}
