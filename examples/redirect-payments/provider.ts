/**
 * A payment provider of a host's own, in one file: `createCommerce({ payments: { providers: [florin()] } })`.
 *
 * Florin is an invented company that works in the way Mollie does. The shopper pays on a page of Florin and is sent
 * back. Notices name a payment and nothing more, and are not signed: anybody can send one, so each is only a reason to
 * look. docs/guides/payment-providers.md goes through this file.
 */
import { formatMoney, parseAmount } from "@effect-commerce/core/kernel/Money"
import type { DeclineCode } from "@effect-commerce/core/payment/DeclineCode"
import {
  CredentialsRejected,
  NoticeRejected,
  NoticeUnreadable,
  PaymentFailed,
  PaymentUnanswered
} from "@effect-commerce/core/payment/PaymentErrors"
import type {
  ChangeFound,
  ChangeKind,
  Charge,
  ChargeChange,
  ChargeFound,
  ChargeName,
  ChargeRefund,
  ChargeRequest,
  ChargeState,
  Credentials,
  PaymentProvider,
  ProviderAccount,
  ProviderMode
} from "@effect-commerce/core/payment/PaymentProvider"
import { Data, Effect, Redacted, Schema } from "effect"

export interface FlorinOptions {
  /** Where Florin's API is; tests name an emulation. */
  readonly apiBase?: string
  /** The account of the whole installation. Without it each store sets up an account of its own. */
  readonly apiKey?: Redacted.Redacted
}

const minute = 60_000

// What Florin answers

const Amount = Schema.Struct({ value: Schema.String, currency: Schema.String })
const NullableText = Schema.NullOr(Schema.String)
/** Our keys, as we gave them; a payment that somebody else has made with the account has what they like. */
const Metadata = Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown))
const Change = Schema.Struct({ id: Schema.String, amount: Amount, status: Schema.String, metadata: Metadata })
const Chargeback = Schema.Struct({ id: Schema.String, amount: Amount, reversedAt: NullableText, reason: NullableText })

const Payment = Schema.Struct({
  id: Schema.String,
  status: Schema.Literals(["open", "pending", "authorized", "paid", "canceled", "expired", "failed"]),
  amount: Amount,
  amountCaptured: Schema.NullOr(Amount),
  authorizedAt: NullableText,
  expiresAt: NullableText,
  failureReason: NullableText,
  metadata: Metadata,
  checkoutUrl: NullableText,
  captures: Schema.Array(Change),
  refunds: Schema.Array(Change),
  chargebacks: Schema.Array(Chargeback)
})
type Payment = typeof Payment.Type

const decodePayment = Schema.decodeUnknownSync(Payment)
const decodeId = Schema.decodeUnknownSync(Schema.Struct({ id: Schema.String }))
const decodeList = Schema.decodeUnknownSync(
  Schema.Struct({ payments: Schema.Array(Schema.Struct({ id: Schema.String, status: Schema.String })) })
)

/**
 * `refused`: Florin could not accept the request, and did nothing. `missing`: the account has no such payment. `denied`:
 * the API key is not accepted, which says nothing about earlier requests. `unanswered`: anything else; it may have been
 * done.
 */
class Problem extends Data.TaggedError("FlorinProblem")<{
  readonly kind: "refused" | "missing" | "denied" | "unanswered"
  readonly reason: string
}> {}

const kinds: Readonly<Record<number, Problem["kind"]>> = {
  400: "refused",
  401: "denied",
  403: "denied",
  404: "missing",
  422: "refused"
}

const unanswered = ({ reason }: Problem): PaymentUnanswered => new PaymentUnanswered({ reason })
const failure = ({ kind, reason }: Problem): PaymentFailed | PaymentUnanswered =>
  kind === "refused" || kind === "missing" ? new PaymentFailed({ reason }) : new PaymentUnanswered({ reason })

// The way to Florin

interface Api {
  readonly ask: <A>(
    method: "GET" | "POST" | "DELETE",
    path: string,
    decode: (answer: unknown) => A,
    // Florin repeats its answer to a key for an hour.
    sent?: { readonly body?: object; readonly key?: string }
  ) => Effect.Effect<A, Problem>
}

const modeOf = (apiKey = ""): ProviderMode | undefined =>
  /^test_\w+$/.test(apiKey) ? "test" : /^live_\w+$/.test(apiKey) ? "live" : undefined

