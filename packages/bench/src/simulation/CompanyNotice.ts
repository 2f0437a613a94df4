/** What a simulated company sends by itself, and the charge of a stranger that its notices may name. */
import type { Charge } from "@effect-commerce/core/payment/PaymentProvider"
import { shown } from "./CompanyBooks.ts"
import type { CompanyKind } from "./CompanyKinds.ts"

/** A charge of another shop that has the same account: notices name such charges too. */
export const strangersCharge = "a stranger's"
export const stranger = (now: number): Charge =>
  shown(
    {
      id: strangersCharge,
      key: "store_of_somebody_else/order:1",
      amount: 100n,
      currency: "USD",
      visibleAt: now,
      state: "captured",
      authorized: 100n,
      captured: 100n,
      canBeStopped: true,
      isReleased: false,
      refunds: [],
      disputes: [],
      expiresAt: null,
      reason: null
    },
    false
  )

interface NoticeBody {
  readonly event: string
  readonly version: number
  readonly ids: ReadonlyArray<string>
}

export const noticeOf = (kind: CompanyKind, { event, version, ids }: NoticeBody) => ({
  headers: { signature: "right" },
  // Unsigned notices say no more than which charge to look at.
  note: ids.join(" "),
  body: new TextEncoder().encode(JSON.stringify({ event: kind.notices === "signed" ? event : "", version, ids }))
})

export const bodyOf = (body: Uint8Array): NoticeBody => JSON.parse(new TextDecoder().decode(body)) as NoticeBody
