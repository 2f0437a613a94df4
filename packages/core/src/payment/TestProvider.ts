/**
 * The `test` provider: for test-mode channels, a payment company whose behaviour the shopper's `paymentReference`
 * chooses. It keeps its own books and signs its notices, so that callers take the same paths as with a real one:
 * `approve` captures, `decline` declines, `error` fails with nothing charged, `timeout` never answers the caller and
 * sends the outcome later, `pending` leaves the money open.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { constantTimeEqual, hmacSha256Hex, randomHex } from "../crypto/Hashing.ts"
import { RootSecret } from "../crypto/RootSecret.ts"
import { Database } from "../database/Database.ts"
import { makeId } from "../kernel/Ids.ts"
import { NoticeRejected, PaymentDeclined, PaymentFailed, PaymentUnanswered } from "./PaymentErrors.ts"
import type { Charge, ChargeFound, PaymentProvider, ProviderNotice, RawNotice } from "./PaymentProvider.ts"
import { type TestCharge, type TestChargeStatus, TestChargeRepository } from "./TestChargeRepository.ts"

const testReferences = ["approve", "decline", "error", "timeout", "pending"] as const
type TestReference = (typeof testReferences)[number]

/** An event to simulate at the provider. Without `amount`: all that is left, in minor units. */
export interface TestMove {
  readonly checkoutId: string
  readonly type: ProviderNotice["type"]
  readonly amount?: bigint | undefined
}

export interface TestProviderMethods extends PaymentProvider {
  /** Moves money at the provider and returns the notice it would send; undefined where the checkout has no charge. */
  readonly move: (storeId: string, move: TestMove) => Effect.Effect<RawNotice | undefined>
}

const signatureHeader = "x-test-signature"

export class TestProvider extends Context.Service<TestProvider, TestProviderMethods>()(
  "@effect-commerce/core/payment/TestProvider"
) {
  static readonly layer = Layer.effect(
    TestProvider,
    Effect.gen(function* () {
      const database = yield* Database
      const charges = yield* TestChargeRepository
      const root = yield* RootSecret
      const signature = (storeId: string, body: string) =>
        hmacSha256Hex(Buffer.from(root.derive(`payment/test/${storeId}`)).toString("hex"), body)

      const changed = <E>(
        storeId: string,
        chargeKey: string,
        change: (charge: TestCharge) => Effect.Effect<TestCharge, E>
      ) =>
        database.write(storeId)(
          Effect.gen(function* () {
            const charge = yield* charges.lock(storeId, chargeKey)
            if (charge === undefined) return undefined
            const next = yield* change(charge)
            yield* charges.save(storeId, next)
            return next
          })
        )
      /** A capture or a refund: done once per key. */
      const once = (
        storeId: string,
        chargeKey: string,
        key: string,
        change: (charge: TestCharge) => Effect.Effect<TestCharge, PaymentFailed>
      ) =>
        changed(storeId, chargeKey, (charge) =>
          charge.doneKeys.includes(key)
            ? Effect.succeed(charge)
            : Effect.map(change(charge), (next) => ({ ...next, doneKeys: [...charge.doneKeys, key] }))
        ).pipe(
          Effect.flatMap((found) =>
            found === undefined
              ? Effect.fail(new PaymentFailed({ reason: "There is no such charge" }))
              : Effect.succeed(found)
          )
        )

      return TestProvider.of({
        code: "test",
        kind: "online",
        testOnly: true,
        authorize: Effect.fnUntraced(function* (request) {
          const now = yield* Clock.currentTimeMillis
          const reference = testReferences.find((known) => known === request.reference)
          if (reference === undefined)
            return yield* new PaymentDeclined({ reason: `the test provider knows ${testReferences.join(", ")}` })
          const status = opened[reference]
          const asked: TestCharge = {
            chargeKey: request.key,
            id: makeId("tch", now),
            checkoutId: request.checkoutId,
            status,
            amount: request.amount,
            captured: status === "captured" ? request.amount : 0n,
            refunded: 0n,
            currency: request.currency,
            doneKeys: []
          }
          const charge = yield* database.write(request.storeId)(charges.open(request.storeId, asked, new Date(now)))
          return yield* answerOf(charge)
        }),
        capture: ({ storeId, chargeKey, key, amount }) =>
          Effect.map(
            once(storeId, chargeKey, key, (charge) => {
              if (charge.status !== "pending" && charge.status !== "captured")
                return Effect.fail(
                  new PaymentFailed({ reason: `The charge is ${charge.status}: there is nothing to capture` })
                )
              return charge.captured + amount > charge.amount
                ? Effect.fail(new PaymentFailed({ reason: "More than was authorised" }))
                : Effect.succeed({ ...charge, status: "captured", captured: charge.captured + amount })
            }),
            chargeOf
          ),
        void: ({ storeId, chargeKey }) =>
          Effect.asVoid(
            changed(storeId, chargeKey, (charge) =>
              Effect.succeed(charge.captured > 0n ? charge : { ...charge, status: "voided" })
            )
          ),
        refund: ({ storeId, chargeKey, key, amount }) =>
          once(storeId, chargeKey, key, (charge) =>
            charge.refunded + amount > charge.captured
              ? Effect.fail(new PaymentFailed({ reason: "More than is left of what was captured" }))
              : Effect.succeed({ ...charge, refunded: charge.refunded + amount })
          ),
        lookup: (storeId, chargeKey) => Effect.map(charges.find(storeId, chargeKey), foundOf),
        readNotice: (storeId, { headers, body }) => {
          const text = Buffer.from(body).toString("utf8")
          const given = headers[signatureHeader] ?? ""
          return constantTimeEqual(given, signature(storeId, text))
            ? Effect.try({
                try: () => parseNotice(text),
                catch: () => new NoticeRejected({ reason: "The notice cannot be read" })
              })
            : Effect.fail(new NoticeRejected({ reason: "The signature does not hold" }))
        },
        move: Effect.fnUntraced(function* (storeId: string, { checkoutId, type, amount }: TestMove) {
          const known = yield* charges.findByCheckout(storeId, checkoutId)
          if (known === undefined) return undefined
          const charge = yield* changed(storeId, known.chargeKey, (current) =>
            Effect.succeed(moved(current, type, amount))
          )
          const body = JSON.stringify({
            eventId: randomHex("tev_", 16),
            type,
            ...wireOf(charge ?? known),
            reason: type === "failed" ? "The payment failed" : null
          })
          return { headers: { [signatureHeader]: signature(storeId, body) }, body: Buffer.from(body, "utf8") }
        })
      })
    })
  ).pipe(Layer.provide(TestChargeRepository.layer))
}

