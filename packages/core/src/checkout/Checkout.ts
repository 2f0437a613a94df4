/** A checkout in memory: what is bought, by whom, where it goes, and which states follow which. */
import type { Address } from "../kernel/Address.ts"
import type { PresentedIn } from "../fx/Presentment.ts"
import type { LineOffer } from "../offer/OfferTerms.ts"
import type { ChosenModifier } from "../modifier/LineModifiers.ts"
import type { EnteredTender } from "../pricing/Quote.ts"
import type { Sellable } from "../pricing/Sellable.ts"

/** The most open checkouts of one cart: taking today's prices and merging carts change them all. */
export const maxOpenCheckouts = 50

export const checkoutStatuses = ["PENDING", "PROCESSING", "COMPLETED", "EXPIRED", "CANCELLED"] as const
export type CheckoutStatus = (typeof checkoutStatuses)[number]

export const deliveryTypes = ["shipping", "pickup"] as const

export interface CheckoutLine {
  readonly id: string
  readonly cartItemId: string | null
  /** Null for a line of a draft order that the catalogue does not know: it has a name, and nothing in stock. */
  readonly productId: string | null
  readonly variantId: string | null
  /** In place of the product's; null: the product's. */
  readonly name: string | null
  readonly quantity: number
  /** The price the shopper was shown, minor units. */
  readonly unitPrice: bigint
  readonly notes: string | null
  readonly metadata: Record<string, unknown>
  readonly customizations: Record<string, unknown>
  readonly modifiers: ReadonlyArray<ChosenModifier>
  /** The offer that it was taken from; null for an ordinary line. */
  readonly offer: LineOffer | null
  readonly sellable: Sellable | null
}

/** A line of a product. */
export type ProductLine = CheckoutLine & { readonly productId: string; readonly sellable: Sellable }

/** The lines that the catalogue knows: all but those that a draft order has in words of its own. */
export const productLines = (lines: ReadonlyArray<CheckoutLine>): ReadonlyArray<ProductLine> =>
  lines.flatMap(({ productId, sellable, ...line }) =>
    productId === null || sellable === null ? [] : [{ ...line, productId, sellable }]
  )

/** What a draft order states, which its checkout keeps to. Amounts are minor units as text; null: not stated. */
export interface DraftTerms {
  /** The customer of the draft. Whoever has the invoice may pay it, so the checkout itself is nobody's. */
  readonly customerId: string | null
  /** What its order says of where it comes from; absent in checkouts of older releases. */
  readonly externalId?: string | null
  readonly sourceName?: string | null
  readonly discountAmount: string | null
  readonly shippingAmount: string | null
  readonly taxAmount: string | null
}

export interface CheckoutCustomer {
  readonly firstName?: string | null
  readonly lastName?: string | null
  readonly phone?: string | null
  readonly acceptsMarketing?: boolean
}

export interface CheckoutState {
  readonly id: string
  readonly cartId: string
  readonly salesChannelId: string | null
  readonly customerId: string | null
  readonly status: CheckoutStatus
  /** The number of the next payment attempt. */
  readonly attempt: number
  readonly email: string | null
  readonly customer: CheckoutCustomer
  readonly deliveryType: (typeof deliveryTypes)[number]
  readonly shippingAddress: Address | null
  readonly billingAddress: Address | null
  readonly shippingRateId: string | null
  readonly regionId: string | null
  readonly currency: string
  /** How it is presented since it was created or its region changed; null for checkouts of older releases. */
  readonly presentedIn: PresentedIn | null
  /** The cart's language, for the checkout's lines and its order; null for the store's own. */
  readonly locale: string | null
  readonly couponCode: string | null
  /** What the shopper has entered to pay with before a provider is asked. */
  readonly tenders: ReadonlyArray<EnteredTender>
  readonly customFieldValues: Readonly<Record<string, unknown>>
  readonly notes: string | null
  /** The draft order whose invoice it pays, at the draft's prices; null for a checkout of a cart. */
  readonly draft: (DraftTerms & { readonly id: string }) | null
  readonly expiresAt: Date
  readonly recoveryEmailSentAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
  /** The version of taxes and zones that was read with the checkout. */
  readonly rulesVersion: bigint
  /** Units that the cart behind the checkout holds now, by the key of their stock row. */
  readonly holding: Readonly<Record<string, number>>
  /** When the units held for it are released, epoch milliseconds; null if none are held. */
  readonly reservedUntil: number | null
  /**
   * Another checkout of the same cart that has bought, or is paying for, a line of this one; COMPLETED before
   * PROCESSING. Of a draft order: the order that has completed the draft.
   */
  readonly competing: { readonly id: string; readonly status: "COMPLETED" | "PROCESSING" } | null
  readonly lines: ReadonlyArray<CheckoutLine>
}

/** A PENDING checkout whose time has passed reads as EXPIRED at once. */
export const statusAt = (
  checkout: { readonly status: CheckoutStatus; readonly expiresAt: Date },
  now: number
): CheckoutStatus =>
  checkout.status === "PENDING" && checkout.expiresAt.getTime() <= now ? "EXPIRED" : checkout.status
