/**
 * The use cases of the lines of a cart: add, change, remove, take today's prices. Three statements for any number of
 * lines, one more for the product of a line that is added, and two more where units are held (ON_CART).
 */
import { Effect } from "effect"
import { CustomerUploads, settledCustomizations } from "../metafield/Customizations.ts"
import type { MetafieldsRejected } from "../metafield/MetafieldErrors.ts"
import { makeId } from "../kernel/Ids.ts"
import { pricesNow } from "../offer/OfferTerms.ts"
import { type ChosenModifier, chosenOf, inStoredOrder } from "../modifier/LineModifiers.ts"
import { isSold, lacksVariant, type Sellable, unitPriceAt, type OfferedSellable } from "../pricing/Sellable.ts"
import { SellableRepository } from "../pricing/SellableRepository.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { type CartLine, type CartState, lineIdentity } from "./Cart.ts"
import type { CartAccess } from "./CartAccess.ts"
import { CartItemNotFound, ProductUnavailable } from "./CartErrors.ts"
import type { LineChange, LineInput } from "./CartInput.ts"
import { CartRepository } from "./CartRepository.ts"
import { type CartWriting, makeCartWrites } from "./CartWrites.ts"
import { checkBounds, checkLineCount, checkModifiers, checkStock, checkSum } from "./internal/lineChecks.ts"
import { OpenCheckouts } from "./OpenCheckouts.ts"

/** A line to be added, with the parts of its identity. */
interface Adding {
  readonly access: CartAccess
  readonly input: LineInput
  readonly variantId: string | null
  readonly modifiers: ReturnType<typeof chosenOf> | undefined
}

export const makeCartLines = Effect.gen(function* () {
  const repository = yield* CartRepository
  const sellables = yield* SellableRepository
  const checkouts = yield* OpenCheckouts
  const { write, writeWithoutMoreUnits, removeLines } = yield* makeCartWrites

  const uploads = yield* CustomerUploads

  /** What the shopper fills in for the product, as it is stored; empty for an unknown product. */
  const customized = (
    given: LineInput["customizations"],
    sellable: OfferedSellable | undefined,
    { store, now }: CartWriting
  ): Effect.Effect<Record<string, unknown>, MetafieldsRejected> =>
    sellable === undefined
      ? Effect.succeed({})
      : settledCustomizations(uploads, {
          store,
          inputs: sellable.customerInputs,
          given,
          path: "customizations",
          now: now.getTime()
        })

  const lineAdded = Effect.fnUntraced(function* (
    { access, input, variantId, modifiers }: Adding,
    cart: CartState,
    touch: CartWriting,
    sellable: OfferedSellable | undefined
  ) {
    const extras = {
      metadata: input.metadata ?? {},
      customizations: yield* customized(input.customizations, sellable, touch),
      modifiers: inStoredOrder(sellable?.modifiers?.chosen ?? modifiers ?? [])
    }
    const identity = lineIdentity({ productId: input.productId, variantId, ...extras })
    const present = cart.lines.find((line) => line.identity === identity)
    if (present === undefined) yield* checkLineCount(cart, access.isStorefront)
    if (sellable === undefined || !isSold(sellable, variantId)) {
      return yield* new ProductUnavailable({
        items: [{ productId: input.productId, variantId }],
        ...(sellable !== undefined && lacksVariant(sellable, variantId) ? { needsVariant: true } : {})
      })
    }
    yield* checkModifiers(sellable)
    const now = touch.now.getTime()
    const line: CartLine =
      present === undefined
        ? {
            id: makeId("item", now),
            identity,
            productId: input.productId,
            variantId,
            quantity: input.quantity,
            unitPrice: unitPriceAt(sellable, now),
            notes: input.notes ?? null,
            ...extras,
            offer: null,
            sellable
          }
        : {
            ...present,
            quantity: present.quantity + input.quantity,
            notes: input.notes === undefined ? present.notes : input.notes
          }
    const changed = withLine(cart, line)
    yield* checkBounds({ before: cart, after: changed, line }, access.isStorefront)
    yield* checkSum(changed)
    yield* checkStock(touch.store, changed, line)
    yield* repository.saveLine(touch.store.id, cart.id, { line }, touch)
    return changed
  })

  const addLine = Effect.fn("Carts.addLine")(function* (
    store: StoreContext,
    access: CartAccess,
    id: string,
    input: LineInput
  ) {
    const variantId = input.variantId ?? null
    const modifiers = input.modifiers === undefined ? undefined : chosenOf(input.modifiers)
    const place = { storeId: store.id, channelId: access.salesChannelId, locale: repository.localeOf(store.id, id) }
    const wanted = [{ productId: input.productId, variantId, modifiers }]
    return yield* write(store, access, id, {
      beside: (now) => Effect.map(sellables.find(place, wanted, now), ([first]) => first),
      change: (cart, touch, sellable) => lineAdded({ access, input, variantId, modifiers }, cart, touch, sellable)
    })
  })

  /**
   * Quantity 0 removes the line. A line that becomes equal to another adds its quantity to that line and is removed.
   */
  const changeLine = Effect.fn("Carts.changeLine")(function* (
    store: StoreContext,
    access: CartAccess,
    id: string,
    itemId: string,
    change: LineChange
  ) {
    const { customizations } = change
    const modifiers = change.modifiers === undefined ? undefined : chosenOf(change.modifiers)
    const wanted = (now: Date) =>
      modifiers === undefined && customizations === undefined
        ? Effect.undefined
        : repository.sellableWith(store.id, { cartId: id, itemId, modifiers }, now)
    return yield* write(store, access, id, {
      beside: wanted,
      change: Effect.fnUntraced(function* (cart: CartState, touch: CartWriting, sellable: OfferedSellable | undefined) {
        const present = cart.lines.find((line) => line.id === itemId)
        if (present === undefined) return yield* new CartItemNotFound({ id: itemId })
        if (change.quantity === 0) return yield* removeLines(cart, [itemId], touch)
        const chosen = yield* rechosen(present, sellable, modifiers, touch.now.getTime())
        const edited: CartLine = {
          ...present,
          ...chosen,
          quantity: change.quantity ?? present.quantity,
          notes: change.notes === undefined ? present.notes : change.notes,
          metadata: change.metadata ?? present.metadata,
          customizations:
            customizations === undefined ? present.customizations : yield* customized(customizations, sellable, touch)
        }
        const identity = lineIdentity(edited)
        const { line: settled, gone } = settledLine(cart, { ...edited, identity }, change)
        const rest = gone === undefined ? cart : without(cart, gone)
        const isRechosen = modifiers !== undefined && identity !== present.identity
        const line = isRechosen ? offerPriced(rest, settled, touch.now.getTime()) : settled
        const changed = withLine(rest, line)
        yield* checkBounds({ before: cart, after: changed, line }, access.isStorefront)
        yield* checkSum(changed)
        if (edited.quantity > present.quantity) yield* checkStock(touch.store, changed, line)
        yield* repository.saveLine(store.id, cart.id, { line, gone }, touch)
        if (gone !== undefined) yield* checkouts.follow(store.id, cart.id, { gone, into: line.id })
        return changed
      })
    })
  })

  const removeLine = (store: StoreContext, access: CartAccess, id: string, itemId: string) =>
    writeWithoutMoreUnits(store, access, id, (cart, touch) =>
      cart.lines.some((line) => line.id === itemId)
        ? removeLines(cart, [itemId], touch)
        : Effect.fail(new CartItemNotFound({ id: itemId }))
    )

  const clear = (store: StoreContext, access: CartAccess, id: string) =>
    writeWithoutMoreUnits(store, access, id, (cart, touch) =>
      removeLines(
        cart,
        cart.lines.map((line) => line.id),
        touch
      )
    )

  /** Takes today's prices for every line. */
  const refreshPrices = (store: StoreContext, access: CartAccess, id: string) =>
    writeWithoutMoreUnits(store, access, id, (cart, touch) => {
      const prices = pricesNow(cart.lines, touch.now.getTime())
      const lines = cart.lines.map((line, i) => ({ ...line, unitPrice: prices[i] ?? line.unitPrice }))
      return Effect.as(repository.savePrices(store.id, cart.id, lines, touch), { ...cart, lines })
    })

  return { addLine, changeLine, removeLine, clear, refreshPrices }
})