const apiWith = ({ apiBase = "https://api.florin.example" }: FlorinOptions, apiKey: string): Api => ({
  ask: (method, path, decode, { body, key } = {}) =>
    Effect.tryPromise({
      // The payment room ends a call that takes too long, and the signal ends the request.
      try: async (signal) => {
        const response = await fetch(`${apiBase}/v2${path}`, {
          method,
          signal,
          redirect: "error",
          headers: {
            authorization: `Bearer ${apiKey}`,
            "content-type": "application/json",
            ...(key === undefined ? {} : { "idempotency-key": key })
          },
          body: body === undefined ? null : JSON.stringify(body)
        })
        if (response.ok) return decode(await response.json())
        throw await problemOf(response)
      },
      // A broken connection, a page in place of JSON, a payment that is none: all of it may have been done.
      catch: (error) =>
        error instanceof Problem ? error : new Problem({ kind: "unanswered", reason: "Florin gave no usable answer" })
    })
})

const decodeError = Schema.decodeUnknownOption(Schema.Struct({ detail: Schema.String }))

/** What has not the form of Florin's errors is of a proxy or a firewall between us, and says nothing. */
const problemOf = async (response: Response): Promise<Problem> => {
  const error = decodeError(await response.json().catch(() => undefined))
  return error._tag === "None"
    ? new Problem({ kind: "unanswered", reason: `Florin gave no usable answer (${response.status})` })
    : new Problem({ kind: kinds[response.status] ?? "unanswered", reason: error.value.detail })
}

// A payment of Florin's as a charge

const minorUnits = ({ value, currency }: typeof Amount.Type): bigint => {
  const amount = parseAmount(value, currency)
  if (typeof amount === "bigint") return amount
  throw new Error(`${value} ${currency} ${amount.message}`)
}

const keyIn = (metadata: typeof Metadata.Type): string | null => {
  const key = metadata?.["key"]
  return typeof key === "string" ? key : null
}

const stateOf = ({ status, authorizedAt }: Payment): ChargeState => {
  switch (status) {
    case "open":
      return "awaiting_shopper"
    case "paid":
      return "captured"
    case "pending":
    case "authorized":
      return status
    default:
      return authorizedAt === null ? "failed" : "voided"
  }
}

const reasons: Readonly<Record<string, DeclineCode>> = {
  insufficient_funds: "insufficient_funds",
  invalid_card_number: "incorrect_details",
  card_expired: "expired_card",
  authentication_failed: "authentication_failed",
  possible_fraud: "suspected_fraud"
}

const declineOf = ({ status, failureReason }: Payment): DeclineCode | null => {
  if (status === "canceled") return "cancelled"
  if (status === "expired") return "expired"
  return status === "failed" ? (reasons[failureReason ?? ""] ?? "card_declined") : null
}

const refundStatuses: Readonly<Record<string, ChargeRefund["status"]>> = {
  refunded: "succeeded",
  failed: "failed",
  canceled: "failed"
}

/** Throws where an amount is no amount of its currency. */
const chargeOf = (payment: Payment): Charge => {
  const amount = minorUnits(payment.amount)
  const wasReserved = payment.status === "paid" || payment.authorizedAt !== null
  return {
    externalId: payment.id,
    key: keyIn(payment.metadata),
    state: stateOf(payment),
    amount,
    currency: payment.amount.currency,
    authorized: wasReserved ? amount : 0n,
    captured: payment.amountCaptured === null ? 0n : minorUnits(payment.amountCaptured),
    refunds: payment.refunds.map((refund) => ({
      id: refund.id,
      key: keyIn(refund.metadata),
      amount: minorUnits(refund.amount),
      status: refundStatuses[refund.status] ?? "pending"
    })),
    // Florin never says that a chargeback is lost for good: until it is reversed, it may be.
    disputes: payment.chargebacks.map(({ id, amount: contested, reversedAt, reason }) => ({
      id,
      amount: minorUnits(contested),
      status: reversedAt === null ? "open" : "won",
      reason,
      dueAt: null
    })),
    expiresAt: payment.expiresAt === null ? null : new Date(payment.expiresAt),
    nextAction: payment.checkoutUrl === null ? null : { redirectUrl: payment.checkoutUrl, clientSecret: null },
    reason: declineOf(payment)
  }
}

const asCharge = (payment: Payment): Effect.Effect<Charge, Problem> =>
  Effect.try({
    try: () => chargeOf(payment),
    catch: (error) => new Problem({ kind: "unanswered", reason: String(error) })
  })

