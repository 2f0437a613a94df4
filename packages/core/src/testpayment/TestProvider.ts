/**
 * The `test` provider: for test-mode channels, a payment company whose behaviour the shopper's `paymentReference`
 * chooses (`TestReferences`), and to which anything can happen on demand (`TestEvents`). It keeps its own books, signs
 * its notices, forgets keys of changes after a day and may fall silent, so that callers take the same paths as with a
 * real one. It serves every store of the installation.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { hmacSha256Hex, randomHex, uniqueName } from "../crypto/Hashing.ts"
import { RootSecret } from "../crypto/RootSecret.ts"
import { Database } from "../database/Database.ts"
import { makeId } from "../kernel/Ids.ts"
import { PaymentDeclined, PaymentFailed, PaymentUnanswered } from "../payment/PaymentErrors.ts"
import type {
  Charge,
  ChargeChange,
  ChargeRequest,
  ChangeKind,
  PaymentProvider,
  RawNotice
} from "../payment/PaymentProvider.ts"
import {
  chargeOf,
  recognised,
  standingAt,
  type TestCharge,
  testKeyLifetime,
  testSettling,
  waitsFor
} from "./TestCharge.ts"
import { TestChargeRepository } from "./TestChargeRepository.ts"
import { changedBy, moved, type TestEvent } from "./TestEvents.ts"
import { isUnsigned, namedCharges, signedNotice, unsignedNotice, verifiedNotice } from "./TestNotices.ts"
import { actionUrlOf, isLost, paidBy, testReferenceOf, testReferences } from "./TestReferences.ts"

/** An event to simulate at the provider. Without `amount`: all that is left, in minor units. */
export interface TestMove {
  readonly checkoutId: string
  readonly type: TestEvent
  readonly amount?: bigint | undefined
}

const lostAnswer = Effect.fail(new PaymentUnanswered({ reason: "The provider did not answer in time" }))

/** Only notices come without a store. */
const storeOf = ({ storeId }: { readonly storeId: string | null }): Effect.Effect<string> =>
  storeId === null ? Effect.die(new Error("The test provider keeps its books by store")) : Effect.succeed(storeId)

