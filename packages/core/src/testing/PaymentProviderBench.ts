/**
 * What the checks of `PaymentProviderConformance` work with: the provider to check, as its author describes it, and the
 * comparisons that report the expected and the actual result.
 *
 * A subject says what its sandbox can do: `references` name the payments, `happen` the events, and the other optional
 * fields what can be done to the company (let time pass, forget keys, be silent). What is left out is not checked, so a
 * subject leaves out only what its sandbox, or an emulation of the calls, really cannot do.
 */
import { Effect, Redacted, Schema } from "effect"
import type { DeclineCode } from "../payment/DeclineCode.ts"
import type {
  Charge,
  ChargeChange,
  ChargeFound,
  ChargeName,
  ChargeRequest,
  PaymentProvider,
  ProviderAccount,
  RawNotice
} from "../payment/PaymentProvider.ts"

/** A check that failed. Both sides are written out as text. */
export class NotConforming extends Schema.TaggedError<NotConforming>()("NotConforming", {
  what: Schema.String,
  expected: Schema.String,
  actual: Schema.String
}) {
  override get message(): string {
    return `${this.what}: expected ${this.expected}, got ${this.actual}`
  }
}

/**
 * Payment references that make the provider behave as each field says, as its sandbox documents them; null: without any
 * reference. Where the shopper pays on a page of the provider, `captured`, `authorized` and those of refunds are what
 * the page is opened with: the checks then trigger `happen.captured` or `happen.authorized`.
 */
export interface ConformanceReferences {
  /** Captured at once, or as soon as the shopper has paid on the page. */
  readonly captured?: string | null
  /** Reserved: captured by a later call. */
  readonly authorized?: string | null
  /** The company works on it, and says later what became of it. */
  readonly pending?: string | null
  /** The shopper has to act first. */
  readonly awaiting?: string | null
  /** Declined, for the reasons that the sandbox can give. */
  readonly declined?: Partial<Record<DeclineCode, string>>
  /** An error with nothing charged. */
  readonly failed?: string | null
  /** No answer, and the company does not say what became of it before an event. */
  readonly unanswered?: string | null
  /** Captured, and the answer is lost when it is first requested. */
  readonly lost?: string | null
  /** As `lost`, and lookups do not find it before the provider's `settling` time has passed. */
  readonly unseen?: string | null
  /** Reserved; the answer to its first capture is lost, after it was done. */
  readonly captureLost?: string | null
  /** Reserved; the answer to its first void is lost, after it was done. */
  readonly voidLost?: string | null
  /** Captured; the answer to its first refund is lost, after it was done. */
  readonly refundLost?: string | null
  /** Captured; its refunds are pending until an event. */
  readonly refundPends?: string | null
  /** Captured; its refunds are accepted, and fail. */
  readonly refundFails?: string | null
}

/** An event at the company; the notice that it sends, null where it sends none. Without `amount`: all that is left. */
export type Happening = (request: ChargeRequest, amount?: bigint) => Effect.Effect<RawNotice | null>

export interface ConformanceEvents {
  /** The money comes, also of a charge that waits for the shopper, is pending or was not answered. */
  readonly captured?: Happening
  /** The money is reserved for a charge that waits for the shopper. */
  readonly authorized?: Happening
  /** What was pending fails. */
  readonly failed?: Happening
  /** What is reserved, or what waits for the shopper, lapses. */
  readonly expired?: Happening
  /** The merchant refunds in the company's dashboard. */
  readonly refunded?: Happening
  /** The pending refund succeeds. */
  readonly refundSucceeded?: Happening
  /** The newest refund fails, whether it was pending or had succeeded. */
  readonly refundFailed?: Happening
  /** The shopper's bank claims money back. */
  readonly disputed?: Happening
  readonly disputeWon?: Happening
  readonly disputeLost?: Happening
}

/** Runs an effect under a condition. */
export type During = <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>

