/**
 * The SQL of shipping_zone and shipping_rate. A zone is read with its rates in one statement, whatever their number; `readRules` adds the store's
 * version to the same snapshot, so they belong together.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { constraintViolation } from "../database/SqlErrors.ts"
import { offsetOf, type Page, type PageOf } from "../kernel/Pagination.ts"
import { type RateJson, rateJson, toRateState, toZoneState, type ZoneJson, zoneJson, zoneOrder } from "./internal/zoneRows.ts"
import { ShippingZoneNotFound } from "./ShippingErrors.ts"
import type { ShippingRateState } from "./ShippingRate.ts"
import type { ShippingZoneState, ZoneFilter, ZoneSort } from "./ShippingZone.ts"

/** What matching and pricing are compiled from. */
export interface ZoneRules {
  readonly rulesVersion: bigint
  readonly currency: string
  /** The reading transaction itself has changed the store's row: nobody else may be shown this version yet. */
  readonly uncommitted: boolean
  /** The active ones, in the order in which they are tried. */
  readonly zones: ReadonlyArray<ShippingZoneState>
}

export interface ShippingZoneRepositoryMethods {
  readonly insertZone: (storeId: string, zone: ShippingZoneState) => Effect.Effect<void>
  /** Writes the zone itself, not its rates. */
  readonly updateZone: (storeId: string, zone: ShippingZoneState) => Effect.Effect<void>
  /** With its rates. */
  readonly removeZone: (storeId: string, id: string) => Effect.Effect<boolean>
  readonly findZone: (storeId: string, id: string) => Effect.Effect<ShippingZoneState | undefined>
  readonly listZones: (storeId: string, filter: ZoneFilter, page: Page) => Effect.Effect<PageOf<ShippingZoneState>>
  readonly insertRate: (storeId: string, rate: ShippingRateState) => Effect.Effect<void, ShippingZoneNotFound>
  readonly updateRate: (storeId: string, rate: ShippingRateState) => Effect.Effect<void>
  readonly removeRate: (storeId: string, zoneId: string, id: string) => Effect.Effect<boolean>
  readonly findRate: (storeId: string, zoneId: string, id: string) => Effect.Effect<ShippingRateState | undefined>
  /** undefined: no such store. */
  readonly readRules: (storeId: string) => Effect.Effect<ZoneRules | undefined>
}

const sortColumns: Readonly<Record<ZoneSort, string>> = { name: "z.name", createdAt: "z.created_at", updatedAt: "z.updated_at", priority: "z.priority" }

