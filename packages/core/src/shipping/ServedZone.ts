/**
 * The zones of one store as checkouts and storefronts use them: compiled once per version of the store's rules. A rate
 * whose stored configuration can no longer be read (the store's currency has changed since) is left out: it cannot be
 * priced.
 */
import { Result } from "effect"
import { type ClassCosts, decodeClassCosts, decodeRateConfig } from "./RateConfig.ts"
import type { ShippingRateState } from "./ShippingRate.ts"
import type { PricedRate } from "./ShippingRateCalculator.ts"
import type { ShippingZoneState } from "./ShippingZone.ts"
import { compileZones, type MatchableZone, type ZoneMatcher } from "../zone/ZoneMatcher.ts"

/** A rate ready to be quoted. Amounts in minor units of the store's currency; days and handling time in days. */
export interface ZoneRate
  extends PricedRate,
    Pick<
      ShippingRateState,
      "name" | "description" | "minDeliveryDays" | "maxDeliveryDays" | "handlingTime" | "taxStatus"
    > {}

export interface ServedZone extends MatchableZone {
  readonly name: string
  readonly rates: ReadonlyArray<ZoneRate>
}

export interface CompiledZones extends ZoneMatcher<ServedZone> {
  /** The version of the store's rules. */
  readonly version: bigint
  /** The active zones, in the order in which they are tried. */
  readonly zones: ReadonlyArray<ServedZone>
}

const noCosts: ClassCosts = new Map()

const toZoneRate = (rate: ShippingRateState, currency: string): ReadonlyArray<ZoneRate> => {
  const config = decodeRateConfig(rate.type, rate.rateConfig, currency)
  if (Result.isFailure(config)) return []
  return [
    {
      id: rate.id,
      name: rate.name,
      description: rate.description,
      config: config.success,
      minDeliveryDays: rate.minDeliveryDays,
      maxDeliveryDays: rate.maxDeliveryDays,
      handlingTime: rate.handlingTime,
      taxStatus: rate.taxStatus,
      minOrderAmount: rate.minOrderAmount,
      maxCost: rate.maxCost,
      classCosts: Result.getOrElse(decodeClassCosts(rate.classCosts, currency), () => noCosts),
      classCalculationType: rate.classCalculationType,
      isActive: rate.isActive
    }
  ]
}

/** `zones` in the order priority, createdAt, id. */
export const compileServedZones = (
  zones: ReadonlyArray<ShippingZoneState>,
  currency: string,
  version: bigint
): CompiledZones => {
  const served = zones
    .filter((zone) => zone.isActive)
    .map((zone): ServedZone => ({ ...zone, rates: zone.rates.flatMap((rate) => toZoneRate(rate, currency)) }))
  return { ...compileZones(served), version, zones: served }
}
