/** Where links in mails lead to, once the stores are known: said when the server starts, and by the doctor. */
import { linksUnknown, linksRemedy } from "@effect-commerce/core/migration/Diagnosis"
import { SalesChannels } from "@effect-commerce/core/store/SalesChannels"
import { Effect } from "effect"
import type { Settings } from "./Settings.ts"

/** Mails leave, and a store's domain is all that could tell where to. */
export const needsDomains = ({ smtpUrl, publicUrl }: Settings): boolean =>
  smtpUrl !== undefined && publicUrl === undefined

/** A line, or none. */
export const linkNotes = Effect.fnUntraced(function* (settings: Settings) {
  if (!needsDomains(settings)) return []
  const stores = yield* (yield* SalesChannels).storesWithoutDomain
  return stores === 0 ? [] : [`COMMERCE_PUBLIC_URL: ${linksUnknown(stores)}; ${linksRemedy}`]
})
