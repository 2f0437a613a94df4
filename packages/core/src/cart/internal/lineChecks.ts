/** Checks of a line before it is written into a cart. Pure: each returns its error, or nothing. */
import { Effect } from "effect"
import { shortLines } from "../../inventory/SoldLines.ts"
import { stockKeyOf } from "../../kernel/Availability.ts"
import { isStorableMoney } from "../../kernel/Money.ts"
import { maxLineQuantity, subtotalOf } from "../../pricing/Quote.ts"
import { modifierErrors, ModifiersInvalid } from "../../modifier/LineModifiers.ts"
import type { Sellable } from "../../pricing/Sellable.ts"
import { soldLines, unitsOf } from "../../pricing/SellableStock.ts"
import type { StoreContext } from "../../store/StoreContext.ts"
import { FieldRejected } from "../../kernel/FieldRejected.ts"
import type { CartLine, CartState } from "../Cart.ts"
import {
  cartExtraBytes,
  largerExtra,
  largestExtra,
  lineExtraBytes,
  maxAdminExtras,
  maxCartLines,
  maxLineExtras,
  maxStorefrontExtras,
  maxStorefrontLines
} from "../CartBounds.ts"
import { CartLineLimitReached, CartStockInsufficient } from "../CartErrors.ts"
import { ownUnits } from "../CartView.ts"

/** Whether this number of lines can be added: a storefront's cart has at most 50. */
export const checkLineCount = (
  cart: CartState,
  isStorefront: boolean,
  more = 1
): Effect.Effect<void, CartLineLimitReached | FieldRejected> => {
  if (isStorefront && cart.lines.length + more > maxStorefrontLines)
    return Effect.fail(new CartLineLimitReached({ maxLines: maxStorefrontLines }))
  return cart.lines.length + more <= maxCartLines
    ? Effect.void
    : FieldRejected.at("productId", `a cart holds at most ${maxCartLines} different lines`)
}

/**
 * The limits of the data that a line carries, and that all lines carry together. A cart that exceeds the second already
 * may be changed as long as it does not grow.
 */
export const checkBounds = (
  { before, after, line }: { readonly before: CartState; readonly after: CartState; readonly line: CartLine },
  isStorefront: boolean
): Effect.Effect<void, FieldRejected> => {
  if (line.quantity > maxLineQuantity)
    return FieldRejected.at("quantity", `a line has at most ${maxLineQuantity} units`)
  const bytes = lineExtraBytes(line)
  if (bytes === 0 && line.modifiers.length === 0) return Effect.void
  if (bytes > maxLineExtras)
    return FieldRejected.at(
      largerExtra(line),
      `metadata and customizations of a line are at most ${maxLineExtras} bytes as JSON`
    )
  const most = isStorefront ? maxStorefrontExtras : maxAdminExtras
  const all = cartExtraBytes(after.lines)
  if (all <= most || all <= cartExtraBytes(before.lines)) return Effect.void
  const why = `metadata, customizations and modifiers of all lines are at most ${most} bytes as JSON`
  return FieldRejected.at(largestExtra(line), why)
}

/**
 * Whether there is stock for a line. Lines that differ only in their metadata are sold from the same stock, so their
 * sum counts. A kit is sold from the stock of its components, so what other lines take of them counts too. Under
 * ON_CART nothing is checked here: the ledger does it when `CartWrites` has it hold the units, after it has released
 * expired reservations.
 */
export const checkStock = (
  store: StoreContext,
  cart: CartState,
  line: CartLine
): Effect.Effect<void, CartStockInsufficient> => {
  if (store.reservationStrategy === "ON_CART") return Effect.void
  // The changed line is checked last, against what the other lines leave: the error names the line whose quantity was
  // raised.
  const others = cart.lines.filter((other) => stockKeyOf(other) !== stockKeyOf(line))
  const same = cart.lines.filter((other) => stockKeyOf(other) === stockKeyOf(line))
  const [short] = shortLines(soldLines([...others, ...same]), unitsOf(cart.lines, ownUnits(cart))).filter(
    (item) => stockKeyOf(item) === stockKeyOf(line)
  )
  return short === undefined
    ? Effect.void
    : Effect.fail(new CartStockInsufficient({ available: short.available, requested: short.requested }))
}

/** Rejects a cart that costs more than an order can. */
export const checkSum = (cart: CartState): Effect.Effect<void, FieldRejected> =>
  isStorableMoney(subtotalOf(cart.lines))
    ? Effect.void
    : FieldRejected.at("quantity", "makes the cart cost more than an order can")

/** Rejects modifiers that do not fit the groups of the product. */
export const checkModifiers = ({ modifiers }: Sellable): Effect.Effect<void, ModifiersInvalid> => {
  const errors = modifiers === null ? [] : modifierErrors(modifiers)
  return errors.length === 0 ? Effect.void : Effect.fail(new ModifiersInvalid({ errors }))
}