/**
 * The line with other modifiers, at today's price with them; if the choice is the same as before, the line keeps its
 * price. `sellable` is the line's product as read with the new choice.
 */
const rechosen = Effect.fnUntraced(function* (
  line: CartLine,
  sellable: Sellable | undefined,
  choice: ReadonlyArray<ChosenModifier> | undefined,
  now: number
) {
  if (choice === undefined || sellable === undefined) return {}
  yield* checkModifiers(sellable)
  const modifiers = inStoredOrder(choice)
  const isSame = lineIdentity({ ...line, modifiers }) === lineIdentity(line)
  return { modifiers, sellable, unitPrice: isSame ? line.unitPrice : unitPriceAt(sellable, now) }
})

const withLine = (cart: CartState, line: CartLine): CartState => {
  const at = cart.lines.findIndex((other) => other.id === line.id)
  return { ...cart, lines: at < 0 ? [...cart.lines, line] : cart.lines.with(at, line) }
}

/** A line of an offer at the offer's price of today; any other line as it is. */
const offerPriced = (cart: CartState, line: CartLine, now: number): CartLine => {
  if (line.offer === null) return line
  const { lines } = withLine(cart, line)
  const at = lines.findIndex(({ id }) => id === line.id)
  return { ...line, unitPrice: pricesNow(lines, now)[at] ?? line.unitPrice }
}

const without = (cart: CartState, id: string): CartState => ({
  ...cart,
  lines: cart.lines.filter((line) => line.id !== id)
})

/**
 * A line after an edit. If it has become equal to another line it is merged into that line, which keeps its id and its
 * price.
 */
const settledLine = (
  cart: CartState,
  edited: CartLine,
  { notes }: LineChange
): { readonly line: CartLine; readonly gone?: string } => {
  const same = cart.lines.find((other) => other.id !== edited.id && other.identity === edited.identity)
  if (same === undefined) return { line: edited }
  return {
    line: { ...same, quantity: same.quantity + edited.quantity, notes: notes === undefined ? same.notes : notes },
    gone: edited.id
  }
}
