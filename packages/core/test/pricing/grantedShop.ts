/**
 * A shop whose pricing has five adjustment sources that no room of the product has: an automatic rule, a code, a gift,
 * a surcharge and a tender. Nothing but the list of sources knows of them.
 */
import { Effect, Layer } from "effect"
import { Audit } from "../../src/audit/Audit.ts"
import type { Finding } from "../../src/audit/Law.ts"
import { type ClaimKind, FurtherClaimKinds } from "../../src/claim/ClaimKind.ts"
import { coreLayer } from "../../src/CommerceCore.ts"
import {
  type AdjustmentSource,
  type Discount,
  FurtherAdjustmentSources,
  type LoadedSource
} from "../../src/pricing/AdjustmentSource.ts"
import type { QuoteLine, QuoteRequest } from "../../src/pricing/Quote.ts"
import { ShippingRates } from "../../src/shipping/ShippingRates.ts"
import { ShippingZones } from "../../src/shipping/ShippingZones.ts"
import { SalesChannels } from "../../src/store/SalesChannels.ts"
import { Stores } from "../../src/store/Stores.ts"
import { TaxRates } from "../../src/tax/TaxRates.ts"
import { seedProduct } from "../../src/testing/Factories.ts"
import { TestDatabase, testSecret } from "../../src/testing/TestDatabase.ts"

type Request = QuoteRequest<QuoteLine>

const combining = { value: null, type: "PERCENTAGE_OFF", combines: true } as const

const percent = (of: Pick<Discount, "kind" | "sourceId" | "name" | "code" | "part">, percentage: bigint): Discount => ({
  ...combining,
  ...of,
  evaluate: ({ lines }) => ({
    lines: lines.map(({ id, due, quantity }) => ({ lineId: id, amount: (due * percentage) / 100n, units: quantity })),
    formula: `${percentage} %`
  })
})

const source = (load: (request: Request) => LoadedSource | undefined): AdjustmentSource => ({
  load: (_store, request) => Effect.succeed(load(request))
})

const summer = source(() => ({
  discounts: [
    percent({ kind: "summer", sourceId: "rule_summer", name: "Summer sale", code: null, part: "rule_discount" }, 5n)
  ]
}))
const loyal = source(({ codes }) => {
  const given = codes.filter((code) => code.toUpperCase() === "LOYAL")
  const [code] = given
  if (code === undefined) return undefined
  const of = { kind: "loyal", sourceId: "code_loyal", name: "For loyal customers", code, part: "discount" } as const
  return { codes: given, discounts: [percent(of, 10n)] }
})
/** More than there is, of every line and of the shipping. */
const gratis = source(({ buyer }) =>
  ["free@example.com", "wrapped@example.com"].includes(buyer.email ?? "")
    ? {
        discounts: [
          {
            ...combining,
            kind: "gratis",
            sourceId: "gratis_1",
            name: "Gratis",
            code: null,
            part: "discount",
            evaluate: ({ lines }) => ({
              lines: lines.map(({ id, quantity }) => ({ lineId: id, amount: 1_000_000n, units: quantity })),
              shipping: 1_000_000n,
              formula: "everything"
            })
          }
        ]
      }
    : undefined
)
const giftWrap = source(({ delivery, buyer }) => {
  if (delivery.by === "unknown" || buyer.email === "free@example.com") return undefined
  const wrap = { kind: "gift-wrap", sourceId: "wrap", name: "Gift wrap", type: null, value: null }
  return { surcharges: [{ ...wrap, evaluate: () => ({ amount: 250n, formula: "fixed" }) }] }
})
const card = source(({ buyer }) =>
  ["card@example.com", "wrapped@example.com"].includes(buyer.email ?? "")
    ? {
        tenders: [{ kind: "card", sourceId: "card_1", tenderId: "card_1", reason: "Gift card", pay: () => 1_000n }]
      }
    : undefined
)

/** A card with enough on it for every order. */
const cardClaim: ClaimKind = {
  kind: "card",
  hold: () => Effect.void,
  spend: () => Effect.void,
  release: () => Effect.void,
  giveBack: () => Effect.succeed(null)
}

/** Every service of core, on a database of its own. */
export const grantedShop = Audit.layer.pipe(
  Layer.provideMerge(
    Layer.unwrap(
      Effect.map(TestDatabase, ({ connection }) => coreLayer({ connection, secret: testSecret, maxConnections: 4 }))
    )
  ),
  Layer.provide(Layer.succeed(FurtherAdjustmentSources, [summer, loyal, gratis, giftWrap, card].map(Effect.succeed))),
  Layer.provide(Layer.succeed(FurtherClaimKinds, [Effect.succeed(cardClaim)])),
  Layer.provide(TestDatabase.layerCopy)
)

/** A store with 10 % of tax and 5.00 of taxed shipping in California, and two products: 10.00 and 5.90. */
export const openStore = Effect.gen(function* () {
  const stores = yield* Stores
  const made = yield* stores.create({ name: "Shop", currency: "USD", country: "US" })
  const { id: channelId } = yield* (yield* SalesChannels).create(made.id, { name: "Storefront" })
  yield* (yield* TaxRates).create(made, { name: "California", country: "US", region: "CA", rate: 10 })
  const zone = yield* (yield* ShippingZones).create(made, { name: "United States", countries: ["US"] })
  const rates = yield* ShippingRates
  for (const [name, amount] of [
    ["Express", "20.00"],
    ["Standard", "5.00"]
  ] as const)
    yield* rates.create(made, zone.id, { name, type: "FLAT", rateConfig: { amount } })
  const store = yield* stores.fresh(made)
  const lamp = yield* seedProduct(store.id, { name: "Lamp", price: 1_000n })
  const bulb = yield* seedProduct(store.id, { name: "Bulb", price: 590n })
  return { store, channelId, lamp, bulb }
})

/** What the auditor says of a store. */
export const auditOf = (storeId: string) =>
  Effect.gen(function* () {
    const findings: Array<Finding> = []
    yield* (yield* Audit).run({ storeId, tell: (found) => Effect.sync(() => void findings.push(...found)) })
    return findings
  })
