/** Notes on where links in mails lead, once the stores are known: printed at startup and by `doctor`. */
import { linksUnknown, linksRemedy } from "@effect-commerce/core/migration/Diagnosis"
import { SalesChannels } from "@effect-commerce/core/store/SalesChannels"
import { Effect } from "effect"
import type { Settings } from "./Settings.ts"

/** Mails are sent, and only a store's domain can say where their links lead. */
export const needsDomains = ({ smtpUrl, publicUrl }: Settings): boolean =>
  smtpUrl !== undefined && publicUrl === undefined

/** A line, or none. */
export const linkNotes = Effect.fnUntraced(function* (settings: Settings) {
  if (!needsDomains(settings)) return []
  const stores = yield* (yield* SalesChannels).storesWithoutDomain
  return stores === 0 ? [] : [`COMMERCE_PUBLIC_URL: ${linksUnknown(stores)}; ${linksRemedy}`]
})
