/**
 * Kits: products that are sold as a set of other products. A kit has no stock of its own. How many can be sold is
 * computed from its components on every read: the smallest of each component's available units divided by its quantity
 * in one kit. Pure.
 */
import { isLowStock, type StockFacts, unitsAvailable, unitsFree } from "./Availability.ts"

/** Most components of one kit, and most kits that one product may be a component of. */
export const maxKitComponents = 50
export const maxKitsOfComponent = 100
/** Units of one component in one kit. */
export const maxKitQuantity = 1_000

/** One component, and how many units of it one kit takes. */
export interface KitComponent {
  readonly productId: string
  readonly variantId: string | null
  readonly quantity: number
}

/** A component with the facts that decide whether its kit can be sold. */
export interface KitPart extends KitComponent {
  /** Shoppers can see it, and the kit names a variant if and only if the component is sold by variants. */
  readonly isOffered: boolean
  /** Null if it has no stock row. */
  readonly stock: StockFacts | null
}

const none: StockFacts = { trackingMode: "TRACKED", backorderMode: "DENY", backorderLimit: null, total: 0, reserved: 0 }

/** How many kits can be made from the available units of each component. */
const kitsOf = (parts: ReadonlyArray<KitPart>, units: (stock: StockFacts | null) => number): number =>
  Math.min(...parts.map((part) => Math.floor(units(part.stock) / part.quantity)))

/**
 * The stock of a kit in the shape of a stock row, so that every rule of `Availability` holds for kits too. `total` is
 * the number of kits that the free units make, and nothing is reserved. Kits that can be sold beyond that on backorder
 * are its backorder limit. A component that is not offered makes it 0; a DISABLED component makes the kit DISABLED;
 * untracked components do not limit it.
 */
export const kitStock = (parts: ReadonlyArray<KitPart>): StockFacts => {
  if (parts.length === 0 || parts.some((part) => !part.isOffered)) return none
  if (parts.some((part) => part.stock?.trackingMode === "DISABLED")) return { ...none, trackingMode: "DISABLED" }
  const counted = parts.filter((part) => part.stock?.trackingMode !== "UNTRACKED")
  if (counted.length === 0) return { ...none, trackingMode: "UNTRACKED" }
  const total = kitsOf(counted, unitsFree)
  const most = kitsOf(counted, unitsAvailable)
  if (most === Number.POSITIVE_INFINITY) return { ...none, backorderMode: "ALLOW", total }
  return most > total ? { ...none, backorderMode: "LIMITED", backorderLimit: most - total, total } : { ...none, total }
}

interface Counted {
  readonly stock: (StockFacts & { readonly lowStockThreshold: number | null }) | null
}

/** A kit is low in stock if one of its components is. */
export const isKitLow = (parts: ReadonlyArray<Counted>): boolean =>
  parts.some(({ stock }) => isLowStock(stock, stock?.lowStockThreshold ?? null))

/** The stock row for a buyer who has reserved `units` of it: these count as available to them. */
export const withOwnUnits = (stock: StockFacts | null, units: number): StockFacts | null =>
  stock === null || units === 0 ? stock : { ...stock, reserved: stock.reserved - units }
