/**
 * The SQL of shipping_zone and shipping_rate. A zone is a row with its rates, and zones are read in one statement;
 * `readRules` adds the store's version to the same snapshot, so they belong together.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { anyRow, containing, many, none, one } from "../database/Repository.ts"
import { constraintViolation } from "../database/SqlErrors.ts"
import { offsetOf, type Page } from "../kernel/Pagination.ts"
import type { VersionedRules } from "../store/compiledRules.ts"
import {
  type RateJson,
  rateJson,
  toRateState,
  toZoneState,
  type ZoneJson,
  zoneJson,
  zoneOrder
} from "./internal/zoneRows.ts"
import { ShippingZoneNotFound } from "./ShippingErrors.ts"
import type { ShippingRateState } from "./ShippingRate.ts"
import type { ShippingZoneState, ZoneFilter, ZoneSort } from "./ShippingZone.ts"
import type { CoverageSize } from "../zone/ZoneCoverage.ts"

/** What matching and pricing are compiled from. */
export interface ZoneRules extends VersionedRules {
  readonly currency: string
  /** The active ones, in the order in which they are tried. */
  readonly zones: ReadonlyArray<ShippingZoneState>
}

/** The total size of a store's zones, without one of them. */
export interface ZonesSize extends CoverageSize {
  readonly zones: number
}

const sortColumns: Readonly<Record<ZoneSort, string>> = {
  name: "z.name",
  createdAt: "z.created_at",
  updatedAt: "z.updated_at",
  priority: "z.priority"
}

