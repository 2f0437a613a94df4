/**
 * Where shoppers of a channel can pick their order up: the active PICKUP rates of its zones. Source: interface.md,
 * Pickup location.
 */
import { Schema } from "effect"
import { formatMoney } from "../kernel/Money.ts"
import type { PickupPlace } from "./RateConfig.ts"
import { isOnChannel } from "./internal/zoneFacts.ts"
import type { ServedZone, ZoneRate } from "./ServedZone.ts"

const text = Schema.NullOr(Schema.String)

/** On the wire. `id` is the rate's; `price` is the rate's amount, before any class cost. */
export const PickupLocation = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  rateName: Schema.String,
  address: Schema.Struct({ line1: text, line2: text, city: text, region: text, postalCode: text, country: text }),
  phone: text,
  hours: Schema.NullOr(Schema.Json),
  instructions: text,
  price: Schema.String,
  currency: Schema.String
})
export type PickupLocation = typeof PickupLocation.Type

const noAddress: PickupLocation["address"] = {
  line1: null,
  line2: null,
  city: null,
  region: null,
  postalCode: null,
  country: null
}

const addressOf = (address: PickupPlace["address"]): PickupLocation["address"] => {
  const given = Object.entries(address ?? {}).filter(([, value]) => value !== undefined)
  return { ...noAddress, ...Object.fromEntries(given) }
}

/** The location of a PICKUP rate, or undefined for a rate of another type. */
export const toPickupLocation = (rate: ZoneRate, currency: string): PickupLocation | undefined => {
  if (rate.config.type !== "PICKUP") return undefined
  const { amount, location } = rate.config
  const { name, address, phone = null, hours = null, instructions = null } = location
  const price = rate.maxCost !== null && rate.maxCost < amount ? rate.maxCost : amount
  return {
    id: rate.id,
    name,
    rateName: rate.name,
    address: addressOf(address),
    phone,
    hours,
    instructions,
    price: formatMoney(price, currency),
    currency
  }
}

/** The active PICKUP rates a channel offers, in the order of the zones, then of their rates; null is every channel. */
export const pickupRatesOf = (
  zones: ReadonlyArray<ServedZone>,
  salesChannelId: string | null
): ReadonlyArray<ZoneRate> =>
  zones
    .filter((zone) => salesChannelId === null || isOnChannel(zone, salesChannelId))
    .flatMap((zone) => zone.rates.filter((rate) => rate.isActive && rate.config.type === "PICKUP"))

export const pickupLocationsOf = (
  zones: ReadonlyArray<ServedZone>,
  salesChannelId: string,
  currency: string
): ReadonlyArray<PickupLocation> =>
  pickupRatesOf(zones, salesChannelId).flatMap((rate) => toPickupLocation(rate, currency) ?? [])