export interface ConformanceSubject {
  readonly provider: PaymentProvider
  /** Every call is made for this account, which has a store. */
  readonly account: ProviderAccount
  /** An account that must not see the first one's charges. */
  readonly otherAccount: ProviderAccount
  /** The id of a checkout for which charges can be opened; a new one each time. */
  readonly newCheckout: Effect.Effect<string>
  readonly references: ConformanceReferences
  readonly happen?: ConformanceEvents
  /** The most and the least that the provider takes, minor units. */
  readonly largest?: bigint
  readonly smallest?: bigint
  /** Currencies it takes, by their number of fraction digits. */
  readonly currencies?: ReadonlyArray<string>
  /** The provider captures a charge in one call only: what is not captured by it is released. */
  readonly capturesOnce?: boolean
  /** The company forgets the keys of all changes of this charge, as it does when their lifetime has passed. */
  readonly forget?: (request: ChargeRequest) => Effect.Effect<void>
  /** Runs an effect as if so many milliseconds had passed, here and at the company. */
  readonly later?: (milliseconds: number) => During
  /** Runs an effect while the company can be reached by no request. */
  readonly silent?: During
  /** Other ways in which no usable answer comes, by name: too many requests, an error page, a body that is cut off. */
  readonly outages?: Readonly<Record<string, During>>
  /** A charge of the same account that is not of this installation, and the notice of it, if there is one. */
  readonly foreign?: Effect.Effect<{ readonly externalId: string; readonly notice: RawNotice | null }>
  /** One notice about the charges of all these requests. */
  readonly batch?: (requests: ReadonlyArray<ChargeRequest>) => Effect.Effect<RawNotice>
  /** The same notice as somebody would send it who does not know the secret. */
  readonly forged?: (notice: RawNotice) => RawNotice
  /** The account in the middle of a rotation, and after it. */
  readonly rotated?: {
    /** With the new credentials first, then those of `account`. */
    readonly both: ProviderAccount
    /** With the new ones alone. */
    readonly afterwards: ProviderAccount
    /** As `happen.captured` or another event, with its notice signed by the new credentials. */
    readonly happen?: Happening
  }
  /** An account whose credentials the company does not accept. */
  readonly rejected?: ProviderAccount
}

export interface ConformanceCheck {
  /** A behaviour, for the test's name. */
  readonly name: string
  readonly run: Effect.Effect<void, NotConforming>
}

export const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === "bigint" ? `${part}n` : part instanceof Error ? { ...part, message: part.message } : part
  ) ?? "undefined"

export const same = (what: string, actual: unknown, expected: unknown): Effect.Effect<void, NotConforming> =>
  textOf(actual) === textOf(expected)
    ? Effect.void
    : Effect.fail(new NotConforming({ what, expected: textOf(expected), actual: textOf(actual) }))

export const oneOf = (what: string, actual: unknown, expected: ReadonlyArray<unknown>) =>
  expected.some((one) => textOf(one) === textOf(actual))
    ? Effect.void
    : Effect.fail(
        new NotConforming({ what, expected: `one of ${expected.map(textOf).join(", ")}`, actual: textOf(actual) })
      )

/** Must succeed. */
export const holds = <A, E>(what: string, effect: Effect.Effect<A, E>): Effect.Effect<A, NotConforming> =>
  Effect.mapError(effect, (error) => new NotConforming({ what, expected: "success", actual: textOf(error) }))

/** Must fail with the error of this tag, or of one of these; returns it. */
export const fails = <A, E extends { readonly _tag: string }>(
  what: string,
  tags: E["_tag"] | ReadonlyArray<E["_tag"]>,
  effect: Effect.Effect<A, E>
): Effect.Effect<E, NotConforming> =>
  Effect.flatMap(Effect.result(effect), (result) =>
    result._tag === "Failure" && [tags].flat().includes(result.failure._tag)
      ? Effect.succeed(result.failure)
      : Effect.fail(
          new NotConforming({
            what,
            expected: [tags].flat().join(" or "),
            actual: textOf(result._tag === "Failure" ? result.failure : result.success)
          })
        )
  )

export const usd = "USD"
export const price = 12_345n
const twins = 8

export interface Opened {
  readonly request: ChargeRequest
  readonly charge: Charge
}

type Outcome = "captured" | "authorized"

