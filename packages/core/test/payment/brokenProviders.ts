/**
 * Mistakes that an adapter of a payment company may have, one for each check of the conformance suite that finds it:
 * the `test` provider with the mistake put in between.
 */
import { Clock, Effect } from "effect"
import { constantTimeEqual } from "../../src/crypto/Hashing.ts"
import { manualProvider } from "../../src/payment/ManualProvider.ts"
import {
  CredentialsRejected,
  NoticeUnreadable,
  PaymentDeclined,
  PaymentFailed,
  PaymentUnanswered
} from "../../src/payment/PaymentErrors.ts"
import type { Charge, ChargeChange, ChargeRefund, PaymentProvider } from "../../src/payment/PaymentProvider.ts"
import { accountOf, secretKey, storeId } from "./testSubject.ts"

type Mistake = (right: PaymentProvider) => Partial<PaymentProvider>

/** The same mistake in every charge that is answered or found. */
const inCharges =
  (mistake: (charge: Charge) => Charge): Mistake =>
  (right) => ({
    authorize: (request) => Effect.map(right.authorize(request), mistake),
    capture: (change) => Effect.map(right.capture(change), mistake),
    void: (change) => Effect.map(right.void(change), mistake),
    refund: (change) => Effect.map(right.refund(change), mistake),
    ...inLookups(mistake)(right)
  })

const inLookups =
  (mistake: (charge: Charge) => Charge): Mistake =>
  (right) => ({
    lookup: (account, name) =>
      Effect.map(right.lookup(account, name), (found) =>
        found._tag === "Found" ? { ...found, charge: mistake(found.charge) } : found
      ),
    lookupChange: (change, kind) =>
      Effect.map(right.lookupChange(change, kind), (found) =>
        "charge" in found ? { ...found, charge: mistake(found.charge) } : found
      )
  })

const inRefunds = (mistake: (refunds: ReadonlyArray<ChargeRefund>) => ReadonlyArray<ChargeRefund>) =>
  inCharges((charge) => ({ ...charge, refunds: mistake(charge.refunds) }))

const withStatus = (status: ChargeRefund["status"]) =>
  inRefunds((refunds) => refunds.map((refund) => ({ ...refund, status })))

/** A key that is new each time: none at all. */
const keyless = () => {
  let n = 0
  return <A extends { readonly key: string }>(asked: A): A => ({ ...asked, key: `${asked.key.slice(0, 240)}:${n++}` })
}
const withoutKey =
  (kind: "capture" | "refund"): Mistake =>
  (right) => {
    const named = keyless()
    return { [kind]: (change: ChargeChange) => right[kind](named(change)) }
  }
const chargingAnew: Mistake = ({ authorize }) => {
  const named = keyless()
  return { authorize: (request) => authorize(named(request)) }
}

/** Says how the charge is, and does nothing. */
const idle =
  ({ lookup }: PaymentProvider) =>
  ({ account, chargeKey, externalId }: ChargeChange): Effect.Effect<Charge, PaymentFailed | PaymentUnanswered> =>
    Effect.flatMap(lookup(account, { key: chargeKey, externalId }), (found) =>
      found._tag === "Found" ? Effect.succeed(found.charge) : Effect.fail(new PaymentFailed({ reason: "none" }))
    )

const bodyOf = (body: Uint8Array): string => Buffer.from(body).toString("utf8")
const oursBy = (externalId: string | null) => `${storeId}/complete:${externalId}:1`
const said =
  (tag: "Done" | "Processing" | "Absent"): Mistake =>
  (right) => ({
    lookupChange: (change) =>
      tag === "Done"
        ? Effect.map(idle(right)(change), (charge) => ({ _tag: tag, charge })).pipe(
            Effect.catchTag("PaymentFailed", () => Effect.succeed({ _tag: "Absent" } as const))
          )
        : Effect.succeed({ _tag: tag })
  })

