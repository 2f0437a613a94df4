import { describe, expect, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Database } from "../../src/database/Database.ts"
import { CurrentStatementLog, makeStatementCounter } from "../../src/database/StatementLog.ts"
import { rateBounds } from "../../src/shipping/RateBounds.ts"
import { zoneBounds } from "../../src/zone/ZoneBounds.ts"
import { ShippingRates } from "../../src/shipping/ShippingRates.ts"
import type { NewShippingRate } from "../../src/shipping/ShippingRate.ts"
import type { ShippingZoneChanges } from "../../src/shipping/ShippingZone.ts"
import { ShippingZones } from "../../src/shipping/ShippingZones.ts"
import { Regions } from "../../src/store/Regions.ts"
import { SalesChannels } from "../../src/store/SalesChannels.ts"
import type { StoreContext } from "../../src/store/StoreContext.ts"
import { Stores } from "../../src/store/Stores.ts"
import { TestDatabase } from "../../src/testing/TestDatabase.ts"

const counter = makeStatementCounter()
const rooms = Layer.mergeAll(ShippingZones.layer, ShippingRates.layer).pipe(
  Layer.provideMerge(Regions.layer),
  Layer.provideMerge(Layer.mergeAll(Stores.layer, SalesChannels.layer))
)
const live = rooms.pipe(
  Layer.provideMerge(TestDatabase.layer),
  Layer.provide(Layer.succeed(CurrentStatementLog, counter))
)

interface Shop {
  readonly store: StoreContext
  readonly zones: ShippingZones["Service"]
  readonly rates: ShippingRates["Service"]
}
const openShop = Effect.gen(function* () {
  const store = yield* Stores.use((stores) => stores.create({ name: "Shop", currency: "EUR", country: "DE" }))
  return { store, zones: yield* ShippingZones, rates: yield* ShippingRates }
})

/** A closed ring of so many positions. */
const ring = (positions: number) =>
  Array.from({ length: positions }, (_, i) => {
    const angle = (2 * Math.PI * (i % (positions - 1))) / (positions - 1)
    return [11 + Math.cos(angle), 48 + Math.sin(angle)]
  })
const polygon = (positions: number) => ({ type: "Polygon", coordinates: [ring(positions)] })
const codes = (count: number) => Array.from({ length: count }, (_, i) => String(10_000 + i))

/** What each field is refused for, or "stored". */
const stored = <A>(work: Effect.Effect<A, { readonly errors: unknown } | object>): Effect.Effect<unknown> =>
  Effect.match(work, { onFailure: (error) => ("errors" in error ? error.errors : error), onSuccess: () => "stored" })
const zone = ({ store, zones }: Shop, fields: ShippingZoneChanges) =>
  stored(zones.create(store, { ...fields, name: fields.name ?? "Zone", countries: fields.countries ?? ["DE"] }))
const entries = (most: number) => `must have at most ${most} entries`

