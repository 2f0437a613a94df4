import { describe, expect, layer } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Database } from "../../src/database/Database.ts"
import { CurrentStatementLog, makeStatementCounter } from "../../src/database/StatementLog.ts"
import { pickupLocationsOf } from "../../src/shipping/PickupLocation.ts"
import { offeredRates } from "../../src/shipping/ShippingRateCalculator.ts"
import { ShippingRates } from "../../src/shipping/ShippingRates.ts"
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

/** A store with the shipping classes bulky, other and a. */
const makeStore = Effect.fnUntraced(function* (currency = "EUR") {
  const store = yield* Stores.use((stores) => stores.create({ name: "Shop", currency, country: "DE" }))
  const { sql, write } = yield* Database
  yield* write(store.id)(sql`INSERT INTO shipping_class (store_id, id, name, slug, created_at, updated_at)
    SELECT ${store.id}, c, c, c, '2026-01-01', '2026-01-01' FROM unnest(ARRAY['bulky', 'other', 'a']) AS c`)
  return store
})

const versionOf = (storeId: string) =>
  Effect.flatMap(Database, ({ sql }) =>
    Effect.map(
      sql<{ readonly rulesVersion: bigint }>`SELECT rules_version FROM store WHERE id = ${storeId}`,
      (rows) => rows[0]?.rulesVersion ?? 0n
    )
  )

const compiledNow = (store: StoreContext) =>
  Effect.flatMap(versionOf(store.id), (version) => ShippingZones.use((zones) => zones.compiled(store.id, version)))

/** What a parcel of one unit for 20.00 is offered at an address in Germany. */
const offersAt = Effect.fnUntraced(function* (
  store: StoreContext,
  address: { readonly postalCode?: string; readonly lat?: number; readonly lng?: number } = {}
) {
  const zone = (yield* compiledNow(store)).match({ country: "DE", ...address }, null)?.zone
  const parcel = {
    subtotal: 2000n,
    lines: [{ quantity: 1, weightValue: "1.5", weightUnit: "kg", shippingClassId: "bulky" }]
  }
  return offeredRates(zone?.rates ?? [], parcel).map(({ rate, price }) => `${zone?.name}/${rate.name} ${price}`)
})

const square = {
  type: "Polygon",
  coordinates: [
    [
      [11, 48],
      [12, 48],
      [12, 49],
      [11, 49],
      [11, 48]
    ]
  ]
}
const uncut = {
  type: "Polygon",
  coordinates: [
    [
      [170, 40],
      [-170, 40],
      [-170, 50],
      [170, 50],
      [170, 40]
    ]
  ]
}
const germany = { name: "Germany", countries: ["DE"] }

/** The test's own clock, as answers show it. */
const now = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis).toISOString())

