/** How new deliveries of a subscription are packed, and which parcels are done with. */
import type { RelayedEvent } from "../../database/OutboxRelay.ts"
import { admit, type Circuit } from "../Circuit.ts"
import { hears } from "../EventCatalog.ts"
import type { ClaimedDelivery, Parcel } from "../WebhookDelivery.ts"
import type { WebhookPolicy } from "../WebhookPolicy.ts"

/**
 * As many as a subscription has attempts at once: one that does not answer has no more of it in hand than it works at.
 */
export const parcelSize = 32

export interface Packed {
  readonly events: ReadonlyArray<RelayedEvent>
  readonly isProbe: boolean
}

/** Those of the events that a subscription gets, a probe by itself, and its circuit after them. */
export const pack = (
  before: Circuit,
  names: ReadonlyArray<string>,
  events: ReadonlyArray<RelayedEvent>,
  policy: WebhookPolicy
) => {
  let circuit = before
  const parcels: Array<{ readonly events: Array<RelayedEvent>; readonly isProbe: boolean }> = []
  for (const event of events) {
    const admission = hears(names, event.type) ? admit(circuit, event.createdAt.getTime(), policy) : "lose"
    if (admission === "lose") continue
    const isProbe = admission === "probe"
    if (isProbe) circuit = { ...circuit, probing: true }
    const last = parcels.at(-1)
    if (last === undefined || isProbe || last.isProbe || last.events.length === parcelSize)
      parcels.push({ events: [event], isProbe })
    else last.events.push(event)
  }
  return { circuit, parcels: parcels as ReadonlyArray<Packed> }
}

/** Deliveries of each parcel. */
export const byParcel = (deliveries: ReadonlyArray<ClaimedDelivery>): ReadonlyMap<Parcel, number> => {
  const counts = new Map<Parcel, number>()
  for (const { parcel } of deliveries) if (parcel !== undefined) counts.set(parcel, (counts.get(parcel) ?? 0) + 1)
  return counts
}
