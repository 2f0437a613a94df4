/** Takes the price of an offer from lines for which it no longer holds. */
import { Effect } from "effect"
import { releasedBy, withoutOffers } from "../offer/ReleasedLines.ts"
import { unitPriceAt } from "../pricing/Sellable.ts"
import { type CartLine, type CartState, lineIdentity } from "./Cart.ts"
import { CartOfferRepository } from "./CartOfferRepository.ts"
import { OpenCheckouts } from "./OpenCheckouts.ts"

/** The line without its offer, at today's price. */
export const ordinaryLine = (line: CartLine, now: number): CartLine => {
  const ordinary = { ...line, offer: null, unitPrice: unitPriceAt(line.sellable, now) }
  return { ...ordinary, identity: lineIdentity(ordinary) }
}

export const makeReleasedOffers = Effect.gen(function* () {
  const repository = yield* CartOfferRepository
  const checkouts = yield* OpenCheckouts

  /** The cart as `change` has written it, with what follows from that; no statement for a cart without offers. */
  return Effect.fnUntraced(function* (storeId: string, before: CartState, changed: CartState, now: number) {
    const released = releasedBy(before.lines, changed.lines)
    if (released.size === 0) return changed
    const ordinary = (line: CartLine) => ordinaryLine(line, now)
    const { lines, changed: written, merged } = withoutOffers(changed.lines, released, ordinary)
    yield* repository.release(storeId, changed.id, { lines: written, gone: merged.map(({ gone }) => gone) })
    yield* Effect.forEach(merged, (item) => checkouts.follow(storeId, changed.id, item), { discard: true })
    return { ...changed, lines }
  })
})
