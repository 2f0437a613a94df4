/**
 * Whether lines can still be bought as they were chosen; asked when a checkout is made and when it is completed. Pure.
 */
import { Effect } from "effect"
import { ProductUnavailable } from "../cart/CartErrors.ts"
import { modifierErrors, ModifiersInvalid } from "../modifier/LineModifiers.ts"
import { isBuyable, isSold, type Sellable } from "../pricing/Sellable.ts"

interface OfferedLine {
  readonly id: string
  readonly productId: string
  readonly variantId: string | null
  readonly sellable: Sellable
}

/**
 * Fails if the modifiers chosen for a line no longer fit their groups: a modifier has become unavailable, or a group
 * now requires more. The shopper chooses again in the cart.
 */
export const checkModifiers = (lines: ReadonlyArray<OfferedLine>): Effect.Effect<void, ModifiersInvalid> => {
  const errors = lines.flatMap(({ id, variantId, sellable }) =>
    sellable.modifiers === null || !isSold(sellable, variantId)
      ? []
      : modifierErrors(sellable.modifiers).map((error) => ({ ...error, itemId: id }))
  )
  return errors.length === 0 ? Effect.void : Effect.fail(new ModifiersInvalid({ errors }))
}

/** Rejects lines that are no longer sold. */
export const checkOffered = (
  lines: ReadonlyArray<Omit<OfferedLine, "id">>
): Effect.Effect<void, ProductUnavailable> => {
  const gone = lines.filter((line) => !isBuyable(line.sellable, line.variantId))
  return gone.length === 0 ? Effect.void : Effect.fail(unavailable(gone))
}

/** The error for lines that are no longer sold. */
export const unavailable = (gone: ReadonlyArray<Omit<OfferedLine, "id">>) =>
  new ProductUnavailable({ items: gone.map(({ productId, variantId }) => ({ productId, variantId })) })
