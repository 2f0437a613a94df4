/**
 * The use cases of offers in a cart: add a bundle, take an order bump or an upgrade, remove a bundle. The offer is read
 * with what it offers beside the cart, and all its lines are written in one statement.
 */
import { Effect } from "effect"
import { checkEach } from "../kernel/FieldRejected.ts"
import { makeId } from "../kernel/Ids.ts"
import { CustomerUploads, settledCustomizations } from "../metafield/Customizations.ts"
import { withAdded } from "../offer/AddedLines.ts"
import { BundleOffers } from "../offer/BundleOffers.ts"
import type { OfferedRow, OfferPlace, OfferRow } from "../offer/OfferedRows.ts"
import { withDefaultModifiers } from "../offer/offerViews.ts"
import {
  type AddBundle,
  askedBundle,
  type AskedOffer,
  askedOne,
  inIdOrder,
  lineOffer,
  replacedBy,
  takeable,
  type TakeOffer,
  unsoldOf
} from "../offer/TakenOffer.ts"
import { inStoredOrder } from "../modifier/LineModifiers.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { type CartLine, type CartState, lineIdentity } from "./Cart.ts"
import type { CartAccess } from "./CartAccess.ts"
import { CartItemNotFound, ProductUnavailable } from "./CartErrors.ts"
import { CartOfferRepository } from "./CartOfferRepository.ts"
import { CartRepository } from "./CartRepository.ts"
import { type CartWriting, makeCartWrites } from "./CartWrites.ts"
import { checkBounds, checkLineCount, checkModifiers, checkStock, checkSum } from "./internal/lineChecks.ts"

/** What a line takes from the line that it replaces, or from the request. */
interface Wanted extends Pick<CartLine, "quantity" | "notes" | "metadata"> {
  readonly bundleItemId: string | null
}

interface Adding {
  readonly access: CartAccess
  /** The cart without the line that is replaced. */
  readonly rest: CartState
  readonly gone?: string | undefined
}

