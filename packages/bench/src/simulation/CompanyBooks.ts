/**
 * The books of a simulated payment company: what it has reserved, captured and given back, by its own count. It does
 * what it is asked for at most once for each key while it recognises the key, and twice afterwards, which it remembers:
 * a shop that asks again too late is found out. Amounts are minor units.
 */
import type { DeclineCode } from "@effect-commerce/core/payment/DeclineCode"
import type { Charge, ChargeDispute, ChargeRefund, ChargeState } from "@effect-commerce/core/payment/PaymentProvider"

interface BookedRefund extends ChargeRefund {
  status: ChargeRefund["status"]
  /** From when lookups show it. */
  readonly visibleAt: number
}

interface BookedDispute extends ChargeDispute {
  status: ChargeDispute["status"]
}

export interface BookedCharge {
  readonly id: string
  readonly key: string
  readonly amount: bigint
  readonly currency: string
  /** From when lookups show it. */
  readonly visibleAt: number
  state: ChargeState
  authorized: bigint
  captured: bigint
  /** Whether it can be released while the company works on it. */
  readonly canBeStopped: boolean
  /** What was left of the reservation was released. */
  isReleased: boolean
  readonly refunds: Array<BookedRefund>
  readonly disputes: Array<BookedDispute>
  expiresAt: number | null
  reason: DeclineCode | null
}

/** Why the company does not do what it is asked for. */
export type Refusal =
  | { readonly _tag: "Declined"; readonly code: DeclineCode }
  | { readonly _tag: "Failed"; readonly reason: string }

export type Done = { readonly _tag: "Done"; readonly charge: BookedCharge } | Refusal

export interface AskedChange {
  readonly kind: "capture" | "void" | "refund"
  readonly chargeKey: string
  readonly externalId: string
  readonly key: string
  readonly amount: bigint
}

interface KnownKey {
  readonly chargeId: string
  readonly at: number
  readonly visibleAt: number
}

export const refundedOf = ({ refunds }: BookedCharge, ...states: ReadonlyArray<ChargeRefund["status"]>): bigint =>
  refunds.reduce((sum, { amount, status }) => (states.includes(status) ? sum + amount : sum), 0n)

export const isOver = ({ state }: BookedCharge): boolean => state === "failed" || state === "voided"

/** The charge as the company shows it; `now`: what is not visible to lookups yet is left out. */
export const shown = (charge: BookedCharge, redirect: boolean, now = Number.POSITIVE_INFINITY): Charge => ({
  externalId: charge.id,
  key: charge.key,
  state: charge.state,
  amount: charge.amount,
  currency: charge.currency,
  authorized: charge.authorized,
  captured: charge.captured,
  refunds: charge.refunds
    .filter(({ visibleAt }) => visibleAt <= now)
    .map(({ id, key, amount, status }) => ({ id, key, amount, status })),
  disputes: charge.disputes.map((dispute) => ({ ...dispute })),
  expiresAt: charge.expiresAt === null ? null : new Date(charge.expiresAt),
  nextAction:
    charge.state !== "awaiting_shopper"
      ? null
      : redirect
        ? { redirectUrl: `https://company.example/pay/${charge.id}`, clientSecret: null }
        : { redirectUrl: null, clientSecret: `secret_${charge.id}` },
  reason: charge.reason
})

export const makeCompanyBooks = (now: () => number, keyLifetime: number, changed: (charge: BookedCharge) => void) => {
  const charges = new Map<string, BookedCharge>()
  const byId = new Map<string, BookedCharge>()
  const keys = new Map<string, KnownKey>()
  const twice: Array<string> = []
  let refunds = 0

  const touched = (charge: BookedCharge): Done => {
    changed(charge)
    return { _tag: "Done", charge }
  }
  const failed = (reason: string): Refusal => ({ _tag: "Failed", reason })

  const act = {
    capture: (charge: BookedCharge, amount: bigint): Done => {
      if (charge.state !== "authorized" && charge.state !== "captured") return failed(`it is ${charge.state}`)
      if (charge.isReleased || amount > charge.authorized - charge.captured) return failed("more than is reserved")
      charge.captured += amount
      charge.state = "captured"
      if (charge.captured === charge.authorized) charge.expiresAt = null
      return touched(charge)
    },
    void: (charge: BookedCharge, reason: DeclineCode): Done => {
      if (charge.state === "captured" && charge.captured < charge.authorized && !charge.isReleased) {
        charge.isReleased = true
        charge.expiresAt = null
        return touched(charge)
      }
      if (charge.state === "pending" && !charge.canBeStopped) return failed("it is being worked on")
      if (charge.state === "captured" || isOver(charge)) return { _tag: "Done", charge }
      charge.state = "voided"
      charge.reason = reason
      charge.expiresAt = null
      return touched(charge)
    },
    refund: (
      charge: BookedCharge,
      { amount, key, visibleAt, status }: Pick<BookedRefund, "amount" | "key" | "visibleAt" | "status">
    ): Done => {
      if (amount > charge.captured - refundedOf(charge, "pending", "succeeded")) return failed("more than was captured")
      charge.refunds.push({ id: `re_${charge.id}_${++refunds}`, key, amount, status, visibleAt })
      return touched(charge)
    }
  }

  return {
    charges: (): ReadonlyArray<BookedCharge> => [...byId.values()],
    /** Changes that were done twice for one key. */
    twice: (): ReadonlyArray<string> => twice,
    find: ({ key, externalId }: { readonly key: string | null; readonly externalId: string | null }) =>
      (key === null ? undefined : charges.get(key)) ?? (externalId === null ? undefined : byId.get(externalId)),
    /** The charge of a key that exists already. */
    known: (key: string) => charges.get(key),
    open: (charge: BookedCharge): Done => {
      charges.set(charge.key, charge)
      byId.set(charge.id, charge)
      return touched(charge)
    },
    act,
    changed,
    /** Requested by a key. */
    request: (asked: AskedChange, visibleAt: number, refundStatus: ChargeRefund["status"]): Done => {
      const charge = charges.get(asked.chargeKey) ?? byId.get(asked.externalId)
      if (charge === undefined) return failed("there is no such charge")
      const name = `${asked.kind} ${asked.key}`
      const known = keys.get(name)
      if (known !== undefined && now() - known.at < keyLifetime) return { _tag: "Done", charge }
      const done =
        asked.kind === "capture"
          ? act.capture(charge, asked.amount)
          : asked.kind === "void"
            ? act.void(charge, "cancelled")
            : act.refund(charge, { amount: asked.amount, key: asked.key, visibleAt, status: refundStatus })
      if (done._tag !== "Done") return done
      if (known !== undefined && asked.kind !== "void") twice.push(name)
      keys.set(name, { chargeId: charge.id, at: now(), visibleAt })
      return done
    },
    /** What became of a change that was requested by a key; undefined where the company shows no trace of it. */
    changeOf: ({ kind, key, chargeKey, externalId }: AskedChange) => {
      const charge = charges.get(chargeKey) ?? byId.get(externalId)
      if (charge === undefined) return undefined
      if (kind === "refund") {
        const refund = charge.refunds.find((one) => one.key === key && one.visibleAt <= now())
        return refund === undefined ? undefined : { charge, status: refund.status }
      }
      const isReleased = isOver(charge) || charge.isReleased
      if (kind === "void" && isReleased) return { charge, status: "succeeded" as const }
      const known = keys.get(`${kind} ${key}`)
      return known === undefined || known.visibleAt > now() ? undefined : { charge, status: "succeeded" as const }
    }
  }
}