layer(live)("shipping zones", (it) => {
  describe("stored and answered", () => {
    it.effect("answers every field of a zone with its default", () =>
      Effect.gen(function* () {
        const store = yield* makeStore()
        const zones = yield* ShippingZones
        const at = yield* now
        const created = yield* zones.create(store, germany)
        expect(created).toEqual({
          id: expect.stringMatching(/^zone_[0-9a-z]{26}$/),
          accountId: store.accountId,
          storeId: store.id,
          name: "Germany",
          countries: ["DE"],
          regions: {},
          postalCodes: {},
          geometry: null,
          hasGeometry: false,
          geometryLabels: [],
          regionIds: [],
          salesChannelIds: [],
          priority: 0,
          isActive: true,
          rateSource: "MANUAL",
          platformSettings: null,
          createdAt: at,
          updatedAt: at,
          rates: [],
          ratesCount: 0,
          _count: { rates: 0 }
        })
        expect(yield* zones.get(store, created.id)).toEqual(created)
      })
    )

    it.effect("keeps all that a zone covers, and changes only what is mentioned", () =>
      Effect.gen(function* () {
        const store = yield* makeStore()
        const zones = yield* ShippingZones
        const channel = yield* SalesChannels.use((channels) => channels.create(store.id, { name: "Web" }))
        const full = {
          name: "All of it",
          countries: ["DE", "AT", "DE"],
          regions: { DE: ["DE-BY", "be"] },
          postalCodes: { DE: ["803*", "94100-94199"] },
          geometry: square,
          geometryLabels: ["Munich"],
          salesChannelIds: [channel.id.slice(3), channel.id],
          priority: 7,
          isActive: false
        }
        const created = yield* zones.create(store, full)
        expect(created).toMatchObject({
          ...full,
          countries: ["DE", "AT"],
          regions: { DE: ["BY", "BE"] },
          salesChannelIds: [channel.id],
          hasGeometry: true
        })
        expect(yield* zones.get(store, created.id)).toEqual(created)
        const cleared = yield* zones.update(store, created.id, {
          geometry: null,
          regions: null,
          salesChannelIds: null,
          geometryLabels: null,
          priority: 0
        })
        expect(cleared).toMatchObject({
          name: "All of it",
          countries: ["DE", "AT"],
          regions: {},
          postalCodes: { DE: ["803*", "94100-94199"] },
          geometry: null,
          hasGeometry: false,
          geometryLabels: [],
          salesChannelIds: [],
          priority: 0,
          isActive: false
        })
        expect(yield* zones.get(store, created.id)).toEqual(cleared)
      })
    )

    it.effect("names every field that is wrong, and stores nothing", () =>
      Effect.gen(function* () {
        const [store, other] = [yield* makeStore(), yield* makeStore()]
        const foreign = yield* SalesChannels.use((channels) => channels.create(other.id, { name: "Theirs" }))
        const zones = yield* ShippingZones
        const bad = {
          name: "",
          countries: ["DE", "uk"],
          regions: { XX: ["A"] },
          postalCodes: { DE: ["9*1"] },
          geometry: { type: "Point", coordinates: [11, 48] },
          salesChannelIds: [foreign.id, "vc_none"],
          regionIds: ["reg_none"],
          priority: -1
        }
        const { errors } = yield* Effect.flip(zones.create(store, bad))
        expect(Object.keys(errors).sort()).toEqual(
          [
            "countries.1",
            "geometry.type",
            "name",
            "postalCodes.DE.0",
            "priority",
            "regionIds.0",
            "regions.XX",
            "salesChannelIds.0",
            "salesChannelIds.1"
          ].sort()
        )
        expect(errors["salesChannelIds.0"]).toBe(errors["salesChannelIds.1"])
        expect((yield* zones.list(store, {}, { page: 1, limit: 20 })).total).toBe(0)
        expect(yield* versionOf(store.id)).toBe(store.rulesVersion)
      })
    )

    it.effect("warns of a polygon that seems to cross the antimeridian, in the answer to the write", () =>
      Effect.gen(function* () {
        const store = yield* makeStore()
        const zones = yield* ShippingZones
        const created = yield* zones.create(store, { name: "Pacific", countries: [], geometry: uncut })
        expect(created.warnings).toHaveLength(1)
        expect(created.warnings?.[0]).toContain("antimeridian")
        expect(yield* zones.get(store, created.id)).not.toHaveProperty("warnings")
        expect(yield* zones.update(store, created.id, { name: "Still" })).not.toHaveProperty("warnings")
        expect(yield* zones.update(store, created.id, { geometry: square })).not.toHaveProperty("warnings")
      })
    )

    it.effect("lists in the order in which zones are tried, by part of the name and by state", () =>
      Effect.gen(function* () {
        const store = yield* makeStore()
        const zones = yield* ShippingZones
        for (const [name, priority, isActive] of [
          ["Rest 100%", 9, true],
          ["North", 1, true],
          ["South", 1, false],
          ["north_sea", 0, true]
        ] as const) {
          yield* zones.create(store, { ...germany, name, priority, isActive })
          yield* TestClock.adjust("1 second")
        }
        const names = (filter: Parameters<typeof zones.list>[1], page = { page: 1, limit: 20 }) =>
          Effect.map(zones.list(store, filter, page), ({ items, total }) => [
            items.map((zone) => zone.name).join(", "),
            total
          ])
        expect(yield* names({})).toEqual(["north_sea, North, South, Rest 100%", 4])
        expect(yield* names({}, { page: 2, limit: 3 })).toEqual(["Rest 100%", 4])
        expect(yield* names({}, { page: 9, limit: 3 })).toEqual(["", 4])
        expect(yield* names({ search: "NORTH" })).toEqual(["north_sea, North", 2])
        expect(yield* names({ search: "h_s" })).toEqual(["north_sea", 1])
        expect(yield* names({ search: "0%" })).toEqual(["Rest 100%", 1])
        expect(yield* names({ search: "\\" })).toEqual(["", 0])
        expect(yield* names({ isActive: false })).toEqual(["South", 1])
        expect(yield* names({ isActive: true, sort: { by: "priority", descending: true } })).toEqual([
          "Rest 100%, North, north_sea",
          3
        ])
      })
    )

    it.effect("treats another store's zone and rate as unknown", () =>
      Effect.gen(function* () {
        const [mine, other] = [yield* makeStore(), yield* makeStore()]
        const [zones, rates] = [yield* ShippingZones, yield* ShippingRates]
        const own = yield* zones.create(mine, germany)
        const zone = yield* zones.create(other, germany)
        const rate = yield* rates.create(other, zone.id, { name: "Free", type: "FREE" })
        for (const attempt of [
          zones.get(mine, zone.id),
          zones.update(mine, zone.id, { name: "x" }),
          zones.remove(mine, zone.id)
        ]) {
          expect((yield* Effect.flip<unknown, { readonly _tag: string }, never>(attempt))._tag).toBe(
            "ShippingZoneNotFound"
          )
        }
        expect((yield* Effect.flip(rates.create(mine, zone.id, { name: "Free", type: "FREE" })))._tag).toBe(
          "ShippingZoneNotFound"
        )
        for (const [store, zoneId] of [
          [mine, zone.id],
          [mine, own.id],
          [other, own.id]
        ] as const) {
          expect((yield* Effect.flip(rates.update(store, { zoneId, rateId: rate.id }, { name: "x" })))._tag).toBe(
            "ShippingRateNotFound"
          )
          expect((yield* Effect.flip(rates.remove(store, { zoneId, rateId: rate.id })))._tag).toBe(
            "ShippingRateNotFound"
          )
        }
        expect((yield* zones.get(other, zone.id)).rates).toEqual([rate])
      })
    )
  })

  describe("rates", () => {
    it.effect("answers every field of a rate, amounts with the digits of the store's currency", () =>
      Effect.gen(function* () {
        const store = yield* makeStore()
        const [zones, rates] = [yield* ShippingZones, yield* ShippingRates]
        const zone = yield* zones.create(store, germany)
        const at = yield* now
        const blank = yield* rates.create(store, zone.id, {
          name: "Flat",
          type: "FLAT",
          rateConfig: { amount: 4.9 }
        })
        yield* TestClock.adjust("1 second")
        expect(blank).toEqual({
          id: expect.stringMatching(/^shiprate_[0-9a-z]{26}$/),
          zoneId: zone.id,
          name: "Flat",
          description: null,
          type: "FLAT",
          rateConfig: { amount: "4.90" },
          minDeliveryDays: null,
          maxDeliveryDays: null,
          handlingTime: null,
          taxStatus: "taxable",
          minOrderAmount: null,
          maxCost: null,
          classCosts: {},
          classCalculationType: "PER_CLASS",
          isActive: true,
          platformSettings: null,
          createdAt: at,
          updatedAt: at
        })
        const full = {
          name: "By weight",
          description: "Parcel",
          type: "BY_WEIGHT",
          rateConfig: {
            unit: "kg",
            tiers: [
              { upTo: null, amount: "20" },
              { upTo: "2.5", amount: 5 }
            ]
          },
          minDeliveryDays: 1,
          maxDeliveryDays: 3,
          handlingTime: 0,
          taxStatus: "none",
          minOrderAmount: "10",
          maxCost: 99.5,
          classCosts: { bulky: "3.5" },
          classCalculationType: "HIGHEST",
          isActive: false
        } as const
        const rate = yield* rates.create(store, zone.id, full)
        expect(rate).toMatchObject({
          ...full,
          rateConfig: {
            unit: "kg",
            tiers: [
              { upTo: "2.5", amount: "5.00" },
              { upTo: null, amount: "20.00" }
            ]
          },
          minOrderAmount: "10.00",
          maxCost: "99.50",
          classCosts: { bulky: "3.50" },
          createdAt: yield* now
        })
        expect(yield* zones.get(store, zone.id)).toMatchObject({
          rates: [blank, rate],
          ratesCount: 2,
          _count: { rates: 2 }
        })
        const changed = yield* rates.update(
          store,
          { zoneId: zone.id, rateId: rate.id },
          { maxCost: null, classCosts: null, minDeliveryDays: null }
        )
        expect(changed).toMatchObject({ ...rate, maxCost: null, classCosts: {}, minDeliveryDays: null })
        yield* rates.remove(store, { zoneId: zone.id, rateId: blank.id })
        expect((yield* zones.get(store, zone.id)).rates).toEqual([changed])
        expect((yield* Effect.flip(rates.remove(store, { zoneId: zone.id, rateId: blank.id })))._tag).toBe(
          "ShippingRateNotFound"
        )
      })
    )

    it.effect("names every field that is wrong, by the digits of the store's currency", () =>
      Effect.gen(function* () {
        const store = yield* makeStore("JPY")
        const [zones, rates] = [yield* ShippingZones, yield* ShippingRates]
        const zone = yield* zones.create(store, germany)
        const refused = (input: Parameters<typeof rates.create>[2]) =>
          Effect.map(Effect.flip(rates.create(store, zone.id, input)), (error) =>
            "errors" in error ? error.errors : {}
          )
        expect(
          yield* refused({
            name: " ",
            type: "BY_ITEM",
            rateConfig: { perItem: "1.5" },
            minOrderAmount: -1,
            maxCost: "1e3",
            classCosts: { a: "0.1" },
            minDeliveryDays: 5,
            maxDeliveryDays: 2,
            handlingTime: -1
          })
        ).toEqual({
          name: "must not be empty",
          "rateConfig.perItem": "JPY has 0 fraction digits",
          minOrderAmount: "must not be negative",
          maxCost: "must be a plain decimal such as 19.99",
          "classCosts.a": "JPY has 0 fraction digits",
          maxDeliveryDays: "must not be less than minDeliveryDays",
          handlingTime: "must be a whole number from 0 to 3650"
        })
        expect(yield* refused({ name: "Flat", type: "FLAT" })).toEqual({ "rateConfig.amount": "is required" })
        expect(
          Object.keys(yield* refused({ name: "W", type: "BY_WEIGHT", rateConfig: { unit: "stone", tiers: [] } }))
        ).toEqual(["rateConfig.unit", "rateConfig.tiers"])
        expect(
          yield* refused({
            name: "P",
            type: "PICKUP",
            rateConfig: { location: { name: "Shop", address: { country: "Germany" } } }
          })
        ).toEqual({
          "rateConfig.location.address.country": "must be an ISO 3166-1 alpha-2 code such as US"
        })
        expect((yield* zones.get(store, zone.id)).ratesCount).toBe(0)
      })
    )

    it.effect("refuses a change of type without a configuration of that type", () =>
      Effect.gen(function* () {
        const store = yield* makeStore()
        const [zones, rates] = [yield* ShippingZones, yield* ShippingRates]
        const zone = yield* zones.create(store, germany)
        const rate = yield* rates.create(store, zone.id, { name: "Flat", type: "FLAT", rateConfig: { amount: "5" } })
        const at = { zoneId: zone.id, rateId: rate.id }
        expect(yield* Effect.flip(rates.update(store, at, { type: "BY_PRICE" }))).toMatchObject({
          errors: { "rateConfig.tiers": "is required" }
        })
        const changed = yield* rates.update(store, at, {
          type: "BY_PRICE",
          rateConfig: { tiers: [{ from: 0, amount: 6 }] }
        })
        expect([changed.type, changed.rateConfig]).toEqual(["BY_PRICE", { tiers: [{ from: "0.00", amount: "6.00" }] }])
        expect((yield* rates.update(store, at, { type: "FREE" })).rateConfig).toEqual({})
      })
    )
  })

  describe("compiled", () => {
    it.effect("asks the database once per version for all zones with their rates, and not at all when warm", () =>
      Effect.gen(function* () {
        const store = yield* makeStore()
        const [zones, rates] = [yield* ShippingZones, yield* ShippingRates]
        for (const name of ["One", "Two", "Three"]) {
          const zone = yield* zones.create(store, { ...germany, name })
          yield* rates.create(store, zone.id, { name: "Free", type: "FREE" })
        }
        const version = yield* versionOf(store.id)
        counter.reset()
        const cold = yield* zones.compiled(store.id, version)
        expect(counter.statements()).toHaveLength(1)
        expect([yield* zones.compiled(store.id, version), counter.statements().length]).toEqual([cold, 1])
        expect([cold.version, cold.activeZones, cold.zones.map((zone) => zone.rates.length)]).toEqual([
          version,
          3,
          [1, 1, 1]
        ])
      })
    )

    it.effect("prices what the winning zone offers", () =>
      Effect.gen(function* () {
        const store = yield* makeStore()
        const [zones, rates] = [yield* ShippingZones, yield* ShippingRates]
        const anywhere = yield* zones.create(store, { name: "World", countries: [], priority: 9 })
        yield* rates.create(store, anywhere.id, {
          name: "Flat",
          type: "FLAT",
          rateConfig: { amount: "30" },
          maxCost: "25"
        })
        const munich = yield* zones.create(store, {
          ...germany,
          name: "Munich",
          postalCodes: { DE: ["803*"] },
          priority: 1
        })
        yield* rates.create(store, munich.id, {
          name: "Item",
          type: "BY_ITEM",
          rateConfig: { base: 1, perItem: "0.5" },
          classCosts: { bulky: 2, other: 9 }
        })
        yield* rates.create(store, munich.id, { name: "Off", type: "FREE", isActive: false })
        yield* rates.create(store, munich.id, { name: "Big", type: "FREE", minOrderAmount: "20.01" })
        const drawn = yield* zones.create(store, { name: "Drawn", countries: [], geometry: square })
        yield* rates.create(store, drawn.id, { name: "Courier", type: "FLAT", rateConfig: { amount: 8 } })
        expect(yield* offersAt(store)).toEqual(["World/Flat 2500"])
        expect(yield* offersAt(store, { postalCode: "80331" })).toEqual(["Munich/Item 350"])
        expect(yield* offersAt(store, { postalCode: "80331", lat: 48.5, lng: 11.5 })).toEqual(["Drawn/Courier 800"])
        yield* zones.remove(store, drawn.id)
        expect(yield* offersAt(store, { postalCode: "80331", lat: 48.5, lng: 11.5 })).toEqual(["Munich/Item 350"])
      })
    )

    it.effect("lets another process see each change with the next version it reads", () =>
      Effect.gen(function* () {
        const store = yield* makeStore()
        const [zones, rates] = [yield* ShippingZones, yield* ShippingRates]
        const { connection } = yield* TestDatabase
        const elsewhere = yield* Layer.build(Layer.fresh(rooms.pipe(Layer.provide(Database.layer(connection)))))
        const seen = Effect.provide(offersAt(store), elsewhere)
        const zone = yield* zones.create(store, germany)
        expect(yield* seen).toEqual([])
        const rate = yield* rates.create(store, zone.id, { name: "Flat", type: "FLAT", rateConfig: { amount: "5" } })
        const at = { zoneId: zone.id, rateId: rate.id }
        expect(yield* seen).toEqual(["Germany/Flat 500"])
        yield* rates.update(store, at, { rateConfig: { amount: "6" } })
        expect(yield* seen).toEqual(["Germany/Flat 600"])
        yield* zones.update(store, zone.id, { isActive: false })
        expect(yield* seen).toEqual([])
        yield* zones.update(store, zone.id, { isActive: true })
        expect(yield* seen).toEqual(["Germany/Flat 600"])
        yield* rates.remove(store, at)
        expect(yield* seen).toEqual([])
        yield* rates.create(store, zone.id, { name: "Free", type: "FREE" })
        expect(yield* seen).toEqual(["Germany/Free 0"])
        yield* zones.remove(store, zone.id)
        expect(yield* seen).toEqual([])
      })
    )

    it.effect("lists the pickup places of a channel in the order of its zones", () =>
      Effect.gen(function* () {
        const store = yield* makeStore()
        const [zones, rates, channels] = [yield* ShippingZones, yield* ShippingRates, yield* SalesChannels]
        const [web, app] = [
          yield* channels.create(store.id, { name: "Web" }),
          yield* channels.create(store.id, { name: "App" })
        ]
        const later = yield* zones.create(store, { ...germany, priority: 2, salesChannelIds: [web.id] })
        const first = yield* zones.create(store, { ...germany, priority: 1 })
        const pickup = (amount: string, location: object) =>
          ({ name: "Collect", type: "PICKUP", rateConfig: { amount, location } }) as const
        const bare = yield* rates.create(store, later.id, { ...pickup("0", { name: "Depot" }), maxCost: "1" })
        const full = yield* rates.create(store, first.id, {
          ...pickup("2.5", {
            name: "Shop",
            address: { line1: "Marienplatz 1", city: "München", postalCode: "80331", country: "DE" },
            phone: "+49 89 1",
            hours: { mon: "9-18" },
            instructions: "Ring twice"
          }),
          maxCost: "2"
        })
        yield* rates.create(store, first.id, { ...pickup("0", { name: "Closed" }), isActive: false })
        yield* rates.create(store, first.id, { name: "Parcel", type: "FREE" })
        const compiled = yield* compiledNow(store)
        const shop = {
          id: full.id,
          name: "Shop",
          rateName: "Collect",
          address: {
            line1: "Marienplatz 1",
            line2: null,
            city: "München",
            region: null,
            postalCode: "80331",
            country: "DE"
          },
          phone: "+49 89 1",
          hours: { mon: "9-18" },
          instructions: "Ring twice",
          price: "2.00",
          currency: "EUR"
        }
        const nowhere = { line1: null, line2: null, city: null, region: null, postalCode: null, country: null }
        const depot = {
          id: bare.id,
          name: "Depot",
          rateName: "Collect",
          address: nowhere,
          phone: null,
          hours: null,
          instructions: null,
          price: "0.00",
          currency: "EUR"
        }
        expect(pickupLocationsOf(compiled.zones, web.id, "EUR")).toEqual([shop, depot])
        expect(pickupLocationsOf(compiled.zones, app.id, "EUR")).toEqual([shop])
      })
    )
  })
})