layer(live)("how much of shipping a store may have", (it) => {
  describe("a zone", () => {
    it.effect.each<[name: string, fitting: ShippingZoneChanges, over: ShippingZoneChanges, errors: object]>([
      [
        "points",
        { geometry: polygon(zoneBounds.points) },
        { geometry: polygon(zoneBounds.points + 1) },
        { geometry: "has 5001 points, more than the 5000 of a zone" }
      ],
      [
        "points in several polygons and holes",
        { geometry: { type: "MultiPolygon", coordinates: [[ring(2_000), ring(1_000)], [ring(2_000)]] } },
        { geometry: { type: "MultiPolygon", coordinates: [[ring(2_000), ring(1_000)], [ring(2_001)]] } },
        { geometry: "has 5001 points, more than the 5000 of a zone" }
      ],
      [
        "what a geometry carries beside its positions",
        {
          geometry: {
            ...polygon(4),
            note: "x".repeat(zoneBounds.geometry - JSON.stringify({ ...polygon(4), note: "" }).length)
          }
        },
        {
          geometry: {
            ...polygon(4),
            note: "x".repeat(zoneBounds.geometry + 1 - JSON.stringify({ ...polygon(4), note: "" }).length)
          }
        },
        { geometry: "must have at most 524288 characters as JSON" }
      ],
      [
        "postal codes, of all countries together",
        { postalCodes: { DE: codes(9_000), AT: codes(1_000) } },
        { postalCodes: { DE: codes(9_000), AT: codes(1_001) } },
        { postalCodes: entries(10_000) }
      ],
      ["regions", { regions: { DE: codes(5_000) } }, { regions: { DE: codes(5_001) } }, { regions: entries(5_000) }],
      [
        "a region's code",
        { regions: { DE: ["x".repeat(64)] } },
        { regions: { DE: ["x".repeat(65)] } },
        { "regions.DE.0": "must have at most 64 characters" }
      ],
      [
        "countries",
        { countries: Array(300).fill("DE") },
        { countries: Array(301).fill("DE") },
        { countries: entries(300) }
      ],
      ["labels", { geometryLabels: codes(100) }, { geometryLabels: codes(101) }, { geometryLabels: entries(100) }],
      [
        "a label",
        { geometryLabels: ["x".repeat(200)] },
        { geometryLabels: ["a", "x".repeat(201)] },
        { "geometryLabels.1": "must have at most 200 characters" }
      ],
      ["its name", { name: "x".repeat(200) }, { name: "x".repeat(201) }, { name: "must have at most 200 characters" }]
    ])("is stored at the bound and refused above it: %s", ([, fitting, over, errors]) =>
      Effect.gen(function* () {
        const shop = yield* openShop
        const { store, zones } = shop
        expect(yield* zone(shop, fitting)).toBe("stored")
        expect(yield* zone(shop, over)).toEqual(errors)
        const [first] = (yield* zones.list(store, {}, { page: 1, limit: 100 })).items
        expect(yield* stored(zones.update(store, first?.id ?? "", over))).toEqual(errors)
        expect((yield* zones.list(store, {}, { page: 1, limit: 100 })).items).toEqual([first])
      })
    )

    it.effect("names no more channels and regions than it could", () =>
      Effect.gen(function* () {
        const shop = yield* openShop
        expect(yield* zone(shop, { salesChannelIds: codes(501), regionIds: codes(501) })).toEqual({
          salesChannelIds: entries(500),
          regionIds: entries(500)
        })
      })
    )
  })

  describe("all zones of a store", () => {
    it.effect(
      "have at most 50,000 points together, also where two are drawn at once; an edit counts the zone once",
      () =>
        Effect.gen(function* () {
          const [shop, other] = [yield* openShop, yield* openShop]
          const { store, zones } = shop
          for (let i = 0; i < 9; i++) expect(yield* zone(shop, { geometry: polygon(5_000) })).toBe("stored")
          expect(yield* zone(other, { geometry: polygon(5_000) })).toBe("stored")
          const both = yield* Effect.all(
            [zone(shop, { geometry: polygon(4_000) }), zone(shop, { geometry: polygon(4_000) })],
            { concurrency: "unbounded" }
          )
          const refused = { geometry: "has 4000 points; the zones of this store would have 53000, more than 50000" }
          expect(both.toSorted((a, b) => (a === "stored" ? -1 : b === "stored" ? 1 : 0))).toEqual(["stored", refused])
          const drawn = (yield* zones.list(store, {}, { page: 1, limit: 100 })).items
          const last =
            drawn.find(({ geometry }) => JSON.stringify(geometry).length < JSON.stringify(drawn[0]?.geometry).length)
              ?.id ??
            drawn[0]?.id ??
            ""
          expect(yield* stored(zones.update(store, last, { geometry: polygon(5_000) }))).toBe("stored")
          expect(yield* stored(zones.update(store, last, { name: "Renamed" }))).toBe("stored")
          expect(yield* zone(shop, { geometry: polygon(4) })).toEqual({
            geometry: "has 4 points; the zones of this store would have 50004, more than 50000"
          })
          expect(yield* zone(shop, {})).toBe("stored")
        })
    )

    it.effect("have bounded postal codes and regions, and are not more than 500", () =>
      Effect.gen(function* () {
        const shop = yield* openShop
        const { store } = shop
        const { sql, write } = yield* Database
        yield* write(
          store.id
        )(sql`INSERT INTO shipping_zone (store_id, id, name, countries, regions, postal_codes, created_at, updated_at)
          SELECT ${store.id}, 'zone_' || n, 'Z', '{DE}', jsonb_build_object('DE', to_jsonb(array_fill('BY'::text, ARRAY[5000]))),
            jsonb_build_object('DE', to_jsonb(array_fill('1'::text, ARRAY[9999])), 'AT', '["1"]'::jsonb), now(), now() FROM generate_series(1, 10) AS n`)
        expect(yield* zone(shop, { postalCodes: { DE: ["1"] } })).toEqual({
          postalCodes: "has 1 entries; the zones of this store would have 100001, more than 100000"
        })
        expect(yield* zone(shop, { regions: { DE: ["BY"] } })).toEqual({
          regions: "has 1 entries; the zones of this store would have 50001, more than 50000"
        })
        yield* write(store.id)(sql`INSERT INTO shipping_zone (store_id, id, name, countries, created_at, updated_at)
          SELECT ${store.id}, 'zone_' || n, 'Z', '{DE}', now(), now() FROM generate_series(11, 499) AS n`)
        expect(yield* zone(shop, {})).toBe("stored")
        expect(yield* zone(shop, {})).toEqual({ zones: "this store has 500 zones, which is the most" })
      })
    )

    it.effect("are read as rows in one statement, each with its rates", () =>
      Effect.gen(function* () {
        const { store, zones, rates } = yield* openShop
        const made = []
        for (const name of ["A", "B"])
          made.push(yield* zones.create(store, { name, countries: ["DE"], priority: made.length }))
        yield* rates.create(store, made[1]?.id ?? "", { name: "Free", type: "FREE" })
        counter.reset()
        const compiled = yield* zones.compiled(store.id, 99n)
        expect(counter.statements().length).toBe(1)
        expect(counter.statements()[0]).not.toContain("json_agg(json_build_object('id', z.")
        expect(compiled.zones.map(({ name, rates: theirs }) => [name, theirs.length])).toEqual([
          ["A", 0],
          ["B", 1]
        ])
        const listed = yield* zones.list(store, {}, { page: 2, limit: 1 })
        expect([listed.total, listed.items.map(({ name }) => name)]).toEqual([2, ["B"]])
        expect(yield* zones.list(store, { search: "nothing" }, { page: 1, limit: 10 })).toEqual({ items: [], total: 0 })
      })
    )
  })

  describe("a rate", () => {
    const tiers = (count: number) => Array.from({ length: count }, (_, i) => ({ from: String(i), amount: "1" }))
    const place = (name: string) => ({ amount: "0.00", location: { name } })
    const fill = (size: number) => "x".repeat(size - JSON.stringify(place("")).length)
    const flat = { name: "Rate", type: "FLAT", rateConfig: { amount: "1" } } as const
    it.effect.each<[name: string, fitting: NewShippingRate, over: NewShippingRate, errors: object]>([
      [
        "tiers",
        { name: "Rate", type: "BY_PRICE", rateConfig: { tiers: tiers(200) } },
        { name: "Rate", type: "BY_PRICE", rateConfig: { tiers: tiers(201) } },
        { "rateConfig.tiers": entries(200) }
      ],
      [
        "a pickup place",
        { name: "Rate", type: "PICKUP", rateConfig: place(fill(rateBounds.config)) },
        { name: "Rate", type: "PICKUP", rateConfig: place(fill(rateBounds.config + 1)) },
        { rateConfig: "must have at most 16384 characters as JSON" }
      ],
      [
        "its name",
        { ...flat, name: "x".repeat(200) },
        { ...flat, name: "x".repeat(201) },
        { name: "must have at most 200 characters" }
      ],
      [
        "its description",
        { ...flat, description: "x".repeat(2_000) },
        { ...flat, description: "x".repeat(2_001) },
        { description: "must have at most 2000 characters" }
      ]
    ])("is stored at the bound and refused above it: %s", ([, fitting, over, errors]) =>
      Effect.gen(function* () {
        const { store, zones, rates } = yield* openShop
        const { id } = yield* zones.create(store, { name: "Zone", countries: ["DE"] })
        const made = yield* rates.create(store, id, fitting)
        expect(yield* stored(rates.create(store, id, over))).toEqual(errors)
        expect(yield* stored(rates.update(store, { zoneId: id, rateId: made.id }, over))).toEqual(errors)
        expect(yield* stored(rates.update(store, { zoneId: id, rateId: made.id }, { isActive: false }))).toBe("stored")
      })
    )

    it.effect("has at most 200 class costs", () =>
      Effect.gen(function* () {
        const { store, zones, rates } = yield* openShop
        const { sql, write } = yield* Database
        yield* write(store.id)(sql`INSERT INTO shipping_class (store_id, id, name, slug, created_at, updated_at)
          SELECT ${store.id}, 'c' || n, 'c' || n, 'c' || n, now(), now() FROM generate_series(0, 200) AS n`)
        const costs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`c${i}`, "1"]))
        const { id } = yield* zones.create(store, { name: "Zone", countries: ["DE"] })
        expect(yield* stored(rates.create(store, id, { ...flat, classCosts: costs(200) }))).toBe("stored")
        expect(yield* stored(rates.create(store, id, { ...flat, classCosts: costs(201) }))).toEqual({
          classCosts: entries(200)
        })
      })
    )

    it.effect("is one of at most 100 of its zone and 1,000 of its store, also where two are made at once", () =>
      Effect.gen(function* () {
        const { store, zones, rates } = yield* openShop
        const { sql, write } = yield* Database
        const made = []
        for (let i = 0; i < 11; i++) made.push((yield* zones.create(store, { name: `Z${i}`, countries: ["DE"] })).id)
        const fill = (zoneId: string | undefined, count: number) =>
          write(store.id)(sql`INSERT INTO shipping_rate (store_id, id, zone_id, name, type, created_at, updated_at)
            SELECT ${store.id}, ${zoneId} || n, ${zoneId}, 'R', 'FREE', now(), now() FROM generate_series(1, ${count}::int) AS n`)
        yield* fill(made[0], 99)
        const one = stored(rates.create(store, made[0] ?? "", flat))
        const both = yield* Effect.all([one, one], { concurrency: "unbounded" })
        const full = { rates: "this zone has 100 rates, which is the most" }
        expect(both.toSorted((a) => (a === "stored" ? -1 : 1))).toEqual(["stored", full])
        for (let i = 1; i < 9; i++) yield* fill(made[i], 100)
        yield* fill(made[9], 99)
        expect(yield* stored(rates.create(store, made[10] ?? "", flat))).toBe("stored")
        expect(yield* stored(rates.create(store, made[10] ?? "", flat))).toEqual({
          rates: "this store has 1000 rates, which is the most"
        })
      })
    )
  })
})