const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, "\\$&")}%`

export class ShippingZoneRepository extends Context.Service<ShippingZoneRepository, ShippingZoneRepositoryMethods>()(
  "@effect-commerce/core/shipping/ShippingZoneRepository"
) {
  static readonly layer = Layer.effect(
    ShippingZoneRepository,
    Effect.gen(function* () {
      const { sql } = yield* Database
      const zoneColumn = sql.literal(zoneJson)
      const tried = sql.literal(zoneOrder)
      const orderOf = (sort: ZoneFilter["sort"]) =>
        sort === undefined ? tried : sql.literal(`${sortColumns[sort.by]} ${sort.descending ? "DESC" : "ASC"}, z.id`)

      const listZones = (storeId: string, { search, isActive, sort }: ZoneFilter, page: Page) => {
        const where = sql.and([
          sql`z.store_id = ${storeId}`,
          ...(search === undefined || search === "" ? [] : [sql`z.name ILIKE ${likePattern(search)}`]),
          ...(isActive === undefined ? [] : [sql`z.is_active = ${isActive}`])
        ])
        const order = orderOf(sort)
        return Effect.orDie(
          Effect.map(
            sql<{ readonly total: number; readonly zones: ReadonlyArray<ZoneJson> }>`SELECT
                (SELECT count(*)::int FROM shipping_zone z WHERE ${where}) AS total,
                coalesce((
                  SELECT json_agg(${zoneColumn} ORDER BY ${order}) FROM (
                    SELECT z.id FROM shipping_zone z WHERE ${where} ORDER BY ${order} LIMIT ${page.limit} OFFSET ${offsetOf(page)}
                  ) found, LATERAL (SELECT * FROM shipping_zone z WHERE z.store_id = ${storeId} AND z.id = found.id OFFSET 0) z), '[]'::json) AS zones`,
            (rows) => ({ items: (rows[0]?.zones ?? []).map(toZoneState), total: rows[0]?.total ?? 0 })
          )
        )
      }

      const readRules = (storeId: string) =>
        Effect.orDie(
          Effect.map(
            // shipping_zone_store_id_priority_idx finds the zones in order, shipping_rate_store_id_zone_id_idx the rates of each.
            sql<Omit<ZoneRules, "zones"> & { readonly zones: ReadonlyArray<ZoneJson> }>`SELECT s.rules_version, s.currency,
                coalesce(s.xmin = pg_current_xact_id_if_assigned()::xid, false) AS uncommitted,
                coalesce((
                  SELECT json_agg(${zoneColumn} ORDER BY ${tried}) FROM shipping_zone z WHERE z.store_id = s.id AND z.is_active), '[]'::json) AS zones
              FROM store s WHERE s.id = ${storeId}`,
            (rows) => (rows[0] === undefined ? undefined : { ...rows[0], zones: rows[0].zones.map(toZoneState) })
          )
        )

      return ShippingZoneRepository.of({
        insertZone: (storeId, zone) =>
          Effect.orDie(
            Effect.asVoid(
              sql`INSERT INTO shipping_zone (store_id, id, name, countries, regions, postal_codes, geometry, geometry_labels, region_ids,
                  sales_channel_ids, priority, is_active, created_at, updated_at)
                VALUES (${storeId}, ${zone.id}, ${zone.name}, ${zone.countries}::text[], ${JSON.stringify(zone.regions)}::jsonb,
                  ${JSON.stringify(zone.postalCodes)}::jsonb, ${jsonOrNull(zone.geometry)}::jsonb, ${zone.geometryLabels}::text[],
                  ${zone.regionIds}::text[], ${zone.salesChannelIds}::text[], ${zone.priority}, ${zone.isActive}, ${zone.createdAt}, ${zone.updatedAt})`
            )
          ),
        updateZone: (storeId, zone) =>
          Effect.orDie(
            Effect.asVoid(
              sql`UPDATE shipping_zone SET name = ${zone.name}, countries = ${zone.countries}::text[], regions = ${JSON.stringify(zone.regions)}::jsonb,
                  postal_codes = ${JSON.stringify(zone.postalCodes)}::jsonb, geometry = ${jsonOrNull(zone.geometry)}::jsonb,
                  geometry_labels = ${zone.geometryLabels}::text[], region_ids = ${zone.regionIds}::text[],
                  sales_channel_ids = ${zone.salesChannelIds}::text[], priority = ${zone.priority}, is_active = ${zone.isActive}, updated_at = ${zone.updatedAt}
                WHERE store_id = ${storeId} AND id = ${zone.id}`
            )
          ),
        removeZone: (storeId, id) =>
          Effect.orDie(Effect.map(sql`DELETE FROM shipping_zone WHERE store_id = ${storeId} AND id = ${id} RETURNING id`, (rows) => rows.length > 0)),
        findZone: (storeId, id) =>
          Effect.orDie(
            Effect.map(
              sql<{ readonly zone: ZoneJson }>`SELECT ${zoneColumn} AS zone FROM shipping_zone z WHERE z.store_id = ${storeId} AND z.id = ${id}`,
              (rows) => (rows[0] === undefined ? undefined : toZoneState(rows[0].zone))
            )
          ),
        listZones,
        insertRate: (storeId, rate) =>
          constraintViolation(
            "shipping_rate_store_id_zone_id_fkey",
            () => new ShippingZoneNotFound({ id: rate.zoneId })
          )(
            Effect.asVoid(
              sql`INSERT INTO shipping_rate (store_id, id, zone_id, name, description, type, rate_config, min_delivery_days, max_delivery_days,
                  handling_time, tax_status, min_order_amount, max_cost, class_costs, class_calculation_type, is_active, created_at, updated_at)
                VALUES (${storeId}, ${rate.id}, ${rate.zoneId}, ${rate.name}, ${rate.description}, ${rate.type}, ${JSON.stringify(rate.rateConfig)}::jsonb,
                  ${rate.minDeliveryDays}, ${rate.maxDeliveryDays}, ${rate.handlingTime}, ${rate.taxStatus}, ${rate.minOrderAmount}, ${rate.maxCost},
                  ${JSON.stringify(rate.classCosts)}::jsonb, ${rate.classCalculationType}, ${rate.isActive}, ${rate.createdAt}, ${rate.updatedAt})`
            )
          ),
        updateRate: (storeId, rate) =>
          Effect.orDie(
            Effect.asVoid(
              sql`UPDATE shipping_rate SET name = ${rate.name}, description = ${rate.description}, type = ${rate.type},
                  rate_config = ${JSON.stringify(rate.rateConfig)}::jsonb, min_delivery_days = ${rate.minDeliveryDays},
                  max_delivery_days = ${rate.maxDeliveryDays}, handling_time = ${rate.handlingTime}, tax_status = ${rate.taxStatus},
                  min_order_amount = ${rate.minOrderAmount}, max_cost = ${rate.maxCost}, class_costs = ${JSON.stringify(rate.classCosts)}::jsonb,
                  class_calculation_type = ${rate.classCalculationType}, is_active = ${rate.isActive}, updated_at = ${rate.updatedAt}
                WHERE store_id = ${storeId} AND zone_id = ${rate.zoneId} AND id = ${rate.id}`
            )
          ),
        removeRate: (storeId, zoneId, id) =>
          Effect.orDie(
            Effect.map(
              sql`DELETE FROM shipping_rate WHERE store_id = ${storeId} AND zone_id = ${zoneId} AND id = ${id} RETURNING id`,
              (rows) => rows.length > 0
            )
          ),
        findRate: (storeId, zoneId, id) =>
          Effect.orDie(
            Effect.map(
              sql<{ readonly rate: RateJson }>`SELECT ${sql.literal(rateJson)} AS rate FROM shipping_rate r
                WHERE r.store_id = ${storeId} AND r.zone_id = ${zoneId} AND r.id = ${id}`,
              (rows) => (rows[0] === undefined ? undefined : toRateState(rows[0].rate))
            )
          ),
        readRules
      })
    })
  )
}

const jsonOrNull = (value: unknown): string | null => (value === null || value === undefined ? null : JSON.stringify(value))