export class TestProvider extends Context.Service<TestProvider>()("@effect-commerce/core/testpayment/TestProvider", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const charges = yield* TestChargeRepository
    const secret = Buffer.from((yield* RootSecret).derive("payment/test")).toString("hex")
    const clientSecretOf = (id: string): string => `${id}_secret_${hmacSha256Hex(secret, id).slice(0, 24)}`
    const seen = (charge: TestCharge): Charge => chargeOf(charge, clientSecretOf)
    let silentUntil = 0

    /** While the company is silent, nothing reaches it. */
    const reached = Effect.flatMap(Clock.currentTimeMillis, (now) =>
      now < silentUntil ? lostAnswer : Effect.succeed(now)
    )

    /** Changes a charge as it stands now; undefined where there is none. */
    const changing = <A, E>(
      storeId: string,
      chargeKey: string,
      now: number,
      change: (charge: TestCharge) => Effect.Effect<{ readonly charge: TestCharge; readonly as: A }, E>
    ) =>
      database.write(storeId)(
        Effect.gen(function* () {
          const found = yield* charges.lock(storeId, chargeKey)
          if (found === undefined) return undefined
          const changed = yield* change(standingAt(found, now))
          if (changed.charge !== found) yield* charges.save(storeId, changed.charge)
          return changed
        })
      )

    /** A capture, void or refund: done once for a key, as long as the key is recognised. */
    const requested = (kind: ChangeKind) =>
      Effect.fnUntraced(function* ({ account, chargeKey, key, amount }: ChargeChange) {
        const now = yield* reached
        const done = yield* changing(yield* storeOf(account), chargeKey, now, (charge) => {
          if (recognised(charge, key, now) !== undefined) return Effect.succeed({ charge, as: "repeat" } as const)
          const next = changedBy(charge, kind, { id: uniqueName(`t${kind}_`), key, amount, now })
          return next instanceof PaymentFailed
            ? Effect.fail(next)
            : Effect.succeed({ charge: next, as: isLost(next, kind) ? "lost" : "done" } as const)
        })
        if (done === undefined) return yield* new PaymentFailed({ reason: "There is no such charge" })
        return done.as === "lost" ? yield* lostAnswer : seen(done.charge)
      })

    const named = ({ chargeKey, id }: TestCharge) => ({ key: chargeKey === id ? null : chargeKey, externalId: id })
    const announced = (type: TestEvent, of: ReadonlyArray<TestCharge>): RawNotice =>
      signedNotice(secret, { id: randomHex("tev_", 16), type, charges: of.map(named) })

    const provider = {
      code: "test",
      name: "Test payment",
      kind: "card",
      modes: ["test"],
      credentialFields: {},
      keyLifetime: testKeyLifetime,
      settling: testSettling,
      notices: "signed",
      check: () => Effect.as(reached, { account: "", mode: "test" }),
      authorize: Effect.fnUntraced(function* (request) {
        const now = yield* reached
        const storeId = yield* storeOf(request.account)
        const reference = request.reference === null ? null : testReferenceOf(request.reference)
        if (reference === undefined)
          return yield* new PaymentDeclined({
            code: "incorrect_details",
            reason: `the test provider knows ${testReferences.join(", ")}`
          })
        if (reference === "unreachable") return yield* lostAnswer
        const waiting = begun(request, now)
        const asked = reference === null ? waiting : paidBy(waiting, reference, now)
        const { charge, isPaidNow } = yield* database.write(storeId)(
          Effect.gen(function* () {
            const opened = yield* charges.open(storeId, asked)
            if (opened.id === asked.id) return { charge: opened, isPaidNow: true }
            const found = standingAt(opened, now)
            if (reference === null || found.status !== "awaiting_shopper") return { charge: found, isPaidNow: false }
            const paid = paidBy(found, reference, now)
            yield* charges.save(storeId, paid)
            return { charge: paid, isPaidNow: true }
          })
        )
        if (charge.status === "processing" || (isPaidNow && isLost(charge, "authorize"))) return yield* lostAnswer
        if (charge.status === "declined")
          return yield* new PaymentDeclined({ code: charge.reason ?? "card_declined", reason: "The card was declined" })
        return charge.status === "failed" || charge.status === "voided"
          ? yield* new PaymentFailed({ reason: "The provider could not process the payment; nothing was charged" })
          : seen(charge)
      }),
      capture: requested("capture"),
      void: requested("void"),
      refund: requested("refund"),
      lookup: Effect.fnUntraced(function* (account, name) {
        const now = yield* reached
        // A notice to all stores names a charge by its id alone.
        const storeId =
          account.storeId ?? (name.externalId === null ? undefined : yield* charges.storeOf(name.externalId))
        if (storeId === undefined) return { _tag: "Absent" }
        const found = yield* charges.find(storeId, name)
        if (found === undefined || isUnseen(found, now)) return { _tag: "Absent" }
        return found.status === "processing"
          ? { _tag: "Processing" }
          : { _tag: "Found", charge: seen(standingAt(found, now)) }
      }),
      lookupChange: Effect.fnUntraced(function* ({ account, chargeKey, key }, kind) {
        const now = yield* reached
        const found = yield* charges.find(yield* storeOf(account), { key: chargeKey, externalId: null })
        const change = found?.changes.find((one) => one.kind === kind && one.key === key)
        if (found === undefined || change === undefined) return { _tag: "Absent" }
        const charge = seen(standingAt(found, now))
        if (change.status === "pending") return { _tag: "Processing" }
        return change.status === "succeeded"
          ? { _tag: "Done", charge }
          : { _tag: "Failed", reason: "The bank sent the refund back", charge }
      }),
      verifyNotice: (_account, raw) => verifiedNotice(secret, raw),
      readNotice: (_account, body) =>
        isUnsigned(body) ? Effect.andThen(reached, namedCharges(body)) : namedCharges(body)
    } satisfies PaymentProvider

    return {
      ...provider,
      /** Makes an event happen, and returns the notice of it; undefined where the checkout has no charge. */
      move: Effect.fnUntraced(function* (storeId: string, { checkoutId, type, amount }: TestMove) {
        const now = yield* Clock.currentTimeMillis
        const known = yield* charges.findByCheckout(storeId, checkoutId)
        if (known === undefined) return undefined
        const done = yield* changing(storeId, known.chargeKey, now, (charge) =>
          Effect.succeed({ charge: moved(charge, { type, amount, id: uniqueName("tmv_"), now }), as: undefined })
        )
        return announced(type, [done?.charge ?? known])
      }),
      /**
       * A notice about the newest charges of these checkouts, which are of one store: one names them all. An unsigned
       * one names the first alone.
       */
      notice: Effect.fnUntraced(function* (
        storeId: string,
        checkoutIds: ReadonlyArray<string>,
        kind: "signed" | "unsigned" = "signed"
      ) {
        const found = yield* Effect.forEach(checkoutIds, (checkoutId) => charges.findByCheckout(storeId, checkoutId))
        const known = found.filter((charge) => charge !== undefined)
        return kind === "signed" ? announced("captured", known) : unsignedNotice(known[0]?.id ?? "tch_unknown")
      }),
      /** Somebody charges a card in the company's dashboard, with no key of ours. Returns the notice of it. */
      chargeElsewhere: Effect.fnUntraced(function* (storeId: string, amount: bigint, currency: string) {
        const now = yield* Clock.currentTimeMillis
        const id = makeId("tch", now)
        const waiting = begun({ key: id, checkoutId: id, amount, currency, returnUrl: null }, now)
        const paid = { ...paidBy(waiting, "approve", now), id }
        return announced("captured", [yield* database.write(storeId)(charges.open(storeId, paid))])
      }),
      /** Forgets the keys of all changes of a charge before their time: the same key would do it again. */
      forget: (storeId: string, chargeKey: string) =>
        Effect.asVoid(
          changing(storeId, chargeKey, 0, (charge) =>
            Effect.succeed({
              charge: { ...charge, changes: charge.changes.map((change) => ({ ...change, isForgotten: true })) },
              as: undefined
            })
          )
        ),
      /** From now on no request reaches the company, and it answers none, for as long. Of this process alone. */
      silence: (milliseconds: number) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          silentUntil = now + milliseconds
        })
    }
  })
}) {
  static readonly layer = Layer.effect(TestProvider, TestProvider.make).pipe(Layer.provide(TestChargeRepository.layer))
}

type Begun = Pick<ChargeRequest, "key" | "checkoutId" | "amount" | "currency" | "returnUrl">

/** A charge that waits for the shopper. */
const begun = ({ key, checkoutId, amount, currency, returnUrl }: Begun, now: number): TestCharge => {
  const id = makeId("tch", now)
  return {
    chargeKey: key,
    id,
    checkoutId,
    status: "awaiting_shopper",
    amount,
    currency,
    authorized: 0n,
    captured: 0n,
    refunded: 0n,
    isReleased: false,
    reference: null,
    expiresAt: new Date(now + waitsFor),
    actionUrl: returnUrl === null ? null : actionUrlOf(id, returnUrl),
    reason: null,
    changes: [],
    disputes: [],
    createdAt: new Date(now)
  }
}

const isUnseen = ({ reference, createdAt }: TestCharge, now: number): boolean =>
  reference === "unseen" && now < createdAt.getTime() + testSettling