const pathOf = (id: string): string => `/payments/${encodeURIComponent(id)}`

const read = (api: Api, id: string): Effect.Effect<Payment, Problem> => api.ask("GET", pathOf(id), decodePayment)

/** Undefined: the account has no such payment. */
const readIfAny = (api: Api, id: string): Effect.Effect<Payment | undefined, Problem> =>
  Effect.catchIf(
    read(api, id),
    ({ kind }) => kind === "missing",
    () => Effect.succeed(undefined)
  )

/** After a request that was accepted, "missing" is no answer: it has been done. */
const readBack = (api: Api, id: string): Effect.Effect<Charge, Problem> =>
  Effect.flatMap(readIfAny(api, id), (payment) =>
    payment === undefined
      ? Effect.fail(new Problem({ kind: "unanswered", reason: `Florin does not show ${id} yet` }))
      : asCharge(payment)
  )

/** The payment with our key: of several, should there ever be, the one that has money. */
const findByKey = (api: Api, key: string): Effect.Effect<Payment | undefined, Problem> =>
  Effect.flatMap(api.ask("GET", `/payments?metadata[key]=${encodeURIComponent(key)}`, decodeList), ({ payments }) => {
    const found = payments.find(({ status }) => ["paid", "authorized", "pending"].includes(status)) ?? payments[0]
    return found === undefined ? Effect.succeed(undefined) : readIfAny(api, found.id)
  })

const authorize = Effect.fnUntraced(function* (api: Api, request: ChargeRequest) {
  const { account, checkoutId, key, amount, currency, reference, returnUrl, noticeUrl } = request
  // Florin forgets keys after an hour: what is older is found in the list, what is younger by the key.
  const known = yield* findByKey(api, key)
  if (known !== undefined) return yield* asCharge(known)
  if (returnUrl === null)
    return yield* new Problem({ kind: "refused", reason: "Florin needs the address that the shopper comes back to" })
  const { id } = yield* api.ask("POST", "/payments", decodeId, {
    key,
    body: {
      amount: { value: formatMoney(amount, currency), currency },
      description: `Checkout ${checkoutId}`,
      redirectUrl: returnUrl,
      ...(noticeUrl === null ? {} : { webhookUrl: noticeUrl }),
      ...(reference === null ? {} : { method: reference }),
      metadata: { key, storeId: account.storeId }
    }
  })
  // The answer to a repeated key says what was so then.
  return yield* readBack(api, id)
})

const isMade = (payment: Payment, kind: "capture" | "refund", key: string): boolean =>
  payment[`${kind}s`].some(({ metadata }) => keyIn(metadata) === key)

const change = Effect.fnUntraced(function* (
  api: Api,
  { externalId, key, amount }: ChargeChange,
  kind: "capture" | "refund"
) {
  if (amount <= 0n) return yield* new Problem({ kind: "refused", reason: "The amount must be more than zero" })
  const before = yield* read(api, externalId)
  if (isMade(before, kind, key)) return yield* asCharge(before)
  const { currency } = before.amount
  const body = { amount: { value: formatMoney(amount, currency), currency }, metadata: { key } }
  yield* api.ask("POST", `${pathOf(externalId)}/${kind}s`, decodeId, { key, body })
  return yield* readBack(api, externalId)
})

const isOpen = ({ state }: Charge): boolean => ["awaiting_shopper", "pending", "authorized"].includes(state)

/** To cancel twice is to cancel once, so it needs no key. */
const release = Effect.fnUntraced(function* (api: Api, { externalId }: ChargeChange) {
  const before = yield* Effect.flatMap(read(api, externalId), asCharge)
  if (!isOpen(before)) return before
  const cancelled = yield* Effect.result(api.ask("DELETE", pathOf(externalId), decodeId))
  if (cancelled._tag === "Failure" && cancelled.failure.kind !== "refused") return yield* cancelled.failure
  // Refused: the shopper may have paid at this moment.
  const after = yield* readBack(api, externalId)
  return cancelled._tag === "Failure" && isOpen(after) ? yield* cancelled.failure : after
})

const lookup = Effect.fnUntraced(function* (api: Api, { key, externalId }: ChargeName) {
  const byKey = key === null ? Effect.succeed(undefined) : findByKey(api, key)
  const payment = yield* externalId === null ? byKey : readIfAny(api, externalId)
  const found: ChargeFound =
    payment === undefined ? { _tag: "Absent" } : { _tag: "Found", charge: yield* asCharge(payment) }
  return found
})

