/**
 * How a charge stands at Stripe, and whether a change of it was done.
 *
 * Without its id a PaymentIntent is found by our key in two steps. Stripe's search knows all that ever were, but a
 * minute late, and up to an hour in an outage; lists have no such delay, but can only be read by date. So the search is
 * asked first, and where it finds nothing, what was made in the last hour and a quarter is listed and compared. An
 * account without search (India, a restricted key) has the list of the last 25 hours: a lost answer is looked for many
 * times before that.
 */
import { Clock, Effect } from "effect"
import type { Stripe } from "stripe"
import type {
  ChangeFound,
  ChangeKind,
  Charge,
  ChargeChange,
  ChargeFound,
  ChargeName
} from "../payment/PaymentProvider.ts"
import { captureField, type ChargeParts, chargeOf, keyField, keyOf } from "./StripeCharge.ts"
import type { StripeApi } from "./StripeClient.ts"
import { problemOf, StripeProblem } from "./StripeProblem.ts"

export const expand = ["latest_charge"]

const minute = 60_000
/** Milliseconds: longer than search is late in an outage. */
const searchDelay = 75 * minute
const withoutSearch = 25 * 60 * minute
const pageSize = 100
/** Refunds or disputes of one charge, and PaymentIntents that are looked through for one key. */
const mostListed = 10_000

export const retrieve = (api: StripeApi, id: string): Effect.Effect<Stripe.PaymentIntent, StripeProblem> =>
  api.ask((stripe) => stripe.paymentIntents.retrieve(id, { expand }))

/** Undefined: the account has no PaymentIntent of this id. */
const retrieveIfAny = (api: StripeApi, id: string): Effect.Effect<Stripe.PaymentIntent | undefined, StripeProblem> =>
  Effect.catchIf(
    retrieve(api, id),
    ({ kind }) => kind === "missing",
    () => Effect.succeed(undefined)
  )

/** Amounts that cannot be expressed are a reason to ask a person, not to say that nothing was done. */
const asCharge = (parts: ChargeParts): Effect.Effect<Charge, StripeProblem> =>
  Effect.try({
    try: () => chargeOf(parts),
    catch: (error) => new StripeProblem({ kind: "unanswered", reason: problemOf(error).reason })
  })

/** A charge that has just been made: nothing can have been refunded. */
export const freshCharge = (intent: Stripe.PaymentIntent): Effect.Effect<Charge, StripeProblem> =>
  asCharge({ intent, refunds: [], disputes: [] })

/** The whole truth: with all refunds and disputes, where money was taken. */
export const wholeCharge = (api: StripeApi, intent: Stripe.PaymentIntent): Effect.Effect<Charge, StripeProblem> =>
  intent.amount_received === 0
    ? freshCharge(intent)
    : Effect.all([refundsOf(api, intent.id), disputesOf(api, intent.id)], { concurrency: 2 }).pipe(
        Effect.flatMap(([refunds, disputes]) => asCharge({ intent, refunds, disputes }))
      )

const refundsOf = (api: StripeApi, payment_intent: string) =>
  api.ask((stripe) => stripe.refunds.list({ payment_intent, limit: pageSize }).autoPagingToArray({ limit: mostListed }))

const disputesOf = (api: StripeApi, payment_intent: string) =>
  api.ask((stripe) =>
    stripe.disputes.list({ payment_intent, limit: pageSize }).autoPagingToArray({ limit: mostListed })
  )

/** Search keeps `'` and `\` for itself. */
const quoted = (text: string): string => `'${text.replaceAll(/['\\]/g, (mark) => `\\${mark}`)}'`

/** More than one PaymentIntent has a key only if Stripe had forgotten it: that with money in it is the charge. */
const rank: Readonly<Record<string, number>> = { succeeded: 4, requires_capture: 3, processing: 2, canceled: 0 }
const best = (intents: ReadonlyArray<Stripe.PaymentIntent>): Stripe.PaymentIntent | undefined =>
  [...intents].sort((a, b) => (rank[b.status] ?? 1) - (rank[a.status] ?? 1) || b.created - a.created)[0]

/** As it is now; undefined: Stripe has none with this key. */
export const findByKey = Effect.fnUntraced(function* (api: StripeApi, key: string) {
  const query = `metadata['${keyField}']:${quoted(key)}`
  const searched = yield* api
    .ask((stripe) => stripe.paymentIntents.search({ query, limit: 10 }))
    .pipe(
      Effect.map(({ data }) => ({ hits: data, listFor: searchDelay })),
      Effect.catchIf(
        ({ kind }) => kind !== "unanswered",
        () => Effect.succeed({ hits: [], listFor: withoutSearch })
      )
    )
  const hit = best(searched.hits.filter(({ metadata }) => keyOf(metadata) === key))
  if (hit !== undefined) return yield* retrieve(api, hit.id)
  const since = Math.floor(((yield* Clock.currentTimeMillis) - searched.listFor) / 1_000)
  return yield* api.ask((stripe) => listedByKey(stripe, key, since))
})

const listedByKey = async (stripe: Stripe, key: string, since: number): Promise<Stripe.PaymentIntent | undefined> => {
  const found: Array<Stripe.PaymentIntent> = []
  let seen = 0
  const list = stripe.paymentIntents.list({
    created: { gte: since },
    limit: pageSize,
    expand: expand.map((name) => `data.${name}`)
  })
  for await (const intent of list) {
    if (keyOf(intent.metadata) === key) found.push(intent)
    seen += 1
    if (seen === mostListed)
      throw new StripeProblem({ kind: "unanswered", reason: "Stripe has too many recent payments to look through" })
  }
  return best(found)
}

export const lookUp = Effect.fnUntraced(function* (api: StripeApi, { key, externalId }: ChargeName) {
  const byKey = key === null ? Effect.succeed(undefined) : findByKey(api, key)
  const intent = yield* externalId === null ? byKey : retrieveIfAny(api, externalId)
  const found: ChargeFound =
    intent === undefined ? { _tag: "Absent" } : { _tag: "Found", charge: yield* wholeCharge(api, intent) }
  return found
})

/**
 * A capture leaves its key in the PaymentIntent's metadata and a refund in its own, both written by the request that
 * does it. A void leaves nothing but the state that it was for.
 */
export const lookUpChange = Effect.fnUntraced(function* (
  api: StripeApi,
  { externalId, chargeKey, key }: ChargeChange,
  kind: ChangeKind
) {
  const absent: ChangeFound = { _tag: "Absent" }
  const intent = yield* retrieveIfAny(api, externalId)
  if (intent === undefined || keyOf(intent.metadata) !== chargeKey) return absent
  const charge = yield* wholeCharge(api, intent)
  const found = (isDone: boolean): ChangeFound => (isDone ? { _tag: "Done", charge } : absent)
  switch (kind) {
    case "capture":
      return found(intent.amount_received > 0 && intent.metadata[captureField(key)] !== undefined)
    case "void":
      return found(intent.status === "canceled" || intent.amount_received > 0)
    case "refund": {
      const refund = charge.refunds.find((made) => made.key === key)
      const failed: ChangeFound = { _tag: "Failed", reason: "Stripe could not complete the refund", charge }
      return refund?.status === "failed" ? failed : found(refund !== undefined)
    }
  }
})
