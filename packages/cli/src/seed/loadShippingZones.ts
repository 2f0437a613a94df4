/**
 * The shipping zones of a store description and the rates in them. A rate without an externalId goes by its zone's and
 * its name.
 */
import { NewShippingRate, type ShippingRate } from "@effect-commerce/core/shipping/ShippingRate"
import { NewShippingZone } from "@effect-commerce/core/shipping/ShippingZone"
import { ExternalIds } from "@effect-commerce/core/database/ExternalIds"
import { ShippingRates } from "@effect-commerce/core/shipping/ShippingRates"
import { ShippingZones } from "@effect-commerce/core/shipping/ShippingZones"
import { Effect } from "effect"
import { Refused } from "../Refused.ts"
import { checkedRows, type Row } from "./document.ts"
import { inRow, type Loading } from "./Loading.ts"
import { readRow } from "./rows.ts"

const ratesOf = (zone: Row): Effect.Effect<ReadonlyArray<Row>, Refused> =>
  Effect.try({
    try: () => {
      const rates: unknown = zone["rates"] ?? []
      const named = (rate: unknown) =>
        typeof rate === "object" && rate !== null && "name" in rate
          ? { externalId: `${zone.externalId}/${String(rate.name)}`, ...rate }
          : rate
      return checkedRows(`shippingZones ${zone.externalId}: rates`, Array.isArray(rates) ? rates.map(named) : rates)
    },
    catch: (error) => (error instanceof Refused ? error : new Refused(String(error)))
  })

/** A class is named by its externalId, its name or its id. */
const withClasses = (loading: Loading, rate: NewShippingRate): NewShippingRate =>
  rate.classCosts === undefined || rate.classCosts === null
    ? rate
    : {
        ...rate,
        classCosts: Object.fromEntries(
          Object.entries(rate.classCosts).map(([id, cost]) => [loading.idOf("shippingClasses", id), cost])
        )
      }

/** `regionIds` are externalIds or ids. */
const inRegions = (loading: Loading, zone: NewShippingZone): NewShippingZone =>
  zone.regionIds === undefined || zone.regionIds === null
    ? zone
    : { ...zone, regionIds: zone.regionIds.map((region) => loading.idOf("regions", region)) }

export const load = Effect.fnUntraced(function* (loading: Loading, rows: ReadonlyArray<Row>) {
  const zones = yield* ShippingZones
  const shippingRates = yield* ShippingRates
  const externalIds = yield* ExternalIds
  const { store } = loading
  const read = yield* Effect.forEach(rows, (row) => Effect.map(ratesOf(row), (rates) => ({ row, rates })))
  loading.name(
    "shippingZones",
    yield* externalIds.find(
      store.id,
      "shipping_zone",
      rows.map((row) => row.externalId)
    )
  )
  const rateIds = yield* externalIds.find(
    store.id,
    "shipping_rate",
    read.flatMap(({ rates }) => rates.map((rate) => rate.externalId))
  )

  const loadRate = Effect.fnUntraced(function* (zoneId: string, row: Row, present: ReadonlySet<string>) {
    const read = yield* Effect.fromResult(readRow(NewShippingRate, "shippingZones", row))
    const body = withClasses(loading, read)
    const known = rateIds.get(row.externalId)
    if (known !== undefined && !present.has(known))
      return yield* Effect.fail(
        new Refused(`shippingZones ${row.externalId}: the rate is in another zone; nothing was loaded`)
      )
    const written: Effect.Effect<ShippingRate, unknown> =
      known === undefined
        ? shippingRates.create(store, zoneId, body)
        : shippingRates.update(store, { zoneId, rateId: known }, body)
    const kept = yield* inRow("shippingZones", row.externalId)(written)
    if (known === undefined) yield* externalIds.assign(store.id, "shipping_rate", kept.id, row.externalId)
  })

  for (const { row, rates } of read) {
    const body = inRegions(loading, yield* Effect.fromResult(readRow(NewShippingZone, "shippingZones", row, ["rates"])))
    const known = loading.known("shippingZones", row.externalId)
    const zone = yield* (known === undefined ? zones.create(store, body) : zones.update(store, known, body)).pipe(
      inRow("shippingZones", row.externalId)
    )
    if (known === undefined) yield* externalIds.assign(store.id, "shipping_zone", zone.id, row.externalId)
    const present = new Set(zone.rates.map((rate) => rate.id))
    for (const rate of rates) yield* loadRate(zone.id, rate, present)
    loading.count("shippingZones", known === undefined ? "created" : "updated")
  }
})
