/**
 * The port to the companies that move money.
 *
 * What it decides: whether an amount is reserved, captured, voided or refunded, and how a charge stands at the company;
 * never what is owed, which the pricing pipeline computes. When it is called: between two transactions of ours, never
 * inside one. How it differs from its neighbours: it identifies charges by a key of ours and knows no orders or stock.
 * What the default does: `manual` calls nobody; the merchant records the money by hand.
 *
 * Every method gets the account that it is for, which was stored with the operation when it began. Amounts are minor
 * units of the charge's currency. A provider of yours passes `testing/PaymentProviderConformance.ts`.
 */
import type { Effect, Redacted } from "effect"
import type {
  CredentialsRejected,
  NoticeRejected,
  NoticeUnreadable,
  PaymentDeclined,
  PaymentFailed,
  PaymentUnanswered
} from "./PaymentErrors.ts"
import type { DeclineCode } from "./DeclineCode.ts"

/** `test` moves no money. A provider in live mode never serves a test channel, nor the other way round. */
export type ProviderMode = "test" | "live"

/** What a store gave to reach its account: values by the names of `credentialFields`. */
export type Credentials = Readonly<Record<string, string>>

/** Whose account a call is for. */
export interface ProviderAccount {
  /** Null while a notice to a provider that serves every store of the installation has not said whose charge it is. */
  readonly storeId: string | null
  /** The payment provider of the store (`ppr_…`); for one that serves every store of the installation, its code. */
  readonly providerId: string
  /** The account's id at the company, as `check` named it; empty where the company has none. */
  readonly account: string
  readonly mode: ProviderMode
  /**
   * Of a store's own provider, the newest first. While credentials are rotated, those before are valid too: calls use
   * the first, notices are verified with each. Empty for a provider that a host has set up by itself.
   */
  readonly credentials: ReadonlyArray<Redacted.Redacted<Credentials>>
}

export interface ChargeRequest {
  readonly account: ProviderAccount
  readonly checkoutId: string
  /**
   * Our name of the charge, at most 255 characters, `store id/…`: the provider makes at most one charge per key,
   * however often it is requested, and keeps the key with the charge (as metadata), so that lookups and notices name
   * it.
   */
  readonly key: string
  readonly amount: bigint
  readonly currency: string
  /**
   * What the storefront got from the provider: a token, a payment method. Null where the shopper is still to act: the
   * charge then begins as `awaiting_shopper`. A request with a reference for the key of such a charge goes on with it.
   */
  readonly reference: string | null
  readonly email: string | null
  /** Where the provider sends the shopper back to; null where the storefront gave none. */
  readonly returnUrl: string | null
  /** Where the provider sends its notices; null where the installation has no public address. */
  readonly noticeUrl: string | null
}

/** What the shopper has to do next. It is given to the storefront and never logged. */
export interface NextAction {
  readonly redirectUrl: string | null
  /** For the provider's own form in the browser. */
  readonly clientSecret: string | null
}

/**
 * - `awaiting_shopper`: nothing moves until the shopper has acted (`nextAction`).
 * - `pending`: the company works on it; the outcome comes later.
 * - `authorized`: the money is reserved, and must be captured before `expiresAt`.
 * - `captured`: all or a part of it is ours.
 * - `failed`: declined, given up or expired before any money was reserved.
 * - `voided`: what was reserved was released: by us, by the merchant or because its time was over.
 */
export type ChargeState = "awaiting_shopper" | "pending" | "authorized" | "captured" | "failed" | "voided"

export interface ChargeRefund {
  /** Its id at the provider. */
  readonly id: string
  /** The key that we asked for it by; null for a refund made in the provider's dashboard. */
  readonly key: string | null
  readonly amount: bigint
  /** Only what has succeeded has left the account for good. */
  readonly status: "pending" | "succeeded" | "failed"
}

/** Money that the shopper's bank has claimed back. `amount` is what is contested. */
export interface ChargeDispute {
  readonly id: string
  readonly amount: bigint
  readonly status: "open" | "won" | "lost"
  /** The company's word for the reason, such as `fraudulent`; null where it gives none. */
  readonly reason: string | null
  /** Until when the merchant can answer it. */
  readonly dueAt: Date | null
}

/** The whole truth about a charge as the provider has it now. Our books follow it, up and down. */
export interface Charge {
  /** Its id at the provider. */
  readonly externalId: string
  /** Our key, as the provider keeps it; null: not a charge of this installation. */
  readonly key: string | null
  readonly state: ChargeState
  /** What was requested, in minor units of `currency`. Another amount or currency than ours is never booked. */
  readonly amount: bigint
  readonly currency: string
  /** What is or was reserved, also after it has been captured. */
  readonly authorized: bigint
  readonly captured: bigint
  /** All refunds that ever were, the oldest first. */
  readonly refunds: ReadonlyArray<ChargeRefund>
  readonly disputes: ReadonlyArray<ChargeDispute>
  /** When what is reserved lapses, or what waits for the shopper ends; null where the provider does not say. */
  readonly expiresAt: Date | null
  readonly nextAction: NextAction | null
  /** Why it failed or was voided. */
  readonly reason: DeclineCode | null
}

/** A charge by our key, by the provider's id, or by both where both are known. */
export interface ChargeName {
  readonly key: string | null
  readonly externalId: string | null
}