const opened: Record<TestReference, TestChargeStatus> = {
  approve: "captured",
  decline: "declined",
  error: "failed",
  timeout: "processing",
  pending: "pending"
}

const chargeOf = ({ id, status, captured }: TestCharge): Charge => ({
  state: status === "captured" ? "captured" : "pending",
  externalId: id,
  captured
})

const answerOf = (charge: TestCharge): Effect.Effect<Charge, PaymentDeclined | PaymentFailed | PaymentUnanswered> => {
  switch (charge.status) {
    case "declined":
      return Effect.fail(new PaymentDeclined({ reason: "The card was declined" }))
    case "failed":
    case "voided":
      return Effect.fail(
        new PaymentFailed({ reason: "The provider could not process the payment; nothing was charged" })
      )
    case "processing":
      return Effect.fail(new PaymentUnanswered({ reason: "The provider did not answer in time" }))
    default:
      return Effect.succeed(chargeOf(charge))
  }
}

const foundOf = (charge: TestCharge | undefined): ChargeFound => {
  if (charge === undefined) return { _tag: "Absent" }
  if (charge.status === "processing") return { _tag: "Processing" }
  const { status } = charge
  return status === "declined" || status === "failed" || status === "voided"
    ? { _tag: "Declined", reason: `The charge is ${status}` }
    : { _tag: "Found", charge: chargeOf(charge) }
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** Never more than the charge allows, so that a repeat changes nothing. */
const moved = (charge: TestCharge, type: ProviderNotice["type"], amount: bigint | undefined): TestCharge => {
  if (type === "captured") {
    const open = charge.amount - charge.captured
    return { ...charge, status: "captured", captured: charge.captured + least(amount ?? open, open) }
  }
  if (type === "refunded") {
    const open = charge.captured - charge.refunded
    return { ...charge, refunded: charge.refunded + least(amount ?? open, open) }
  }
  return charge.captured > 0n ? charge : { ...charge, status: "failed" }
}

const wireOf = ({ chargeKey, id, captured, refunded }: TestCharge) => ({
  chargeKey,
  externalId: id,
  captured: String(captured),
  refunded: String(refunded)
})

const parseNotice = (text: string): ProviderNotice => {
  const { eventId, type, chargeKey, externalId, captured, refunded, reason } = JSON.parse(text) as Record<
    string,
    string
  >
  return {
    eventId: eventId ?? "",
    type: type as ProviderNotice["type"],
    chargeKey: chargeKey ?? "",
    externalId: externalId ?? "",
    captured: BigInt(captured ?? "0"),
    refunded: BigInt(refunded ?? "0"),
    reason: reason ?? null
  }
}