/** By the name of the check that finds it. */
export const mistakes: Readonly<Record<string, Mistake>> = {
  "describes itself: a code for addresses, modes, and times that fit each other": () => ({ code: "Test Provider" }),
  "says whose account the credentials are, and in which mode": () => ({
    check: () => Effect.succeed({ account: "acct_of_another", mode: "test" })
  }),
  "takes exactly the amount, to the minor unit, in currencies of every number of fraction digits": ({ authorize }) => ({
    authorize: (request) => authorize({ ...request, amount: BigInt(Number(request.amount)) })
  }),
  "keeps our key with the charge, and finds the whole charge by the key, by its own id and by both": ({ lookup }) => ({
    lookup: (account, name) => lookup(account, { ...name, key: name.key ?? "" })
  }),
  "charges once for a key, however often and however much at once it is sent": chargingAnew,
  "makes no second charge for its key when keys of changes would be forgotten": ({ authorize, keyLifetime }) => ({
    authorize: (request) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        authorize({ ...request, key: `${request.key}:${Math.floor(now / keyLifetime)}` })
      )
  }),
  "takes no other amount and no second time under a key that has a charge": ({ authorize }) => ({
    authorize: (request) => authorize({ ...request, key: `${request.key}:${request.amount}` })
  }),
  "makes two charges for two keys, also of one checkout": ({ authorize }) => ({
    authorize: (request) => authorize({ ...request, key: `${request.account.storeId}/${request.checkoutId}` })
  }),
  "keeps keys of 255 characters whole": (right) => ({
    authorize: (request) => right.authorize({ ...request, key: request.key.slice(0, 250) }),
    lookup: (account, name) => right.lookup(account, { ...name, key: name.key?.slice(0, 250) ?? null })
  }),
  "shows a charge to no other account, and lets none move its money": ({ lookup }) => ({
    lookup: (_, name) => lookup(accountOf(storeId), name)
  }),
  "puts no credentials into its answers": ({ refund }) => ({
    refund: (change) => Effect.mapError(refund(change), () => new PaymentFailed({ reason: `401 for ${secretKey}` }))
  }),
  "refunds in parts, each by its id and our key, and never more than was captured": inRefunds((refunds) =>
    refunds.map((refund) => ({ ...refund, key: null }))
  ),
  "refunds once for a key, however often and however much at once it is asked": withoutKey("refund"),
  "lists all refunds of a charge, also when a page of the company's lists holds fewer": inRefunds((refunds) =>
    refunds.slice(-10)
  ),
  "refunds nothing where the amount is not more than zero": ({ refund, lookup }) => ({
    // Without an amount, a company refunds all of it.
    refund: (change) => (change.amount === 0n ? refund({ ...change, amount: 12_345n }) : refund(change)),
    lookup
  }),
  "refunds no more than is left where several refunds come at once": (right) => ({
    // Counts what is left before, and asks then.
    refund: (change) =>
      Effect.flatMap(idle(right)(change), (charge) =>
        Effect.delay(
          Effect.map(right.refund({ ...change, amount: 1n }), () => charge),
          "20 millis"
        )
      )
  }),
  "says the key, the amount and the currency in the answer to a refund too": ({ refund }) => ({
    refund: (change) => Effect.map(refund(change), (charge) => ({ ...charge, amount: change.amount }))
  }),
  "makes two refunds of the same amount where the keys are two": ({ refund }) => ({
    refund: (change) => refund({ ...change, key: `${change.chargeKey}:${change.amount}` })
  }),
  "leaves captured money where it is when it is voided": (right) => ({
    // A company's "cancel" refunds what was captured.
    void: (change) => right.refund({ ...change, amount: 12_345n })
  }),
  "says whether a refund was made, without being asked to make it, also when its key is forgotten": said("Absent"),
  "makes no refund twice that is looked up first, as recovery does, when its key is forgotten": said("Absent"),
  "finds a refund whose answer was lost, and makes no second one for a repeat": withoutKey("refund"),
  "says that a refund is pending, and counts it against what is left": withStatus("succeeded"),
  "says so when a pending refund has succeeded": withStatus("pending"),
  "says so when a pending refund has failed, and can make it again under another key": said("Processing"),
  "keeps a refund that was accepted and failed as failed, never as made": said("Done"),
  "reserves without taking, and captures once for a key, never beyond what is reserved": withoutKey("capture"),
  "captures nothing where the amount is not more than zero": (right) => ({
    capture: (change) => (change.amount === 0n ? right.capture({ ...change, amount: 12_345n }) : right.capture(change))
  }),
  "says until when what it reserved must be captured": inCharges((charge) => ({ ...charge, expiresAt: null })),
  "releases what is reserved, may be told so again, and captures nothing of it afterwards": (right) => ({
    void: (change) =>
      Effect.flatMap(idle(right)(change), (charge) =>
        charge.state === "voided"
          ? Effect.fail(new PaymentFailed({ reason: "It is canceled already" }))
          : right.void(change)
      )
  }),
  "releases the rest of what was captured in part, and leaves the part": (right) => ({
    void: (change) =>
      Effect.flatMap(idle(right)(change), (charge) =>
        charge.captured > 0n ? Effect.succeed(charge) : right.void(change)
      )
  }),
  "refunds nothing of what it has not captured": (right) => ({
    // Refunding what is only reserved releases it.
    refund: (change) =>
      Effect.flatMap(idle(right)(change), (charge) =>
        charge.captured === 0n ? right.void(change) : right.refund(change)
      )
  }),
  "either captures or releases when it is asked for both at once, and says which": (right) => ({
    // Each says what was asked for.
    void: (change) => Effect.map(right.void(change), (charge) => ({ ...charge, state: "voided" })),
    capture: (change) => Effect.catchTag(right.capture(change), "PaymentFailed", () => idle(right)(change))
  }),
  "says whether a capture or a void was done, without being asked to do it": said("Done"),
  "says the key, the amount and the currency in the answers to captures and voids too": ({ capture }) => ({
    capture: (change) => Effect.map(capture(change), (charge) => ({ ...charge, key: change.key }))
  }),
  "finds a void whose answer was lost, and may be told to void again": said("Absent"),
  "finds a capture whose answer was lost, and does not capture again for a repeat": withoutKey("capture"),
  "says of what was reserved and not captured in time that it is released, and captures none of it": inLookups(
    (charge) => ({ ...charge, state: charge.state === "voided" ? "authorized" : charge.state })
  ),
  "waits for the shopper, and says what the shopper does next, also to a repeat and a lookup": inLookups((charge) => ({
    ...charge,
    nextAction: null
  })),
  "ends what waits for the shopper when it is voided": (right) => ({ void: idle(right) }),
  "goes on with a charge that waits when it is requested again with a reference, and makes no second one": ({
    authorize
  }) => ({
    authorize: (request) => authorize(request.reference === null ? request : { ...request, key: `${request.key}:paid` })
  }),
  "says of a charge that the shopper has paid on the provider's page that it is captured": inLookups((charge) => ({
    ...charge,
    state: charge.captured > 0n ? "pending" : charge.state
  })),
  "says of a charge that the shopper did not pay in time that it has failed, for that reason": inLookups((charge) => ({
    ...charge,
    reason: null
  })),
  "takes a payment that is decided later as pending, with nothing captured and nothing to refund": inCharges(
    (charge) => ({ ...charge, state: charge.state === "pending" ? "captured" : charge.state })
  ),
  "either ends a pending payment that is voided, or says that it cannot": (right) => ({ void: idle(right) }),
  "says so when a pending payment has been captured": inLookups((charge) => ({ ...charge, captured: 0n })),
  "says so when a pending payment has failed late, and why": inLookups((charge) => ({
    ...charge,
    state: charge.state === "failed" ? "pending" : charge.state
  })),
  "declines without charging, the same way for a repeat, in the common words: card_declined": ({ authorize }) => ({
    authorize: (request) =>
      Effect.catchTag(authorize(request), "PaymentDeclined", ({ reason }) => Effect.fail(new PaymentFailed({ reason })))
  }),
  ...Object.fromEntries(
    ["insufficient_funds", "expired_card", "suspected_fraud"].map((code): [string, Mistake] => [
      `declines without charging, the same way for a repeat, in the common words: ${code}`,
      ({ authorize }) => ({
        authorize: (request) =>
          Effect.mapError(authorize(request), (error) =>
            error._tag === "PaymentDeclined" ? new PaymentDeclined({ ...error, code: "card_declined" }) : error
          )
      })
    ])
  ),
  "refuses a reference that it does not know, and charges nothing": ({ authorize }) => ({
    authorize: (request) =>
      authorize({ ...request, reference: request.reference?.includes(" ") === true ? null : request.reference })
  }),
  "charges nothing where the reference for a charge that waits for the shopper is declined": (right) => ({
    // Says how the charge is, which the card has not changed.
    authorize: (request) =>
      Effect.catchTag(right.authorize(request), "PaymentDeclined", () =>
        Effect.orDie(
          idle(right)({ account: request.account, chargeKey: request.key, externalId: "", key: "", amount: 0n })
        )
      )
  }),
  "fails without charging, the same way for a repeat": ({ authorize }) => ({
    authorize: (request) =>
      Effect.mapError(authorize(request), (error) =>
        error._tag === "PaymentFailed" ? new PaymentUnanswered({ reason: error.reason }) : error
      )
  }),
  "says that it does not know when no answer came, never that nothing was done": ({ authorize }) => ({
    authorize: (request) => Effect.mapError(authorize(request), (error) => new PaymentFailed({ reason: error.reason }))
  }),
  "finds a charge whose answer was lost by our key, and makes no second one for a repeat": chargingAnew,
  "shows every charge to lookups when its settling time has passed": () => ({ settling: 1_000 }),
  "tells of refunds that the merchant made in the dashboard, with no key, beside ours with its key": inRefunds(
    (refunds) => refunds.filter(({ key }) => key !== null)
  ),
  "takes back a refund that had succeeded when the bank returns it": withStatus("succeeded"),
  "tells of a dispute with its sum, and keeps what was captured and refunded as it is": inLookups((charge) => ({
    ...charge,
    captured: charge.captured - charge.disputes.reduce((sum, { amount }) => sum + amount, 0n)
  })),
  ...Object.fromEntries(
    ["won", "lost"].map((end): [string, Mistake] => [
      `tells how a dispute has ended: ${end}`,
      inLookups((charge) => ({
        ...charge,
        disputes: charge.disputes.map((dispute) => ({ ...dispute, status: "open" }))
      }))
    ])
  ),
  "names in a notice the charge that something has happened to": () => ({ readNotice: () => Effect.succeed([]) }),
  "gives the same name and the same charges to a notice that is sent twice": ({ verifyNotice }) => {
    let n = 0
    return {
      verifyNotice: (account, raw) => Effect.map(verifyNotice(account, raw), () => ({ eventId: `received_${n++}` }))
    }
  },
  "gives two events two names, where it has names": ({ verifyNotice }) => ({
    verifyNotice: (account, raw) => Effect.as(verifyNotice(account, raw), { eventId: "charge.refunded" })
  }),
  "says of a body that it does not know that it is unreadable, and never breaks": () => ({
    readNotice: (_, body) => Effect.sync(() => JSON.parse(bodyOf(body)).charges)
  }),
  "names every charge of a notice about several": ({ readNotice }) => ({
    readNotice: (account, body) => Effect.map(readNotice(account, body), (names) => names.slice(0, 1))
  }),
  "names nothing of ours in a notice about a charge that is not of this installation": ({ readNotice }) => ({
    readNotice: (account, body) =>
      Effect.map(readNotice(account, body), (names) =>
        names.map(({ key, externalId }) => ({ key: key ?? oursBy(externalId), externalId }))
      )
  }),
  "says that it could not ask, where it asks the company what a notice is about": (right) => ({
    readNotice: (account, body) =>
      right.check(null).pipe(
        Effect.mapError(({ reason }) => new NoticeUnreadable({ reason })),
        Effect.andThen(right.readNotice(account, body))
      )
  }),
  "believes a notice by its signature over the exact bytes alone": ({ verifyNotice }) => ({
    verifyNotice: (account, raw) =>
      verifyNotice(account, { ...raw, body: Buffer.from(bodyOf(raw.body).trim(), "utf8") })
  }),
  "rejects a notice that is signed with another secret": () => ({
    verifyNotice: (_, { headers }) =>
      constantTimeEqual(headers["x-test-signature"] ?? "", "") ? Effect.die("none") : Effect.succeed({ eventId: "e" })
  }),
  "says of everything that it has no answer while the company cannot be reached, and then knows it all": ({
    lookup
  }) => ({
    lookup: (account, name) => Effect.catch(lookup(account, name), () => Effect.succeed({ _tag: "Absent" } as const))
  }),
  "never takes for an answer about a charge what is none: too many requests": ({ lookupChange }) => ({
    lookupChange: (change, kind) =>
      Effect.catch(lookupChange(change, kind), () => Effect.succeed({ _tag: "Absent" } as const))
  }),
  "knows nothing of a key or an id that it never got": ({ lookup }) => ({
    lookup: (account, name) =>
      Effect.map(lookup(account, name), (found) => (found._tag === "Absent" ? { _tag: "Processing" } : found))
  }),
  "gives no key of ours to a charge that somebody else has made with the account": inLookups((charge) => ({
    ...charge,
    key: charge.key ?? oursBy(charge.externalId)
  }))
}

