/**
 * Stripe's webhooks: the signature over the raw bytes, and which charge a notice is a reason to look at. Nothing else
 * in a notice is believed, so its version of the API does not matter. The SDK is not needed to read one.
 */
import { Clock, Effect, Option, Redacted, Schema } from "effect"
import { constantTimeEqual, hmacSha256Hex } from "../crypto/Hashing.ts"
import { readText } from "../kernel/OneEffect.ts"
import { NoticeRejected, NoticeUnreadable } from "../payment/PaymentErrors.ts"
import type { ChargeName, ProviderAccount, ProviderMode, RawNotice } from "../payment/PaymentProvider.ts"
import { keyField } from "./StripeCharge.ts"
import { keysOf, modeOfKey } from "./StripeClient.ts"
import type { StripeOptions } from "./StripeOptions.ts"

/** Milliseconds that a signature's time may differ from ours, in either direction. */
const tolerance = 300_000

const NullableText = Schema.optionalKey(Schema.NullOr(Schema.String))
const EventOfStripe = Schema.fromJsonString(
  Schema.Struct({
    id: Schema.String,
    type: Schema.String,
    livemode: Schema.Boolean,
    data: Schema.optionalKey(
      Schema.Struct({
        object: Schema.Struct({
          id: NullableText,
          object: NullableText,
          payment_intent: Schema.optionalKey(Schema.Unknown),
          metadata: Schema.optionalKey(Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)))
        })
      })
    )
  })
)
const decodeEvent = Schema.decodeUnknownOption(EventOfStripe)
type EventOfStripe = typeof EventOfStripe.Type

const readEvent = (body: Uint8Array): Option.Option<EventOfStripe> => decodeEvent(new TextDecoder().decode(body))

/** `t=1492774577,v1=5257a869…,v1=…`: other schemes are not read. */
const partsOf = (header: string): { readonly time: string; readonly signatures: ReadonlyArray<string> } => {
  const pairs = header.split(",").map((part) => part.split("=", 2))
  const values = (name: string) => pairs.filter(([key]) => key?.trim() === name).map(([, value = ""]) => value.trim())
  return { time: values("t")[0] ?? "", signatures: values("v1") }
}

const secretsOf = (options: StripeOptions, account: ProviderAccount): ReadonlyArray<string> => {
  const all =
    account.credentials.length === 0
      ? [readText("payments.stripe.webhookSecret", options.webhookSecret ?? "")]
      : account.credentials.map((credentials) => Redacted.value(credentials)["webhookSecret"] ?? "")
  return all.filter((secret) => secret !== "")
}

/** That of the installation's account is in its key: Stripe may not have said yet whose account it is. */
const modeOf = (options: StripeOptions, { credentials, mode }: ProviderAccount): ProviderMode =>
  credentials.length > 0 ? mode : (modeOfKey(keysOf(options, null)?.secretKey ?? "") ?? mode)

export const verifyNotice =
  (options: StripeOptions) =>
  (account: ProviderAccount, { headers, body }: RawNotice) =>
    Effect.gen(function* () {
      const rejected = (reason: string) => new NoticeRejected({ reason })
      const { time, signatures } = partsOf(headers["stripe-signature"] ?? "")
      if (!/^\d{1,12}$/.test(time) || signatures.length === 0)
        return yield* rejected("The notice has no signature of Stripe")
      const expected = secretsOf(options, account).map((secret) => hmacSha256Hex(secret, `${time}.`, body))
      if (!expected.some((ours) => signatures.some((given) => constantTimeEqual(given, ours))))
        return yield* rejected("The signature does not hold")
      if (Math.abs((yield* Clock.currentTimeMillis) - Number(time) * 1_000) > tolerance)
        return yield* rejected("The signature is of another time")
      const event = readEvent(body)
      if (Option.isNone(event)) return yield* rejected("The notice is not an event of Stripe")
      const mode = modeOf(options, account)
      if (event.value.livemode !== (mode === "live")) return yield* rejected(`The notice is not one of ${mode} mode`)
      return { eventId: event.value.id }
    })

/** Events after which a charge is not as it was. The others repeat what these say, or concern other things. */
const isOfCharge = (type: string): boolean =>
  /^(payment_intent\.(?!created$)|charge\.(refunded|refund\.|expired|dispute\.)|refund\.)/.test(type)

export const readNotice = (
  _account: ProviderAccount,
  body: Uint8Array
): Effect.Effect<ReadonlyArray<ChargeName>, NoticeUnreadable> =>
  Option.match(readEvent(body), {
    onNone: () => Effect.fail(new NoticeUnreadable({ reason: "The notice is not an event of Stripe" })),
    onSome: (event) => Effect.succeed(isOfCharge(event.type) ? namesOf(event) : [])
  })

/**
 * PaymentIntents and Stripe's charges have our key in their metadata; without it they are not ours. Refunds and
 * disputes name the PaymentIntent alone.
 */
const namesOf = ({ data }: EventOfStripe): ReadonlyArray<ChargeName> => {
  const subject = data?.object
  if (subject === undefined) return []
  const ofCharge = subject.object === "payment_intent" || subject.object === "charge"
  const metadataKey = ofCharge ? subject.metadata?.[keyField] : undefined
  const key = typeof metadataKey === "string" ? metadataKey : null
  const externalId = subject.object === "payment_intent" ? subject.id : idOf(subject.payment_intent)
  return typeof externalId !== "string" || (ofCharge && key === null) ? [] : [{ key, externalId }]
}

/** An id, or the object itself where the endpoint has it expanded. */
const idOf = (reference: unknown): unknown =>
  typeof reference === "object" && reference !== null && "id" in reference ? reference.id : reference
