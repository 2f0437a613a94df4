/** Where shoppers of a channel can pick their order up: the active PICKUP rates of its zones. */
import { Schema } from "effect"
import { arrayOf, described, money, nullableString, string } from "../kernel/Fields.ts"
import { formatMoney } from "../kernel/Money.ts"
import type { PickupPlace } from "./RateConfig.ts"
import { isOnChannel } from "../zone/MatchableZone.ts"
import type { ServedZone, ZoneRate } from "./ServedZone.ts"

const PickupAddress = Schema.Struct({
  line1: nullableString("Street and number.", "1 Main St"),
  line2: nullableString("A second line of the address."),
  city: nullableString("City.", "San Francisco"),
  region: nullableString("Subdivision, such as a state.", "CA"),
  postalCode: nullableString("Postal code.", "94105"),
  country: nullableString("Country: ISO 3166-1 alpha-2.", "US")
}).annotate({ identifier: "PickupAddress", description: "Where it is. What the merchant did not give is null." })

/** On the wire. `id` is the rate's; `price` is the rate's amount, before any class cost. */
export const PickupLocation = Schema.Struct({
  id: string("Id of the shipping rate that offers the pickup; a checkout names it as pickupLocationId."),
  name: string("Name of the place.", "Store on Main Street"),
  rateName: string("Name of the shipping rate.", "Pick up in store"),
  address: PickupAddress,
  phone: nullableString("Phone number of the place."),
  hours: described(Schema.NullOr(Schema.Json), "Opening hours: text, or any JSON that the merchant has stored."),
  instructions: nullableString("What the shopper should know."),
  price: money("What the pickup costs, without the costs of shipping classes.", "0.00"),
  currency: string("Currency of the price: ISO 4217.", "USD")
}).annotate({ identifier: "PickupLocation", description: "A place where shoppers can pick up their order." })
export type PickupLocation = typeof PickupLocation.Type

export const PickupLocations = Schema.Struct({
  pickupLocations: arrayOf(PickupLocation, "The places; empty where nothing can be picked up.")
}).annotate({ identifier: "PickupLocationList", description: "Where shoppers can pick up their orders." })

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

/**
 * The active PICKUP rates of a channel, in the order of the zones, then of their rates; null is every channel. With a
 * region, null where the shopper is in none, only those of zones that serve it.
 */
export const pickupRatesOf = (
  zones: ReadonlyArray<ServedZone>,
  salesChannelId: string | null,
  regionId?: string | null
): ReadonlyArray<ZoneRate> =>
  zones
    .filter((zone) => salesChannelId === null || isOnChannel(zone, salesChannelId))
    .filter(({ regionIds }) => regionId === undefined || regionIds.length === 0 || regionIds.includes(regionId ?? ""))
    .flatMap((zone) => zone.rates.filter((rate) => rate.isActive && rate.config.type === "PICKUP"))

export const pickupLocationsOf = (
  zones: ReadonlyArray<ServedZone>,
  salesChannelId: string,
  currency: string
): ReadonlyArray<PickupLocation> =>
  pickupRatesOf(zones, salesChannelId).flatMap((rate) => toPickupLocation(rate, currency) ?? [])