export class ShippingZoneRepository extends Context.Service<ShippingZoneRepository>()(
  "@effect-commerce/core/shipping/ShippingZoneRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      const zoneColumn = sql.literal(zoneJson)
      const tried = sql.literal(zoneOrder)
      const orderOf = (sort: ZoneFilter["sort"]) =>
        sort === undefined ? tried : sql.literal(`${sortColumns[sort.by]} ${sort.descending ? "DESC" : "ASC"}, z.id`)

      const listZones = (storeId: string, { search, isActive, sort }: ZoneFilter, page: Page) => {
        const where = sql.and([
          sql`z.store_id = ${storeId}`,
          ...(search === undefined || search === "" ? [] : [sql`z.name ILIKE ${containing(search)}`]),
          ...(isActive === undefined ? [] : [sql`z.is_active = ${isActive}`])
        ])
        return Effect.map(
          many(sql<{ readonly total: number; readonly zone: ZoneJson | null }>`SELECT counted.total, page.zone
              FROM (SELECT count(*)::int AS total FROM shipping_zone z WHERE ${where}) AS counted LEFT JOIN (
                SELECT ${zoneColumn} AS zone, found.place FROM (
                  SELECT z.id, row_number() OVER (ORDER BY ${orderOf(sort)}) AS place
                  FROM shipping_zone z WHERE ${where} ORDER BY place LIMIT ${page.limit} OFFSET ${offsetOf(page)}
                ) found, LATERAL
                  (SELECT * FROM shipping_zone z WHERE z.store_id = ${storeId} AND z.id = found.id OFFSET 0) z
              ) page ON true ORDER BY page.place`),
          (rows) => ({ items: zonesIn(rows), total: rows[0]?.total ?? 0 })
        )
      }

      /** undefined: no such store. */
      const readRules = (storeId: string) =>
        Effect.map(
          many(sql<Omit<ZoneRules, "zones"> & { readonly zone: ZoneJson | null }>`SELECT s.rules_version, s.currency,
                coalesce(s.xmin = pg_current_xact_id_if_assigned()::xid, false) AS uncommitted,
                  CASE WHEN z.id IS NOT NULL THEN ${zoneColumn} END AS zone
              FROM store s LEFT JOIN shipping_zone z ON z.store_id = s.id AND z.is_active
              WHERE s.id = ${storeId} ORDER BY ${tried}`),
          ([first, ...others]) => (first === undefined ? undefined : { ...first, zones: zonesIn([first, ...others]) })
        )

      /** A position is an array that begins with a number, at whatever depth. */
      const positions = sql.literal(`'strict $.coordinates.** ? (@.type() == "array" && @[0].type() == "number")'`)
      const lengthOf = (column: "regions" | "postal_codes") =>
        sql.literal(
          `coalesce(sum((SELECT sum(jsonb_array_length(entry.value)) FROM jsonb_each(z.${column}) AS entry)), 0)::int`
        )

      const sizeOfOthers = (storeId: string, id: string) =>
        Effect.map(
          one(sql<ZonesSize>`SELECT count(*)::int AS zones, ${lengthOf("regions")} AS regions,
                ${lengthOf("postal_codes")} AS postal_codes,
                  coalesce(sum((SELECT count(*) FROM jsonb_path_query(z.geometry, ${positions}))), 0)::int AS points
              FROM shipping_zone z WHERE z.store_id = ${storeId} AND z.id <> ${id}`),
          (row) => row ?? { zones: 0, points: 0, regions: 0, postalCodes: 0 }
        )

      return {
        insertZone: (storeId: string, zone: ShippingZoneState) =>
          none(sql`INSERT INTO shipping_zone (store_id, id, name, countries, regions, postal_codes, geometry,
                  geometry_labels, region_ids, sales_channel_ids, priority, is_active, created_at, updated_at)
                VALUES (${storeId}, ${zone.id}, ${zone.name}, ${zone.countries}::text[],
                  ${JSON.stringify(zone.regions)}::jsonb, ${JSON.stringify(zone.postalCodes)}::jsonb,
                  ${jsonOrNull(zone.geometry)}::jsonb, ${zone.geometryLabels}::text[], ${zone.regionIds}::text[],
                    ${zone.salesChannelIds}::text[], ${zone.priority}, ${zone.isActive}, ${zone.createdAt},
                    ${zone.updatedAt})`),
        /** Writes the zone itself, not its rates. */
        updateZone: (storeId: string, zone: ShippingZoneState) =>
          none(sql`UPDATE shipping_zone SET name = ${zone.name}, countries = ${zone.countries}::text[],
                  regions = ${JSON.stringify(zone.regions)}::jsonb,
                  postal_codes = ${JSON.stringify(zone.postalCodes)}::jsonb,
                  geometry = ${jsonOrNull(zone.geometry)}::jsonb, geometry_labels = ${zone.geometryLabels}::text[],
                    region_ids = ${zone.regionIds}::text[], sales_channel_ids = ${zone.salesChannelIds}::text[],
                    priority = ${zone.priority}, is_active = ${zone.isActive}, updated_at = ${zone.updatedAt}
                WHERE store_id = ${storeId} AND id = ${zone.id}`),
        /** Removes the zone with its rates. */
        removeZone: (storeId: string, id: string) =>
          anyRow(sql`DELETE FROM shipping_zone WHERE store_id = ${storeId} AND id = ${id} RETURNING id`),
        findZone: (storeId: string, id: string) =>
          Effect.map(
            many(
              sql<{
                readonly zone: ZoneJson
              }>`SELECT ${zoneColumn} AS zone FROM shipping_zone z WHERE z.store_id = ${storeId} AND z.id = ${id}`
            ),
            (rows) => (rows[0] === undefined ? undefined : toZoneState(rows[0].zone))
          ),
        listZones,
        sizeOfOthers,
        /** Counts the rates of the zone, and of the store: shipping_rate_store_id_zone_id_idx. */
        countRates: (storeId: string, zoneId: string) =>
          Effect.map(
            one(sql<{
              readonly zone: number
              readonly store: number
            }>`SELECT (count(*) FILTER (WHERE zone_id = ${zoneId}))::int AS zone,
                count(*)::int AS store FROM shipping_rate WHERE store_id = ${storeId}`),
            (row) => row ?? { zone: 0, store: 0 }
          ),
        insertRate: (storeId: string, rate: ShippingRateState) =>
          none(
            constraintViolation(
              "shipping_rate_store_id_zone_id_fkey",
              () => new ShippingZoneNotFound({ id: rate.zoneId })
            )(sql`INSERT INTO shipping_rate (store_id, id, zone_id, name, description, type, rate_config,
                  min_delivery_days, max_delivery_days, handling_time, tax_status, min_order_amount, max_cost,
                    class_costs, class_calculation_type, is_active, created_at, updated_at)
                VALUES (${storeId}, ${rate.id}, ${rate.zoneId}, ${rate.name}, ${rate.description}, ${rate.type},
                  ${JSON.stringify(rate.rateConfig)}::jsonb, ${rate.minDeliveryDays}, ${rate.maxDeliveryDays},
                  ${rate.handlingTime}, ${rate.taxStatus}, ${rate.minOrderAmount}, ${rate.maxCost},
                    ${JSON.stringify(rate.classCosts)}::jsonb, ${rate.classCalculationType}, ${rate.isActive},
                    ${rate.createdAt}, ${rate.updatedAt})`)
          ),
        updateRate: (storeId: string, rate: ShippingRateState) =>
          none(sql`UPDATE shipping_rate SET name = ${rate.name}, description = ${rate.description}, type = ${rate.type},
                  rate_config = ${JSON.stringify(rate.rateConfig)}::jsonb, min_delivery_days = ${rate.minDeliveryDays},
                  max_delivery_days = ${rate.maxDeliveryDays}, handling_time = ${rate.handlingTime},
                  tax_status = ${rate.taxStatus}, min_order_amount = ${rate.minOrderAmount}, max_cost = ${rate.maxCost},
                  class_costs = ${JSON.stringify(rate.classCosts)}::jsonb,
                    class_calculation_type = ${rate.classCalculationType}, is_active = ${rate.isActive},
                    updated_at = ${rate.updatedAt}
                WHERE store_id = ${storeId} AND zone_id = ${rate.zoneId} AND id = ${rate.id}`),
        removeRate: (storeId: string, zoneId: string, id: string) =>
          anyRow(sql`DELETE FROM shipping_rate WHERE store_id =
            ${storeId} AND zone_id = ${zoneId} AND id = ${id} RETURNING
                id`),
        findRate: (storeId: string, zoneId: string, id: string) =>
          Effect.map(
            many(sql<{ readonly rate: RateJson }>`SELECT ${sql.literal(rateJson)} AS rate FROM shipping_rate r
                WHERE r.store_id = ${storeId} AND r.zone_id = ${zoneId} AND r.id = ${id}`),
            (rows) => (rows[0] === undefined ? undefined : toRateState(rows[0].rate))
          ),
        readRules
      }
    })
  }
) {
  static readonly layer = Layer.effect(ShippingZoneRepository, ShippingZoneRepository.make)
}

const zonesIn = (rows: ReadonlyArray<{ readonly zone: ZoneJson | null }>): ReadonlyArray<ShippingZoneState> =>
  rows.flatMap(({ zone }) => (zone === null ? [] : [toZoneState(zone)]))

const jsonOrNull = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value)