export const makeCartOffers = Effect.gen(function* () {
  const repository = yield* CartRepository
  const offerLines = yield* CartOfferRepository
  const offers = yield* BundleOffers
  const uploads = yield* CustomerUploads
  const { write, writeWithoutMoreUnits, removeLines } = yield* makeCartWrites

  const readOffer = (
    store: StoreContext,
    access: CartAccess,
    cartId: string,
    offerId: string,
    chosen: Pick<OfferPlace, "variants" | "variantId">
  ) => {
    const place = { channelId: access.salesChannelId, locale: repository.localeOf(store.id, cartId), ...chosen }
    return (now: Date) => offers.taken(store, place, offerId, now)
  }

  /** A new line of an offer; its price is decided with all lines of the cart. */
  const lineOf = Effect.fnUntraced(function* (
    row: OfferedRow,
    offer: OfferRow,
    { bundleItemId, ...wanted }: Wanted,
    touch: CartWriting
  ) {
    const now = touch.now.getTime()
    const sellable = withDefaultModifiers(row.sellable)
    yield* checkModifiers(sellable)
    const customizing = { store: touch.store, inputs: row.inputs ?? [], given: {}, path: "customizations", now }
    const line = {
      id: makeId("item", now),
      productId: row.productId,
      variantId: row.variantId,
      ...wanted,
      customizations: yield* settledCustomizations(uploads, customizing),
      modifiers: inStoredOrder(sellable.modifiers?.chosen ?? []),
      offer: lineOffer(offer, bundleItemId),
      sellable,
      unitPrice: 0n
    }
    const made: CartLine = { ...line, identity: lineIdentity(line) }
    return made
  })

  /** Adds lines to the cart, or their units to the lines that are the same, and writes them. */
  const added = Effect.fnUntraced(function* (
    cart: CartState,
    lines: ReadonlyArray<CartLine>,
    { access, rest, gone }: Adding,
    touch: CartWriting
  ) {
    const { lines: all, written, more } = withAdded(rest.lines, lines, touch.now.getTime())
    if (more > 0) yield* checkLineCount(rest, access.isStorefront, more)
    const changed: CartState = { ...rest, lines: all }
    for (const line of written) yield* checkBounds({ before: cart, after: changed, line }, access.isStorefront)
    yield* checkSum(changed)
    for (const line of written) yield* checkStock(touch.store, changed, line)
    yield* offerLines.addLines(touch.store.id, cart.id, { lines: written, gone }, touch)
    return changed
  })

  const addBundle = Effect.fn("Carts.addBundle")(function* (
    store: StoreContext,
    access: CartAccess,
    id: string,
    { bundleOfferId, variants = {}, quantity = 1 }: AddBundle
  ) {
    const asked = askedBundle(variants)
    return yield* write(store, access, id, {
      beside: readOffer(store, access, id, bundleOfferId, { variants }),
      change: Effect.fnUntraced(function* (cart: CartState, touch: CartWriting, found: OfferRow | undefined) {
        const offer = yield* takenFrom(cart, found, asked)
        const bundleItemId = makeId("bundle", touch.now.getTime())
        const wanted = { quantity, notes: null, metadata: {}, bundleItemId }
        const lines = yield* checkEach(offer.products, (row) => lineOf(row, offer, wanted, touch))
        return yield* added(cart, inIdOrder(lines), { access, rest: cart }, touch)
      })
    })
  })

  const removeBundle = (store: StoreContext, access: CartAccess, id: string, bundleItemId: string) =>
    writeWithoutMoreUnits(
      store,
      access,
      id,
      Effect.fnUntraced(function* (cart: CartState, touch: CartWriting) {
        const ids = cart.lines.flatMap((line) => (line.offer?.bundleItemId === bundleItemId ? [line.id] : []))
        if (ids.length === 0) return yield* new CartItemNotFound({ id: bundleItemId })
        return yield* removeLines(cart, ids, touch)
      })
    )

  /** Takes an offer of one product: an order bump adds one unit, an upgrade replaces a line and keeps its quantity. */
  const takeOffer = Effect.fnUntraced(function* (
    store: StoreContext,
    access: CartAccess,
    id: string,
    { offerId, variantId = null }: TakeOffer,
    kind: "ORDER_BUMP" | "UPGRADE"
  ) {
    const asked = askedOne(kind)
    return yield* write(store, access, id, {
      beside: readOffer(store, access, id, offerId, { variantId }),
      change: Effect.fnUntraced(function* (cart: CartState, touch: CartWriting, found: OfferRow | undefined) {
        const offer = yield* takenFrom(cart, found, asked)
        const gone = kind === "UPGRADE" ? replacedBy(cart.lines, offer) : undefined
        const { quantity, notes, metadata } = gone ?? { quantity: 1, notes: null, metadata: {} }
        const wanted = { quantity, notes, metadata, bundleItemId: null }
        const lines = yield* checkEach(offer.products, (row) => lineOf(row, offer, wanted, touch))
        const rest = { ...cart, lines: cart.lines.filter((line) => line.id !== gone?.id) }
        return yield* added(cart, lines, { access, rest, gone: gone?.id }, touch)
      })
    })
  })

  return {
    addBundle,
    removeBundle,
    takeOrderBump: (store: StoreContext, access: CartAccess, id: string, input: TakeOffer) =>
      takeOffer(store, access, id, input, "ORDER_BUMP"),
    takeUpgrade: (store: StoreContext, access: CartAccess, id: string, input: TakeOffer) =>
      takeOffer(store, access, id, input, "UPGRADE")
  }
})

/** The offer, if the cart can take it and everything that it offers is sold. */
const takenFrom = Effect.fnUntraced(function* (cart: CartState, found: OfferRow | undefined, asked: AskedOffer) {
  const offer = yield* takeable(new Set(cart.lines.map(({ productId }) => productId)), found, asked)
  const items = unsoldOf(offer).map(({ productId, variantId }) => ({ productId, variantId }))
  return items.length === 0 ? offer : yield* new ProductUnavailable({ items })
})
