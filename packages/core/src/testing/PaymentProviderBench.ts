/**
 * What the checks of `PaymentProviderConformance` work with: the provider to check, as its author describes it, and the
 * comparisons that report the expected and the actual result.
 */
import { Effect, Schema } from "effect"
import type {
  Charge,
  ChargeFound,
  ChargeRequest,
  PaymentProvider,
  ProviderNotice,
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
 * Payment references that make the provider behave as each field says, as its sandbox documents them. Leave out what
 * the sandbox cannot do: the checks that need it are left out too.
 */
export interface ConformanceReferences {
  /** Charged at once. */
  readonly captured?: string
  /** Reserved or open: captured by a later call. */
  readonly open?: string
  readonly declined?: string
  /** An error with nothing charged. */
  readonly failed?: string
  /** No response; the outcome is reported later. */
  readonly unanswered?: string
}

export interface ConformanceSubject {
  readonly provider: PaymentProvider
  readonly storeId: string
  /** A store that must not see the first one's charges. */
  readonly otherStoreId: string
  /** The id of a checkout for which charges can be opened; a new one each time. */
  readonly newCheckout: Effect.Effect<string>
  readonly references: ConformanceReferences
  /**
   * Triggers the event at the provider, as its dashboard would, and returns the notification that it sends; undefined
   * for a provider without notifications.
   */
  readonly happen?:
    | ((checkoutId: string, type: ProviderNotice["type"], amount?: bigint) => Effect.Effect<RawNotice>)
    | undefined
  /** The largest amount the provider takes, minor units. */
  readonly largest?: bigint
  /** Currencies it takes, by their number of fraction digits. */
  readonly currencies?: ReadonlyArray<string>
}

export interface ConformanceCheck {
  /** A behaviour, for the test's name. */
  readonly name: string
  readonly run: Effect.Effect<void, NotConforming>
}

const text = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === "bigint" ? `${part}n` : part instanceof Error ? { ...part } : part
  ) ?? "undefined"

export const same = (what: string, actual: unknown, expected: unknown): Effect.Effect<void, NotConforming> =>
  text(actual) === text(expected)
    ? Effect.void
    : Effect.fail(new NotConforming({ what, expected: text(expected), actual: text(actual) }))

/** Must succeed. */
export const holds = <A, E>(what: string, effect: Effect.Effect<A, E>): Effect.Effect<A, NotConforming> =>
  Effect.mapError(effect, (error) => new NotConforming({ what, expected: "success", actual: text(error) }))

/** Must fail with the error of this tag. */
export const fails = <A, E extends { readonly _tag: string }>(
  what: string,
  tag: E["_tag"],
  effect: Effect.Effect<A, E>
): Effect.Effect<void, NotConforming> =>
  Effect.flatMap(Effect.result(effect), (result) =>
    result._tag === "Failure" && result.failure._tag === tag
      ? Effect.void
      : Effect.fail(
          new NotConforming({
            what,
            expected: tag,
            actual: text(result._tag === "Failure" ? result.failure : result.success)
          })
        )
  )

export const usd = "USD"
export const price = 12_345n
export const twins = 8

/** The provider to check, with ways to open a charge and to look one up. */
export interface Bench extends ConformanceSubject {
  readonly ask: (reference: string, amount?: bigint, currency?: string) => Effect.Effect<ChargeRequest>
  /** A new charge of `price`, and its request. */
  readonly opened: (
    reference: string
  ) => Effect.Effect<{ readonly request: ChargeRequest; readonly charge: Charge }, NotConforming>
  readonly found: (key: string) => Effect.Effect<ChargeFound, NotConforming>
}

export const benchOf = (subject: ConformanceSubject): Bench => {
  const { provider, storeId, newCheckout } = subject
  const ask: Bench["ask"] = (reference, amount = price, currency = usd) =>
    Effect.map(newCheckout, (checkoutId) => ({
      storeId,
      checkoutId,
      key: `complete:${checkoutId}:1`,
      amount,
      currency,
      reference,
      email: "ada@example.com"
    }))
  return {
    ...subject,
    ask,
    opened: (reference) =>
      Effect.flatMap(ask(reference), (request) =>
        Effect.map(holds("authorize", provider.authorize(request)), (charge) => ({ request, charge }))
      ),
    found: (key) => holds("lookup", provider.lookup(storeId, key))
  }
}

export const changeOf = ({ storeId, key }: ChargeRequest, { externalId }: Charge, act: string, amount: bigint) => ({
  storeId,
  chargeKey: key,
  externalId,
  key: `${act}:${key}`,
  amount
})
