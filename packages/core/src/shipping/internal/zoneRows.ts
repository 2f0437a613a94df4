/**
 * Zones and rates as PostgreSQL builds them in JSON, and how they are read: times as milliseconds, amounts as text,
 * since JSON numbers of other languages do not hold them. `z` is the row of shipping_zone, `r` that of shipping_rate.
 */
import type { ShippingRateState } from "../ShippingRate.ts"
import type { ShippingZoneState } from "../ShippingZone.ts"

const millis = (column: string): string => `round(extract(epoch FROM ${column}) * 1000)::bigint`

export const rateJson = `json_build_object('id', r.id, 'zoneId', r.zone_id, 'name', r.name, 'description',
  r.description, 'type', r.type, 'rateConfig', r.rate_config, 'minDeliveryDays', r.min_delivery_days, 'maxDeliveryDays',
  r.max_delivery_days, 'handlingTime', r.handling_time, 'taxStatus', r.tax_status, 'minOrderAmount',
  r.min_order_amount::text, 'maxCost', r.max_cost::text, 'classCosts', r.class_costs, 'classCalculationType',
    r.class_calculation_type, 'isActive', r.is_active, 'createdAt', ${millis("r.created_at")}, 'updatedAt',
    ${millis("r.updated_at")})`

/** With the zone's rates, in the order createdAt, id. */
export const zoneJson = `json_build_object('id', z.id, 'name', z.name, 'countries', z.countries, 'regions', z.regions,
  'postalCodes', z.postal_codes, 'geometry', z.geometry, 'geometryLabels', z.geometry_labels, 'regionIds', z.region_ids,
  'salesChannelIds', z.sales_channel_ids, 'priority', z.priority, 'isActive', z.is_active, 'createdAt',
  ${millis("z.created_at")}, 'updatedAt', ${millis("z.updated_at")}, 'rates',
    coalesce((SELECT json_agg(${rateJson} ORDER BY r.created_at, r.id) FROM shipping_rate r
    WHERE r.store_id = z.store_id AND r.zone_id = z.id), '[]'::json))`

/** The order in which zones are tried. */
export const zoneOrder = "z.priority, z.created_at, z.id"

type Timed<State> = Omit<State, "createdAt" | "updatedAt"> & { readonly createdAt: number; readonly updatedAt: number }

export interface RateJson extends Timed<Omit<ShippingRateState, "minOrderAmount" | "maxCost">> {
  readonly minOrderAmount: string | null
  readonly maxCost: string | null
}

export interface ZoneJson extends Timed<Omit<ShippingZoneState, "rates">> {
  readonly rates: ReadonlyArray<RateJson>
}

const minorOrNull = (text: string | null): bigint | null => (text === null ? null : BigInt(text))

export const toRateState = (json: RateJson): ShippingRateState => ({
  ...json,
  minOrderAmount: minorOrNull(json.minOrderAmount),
  maxCost: minorOrNull(json.maxCost),
  createdAt: new Date(json.createdAt),
  updatedAt: new Date(json.updatedAt)
})

export const toZoneState = (json: ZoneJson): ShippingZoneState => ({
  ...json,
  rates: json.rates.map(toRateState),
  createdAt: new Date(json.createdAt),
  updatedAt: new Date(json.updatedAt)
})
