/**
 * How gift cards pay for orders: what a checkout's cards offer to a quote, how a completion holds and spends them, and
 * how refunds give back.
 * The row of the card is the lock: it is locked before what is held is read, by holds and by payments alike.
 */
import { Clock, Effect } from "effect"
import { TenderShort } from "../claim/ClaimErrors.ts"
import type { Claim, ClaimKind } from "../claim/ClaimKind.ts"
import { lockThenRead } from "../database/Repository.ts"
import { makeId } from "../kernel/Ids.ts"
import { formatMoney } from "../kernel/Money.ts"
import type { NotApplied } from "../pricing/Adjustment.ts"
import { type AdjustmentSource, nothingLoaded, type OfferedTender } from "../pricing/AdjustmentSource.ts"
import { type GiftCardState, giftCardStatusAt } from "./GiftCard.ts"
import { GiftCardHoldRepository, type PayableCard } from "./GiftCardHoldRepository.ts"
import { GiftCardRepository } from "./GiftCardRepository.ts"

/** The kind of tenders and claims that are gift cards. */
export const giftCardKind = "gift_card"

/** Why a card pays nothing, one of `notAppliedReasons`; undefined where it pays. */
const missOf = (card: PayableCard | undefined, currency: string, now: number): string | undefined => {
  if (card === undefined || card.currency !== currency) return "unknown"
  switch (giftCardStatusAt(card, now)) {
    case "DISABLED":
      return "not_active"
    case "EXPIRED":
      return "expired"
    default:
      return card.balance > card.heldByOthers ? undefined : "exhausted"
  }
}

const nameOf = (card: PayableCard | undefined): string =>
  card === undefined ? "Gift card" : `Gift card ending in ${card.codeLast4}`

/** What the merchant has to know of money that went back to a card which nobody can pay with. */
const unusable = (
  { codeLast4, currency }: Pick<GiftCardState, "codeLast4" | "currency">,
  status: "DISABLED" | "EXPIRED",
  amount: bigint
): string =>
  `${formatMoney(amount, currency)} went back to the gift card ending in ${codeLast4}, which is ` +
  (status === "DISABLED" ? "disabled" : "expired")

/** The cards that were entered for a checkout, by one statement; each pays with what others do not hold of it. */
export const giftCardTenders = Effect.gen(function* () {
  const holds = yield* GiftCardHoldRepository
  const source: AdjustmentSource = {
    load: (store, { tenders = [], currency, holderId = null }) => {
      const entered = tenders.filter(({ kind }) => kind === giftCardKind)
      if (entered.length === 0) return nothingLoaded
      return Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const ids = entered.map(({ sourceId }) => sourceId)
        const cards = yield* holds.payable(store.id, ids, { holderId, now: new Date(now) })
        const offered: Array<OfferedTender> = []
        const notApplied: Array<NotApplied> = []
        for (const { id: tenderId, sourceId } of entered) {
          const card = cards.get(sourceId)
          const reason = missOf(card, currency, now)
          const facts = { kind: giftCardKind, sourceId }
          if (reason !== undefined || card === undefined) {
            const name = nameOf(card)
            notApplied.push({ ...facts, name, code: null, reason: reason ?? "unknown", lostTo: [] })
            continue
          }
          const free = card.balance - card.heldByOthers
          const pay = (due: bigint) => (due < free ? due : free)
          offered.push({ ...facts, tenderId, codeLast4: card.codeLast4, reason: nameOf(card), pay })
        }
        return { tenders: offered, notApplied }
      })
    }
  }
  return source
}).pipe(Effect.provide(GiftCardHoldRepository.layer))

/** How orders claim money of gift cards. */
export const giftCardClaims = Effect.gen(function* () {
  const cards = yield* GiftCardRepository
  const holds = yield* GiftCardHoldRepository

  /**
   * Locks the card. Fails where its balance, less what others hold, is too small, or where it cannot be used: what the
   * checkout holds already can be spent all the same, unless `isNew`.
   */
  const check = Effect.fnUntraced(function* (storeId: string, claim: Claim, isNew: boolean) {
    const { sourceId, holderId, amount, currency, now } = claim
    const reading = holds.held(storeId, sourceId, { holderId, now })
    const [card, { own, others }] = yield* lockThenRead(cards.lock(storeId, sourceId), reading)
    const isPromised = !isNew && own >= amount
    const isShort =
      card === undefined ||
      card.currency !== currency ||
      card.balance - others < amount ||
      !(isPromised || giftCardStatusAt(card, now.getTime()) === "ACTIVE")
    if (isShort) return yield* new TenderShort({ kind: giftCardKind, sourceId })
  })

  const kind: ClaimKind = {
    kind: giftCardKind,
    hold: (store, hold) => Effect.andThen(check(store.id, hold, true), holds.hold(store.id, hold)),
    spend: Effect.fnUntraced(function* (store, spending) {
      const { sourceId, holderId, amount, orderId, now } = spending
      yield* check(store.id, spending, false)
      const id = makeId("gct", now.getTime())
      const entry = { id, type: "REDEEM", amount: -amount, orderId, reason: null, now } as const
      if (!(yield* cards.move(store.id, sourceId, entry)))
        return yield* new TenderShort({ kind: giftCardKind, sourceId })
      yield* holds.end(store.id, sourceId, holderId)
    }),
    release: (store, holderId) => holds.release(store.id, holderId),
    giveBack: Effect.fnUntraced(function* (store, { sourceId, amount, currency, orderId, reason, now }) {
      if (amount === 0n) return null
      const card = yield* cards.lock(store.id, sourceId)
      const id = makeId("gct", now.getTime())
      const isBooked =
        card?.currency === currency &&
        (yield* cards.move(store.id, sourceId, { id, type: "REFUND", amount, orderId, reason, now }))
      if (!isBooked) return yield* Effect.die(new Error(`There is no gift card ${sourceId} to give back to`))
      const status = giftCardStatusAt(card, now.getTime())
      return status === "DISABLED" || status === "EXPIRED" ? unusable(card, status, amount) : null
    })
  }
  return kind
}).pipe(Effect.provide([GiftCardRepository.layer, GiftCardHoldRepository.layer]))
