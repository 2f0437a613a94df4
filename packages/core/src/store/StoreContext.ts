/** What every use case knows of the store it works for: identity and settings, cached per process. */
import type { ReservationStrategy, Store } from "./Store.ts"

/** The tenant. `rulesVersion` names the state of taxes, zones and settings that evaluators are compiled from. */
export interface StoreContext extends Omit<Store, "connectedPlatforms" | "reservation" | "updatedAt"> {
  readonly reservationStrategy: typeof ReservationStrategy.Type
  readonly reservationMinutes: number
  /** Reduced page sizes of lists whose pages were too large, by the list's name, each until a time (ms). */
  readonly listLimits: Readonly<Record<string, { readonly rows: number; readonly until: number }>>
  readonly suspended: boolean
  /** How many products the operator allows (room `quota`); null for no limit. */
  readonly maxProducts: number | null
  /** How many orders in a calendar month (UTC); null for no limit. */
  readonly maxOrdersPerMonth: number | null
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly rulesVersion: bigint
}

/** The store as the API returns it. `connectedPlatforms`: codes of the platforms that installed apps connect. */
export const toStore = (
  {
    listLimits: _listLimits,
    suspended: _suspended,
    maxProducts: _maxProducts,
    maxOrdersPerMonth: _maxOrdersPerMonth,
    createdAt: _createdAt,
    rulesVersion: _rulesVersion,
    reservationStrategy: strategy,
    reservationMinutes: minutes,
    updatedAt,
    ...settings
  }: StoreContext,
  connectedPlatforms: ReadonlyArray<string>
): Store => ({
  ...settings,
  updatedAt: updatedAt.toISOString(),
  connectedPlatforms,
  reservation: { strategy, minutes }
})

/** The language texts fall back to: the first of the store's languages. */
export const defaultLanguage = (store: StoreContext): string => store.languages[0] ?? "en"