/** Those of a provider whose stores have accounts of their own. */
export const credentialMistakes: Readonly<Record<string, Mistake>> = {
  "rejects credentials that the company does not accept, and repeats none of them": () => ({
    check: () => Effect.fail(new CredentialsRejected({ field: null, reason: "sk_test_that_was_revoked is not valid" }))
  }),
  "says with credentials that were revoked that it cannot look, never that a charge is absent": ({ lookup }) => ({
    lookup: (account, name) => Effect.catch(lookup(account, name), () => Effect.succeed({ _tag: "Absent" } as const))
  }),
  "reaches the same account and its charges with rotated credentials": ({ lookup }) => ({
    lookup: (account, name) =>
      account.credentials.length > 1 ? Effect.succeed({ _tag: "Absent" }) : lookup(account, name)
  }),
  "rejects for one account a notice that was signed for another": ({ verifyNotice }) => ({
    verifyNotice: (_, raw) => verifyNotice(accountOf(storeId), raw)
  }),
  "believes notices by the old and the new credentials while they are rotated, then by the new alone": ({
    verifyNotice
  }) => ({
    verifyNotice: (account, raw) => verifyNotice({ ...account, credentials: account.credentials.slice(0, 1) }, raw)
  })
}

/** Of one whose notices are unsigned. */
export const unsignedMistakes: Readonly<Record<string, Mistake>> = {
  "takes from an unsigned notice a name to look up, and from a made-up one none of our charges": ({ readNotice }) => ({
    readNotice: (account, body) =>
      Effect.map(readNotice(account, body), (names) =>
        names.map(({ externalId }) => ({ key: oursBy(externalId), externalId }))
      )
  })
}

/** Of one whose money is moved by hand. */
export const manualMistakes: Readonly<Record<string, Mistake>> = {
  "leaves the whole amount open, and moves no money by itself": () => ({
    authorize: (request) =>
      Effect.map(manualProvider.authorize(request), (charge) => ({ ...charge, captured: request.amount }))
  })
}
