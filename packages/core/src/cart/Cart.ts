/** A cart in memory: its row, its lines, and the product of each line as it is now. */
import { Effect } from "effect"
import { sha256Hex } from "../crypto/Hashing.ts"
import { canonicalJson } from "../kernel/CanonicalJson.ts"
import type { LineOffer } from "../offer/OfferTerms.ts"
import type { ChosenModifier } from "../modifier/LineModifiers.ts"
import type { Sellable } from "../pricing/Sellable.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { CurrencyChanged } from "../store/StoreErrors.ts"
import type { CartStatus } from "./CartStatus.ts"

export interface CartLine {
  readonly id: string
  readonly identity: string
  readonly productId: string
  readonly variantId: string | null
  readonly quantity: number
  /** The price the shopper was shown, minor units. */
  readonly unitPrice: bigint
  readonly notes: string | null
  readonly metadata: Record<string, unknown>
  readonly customizations: Record<string, unknown>
  /** In the order of `inStoredOrder`. */
  readonly modifiers: ReadonlyArray<ChosenModifier>
  /** The offer that it was taken from; null for an ordinary line. */
  readonly offer: LineOffer | null
  readonly sellable: Sellable
}

export interface CartState {
  readonly id: string
  readonly salesChannelId: string | null
  readonly sessionToken: string
  readonly customerId: string | null
  readonly status: CartStatus
  /**
   * The currency the cart was created in, which it keeps: if the store now sells in another, the cart can be read but
   * not written.
   */
  readonly currency: string
  /** The language of its lines, and of the orders made of it; null for the store's own. */
  readonly locale: string | null
  readonly notes: string | null
  readonly regionId: string | null
  readonly analyticsClientId: string | null
  readonly analyticsSessionId: string | null
  readonly couponCode: string | null
  /** Of a MERGED cart: the cart it went into. */
  readonly mergedInto: string | null
  readonly expiresAt: Date
  readonly createdAt: Date
  readonly updatedAt: Date
  /** When the cart's reservation ends, epoch milliseconds; null without one. */
  readonly reservedUntil: number | null
  /**
   * The latest time until which it may hold units, epoch milliseconds; null before it has held any
   * (internal/holdTime.ts).
   */
  readonly holdsUntil: number | null
  /** Units that the cart itself holds now, by the key of their stock row. */
  readonly holding: Readonly<Record<string, number>>
  /**
   * Units that checkouts of this cart hold during payment, by the key of their stock row: the cart itself need not hold
   * them.
   */
  readonly paying: Readonly<Record<string, number>>
  /** The version of the store's rules and settings that was read with the cart. */
  readonly rulesVersion: bigint
  readonly lines: ReadonlyArray<CartLine>
}

/** A cart whose time has passed reads as EXPIRED at once, even where its row still says ACTIVE. */
export const statusAt = (cart: { readonly status: CartStatus; readonly expiresAt: Date }, now: number): CartStatus =>
  (cart.status === "ACTIVE" || cart.status === "ABANDONED") && cart.expiresAt.getTime() <= now ? "EXPIRED" : cart.status

export const isWritable = (status: CartStatus): boolean => status === "ACTIVE" || status === "ABANDONED"

/**
 * Rejects a cart or checkout whose currency is not the one the store sells in now. `store` is what `Stores.at` returns
 * for the rules version that was read with the cart.
 */
export const checkCurrency = (
  { currency }: Pick<CartState, "currency">,
  store: StoreContext
): Effect.Effect<void, CurrencyChanged> =>
  currency === store.currency
    ? Effect.void
    : Effect.fail(new CurrencyChanged({ currency, storeCurrency: store.currency }))

const inOrder = (values: ReadonlyArray<unknown>): ReadonlyArray<unknown> =>
  values
    .map((value) => ({ value: canonicalJson(value), text: JSON.stringify(canonicalJson(value)) }))
    .sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
    .map(({ value }) => value)

/**
 * Lines with the same product, variant, customizations, modifiers (in any order) and metadata are one line, and their
 * quantities add up. Lines of different bundles or offers are different.
 */
export const lineIdentity = (line: {
  readonly productId: string
  readonly variantId: string | null
  readonly metadata: Record<string, unknown>
  readonly customizations: Record<string, unknown>
  readonly modifiers: ReadonlyArray<unknown>
  readonly offer?: Pick<LineOffer, "offerId" | "bundleItemId"> | null
}): string =>
  sha256Hex(
    JSON.stringify([
      line.productId,
      line.variantId,
      canonicalJson(line.customizations),
      canonicalJson(line.metadata),
      inOrder(line.modifiers),
      ...(line.offer === null || line.offer === undefined ? [] : [line.offer.offerId, line.offer.bundleItemId])
    ])
  )
