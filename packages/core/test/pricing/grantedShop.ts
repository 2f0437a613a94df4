/**
 * A shop whose pricing has five adjustment sources that no room of the product has: an automatic rule, a code, a gift,
 * a surcharge and a tender. Nothing but the list of sources knows of them.
 */
import { Effect, Layer } from "effect"
import { Audit } from "../../src/audit/Audit.ts"
import type { Finding } from "../../src/audit/Law.ts"
import type { TenderKind } from "../../src/tender/TenderKind.ts"
import { TenderKinds } from "../../src/tender/Tenders.ts"
import { coreLayer } from "../../src/CommerceCore.ts"
import type { AdjustmentEvaluator, AdjustmentSource, ProposedAdjustment } from "../../src/pricing/AdjustmentSource.ts"
import { AdjustmentSources } from "../../src/pricing/AdjustmentSources.ts"
import type { QuoteLine, QuoteRequest } from "../../src/pricing/Quote.ts"
import { ShippingRates } from "../../src/shipping/ShippingRates.ts"
import { ShippingZones } from "../../src/shipping/ShippingZones.ts"
import { SalesChannels } from "../../src/store/SalesChannels.ts"
import { Stores } from "../../src/store/Stores.ts"
import { TaxRates } from "../../src/tax/TaxRates.ts"
import { seedProduct } from "../../src/testing/Factories.ts"
import { TestDatabase, testSecret } from "../../src/testing/TestDatabase.ts"

const percentOfLines =
  (percent: bigint, sourceId: string, reason: string): AdjustmentEvaluator["evaluate"] =>
  ({ lines }) => ({
    proposed: lines.map(
      ({ id, due }): ProposedAdjustment => ({
        sourceId,
        target: "line",
        lineId: id,
        amount: (due * percent) / 100n,
        reason
      })
    )
  })

const onOrder =
  (amount: bigint, sourceId: string, reason: string): AdjustmentEvaluator["evaluate"] =>
  () => ({ proposed: [{ sourceId, target: "order", lineId: null, amount, reason }] })

type Request = QuoteRequest<QuoteLine>

const source = (
  evaluator: AdjustmentEvaluator,
  codesOf: (request: Request) => ReadonlyArray<string> | undefined
): AdjustmentSource => ({
  load: (_store, request) => {
    const codes = codesOf(request)
    return Effect.succeed(codes === undefined ? undefined : { evaluator, codes })
  }
})

const summer = source(
  { kind: "summer", part: "rule_discount", evaluate: percentOfLines(5n, "rule_summer", "Summer sale") },
  () => []
)
const loyal = source(
  { kind: "loyal", part: "discount", evaluate: percentOfLines(10n, "code_loyal", "For loyal customers") },
  ({ codes, acceptedCodes }) => {
    const given = [...codes, ...acceptedCodes].filter((code) => code.toUpperCase() === "LOYAL")
    return given.length === 0 ? undefined : given
  }
)
/** More than there is, of every line and of the shipping. */
const gratis = source(
  {
    kind: "gratis",
    part: "discount",
    evaluate: ({ lines }) => {
      const all = { sourceId: "gratis_1", amount: 1_000_000n, reason: null }
      const ofLines = lines.map(({ id }): ProposedAdjustment => ({ ...all, target: "line", lineId: id }))
      return { proposed: [{ ...all, target: "shipping", lineId: null }, ...ofLines] }
    }
  },
  ({ buyer }) => (["free@example.com", "wrapped@example.com"].includes(buyer.email ?? "") ? [] : undefined)
)
const giftWrap = source(
  { kind: "gift-wrap", part: "surcharge", evaluate: onOrder(250n, "wrap", "Gift wrap") },
  ({ delivery, buyer }) => (delivery.by === "unknown" || buyer.email === "free@example.com" ? undefined : [])
)
const card = source({ kind: "card", part: "tender", evaluate: onOrder(1_000n, "card_1", "Gift card") }, ({ buyer }) =>
  ["card@example.com", "wrapped@example.com"].includes(buyer.email ?? "") ? [] : undefined
)

/** A card with enough on it for every order. */
const cardTender: TenderKind = {
  kind: "card",
  hold: () => Effect.void,
  spend: () => Effect.void,
  release: () => Effect.void
}

/** Every service of core, on a database of its own. */
export const grantedShop = Audit.layer.pipe(
  Layer.provideMerge(
    Layer.unwrap(
      Effect.map(TestDatabase, ({ connection }) => coreLayer({ connection, secret: testSecret, maxConnections: 4 }))
    )
  ),
  Layer.provide(Layer.succeed(AdjustmentSources, [summer, loyal, gratis, giftWrap, card].map(Effect.succeed))),
  Layer.provide(Layer.succeed(TenderKinds, [Effect.succeed(cardTender)])),
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