/** `Processing`: it arrived, and nothing can be said yet. `Absent`: the provider knows no such charge now. */
export type ChargeFound =
  | { readonly _tag: "Found"; readonly charge: Charge }
  | { readonly _tag: "Processing" }
  | { readonly _tag: "Absent" }

export type ChangeKind = "capture" | "void" | "refund"

/** A later change of a charge. The same `key` is the same change: it happens once, however often it is requested. */
export interface ChargeChange {
  readonly account: ProviderAccount
  readonly chargeKey: string
  readonly externalId: string
  /** At most 255 characters. The provider keeps it with a refund, so that `ChargeRefund.key` names it. */
  readonly key: string
  /** 0 for a void. */
  readonly amount: bigint
}

/**
 * Whether a change was done, found without requesting it again. `Absent`: the provider has no trace of it.
 */
export type ChangeFound =
  | { readonly _tag: "Done"; readonly charge: Charge }
  | { readonly _tag: "Failed"; readonly reason: string; readonly charge: Charge }
  | { readonly _tag: "Processing" }
  | { readonly _tag: "Absent" }

/** A notification as it arrived: header names in lower case, the body's exact bytes. */
export interface RawNotice {
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Uint8Array
}

/** What the provider's own `check` found out about credentials. */
export interface CheckedAccount {
  /** The account's id at the company; empty where it has none. */
  readonly account: string
  /** Null where the credentials serve both modes. */
  readonly mode: ProviderMode | null
}

export interface PaymentProvider {
  /** Unique: `manual`, `test`, `stripe`. It is also the payment method's name in completions. */
  readonly code: string
  /** For people: `Card`, `Bank transfer`. */
  readonly name: string
  /**
   * How a shopper pays: `manual` outside of any system (nothing is called, and the order is placed unpaid), `card` in a
   * form of the storefront, `redirect` on a page of the provider.
   */
  readonly kind: "manual" | "card" | "redirect"
  readonly modes: ReadonlyArray<ProviderMode>
  /** What a store enters to use an account of its own: the description of each field. Empty: it needs nothing. */
  readonly credentialFields: Readonly<Record<string, string>>
  /** Those of them that a store may leave out or empty; the others are needed. */
  readonly optionalCredentials?: ReadonlyArray<string>
  /**
   * For how long, in milliseconds, the provider recognises the key of a capture, a void or a refund. After that the
   * change is only ever looked up.
   */
  readonly keyLifetime: number
  /**
   * For how long, in milliseconds, a request that arrived may stay invisible to lookups. `Absent` is believed only when
   * this has passed since the request was sent.
   */
  readonly settling: number
  /** Whether notices are signed. An unsigned notice is never believed: it is a reason to look. */
  readonly notices: "signed" | "unsigned" | "none"
  /**
   * Only of a provider that cannot refund through its API: where the merchant refunds a charge by hand, a page of the
   * company's. Refunds through this service are then refused with it.
   */
  readonly manualRefundUrl?: (charge: { readonly externalId: string; readonly mode: ProviderMode }) => string
  /**
   * Asks the company whose account the credentials are; null: those that the host has set up, and CredentialsRejected
   * without a field where it has set up none. A provider without credentials answers at once.
   */
  readonly check: (
    credentials: Redacted.Redacted<Credentials> | null
  ) => Effect.Effect<CheckedAccount, CredentialsRejected | PaymentUnanswered>
  /** Begins a charge or, with a reference, pays by it; captures it where the provider does so at once. */
  readonly authorize: (
    request: ChargeRequest
  ) => Effect.Effect<Charge, PaymentDeclined | PaymentFailed | PaymentUnanswered>
  /** Takes a part or all of what is reserved. More than that is PaymentFailed. */
  readonly capture: (change: ChargeChange) => Effect.Effect<Charge, PaymentFailed | PaymentUnanswered>
  /** Releases what is not captured and ends what waits for the shopper. A captured charge is left as it is. */
  readonly void: (change: ChargeChange) => Effect.Effect<Charge, PaymentFailed | PaymentUnanswered>
  /** Refunds captured money; more than is left is PaymentFailed. The refund may still be pending in the answer. */
  readonly refund: (change: ChargeChange) => Effect.Effect<Charge, PaymentFailed | PaymentUnanswered>
  readonly lookup: (account: ProviderAccount, name: ChargeName) => Effect.Effect<ChargeFound, PaymentUnanswered>
  readonly lookupChange: (change: ChargeChange, kind: ChangeKind) => Effect.Effect<ChangeFound, PaymentUnanswered>
  /**
   * Names a notice when it arrives, after its signature over the raw bytes was verified (with any of the account's
   * credentials). `eventId` is the provider's name of it, or null where it has none.
   */
  readonly verifyNotice: (
    account: ProviderAccount,
    raw: RawNotice
  ) => Effect.Effect<{ readonly eventId: string | null }, NoticeRejected>
  /**
   * The charges that a stored notice is a reason to look at: none, one or many. It may ask the provider;
   * PaymentUnanswered: it could not, and is called again later.
   */
  readonly readNotice: (
    account: ProviderAccount,
    body: Uint8Array
  ) => Effect.Effect<ReadonlyArray<ChargeName>, NoticeUnreadable | PaymentUnanswered>
}
