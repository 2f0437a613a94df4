/**
 * A simulated payment company and the adapter that a shop reaches it by. Its own books are right; it decides late, what
 * shoppers and merchants do there happens beside, notices of it are left to `send`, and what goes wrong between it and
 * the shop is in `CompanyWire.ts`.
 */
import type { DeclineCode } from "@effect-commerce/core/payment/DeclineCode"
import {
  NoticeRejected,
  NoticeUnreadable,
  PaymentDeclined,
  PaymentFailed
} from "@effect-commerce/core/payment/PaymentErrors"
import type {
  ChangeFound,
  ChangeKind,
  Charge,
  ChargeChange,
  ChargeFound,
  ChargeName,
  ChargeRequest,
  PaymentProvider
} from "@effect-commerce/core/payment/PaymentProvider"
import { Effect } from "effect"
import type { Random } from "../proof/Random.ts"
import { type BookedCharge, type Done, isOver, makeCompanyBooks, refundedOf, shown } from "./CompanyBooks.ts"
import type { CompanyKind } from "./CompanyKinds.ts"
import { bodyOf, stranger, strangersCharge } from "./CompanyNotice.ts"
import { openCompanyWire } from "./CompanyWire.ts"
import type { SimulatedTime } from "./SimulatedTime.ts"

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]

export interface Notice {
  readonly code: string
  readonly ids: ReadonlyArray<string>
  /** Whether the company sends it until it is taken in: of a charge that was final nobody learns by looking. */
  readonly isSure: boolean
}

export interface CompanyWorld {
  readonly time: SimulatedTime
  readonly random: Random
  /** Whether everything arrives at once. */
  readonly isCalm: () => boolean
  readonly note: (line: string) => void
  readonly count: (what: string) => void
  readonly send: (notice: Notice) => void
}