/** The provider to check, with ways to open a charge and to look one up. */
export interface Bench extends ConformanceSubject {
  readonly ask: (reference: string | null, amount?: bigint, currency?: string) => Effect.Effect<ChargeRequest>
  /** Requests a charge; where the shopper has to act for `outcome`, the shopper does. */
  readonly paid: (request: ChargeRequest, outcome: Outcome) => Effect.Effect<Charge, NotConforming>
  /** A new charge of `price`, and its request; with an outcome, once the shopper has acted. */
  readonly opened: (reference: string | null, outcome?: Outcome) => Effect.Effect<Opened, NotConforming>
  /** What a lookup finds at the latest when the settling time has passed. */
  readonly lookedUp: (name: ChargeName) => Effect.Effect<ChargeFound, NotConforming>
  /** What the account's credentials hold, for checks that nothing shows it. */
  readonly secrets: ReadonlyArray<string>
  /** The charge of this key, which must be found. */
  readonly found: (request: ChargeRequest) => Effect.Effect<Charge, NotConforming>
}

export const benchOf = (subject: ConformanceSubject): Bench => {
  const { provider, account, newCheckout, later, happen } = subject
  const ask: Bench["ask"] = (reference, amount = price, currency = usd) =>
    Effect.map(newCheckout, (checkoutId) => ({
      account,
      checkoutId,
      key: `${account.storeId}/complete:${checkoutId}:1`,
      amount,
      currency,
      reference,
      email: "ada@example.com",
      returnUrl: "https://shop.example/return?from=payment",
      noticeUrl: `https://shop.example/api/payment-events/${account.providerId}`
    }))
  const lookedUp: Bench["lookedUp"] = (name) => {
    const looking = holds("lookup", provider.lookup(account, name))
    return Effect.flatMap(looking, (found) =>
      found._tag === "Absent" && later !== undefined ? later(provider.settling)(looking) : Effect.succeed(found)
    )
  }
  const found: Bench["found"] = ({ key }) =>
    Effect.flatMap(lookedUp({ key, externalId: null }), (looked) =>
      looked._tag === "Found"
        ? Effect.succeed(looked.charge)
        : Effect.fail(new NotConforming({ what: "lookup", expected: "the charge", actual: textOf(looked) }))
    )
  const paid: Bench["paid"] = Effect.fnUntraced(function* (request, outcome) {
    const charge = yield* holds("authorize", provider.authorize(request))
    const act = happen?.[outcome]
    if (charge.state !== "awaiting_shopper" || act === undefined) return charge
    yield* act(request)
    return yield* found(request)
  })
  return {
    ...subject,
    secrets: account.credentials.flatMap((one) => Object.values(Redacted.value(one))).filter((part) => part.length > 5),
    ask,
    paid,
    opened: Effect.fnUntraced(function* (reference, outcome) {
      const request = yield* ask(reference)
      const charge =
        outcome === undefined ? yield* holds("authorize", provider.authorize(request)) : yield* paid(request, outcome)
      return { request, charge }
    }),
    lookedUp,
    found
  }
}

/** Fails where a value shows what the account's credentials hold. */
export const sayNothingOf = ({ secrets }: Bench, what: string, value: unknown) =>
  same(
    `${what} shows a secret`,
    secrets.some((secret) => textOf(value).includes(secret)),
    false
  )

/** A change of a charge under a key of its own for each `act`. */
export const changeOf = ({ request, charge }: Opened, act: string, amount: bigint): ChargeChange => ({
  account: request.account,
  chargeKey: request.key,
  externalId: charge.externalId,
  key: `${act}:${request.key}`,
  amount
})

/** The same call several times at once. */
export const atOnce = <A, E>(call: () => Effect.Effect<A, E>): Effect.Effect<ReadonlyArray<A>, E> =>
  Effect.all(
    Array.from({ length: twins }, () => call()),
    { concurrency: twins }
  )

/** The sum of refunds that have not failed. */
export const refundedOf = ({ refunds }: Charge): bigint =>
  refunds.reduce((sum, { amount, status }) => (status === "failed" ? sum : sum + amount), 0n)

type Present<T> = { readonly [I in keyof T]: Exclude<T[I], undefined> }

/** Checks that need all of these; none where the subject has left one of them out. */
export const given = <const T extends ReadonlyArray<unknown>>(
  needs: T,
  checks: (...present: Present<T>) => ReadonlyArray<ConformanceCheck>
): ReadonlyArray<ConformanceCheck> => (needs.includes(undefined) ? [] : checks(...(needs as unknown as Present<T>)))
