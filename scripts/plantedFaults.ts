/** The faults that `npm run faults` plants. One row is one line of the product made wrong, and the tests that must fail for it. */

import { contractFaults } from "./faults/contract.ts"
import { customerFaults } from "./faults/customers.ts"
import { mailFaults } from "./faults/emails.ts"
import { paymentFaults } from "./faults/payments.ts"

export interface Fault {
  /** Room and subject: `tax.precedence`. */
  readonly id: string
  /** What the fault would do to a merchant, in one sentence. */
  readonly breaks: string
  readonly file: string
  /** Part of a line; must occur exactly once in the file. */
  readonly find: string
  readonly replace: string
  /** Test files, from the root. */
  readonly tests: ReadonlyArray<string>
  /** Part of the name of a test that must be among the failing ones. */
  readonly noticedBy?: string
}

const kernel = (subject: string) => [`packages/core/test/kernel/${subject}.test.ts`]
const core = (path: string) => [`packages/core/test/${path}.test.ts`]
const handler = (path: string) => [`packages/handler/test/${path}.test.ts`]
const tax = ["packages/core/test/tax/TaxMatcher.test.ts"]

export const faults: ReadonlyArray<Fault> = [
  {
    id: "kernel.window-end",
    breaks: "A sale price still holds in the millisecond in which it ends",
    file: "packages/core/src/kernel/TimeWindow.ts",
    find: "now >= Number(window.endsAt)",
    replace: "now > Number(window.endsAt)",
    tests: kernel("TimeWindow"),
    noticedBy: "begins with its first millisecond and is over at its end"
  },
  {
    id: "kernel.window-start",
    breaks: "A sale price begins a millisecond late",
    file: "packages/core/src/kernel/TimeWindow.ts",
    find: "now < Number(window.startsAt)",
    replace: "now <= Number(window.startsAt)",
    tests: kernel("TimeWindow")
  },
  {
    id: "kernel.half",
    breaks: "An exact half is always rounded up, whatever the store chose",
    file: "packages/core/src/kernel/Rounding.ts",
    find: `doubled > d || (doubled === d && (`,
    replace: `doubled >= d || (doubled === d && (`,
    tests: kernel("Rounding")
  },
  {
    id: "kernel.half-even",
    breaks: "Half-even rounds to the odd neighbour",
    file: "packages/core/src/kernel/Rounding.ts",
    find: "(quotient & 1n) === 1n",
    replace: "(quotient & 1n) === 0n",
    tests: kernel("Rounding")
  },
  {
    id: "kernel.remainder-order",
    breaks: "The left-over cent of a split discount goes to the smallest remainder",
    file: "packages/core/src/kernel/Allocation.ts",
    find: "a.remainder > b.remainder ? -1 : 1",
    replace: "a.remainder > b.remainder ? 1 : -1",
    tests: kernel("Allocation")
  },
  {
    id: "kernel.cap",
    breaks: "A line is discounted by more than it costs",
    file: "packages/core/src/kernel/Allocation.ts",
    find: "if (total >= room) return [...caps]",
    replace: "if (total > room * 2n) return [...caps]",
    tests: [...kernel("Allocation"), "packages/core/test/kernel/Allocation.prop.test.ts"]
  },
  {
    id: "tax.inactive",
    breaks: "A tax rate that the merchant switched off is charged",
    file: "packages/core/src/tax/TaxMatcher.ts",
    find: `if (!row.isActive || country === "") return undefined`,
    replace: `if (country === "") return undefined`,
    tests: tax
  },
  {
    id: "tax.exception",
    breaks: "A rate is charged in a country that it excepts",
    file: "packages/core/src/tax/TaxMatcher.ts",
    find: "if (row.exceptionCountries.some((code) => normaliseCountry(code) === country)) return undefined",
    replace: "",
    tests: tax
  },
  {
    id: "tax.precedence",
    breaks: "Of two rates the one with the lower precedence wins",
    file: "packages/core/src/tax/TaxMatcher.ts",
    find: "a.priority - b.priority || a.createdAt",
    replace: "b.priority - a.priority || a.createdAt",
    tests: tax
  },
  {
    id: "shipping.range-end",
    breaks: "The last postal code of a range is not served",
    file: "packages/core/src/shipping/PostalPattern.ts",
    find: "code <= pattern.high",
    replace: "code < pattern.high",
    tests: ["packages/core/test/shipping/PostalPattern.test.ts"]
  },
  {
    id: "shipping.range-length",
    breaks: "A range of five digits serves codes of four",
    file: "packages/core/src/shipping/PostalPattern.ts",
    find: "return code.length === pattern.low.length && DIGITS.test(code)",
    replace: "return DIGITS.test(code)",
    tests: ["packages/core/test/shipping/PostalPattern.test.ts"]
  },
  {
    id: "kernel.fraction-digits",
    breaks: "An amount with too many digits is taken, and its last digits become whole units",
    file: "packages/core/src/kernel/Money.ts",
    find: "if (fraction.length > exponent) {",
    replace: "if (fraction.length > exponent + 1) {",
    tests: kernel("Money")
  },
  {
    id: "shipping.max-cost",
    breaks: "A rate costs more than its cap",
    file: "packages/core/src/shipping/ShippingRateCalculator.ts",
    find: "return { offered: true, rate, price: rate.maxCost, parts: [...parts, cap] }",
    replace: "return { offered: true, rate, price: computed, parts: [...parts, cap] }",
    tests: core("shipping/ShippingRateCalculator")
  },
  {
    id: "shipping.minimum",
    breaks: "Free shipping is not offered at exactly its minimum",
    file: "packages/core/src/shipping/ShippingRateCalculator.ts",
    find: "parcel.subtotal < rate.minOrderAmount",
    replace: "parcel.subtotal <= rate.minOrderAmount",
    tests: handler("checkout/Purchase.pg"),
    noticedBy: "offers free shipping from exactly its minimum"
  },
  {
    id: "shipping.highest-class",
    breaks: "The cheapest class cost is charged where the highest is due",
    file: "packages/core/src/shipping/ShippingRateCalculator.ts",
    find: "part.amount > top.amount",
    replace: "part.amount < top.amount",
    tests: core("shipping/ShippingRateCalculator")
  },
  {
    id: "shipping.channel",
    breaks: "A zone of one sales channel serves every channel",
    file: "packages/core/src/shipping/ZoneMatcher.ts",
    find: "(channels.size === 0 || (channel !== null && channels.has(channel)))",
    replace: "(channels.size >= 0)",
    tests: core("shipping/ZoneMatcher")
  },
  {
    id: "pricing.discount-cap",
    breaks: "A discount takes more off a line than the line costs",
    file: "packages/core/src/pricing/internal/applyDiscounts.ts",
    find: "discount.amount > due ? due : discount.amount",
    replace: "discount.amount",
    tests: core("pricing/PricingPipeline")
  },
  {
    id: "pricing.taxable-shipping",
    breaks: "Shipping is taxed although the rate says it is not taxable",
    file: "packages/core/src/pricing/internal/chargeTaxes.ts",
    find: "snapshot.shipping?.taxable === true",
    replace: "true",
    tests: core("pricing/PricingPipeline")
  },
  {
    id: "pricing.discount-before-tax",
    breaks: "Tax is charged on what the discount took off",
    file: "packages/core/src/pricing/internal/chargeTaxes.ts",
    find: "amount: amountDue(line)",
    replace: "amount: line.subtotal",
    tests: core("pricing/PricingPipeline")
  },
  {
    id: "database.store-named",
    breaks: "The store's name outlives its transaction on the connection",
    file: "packages/core/src/database/internal/transactions.ts",
    find: "set_config('app.store_id', $1, true)",
    replace: "set_config('app.store_id', $1, false)",
    tests: core("database/Database.pg"),
    noticedBy: "keeps the store's name within its transaction"
  },
  {
    id: "database.nested-store",
    breaks: "A write for one store runs inside the transaction of another",
    file: "packages/core/src/database/internal/transactions.ts",
    find: "if (writingFor !== undefined) return Effect.die(",
    replace: `if (writingFor === "") return Effect.die(`,
    tests: core("database/Database.pg"),
    noticedBy: "a nested write of another store is a defect"
  },
  {
    id: "tax.foreign-rate",
    breaks: "A store reads another store's tax rate by its id",
    file: "packages/core/src/tax/TaxRateRepository.ts",
    find: "sql<TaxRateState>`SELECT ${columns} FROM tax_rate WHERE store_id = ${storeId} AND id = ${id}`",
    replace: "sql<TaxRateState>`SELECT ${columns} FROM tax_rate WHERE id = ${id}`",
    tests: core("tax/TaxRates.pg"),
    noticedBy: "treats another store's rate as unknown"
  },
  {
    id: "shipping.foreign-zone",
    breaks: "A store reads another store's shipping zone by its id",
    file: "packages/core/src/shipping/ShippingZoneRepository.ts",
    find: "FROM shipping_zone z WHERE z.store_id = ${storeId} AND z.id = ${id}`",
    replace: "FROM shipping_zone z WHERE z.id = ${id}`",
    tests: core("shipping/ShippingZones.pg"),
    noticedBy: "treats another store's zone and rate as unknown"
  },
  {
    id: "tax.version-first",
    breaks: "A changed rate is charged only after a restart",
    file: "packages/core/src/tax/TaxRates.ts",
    find: "Effect.andThen(stores.bumpRules(store.id), repository.insert(store.id, rate))",
    replace: "repository.insert(store.id, rate)",
    tests: core("tax/TaxRates.pg")
  },
  {
    id: "tax.uncommitted",
    breaks: "Rates of a transaction that was rolled back are charged",
    file: "packages/core/src/tax/TaxRates.ts",
    find: "if (!rules.uncommitted) cache.set(",
    replace: "cache.set(",
    tests: core("tax/TaxRates.pg"),
    noticedBy: "keeps nothing of a transaction that comes to nothing"
  },
  {
    id: "stock.lock",
    breaks: "Two buyers check the same last unit and both get it",
    file: "packages/core/src/inventory/StockLedger.ts",
    find: "ORDER BY s.key FOR UPDATE OF s`",
    replace: "ORDER BY s.key`",
    tests: handler("checkout/Oversell.race")
  },
  {
    id: "stock.one-too-many",
    breaks: "One unit more is sold than there is",
    file: "packages/core/src/inventory/StockLedger.ts",
    find: "WHERE j.quantity > j.available",
    replace: "WHERE j.quantity > j.available + 1",
    tests: handler("checkout/Oversell.race")
  },
  {
    id: "stock.not-taken",
    breaks: "Sold units stay in stock",
    file: "packages/core/src/inventory/StockLedger.ts",
    find: "SET total = s.total - t.quantity,",
    replace: "SET total = s.total,",
    tests: handler("checkout/Oversell.race")
  },
  {
    id: "completion.lock",
    breaks: "Two completions of one checkout run side by side",
    file: "packages/core/src/checkout/Completion.ts",
    find: "yield* repository.lockWithCart(store.id, id)",
    replace: "",
    tests: handler("checkout/Oversell.race"),
    noticedBy: "cannot complete one checkout twice"
  },
  {
    id: "completion.prices",
    breaks: "A buyer pays another price than the one shown",
    file: "packages/core/src/checkout/Completion.ts",
    find: "yield* checkPrices(checkout, now)",
    replace: "",
    tests: handler("checkout/Purchase.pg"),
    noticedBy: "refuses when a price changed since it was shown"
  },
  {
    id: "completion.ready",
    breaks: "An order is placed without an address",
    file: "packages/core/src/checkout/Completion.ts",
    find: "yield* checkReady(checkout, totals)",
    replace: "",
    tests: handler("checkout/Purchase.pg"),
    noticedBy: "says what is missing before it can be completed"
  },
  {
    id: "checkout.foreign-cart",
    breaks: "A cart of another channel becomes a checkout",
    file: "packages/core/src/checkout/Checkouts.ts",
    find: "(sessionToken === undefined || sessionToken === cart.sessionToken) &&",
    replace: "",
    tests: handler("checkout/Purchase.pg"),
    noticedBy: "a wrong session token and a foreign cart"
  },
  {
    id: "identity.scope",
    breaks: "A key that may only read writes",
    file: "packages/handler/src/middleware/Credential.ts",
    find: "if (!grants(holder.scopes, needed)) return",
    replace: "if (holder.scopes.length === 0) return",
    tests: handler("middleware/Credentials.pg"),
    noticedBy: "needs the scope of the route"
  },
  {
    id: "identity.other-store",
    breaks: "A key of one store works for another",
    file: "packages/handler/src/middleware/Credential.ts",
    find: "if (holder.storeId !== null && asked !== undefined && asked !== holder.storeId) return yield* new StoreIdMismatch()",
    replace: "",
    tests: handler("middleware/Credentials.pg"),
    noticedBy: "bound to a store may name it and no other"
  },
  {
    id: "identity.other-account",
    breaks: "A key for a whole account opens stores of another account",
    file: "packages/handler/src/middleware/Credential.ts",
    find: "if (store.accountId !== holder.accountId) return",
    replace: `if (store.accountId === "") return`,
    tests: handler("middleware/Credentials.pg"),
    noticedBy: "for a whole account must name a store of that account"
  },
  {
    id: "identity.expiry",
    breaks: "A key works after its time has ended",
    file: "packages/core/src/identity/ApiKeys.ts",
    find: "row.revokedAt !== null || expiresAt <= now",
    replace: "row.revokedAt !== null",
    tests: handler("middleware/Credentials.pg"),
    noticedBy: "ends at its time"
  },
  {
    id: "identity.wildcard",
    breaks: "A key mints scopes that it does not hold",
    file: "packages/core/src/identity/ApiKeys.ts",
    find: "if (input.mintedBy !== undefined && !holds(input.mintedBy, scope)) return yield* new ScopeNotHeld({ scope })",
    replace: "",
    tests: handler("middleware/Credentials.pg"),
    noticedBy: "mints only what it holds"
  },
  {
    id: "channel.origin",
    breaks: "A browser of any site uses the sales channel",
    file: "packages/handler/src/middleware/Credential.ts",
    find: "if (!admitsOrigin(channel, origin)) return",
    replace: `if (channel.id === "") return`,
    tests: handler("middleware/Credentials.pg"),
    noticedBy: "with a domain takes that host and its subdomains only"
  },
  {
    id: "channel.suffix",
    breaks: "evilshop.example passes for shop.example",
    file: "packages/core/src/store/SalesChannel.ts",
    find: "host.endsWith(`.${channel.domain}`)",
    replace: "host.endsWith(channel.domain)",
    tests: handler("middleware/Credentials.pg"),
    noticedBy: "with a domain takes that host and its subdomains only"
  },
  {
    id: "limits.failed-auth",
    breaks: "Keys can be guessed without end",
    file: "packages/handler/src/middleware/Credential.ts",
    find: "Effect.andThen(countFailedAuth(read.limits, read.settings, exchange), Effect.fail(new Unauthorized({ reason })))",
    replace: "Effect.fail(new Unauthorized({ reason }))",
    tests: handler("middleware/Limits.pg"),
    noticedBy: "is refused with 429 after 50 failures"
  },
  {
    id: "limits.account",
    breaks: "The keys of an account together have no ceiling",
    file: "packages/handler/src/middleware/Limits.ts",
    find: "bucket: `account:${holder.accountId}`, limit: accountLimit(holder)",
    replace: "bucket: `account:${holder.accountId}`, limit: 1_000_000",
    tests: handler("middleware/Limits.pg"),
    noticedBy: "holds at its tier whatever the address"
  },
  {
    id: "idempotency.fingerprint",
    breaks: "Another request under a used key gets the first one's answer",
    file: "packages/core/src/database/IdempotencyRecords.ts",
    find: `if (row.fingerprint !== fingerprint) return { _tag: "Reused" }`,
    replace: "",
    tests: handler("middleware/Idempotency.pg"),
    noticedBy: "refuses another body under the same key"
  },
  {
    id: "idempotency.dropped",
    breaks: "A repeated request is carried out again",
    file: "packages/core/src/database/IdempotencyRecords.ts",
    find: `if (row.mine) return { _tag: "Mine" }`,
    replace: `if (row.mine || row.status === null) return { _tag: "Mine" }`,
    tests: handler("middleware/Idempotency.pg"),
    noticedBy: "runs once however many send it at once"
  },
  {
    id: "idempotency.day",
    breaks: "An answer is replayed for ever",
    file: "packages/core/src/database/IdempotencyRecords.ts",
    find: "const replayWindow = 24 * 3_600_000",
    replace: "const replayWindow = 48 * 3_600_000",
    tests: handler("middleware/Idempotency.pg"),
    noticedBy: "is forgotten after 24 hours"
  },
  {
    id: "body.limit",
    breaks: "A body of any size is read",
    file: "packages/handler/src/middleware/Body.ts",
    find: "export const defaultMaxBody = 1_048_576",
    replace: "export const defaultMaxBody = 2_097_152",
    tests: handler("middleware/Envelope.pg"),
    noticedBy: "takes a body of exactly 1 MiB and refuses one byte more"
  },
  ...paymentFaults,
  ...contractFaults,
  ...customerFaults,
  ...mailFaults,
  {
    id: "host.search-path",
    breaks: "A host's client comes back from commerce looking for its tables in ours",
    file: "packages/core/src/database/internal/hostLending.ts",
    find: "if (was !== undefined && was !== path) before.set(client, was)",
    replace: "if (was === path) before.set(client, was)",
    tests: handler("embedding/HostPool.pg"),
    noticedBy: "gives every client back with the host's search_path"
  },
  {
    id: "host.provider-inside",
    breaks: "A card is charged inside a host's transaction, whose rollback takes the order back and not the money",
    file: "packages/core/src/checkout/Completion.ts",
    find: "yield* refuseInHostTransaction(`completing a checkout through the payment provider ${provider.code}`)",
    replace: "",
    tests: handler("embedding/HostPool.pg"),
    noticedBy: "refuses one that a provider must be paid for"
  },
  {
    id: "host.role-kept",
    breaks: "A host goes on as our role after a call: its own tables are closed to it",
    file: "packages/core/src/database/internal/hostTransaction.ts",
    find: `const borrowed = ["role", "timezone",`,
    replace: `const borrowed = ["timezone",`,
    tests: core("database/HostDatabase.pg"),
    noticedBy: "puts the host's role, store, time zone and bounds back"
  },
  {
    id: "audit.more-than-movements",
    breaks: "The auditor does not see units that nobody has received",
    file: "packages/core/src/audit/stockLaws.ts",
    find: "s.total <> coalesce(m.moved, 0)",
    replace: "s.total < coalesce(m.moved, 0)",
    tests: handler("audit/Laws.pg"),
    noticedBy: "names the row where stock.total is broken"
  },
  {
    id: "audit.moving-books",
    breaks: "The auditor could change what it looks at, and sees each law at another moment",
    file: "packages/core/src/audit/AuditRepository.ts",
    find: `"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"`,
    replace: `"BEGIN"`,
    tests: handler("audit/Laws.pg"),
    noticedBy: "refuses a store that is not there, and writes nothing"
  },
  {
    id: "doctor.force",
    breaks: "The doctor finds nothing where the tables' owner writes other stores' rows",
    file: "packages/core/src/database/Diagnosis.ts",
    find: "WHERE NOT (c.relrowsecurity AND c.relforcerowsecurity)",
    replace: "WHERE NOT c.relrowsecurity",
    tests: core("database/Diagnosis.pg"),
    noticedBy: "notices what keeps tenants apart no longer"
  }
]
