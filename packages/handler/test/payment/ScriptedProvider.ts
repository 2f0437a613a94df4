/**
 * A payment company that does what a test tells it, charge by charge, also what no company should do. A test sets how
 * a charge stands (`stands`), and sends a notice that names it (`noticeOf`, `rawOf`).
 */
import { PaymentNotices } from "@effect-commerce/core/notice/PaymentNotices"
import {
  NoticeRejected,
  NoticeUnreadable,
  PaymentDeclined,
  PaymentFailed,
  PaymentUnanswered
} from "@effect-commerce/core/payment/PaymentErrors"
import type { Charge, ChargeFound, PaymentProvider } from "@effect-commerce/core/payment/PaymentProvider"
import { Effect } from "effect"
import type { TestCommerce } from "../../src/testing/TestCommerce.ts"

interface Scripted {
  /** `never`: a lookup of it never returns. */
  found: ChargeFound | "never"
  /** As it was requested. */
  readonly requested: Charge
}

/** By charge key. */
export const charges = new Map<string, Scripted>()
/** What was asked of it, in order: `void st_…/complete:chk_…:2`, `lookup …`, `refund …`. */
export const asked: Array<string> = []

/** The key of an attempt to pay for a checkout. */
export const keyIn = (storeId: string, checkoutId: string, attempt = 1): string =>
  `${storeId}/complete:${checkoutId}:${attempt}`

const scriptedOf = (key: string): Scripted => {
  const scripted = charges.get(key)
  if (scripted === undefined) throw new Error(`Nothing was asked for by the key ${key}`)
  return scripted
}
const chargeOf = ({ found, requested }: Scripted): Charge =>
  found !== "never" && found._tag === "Found" ? found.charge : requested

/** How the charge stands from now on: reserved, or with `captured` captured. The rest stays as it was. */
export const stands = (key: string, change: Partial<Charge> = {}): void => {
  const scripted = scriptedOf(key)
  const before = chargeOf(scripted)
  const state = (change.captured ?? before.captured) > 0n ? "captured" : "authorized"
  scripted.found = { _tag: "Found", charge: { ...before, state, authorized: before.amount, ...change } }
}
/** What a lookup says in place of how it stands. */
export const answers = (key: string, found: "never" | "Processing" | "Absent"): void => {
  scriptedOf(key).found = found === "never" ? found : { _tag: found }
}
/** Refunds it in the company's dashboard. */
export const giveBack = (key: string, amount: bigint): void => {
  const { refunds } = chargeOf(scriptedOf(key))
  stands(key, { refunds: [...refunds, { id: `x-refund-${refunds.length}`, key: null, amount, status: "succeeded" }] })
}
/** What the company has refunded. */
export const refundedOf = (key: string): bigint =>
  chargeOf(scriptedOf(key)).refunds.reduce((sum, { amount }) => sum + amount, 0n)

export interface ScriptedNotice {
  readonly eventId: string
  readonly chargeKey: string
  /** Why it cannot be interpreted. */
  readonly unreadable?: string
}

let events = 0
export const noticeOf = (chargeKey: string): ScriptedNotice => ({ eventId: `xev_${events++}`, chargeKey })
export const rawOf = (notice: ScriptedNotice) => ({ headers: {}, body: Buffer.from(JSON.stringify(notice)) })
const parsed = (body: Uint8Array): ScriptedNotice => JSON.parse(Buffer.from(body).toString("utf8"))

const states = { approve: "captured", slow: "captured", open: "authorized", decline: "failed" } as const
const isState = (reference: string | null): reference is keyof typeof states =>
  reference !== null && Object.hasOwn(states, reference)

/** The charge with this key, where the company has anything to change. */
const changeable = (kind: string, key: string) =>
  Effect.suspend(() => {
    asked.push(`${kind} ${key}`)
    const scripted = charges.get(key)
    return scripted === undefined || scripted.found === "never" || scripted.found._tag !== "Found"
      ? Effect.fail(new PaymentUnanswered({ reason: "silence" }))
      : Effect.succeed(scripted.found.charge)
  })

