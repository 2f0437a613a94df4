/** Which of a store's own providers serve a channel. */
import type { PaymentProvider, ProviderMode } from "../PaymentProvider.ts"
import type { PaymentPlace } from "../PaymentMethod.ts"
import type { StoreProviderState } from "../StoreProvider.ts"
import type { ProviderRules } from "../StoreProviderRepository.ts"

/** What a checkout may be paid by. */
export interface OfferedMethod {
  /** What a completion names it by: the id of a store's own provider, or the code of an installed one. */
  readonly id: string
  readonly type: string
  readonly name: string
  readonly kind: PaymentProvider["kind"]
}

/** Whether a provider, by its id or its code, serves the region. */
export const servesRegion = (regions: ProviderRules["regions"], { regionId }: PaymentPlace, id: string): boolean => {
  const listed = typeof regionId === "string" ? regions[regionId] : undefined
  return listed === undefined || listed.includes(id)
}

/** By their codes. */
export type Installed = ReadonlyMap<string, PaymentProvider>

export const modeOf = ({ isTest }: PaymentPlace): ProviderMode => (isTest ? "test" : "live")

/** Whether an account of this mode (null: of both) serves channels of the given mode. */
export const serves = (provider: PaymentProvider, account: ProviderMode | null, channel: ProviderMode): boolean =>
  provider.modes.includes(channel) && (account ?? channel) === channel

/** The provider of an enabled row, if it serves the mode. */
const servedBy = (installed: Installed, row: StoreProviderState, mode: ProviderMode): PaymentProvider | undefined => {
  const provider = installed.get(row.type)
  return row.isEnabled && provider !== undefined && serves(provider, row.mode, mode) ? provider : undefined
}

/** A method that names one of the store's own by its id, or by its type: then the oldest one serves it. */
export const ownFor = (
  installed: Installed,
  rows: ReadonlyArray<StoreProviderState>,
  method: string,
  mode: ProviderMode
) => {
  for (const row of rows) {
    const provider = row.id === method || row.type === method ? servedBy(installed, row, mode) : undefined
    if (provider !== undefined) return { row, provider }
  }
  return undefined
}

/** The store's own that serve the mode, the oldest first. */
export const ownOffers = (
  installed: Installed,
  rows: ReadonlyArray<StoreProviderState>,
  mode: ProviderMode
): ReadonlyArray<OfferedMethod> =>
  rows.flatMap((row) => {
    const provider = servedBy(installed, row, mode)
    return provider === undefined ? [] : [{ id: row.id, type: row.type, name: row.name, kind: provider.kind }]
  })
