/** A payment company that does what a test tells it, charge by charge, also what no company should do. */
import { AdditionalProviders } from "@effect-commerce/core/payment/PaymentProviders"
import {
  NoticeRejected,
  PaymentDeclined,
  PaymentFailed,
  PaymentUnanswered
} from "@effect-commerce/core/payment/PaymentErrors"
import type { ChargeFound, PaymentProvider, ProviderNotice } from "@effect-commerce/core/payment/PaymentProvider"
import { Effect } from "effect"

interface Scripted {
  /** `never`: whoever asks after it waits. */
  found: ChargeFound | "never"
  refunded: bigint
}

/** By charge key. */
export const charges = new Map<string, Scripted>()
/** What was asked of it, in order: `void complete:chk_…:2`, `lookup …`, `refund …`. */
export const asked: Array<string> = []

const externalIdOf = (key: string): string => `x-${key}`
/** Reserved, or, with an amount, captured. */
export const found = (key: string, captured = 0n): ChargeFound => ({
  _tag: "Found",
  charge: { state: captured > 0n ? "captured" : "authorized", externalId: externalIdOf(key), captured }
})
export const noticeOf = (
  key: string,
  type: ProviderNotice["type"],
  captured: bigint,
  refunded = 0n
): ProviderNotice => ({
  eventId: `${type}-${key}-${captured}-${refunded}`,
  type,
  chargeKey: key,
  externalId: externalIdOf(key),
  captured,
  refunded,
  reason: null
})

const provider: PaymentProvider = {
  code: "scripted",
  kind: "online",
  testOnly: false,
  authorize: ({ key, reference, amount }) => {
    if (reference === "decline") return Effect.fail(new PaymentDeclined({ reason: "declined" }))
    const outcome =
      reference === "approve"
        ? found(key, amount)
        : reference === "open"
          ? found(key)
          : ({ _tag: "Processing" } as const)
    charges.set(key, { found: outcome, refunded: 0n })
    if (reference === "hang") return Effect.never
    return outcome._tag === "Found"
      ? Effect.succeed(outcome.charge)
      : Effect.fail(new PaymentUnanswered({ reason: "silence" }))
  },
  capture: () => Effect.fail(new PaymentFailed({ reason: "captures by itself" })),
  void: ({ chargeKey }) =>
    Effect.sync(() => {
      asked.push(`void ${chargeKey}`)
      const charge = charges.get(chargeKey)
      if (
        charge !== undefined &&
        charge.found !== "never" &&
        charge.found._tag === "Found" &&
        charge.found.charge.captured === 0n
      )
        charge.found = { _tag: "Declined", reason: "let go" }
    }),
  refund: ({ chargeKey, amount }) =>
    Effect.suspend(() => {
      asked.push(`refund ${chargeKey}`)
      const charge = charges.get(chargeKey)
      const captured =
        charge !== undefined && charge.found !== "never" && charge.found._tag === "Found"
          ? charge.found.charge.captured
          : 0n
      if (charge === undefined || charge.refunded + amount > captured)
        return Effect.fail(new PaymentFailed({ reason: "more than is left" }))
      charge.refunded += amount
      return Effect.succeed({ refunded: charge.refunded })
    }),
  lookup: (_, key) =>
    Effect.suspend(() => {
      asked.push(`lookup ${key}`)
      const outcome = charges.get(key)?.found
      return outcome === "never" ? Effect.never : Effect.succeed(outcome ?? { _tag: "Absent" })
    }),
  readNotice: (_, { body }) =>
    Effect.try({
      try: () => {
        const notice = JSON.parse(Buffer.from(body).toString("utf8")) as ProviderNotice
        return { ...notice, captured: BigInt(notice.captured), refunded: BigInt(notice.refunded) }
      },
      catch: () => new NoticeRejected({ reason: "unreadable" })
    })
}

export const rawOf = (notice: ProviderNotice) => ({
  headers: {},
  body: Buffer.from(JSON.stringify({ ...notice, captured: String(notice.captured), refunded: String(notice.refunded) }))
})

/** For every instance opened afterwards in this process. */
export const addScriptedProvider = (): void =>
  void Object.assign(AdditionalProviders, { defaultValue: () => [provider] })