/** What happens while a request waits for the answer about the reference `slow`, which then is as `approve`. */
export const meanwhile = { happens: (): Promise<void> => Promise.resolve() }

/**
 * By its code, `scripted`. References: `approve`, `open`, `decline`, `silence`, `slow`, and `hang`, which never returns.
 */
const scriptedProvider: PaymentProvider = {
  code: "scripted",
  name: "Scripted",
  kind: "card",
  modes: ["test", "live"],
  credentialFields: {},
  keyLifetime: 86_400_000,
  settling: 5_000,
  notices: "signed",
  check: () => Effect.succeed({ account: "", mode: null }),
  authorize: ({ key, reference, amount, currency }) => {
    const state = isState(reference) ? states[reference] : "pending"
    const isReserved = state === "captured" || state === "authorized"
    const requested: Charge = {
      externalId: `x-${key}`,
      key,
      state,
      amount,
      currency,
      authorized: isReserved ? amount : 0n,
      captured: state === "captured" ? amount : 0n,
      refunds: [],
      disputes: [],
      expiresAt: null,
      nextAction: null,
      reason: state === "failed" ? "card_declined" : null
    }
    charges.set(key, {
      found: isState(reference) ? { _tag: "Found", charge: requested } : { _tag: "Processing" },
      requested
    })
    if (reference === "hang") return Effect.never
    if (reference === "slow") return Effect.as(Effect.promise(meanwhile.happens), requested)
    if (state === "failed") return Effect.fail(new PaymentDeclined({ code: "card_declined", reason: "declined" }))
    return isReserved ? Effect.succeed(requested) : Effect.fail(new PaymentUnanswered({ reason: "silence" }))
  },
  capture: () => Effect.fail(new PaymentFailed({ reason: "captures by itself" })),
  void: ({ chargeKey }) =>
    Effect.map(changeable("void", chargeKey), (charge) => {
      if (charge.captured === 0n) stands(chargeKey, { state: "voided", reason: "cancelled" })
      return chargeOf(scriptedOf(chargeKey))
    }),
  refund: ({ chargeKey, key, amount }) =>
    Effect.flatMap(changeable("refund", chargeKey), ({ refunds, captured }) => {
      if (!refunds.some((refund) => refund.key === key)) {
        if (refundedOf(chargeKey) + amount > captured)
          return Effect.fail(new PaymentFailed({ reason: "more than is left" }))
        stands(chargeKey, { refunds: [...refunds, { id: `x-${key}`, key, amount, status: "succeeded" }] })
      }
      return Effect.succeed(chargeOf(scriptedOf(chargeKey)))
    }),
  lookup: (_, { key }) =>
    Effect.suspend(() => {
      asked.push(`lookup ${key}`)
      const outcome = key === null ? undefined : charges.get(key)?.found
      return outcome === "never" ? Effect.never : Effect.succeed(outcome ?? { _tag: "Absent" })
    }),
  lookupChange: () => Effect.succeed({ _tag: "Absent" }),
  verifyNotice: (_, { body }) =>
    Effect.try({
      try: () => ({ eventId: parsed(body).eventId }),
      catch: () => new NoticeRejected({ reason: "unreadable" })
    }),
  readNotice: (_, body) =>
    Effect.suspend(() => {
      const { chargeKey, unreadable } = parsed(body)
      return unreadable === undefined
        ? Effect.succeed([{ key: chargeKey, externalId: null }])
        : Effect.fail(new NoticeUnreadable({ reason: unreadable }))
    })
}

/** Sends a notice to the address of a provider; returns whether everything that follows from it was done. */
export const tell = (
  shop: Pick<TestCommerce, "run">,
  notice: ScriptedNotice,
  providerId = "scripted"
): Promise<boolean> =>
  shop.run(
    PaymentNotices.use(({ receiveAndApply }) =>
      receiveAndApply(providerId, rawOf(notice))
    ) as unknown as Effect.Effect<boolean>
  )

/** For `openTestCommerce` and `createCommerce`. */
export const scriptedPayments = { payments: { providers: [scriptedProvider] } }