export const openCompany = (kind: CompanyKind, { time, random, isCalm, note, count, send }: CompanyWorld) => {
  let made = 0
  let isNews = false
  /** Something is begun at the company itself, when the charge may be over for the shop. */
  const asNews = (work: () => void): void => {
    isNews = true
    work()
    isNews = false
  }
  const books = makeCompanyBooks(time.now, kind.keyLifetime, (charge) => changed(charge))
  const later = (least: number, most: number, work: () => void): void =>
    void time.at(time.now() + random.between(least, most), work)

  /** What happens to the charge by and by, whoever asks. */
  const goOn = (charge: BookedCharge): void => {
    const { expiresAt } = charge
    if (expiresAt !== null && (charge.state === "authorized" || charge.state === "awaiting_shopper"))
      time.at(expiresAt, () => {
        if (charge.expiresAt !== expiresAt) return
        if (charge.state === "awaiting_shopper") become(charge, "failed", "expired")
        else if (charge.state === "authorized") books.act.void(charge, "expired")
        else if (charge.state === "captured") books.act.void(charge, "expired")
      })
    if (charge.state === "pending")
      later(minute, random.chance(0.2) ? 4 * day : 2 * hour, () => {
        if (charge.state !== "pending") return
        if (random.chance(0.3)) become(charge, "failed", "card_declined")
        else pay(charge, "approve")
      })
    if (charge.state === "authorized" && random.chance(0.4))
      later(minute, 3 * day, () => {
        if (charge.state === "authorized" && random.chance(0.8)) books.act.capture(charge, charge.authorized)
        else if (charge.state === "authorized") books.act.void(charge, "cancelled")
      })
    if (charge.state === "captured" && random.chance(0.12))
      later(minute, 2 * day, () => {
        const left = charge.captured - refundedOf(charge, "pending", "succeeded")
        if (left === 0n) return
        const amount = random.chance(0.5) ? left : (left + 1n) / 2n
        note(`${charge.id}: ${amount} is refunded in the dashboard`)
        asNews(() => refund(charge, amount, null, time.now()))
      })
    if (charge.state === "captured" && random.chance(0.06)) later(hour, 2 * day, () => asNews(() => dispute(charge)))
  }

  const dispute = (charge: BookedCharge): void => {
    const opened = {
      id: `dp_${charge.id}_${charge.disputes.length}`,
      amount: charge.captured,
      status: "open" as "open" | "won" | "lost",
      reason: "fraudulent",
      dueAt: new Date(time.now() + 7 * day)
    }
    charge.disputes.push(opened)
    count("disputes")
    note(`${charge.id}: a dispute is opened`)
    changed(charge)
    later(day, 6 * day, () => {
      opened.status = random.chance(0.5) ? "won" : "lost"
      changed(charge)
    })
  }

  const { call, silence, speak } = openCompanyWire(kind, { time, random, isCalm, note, count })
  const states = new Map<string, string>()
  /** Tells the shop, and goes on where the state is a new one. */
  const changed = (charge: BookedCharge): void => {
    send({ code: kind.code, ids: [charge.id], isSure: isNews })
    if (states.get(charge.id) === charge.state) return
    states.set(charge.id, charge.state)
    count(charge.state)
    note(`${charge.id} is ${charge.state}${charge.reason === null ? "" : ` (${charge.reason})`}`)
    goOn(charge)
  }
  const become = (charge: BookedCharge, state: BookedCharge["state"], reason: DeclineCode | null): void => {
    charge.state = state
    charge.reason = reason
    if (state !== "authorized" && state !== "awaiting_shopper") charge.expiresAt = null
    changed(charge)
  }

  const pay = (charge: BookedCharge, reference: string): Done => {
    if (reference === "decline") {
      become(charge, "failed", "card_declined")
      return { _tag: "Declined", code: "card_declined" }
    }
    if (reference === "pend") become(charge, "pending", null)
    else {
      charge.authorized = charge.amount
      if (kind.isAutomatic) {
        charge.captured = charge.amount
        become(charge, "captured", null)
      } else {
        charge.expiresAt = time.now() + 7 * day
        become(charge, "authorized", null)
      }
    }
    return { _tag: "Done", charge }
  }

  const refund = (charge: BookedCharge, amount: bigint, key: string | null, visibleAt: number): void => {
    books.act.refund(charge, { amount, key, visibleAt, status: refundStatus() })
    watchRefunds(charge)
  }
  const refundStatus = () => (random.chance(0.4) ? ("pending" as const) : ("succeeded" as const))
  const watchRefunds = (charge: BookedCharge): void => {
    const last = charge.refunds.at(-1)
    if (last?.status !== "pending") return
    later(minute, 2 * day, () => {
      last.status = random.chance(isCalm() ? 0.05 : 0.2) ? "failed" : "succeeded"
      note(`${charge.id}: the refund ${last.id} has ${last.status}`)
      count(`refunds ${last.status} late`)
      changed(charge)
    })
  }

  const authorize = (request: ChargeRequest, visibleAt: number): Done => {
    const { key, amount, currency, reference } = request
    const known = books.known(key)
    if (known?.state === "awaiting_shopper" && reference !== null) return pay(known, reference)
    if (known !== undefined)
      return known.state === "failed" ? { _tag: "Declined", code: known.reason ?? "card_declined" } : done(known)
    if (reference === "error") return { _tag: "Failed", reason: "the company has a bad day" }
    const charge: BookedCharge = {
      id: `${kind.code}_${++made}`,
      key,
      amount,
      currency,
      visibleAt,
      state: "awaiting_shopper",
      authorized: 0n,
      captured: 0n,
      canBeStopped: random.chance(0.5),
      isReleased: false,
      refunds: [],
      disputes: [],
      expiresAt: time.now() + hour,
      reason: null
    }
    const opened = books.open(charge)
    return reference === null || reference === "act" ? opened : pay(charge, reference)
  }
  const done = (charge: BookedCharge): Done => ({ _tag: "Done", charge })

  const isRedirect = kind.kind === "redirect"
  const answerOf = (outcome: Done): Effect.Effect<Charge, PaymentDeclined | PaymentFailed> => {
    if (outcome._tag === "Done") return Effect.succeed(shown(outcome.charge, isRedirect))
    return outcome._tag === "Declined"
      ? Effect.fail(new PaymentDeclined({ code: outcome.code, reason: "the bank has declined" }))
      : Effect.fail(new PaymentFailed({ reason: outcome.reason }))
  }

  const change = (isAlive: () => boolean, kindOf: ChangeKind) => (asked: ChargeChange) =>
    call(isAlive, `${kindOf} ${asked.amount} of ${asked.externalId} by ${asked.key}`, (visibleAt) => {
      const outcome = books.request({ ...asked, kind: kindOf }, visibleAt, refundStatus())
      if (outcome._tag === "Done" && kindOf === "refund") watchRefunds(outcome.charge)
      return outcome._tag === "Declined"
        ? Effect.die("a change is not declined")
        : (answerOf(outcome) as Effect.Effect<Charge, PaymentFailed>)
    })

  const lookup = (name: ChargeName): ChargeFound => {
    if (name.externalId === strangersCharge) return { _tag: "Found", charge: stranger(time.now()) }
    const charge = books.find(name)
    if (charge === undefined || charge.visibleAt > time.now()) return { _tag: "Absent" }
    return { _tag: "Found", charge: shown(charge, isRedirect, time.now()) }
  }
  const lookupChange = (asked: ChargeChange, kindOf: ChangeKind): ChangeFound => {
    const found = books.changeOf({ ...asked, kind: kindOf })
    if (found === undefined) return { _tag: "Absent" }
    const charge = shown(found.charge, isRedirect, time.now())
    if (found.status === "pending") return { _tag: "Processing" }
    return found.status === "failed" ? { _tag: "Failed", reason: "refused", charge } : { _tag: "Done", charge }
  }

  return {
    kind,
    books,
    silence,
    speak,
    /** A shopper pays, or gives up, on the company's page. */
    shopperActs: (id: string, act: "pays" | "pends" | "cancels"): void => {
      const charge = books.find({ key: null, externalId: id })
      if (charge?.state !== "awaiting_shopper") return
      if (act === "cancels") become(charge, "failed", "cancelled")
      else pay(charge, act === "pays" ? "approve" : "pend")
    },
    isOver,
    /** A person gives back, in the company's dashboard, what is left of a charge. Returns whether there was anything. */
    giveBack: (charge: BookedCharge): boolean => {
      const amount = charge.captured - refundedOf(charge, "pending", "succeeded")
      if (amount === 0n) return false
      note(`${charge.id}: a person gives ${amount} back`)
      asNews(() => books.act.refund(charge, { amount, key: null, visibleAt: time.now(), status: "succeeded" }))
      return true
    },
    /**
     * What a process calls. A release that is older than the one that has written a notice cannot read it.
     */
    adapter: (isAlive: () => boolean, newestNotice: number): Omit<PaymentProvider, "code"> => ({
      name: kind.code,
      kind: kind.kind,
      modes: ["test", "live"],
      credentialFields: {},
      keyLifetime: kind.keyLifetime,
      settling: kind.settling,
      notices: kind.notices,
      check: () => Effect.succeed({ account: "", mode: null }),
      authorize: (request) =>
        call(isAlive, `authorize ${request.amount} by ${request.reference} (${request.key.slice(-2)})`, (visibleAt) =>
          answerOf(authorize(request, visibleAt))
        ),
      capture: change(isAlive, "capture"),
      void: change(isAlive, "void"),
      refund: change(isAlive, "refund"),
      lookup: (_, name) =>
        call(isAlive, `lookup ${name.externalId ?? name.key?.slice(-2)}`, () => Effect.sync(() => lookup(name))),
      lookupChange: (asked, kindOf) =>
        call(isAlive, `lookup ${kindOf} ${asked.key}`, () => Effect.sync(() => lookupChange(asked, kindOf))),
      verifyNotice: (_, { headers, body }) =>
        kind.notices === "unsigned"
          ? Effect.succeed({ eventId: null })
          : headers["signature"] === "right"
            ? Effect.succeed({ eventId: bodyOf(body).event })
            : Effect.fail(new NoticeRejected({ reason: "the signature is wrong" })),
      readNotice: (_, body) => {
        const { version, ids } = bodyOf(body)
        return version > newestNotice
          ? Effect.fail(new NoticeUnreadable({ reason: "written for a later release", isNewer: true }))
          : Effect.succeed(ids.map((externalId) => ({ key: null, externalId })))
      }
    })
  }
}

export type Company = ReturnType<typeof openCompany>