const lookupChange = Effect.fnUntraced(function* (
  api: Api,
  { externalId, chargeKey, key }: ChargeChange,
  kind: ChangeKind
) {
  const absent: ChangeFound = { _tag: "Absent" }
  const payment = yield* readIfAny(api, externalId)
  if (payment === undefined || keyIn(payment.metadata) !== chargeKey) return absent
  const charge = yield* asCharge(payment)
  const failed: ChangeFound = { _tag: "Failed", reason: "Florin could not complete the refund", charge }
  if (charge.refunds.some((refund) => refund.key === key && refund.status === "failed")) return failed
  const isDone = kind === "void" ? !isOpen(charge) : isMade(payment, kind, key)
  const found: ChangeFound = isDone ? { _tag: "Done", charge } : absent
  return found
})

/** `id=tr_…`, as a form. It may be made up: Florin is asked what has become of the payment. */
const idIn = (body: Uint8Array): string | undefined => {
  const id = new URLSearchParams(new TextDecoder().decode(body)).get("id")
  return id !== null && /^tr_\w{1,64}$/.test(id) ? id : undefined
}

export const florin = (options: FlorinOptions = {}): PaymentProvider => {
  const keyOf = (credentials: Redacted.Redacted<Credentials> | null | undefined): string | undefined =>
    credentials ? Redacted.value(credentials)["apiKey"] : options.apiKey && Redacted.value(options.apiKey)

  /** Runs a request with the account that it is for, and reports problems as the port has them. */
  const as =
    <E>({ credentials, mode }: ProviderAccount, report: (problem: Problem) => E) =>
    <A>(request: (api: Api) => Effect.Effect<A, Problem>): Effect.Effect<A, E> => {
      const apiKey = keyOf(credentials[0])
      const work =
        apiKey === undefined || modeOf(apiKey) !== mode
          ? Effect.fail(new Problem({ kind: "denied", reason: `There is no API key of Florin for ${mode} mode` }))
          : request(apiWith(options, apiKey))
      return Effect.mapError(work, report)
    }

  const check = Effect.fnUntraced(function* (credentials: Redacted.Redacted<Credentials> | null) {
    const rejected = (reason: string) => new CredentialsRejected({ field: "apiKey", reason })
    const apiKey = keyOf(credentials)
    if (credentials === null && apiKey === undefined)
      return yield* new CredentialsRejected({ field: null, reason: "the host has set up no account of Florin" })
    const mode = modeOf(apiKey)
    if (apiKey === undefined || mode === undefined) return yield* rejected("must begin with test_ or live_")
    const { id } = yield* apiWith(options, apiKey)
      .ask("GET", "/organizations/me", decodeId)
      .pipe(
        Effect.mapError((problem) =>
          problem.kind === "denied" ? rejected("Florin does not know this key") : unanswered(problem)
        )
      )
    return { account: id, mode }
  })

  return {
    code: "florin",
    name: "Florin",
    kind: "redirect",
    modes: ["test", "live"],
    credentialFields: { apiKey: "The API key of the Florin account, test_… or live_…" },
    keyLifetime: 55 * minute,
    settling: 2 * minute,
    notices: "unsigned",
    check,
    authorize: (request) => as(request.account, failure)((api) => authorize(api, request)),
    capture: (asked) => as(asked.account, failure)((api) => change(api, asked, "capture")),
    void: (asked) => as(asked.account, failure)((api) => release(api, asked)),
    refund: (asked) => as(asked.account, failure)((api) => change(api, asked, "refund")),
    lookup: (account, name) => as(account, unanswered)((api) => lookup(api, name)),
    lookupChange: (asked, kind) => as(asked.account, unanswered)((api) => lookupChange(api, asked, kind)),
    verifyNotice: (_, { body }) =>
      idIn(body) === undefined
        ? Effect.fail(new NoticeRejected({ reason: "It is no notice of Florin's" }))
        : Effect.succeed({ eventId: null }),
    readNotice: (_, body) => {
      const externalId = idIn(body)
      return externalId === undefined
        ? Effect.fail(new NoticeUnreadable({ reason: "It names no payment" }))
        : Effect.succeed([{ key: null, externalId }])
    }
  }
}
