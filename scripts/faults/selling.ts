/** Faults in stock and completion. */
import type { Fault } from "../plantedFaults.ts"

const handler = (path: string) => [`packages/handler/test/${path}.test.ts`]

export const sellingFaults: ReadonlyArray<Fault> = [
  {
    id: "stock.lock",
    breaks: "Two buyers check the same last unit and both get it",
    file: "packages/core/src/inventory/ReservationRepository.ts",
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
    id: "kits.one-of-each",
    breaks: "A kit takes one unit of each component out of stock, however many it holds",
    file: "packages/core/src/inventory/SoldLines.ts",
    find: "quantity: part.quantity * line.quantity",
    replace: "quantity: line.quantity",
    tests: handler("checkout/KitSales.pg"),
    noticedBy: "takes its components out of stock"
  },
  {
    id: "kits.of-kits",
    breaks: "A kit is made of a kit, and nobody knows what it takes out of stock",
    file: "packages/core/src/product/KitRules.ts",
    find: `if (found.type === "KIT") return`,
    replace: "if (found.type === null) return",
    tests: handler("product/Kits.pg"),
    noticedBy: "itself a kit"
  },
  {
    id: "kits.hidden-component",
    breaks: "A kit is sold whose component the merchant has taken off the shelf",
    file: "packages/core/src/pricing/Sellable.ts",
    find: "sellable.kit.every((part) => part.isOffered)",
    replace: "sellable.kit.every((part) => part.isThere)",
    tests: handler("checkout/KitSales.pg"),
    noticedBy: "once a component is a draft"
  },
  {
    id: "kits.paid-for-nothing",
    breaks: "A kit that is paid through a provider leaves its components in stock",
    file: "packages/core/src/inventory/SoldLines.ts",
    find: "[{ productId, variantId, quantity, components }]",
    replace: "[{ productId, variantId, quantity, components: null }]",
    tests: handler("checkout/KitSales.pg"),
    noticedBy: "paid by a provider"
  },
  {
    id: "kits.most-of-all",
    breaks: "As many kits are told of as the best stocked component makes",
    file: "packages/core/src/kernel/Kit.ts",
    find: "Math.min(...parts.map(",
    replace: "Math.max(...parts.map(",
    tests: handler("product/Kits.pg"),
    noticedBy: "10 of 3, 7 of 2 and 5 of 1 are 3"
  },
  {
    id: "alerts.too-soon",
    breaks: "Shoppers are told of units that are gone again when they come",
    file: "packages/core/src/inventory/StockAlerts.ts",
    find: "new Date(now - stayedMillis)",
    replace: "new Date(now)",
    tests: handler("inventory/StockAlerts.pg"),
    noticedBy: "five minutes"
  },
  {
    id: "alerts.telling",
    breaks: "The time of an answer tells whether a product is there",
    file: "packages/core/src/inventory/StockAlerts.ts",
    find: "Effect.sleep(askingTime)",
    replace: "Effect.void",
    tests: handler("inventory/StockAlerts.pg"),
    noticedBy: "answered alike"
  },
  {
    id: "alerts.while-it-flaps",
    breaks: "An alert counts the minutes in which the item was hidden",
    file: "packages/core/src/inventory/StockAlertRepository.ts",
    find: "(c.available_since IS NOT NULL) <> stock_watch_is_available",
    replace: "c.available_since IS NULL AND stock_watch_is_available",
    tests: handler("inventory/StockAlerts.pg"),
    noticedBy: "begins anew"
  },
  {
    id: "stock.not-taken",
    breaks: "Sold units stay in stock",
    file: "packages/core/src/inventory/StockLedger.ts",
    find: "WHEN 'TRACKED' THEN t.quantity ELSE 0 END",
    replace: "WHEN 'TRACKED' THEN 0 ELSE 0 END",
    tests: handler("checkout/Oversell.race")
  },
  {
    id: "stock.silent-hold",
    breaks: "Whoever follows inventory.updated sells what carts and payments hold",
    file: "packages/core/src/inventory/StockLedger.ts",
    find: "AND c.delta <> 0 RETURNING ${sql.literal(changedColumns)}",
    replace: "AND c.delta <> 0 AND false RETURNING ${sql.literal(changedColumns)}",
    tests: ["packages/core/test/inventory/StockEvents.pg.test.ts"],
    noticedBy: "of units that are held"
  },
  {
    id: "stock.told-twice",
    breaks: "A transaction that changes a product twice tells of it as it was in between",
    file: "packages/core/src/inventory/internal/stockEvents.ts",
    find: "DO UPDATE SET data = EXCLUDED.data",
    replace: "DO NOTHING",
    tests: ["packages/core/test/inventory/StockEvents.pg.test.ts"],
    noticedBy: "once of a transaction that changes a product three times"
  },
  {
    id: "catalog.shoppers-event",
    breaks: "Whoever mirrors product events deletes the drafts of a product",
    file: "packages/core/src/product/internal/productChanges.ts",
    find: `audience: "subscriber", now })`,
    replace: `audience: "storefront", now })`,
    tests: ["packages/handler/test/product/ProductEvents.pg.test.ts"],
    noticedBy: "carry what its merchant reads"
  },
  {
    id: "catalog.weight",
    breaks: "A product grows, variant by variant, until no list that shows it can be read",
    file: "packages/core/src/product/internal/productChanges.ts",
    find: "return whole > maxProductBytes &&",
    replace: "return whole > maxProductBytes * 2 &&",
    tests: ["packages/handler/test/product/ProductBounds.pg.test.ts"],
    noticedBy: "weighs at most 1 MiB"
  },
  {
    id: "catalog.one-mode",
    breaks: "A product that is partly unlimited is unlimited in one place and switched off in another",
    file: "packages/core/src/kernel/Availability.ts",
    find: "parts.filter((part) => part.isActive).map((part) => part.trackingMode)",
    replace: "parts.slice(0, 1).map((part) => part.trackingMode)",
    tests: ["packages/handler/test/inventory/OneMode.pg.test.ts"],
    noticedBy: "is one thing on every surface"
  },
  {
    id: "completion.rival",
    breaks: "A shopper with two windows buys the same cart twice",
    file: "packages/core/src/completion/CompletionChecks.ts",
    find: "if (competing === null) return Effect.void",
    replace: `if (competing?.status !== "PROCESSING") return Effect.void`,
    tests: handler("checkout/Purchase.pg"),
    noticedBy: "of a cart is made once"
  },
  {
    id: "orders.payment-by-chance",
    breaks: "An order that a gift card pays in part tells the card as its payment, or the rest, as it happens",
    file: "packages/core/src/order/internal/placedPayments.ts",
    find: `...tenders.map(() => makeId("pay", now))].toSorted()`,
    replace: `...tenders.map(() => makeId("pay", now))].toSorted().toReversed()`,
    tests: ["packages/core/test/pricing/Quotes.pg.test.ts"],
    noticedBy: "is what was left to pay"
  },
  {
    id: "orders.draft-of-another-version",
    breaks:
      "A release takes the draft of an order that a newer release has written for its own, and loses a part of it",
    file: "packages/core/src/order/OrderDraft.ts",
    find: "version: Schema.Literal(1)",
    replace: "version: Schema.Int",
    tests: ["packages/core/test/order/OrderDraft.test.ts"],
    noticedBy: "that is of another version"
  },
  {
    id: "completion.lock",
    breaks: "Two completions of one checkout run side by side",
    file: "packages/core/src/completion/AwaitedPayments.ts",
    find: `repository.lockWithCart(cachedStore.id, id), FaultPoint`,
    replace: `Effect.void, FaultPoint`,
    tests: handler("checkout/Oversell.race"),
    noticedBy: "cannot complete one checkout twice"
  },
  {
    id: "completion.prices",
    breaks: "A buyer pays another price than the one shown",
    file: "packages/core/src/completion/CompletionChecks.ts",
    find: "yield* checkPrices(checkout, now)",
    replace: "",
    tests: handler("checkout/Purchase.pg"),
    noticedBy: "refuses when a price changed since it was shown"
  },
  {
    id: "completion.ready",
    breaks: "An order is placed without an address",
    file: "packages/core/src/completion/CompletionChecks.ts",
    find: "yield* checkReady(loaded)",
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
    id: "order.billing-ignored",
    breaks: "An order that is only billed to an address is not taxed",
    file: "packages/core/src/pricing/TaxedAt.ts",
    find: "hasGoods ? (shippingAddress ?? billingAddress) :",
    replace: "hasGoods ? shippingAddress :",
    tests: handler("order/OrderTaxes.pg"),
    noticedBy: "where it is billed to when that is all that is given"
  },
  {
    id: "order.download-sent",
    breaks: "Downloads are taxed where nothing is sent to",
    file: "packages/core/src/pricing/TaxedAt.ts",
    find: ": (billingAddress ?? shippingAddress)",
    replace: ": (shippingAddress ?? billingAddress)",
    tests: handler("order/OrderTaxes.pg"),
    noticedBy: "where it is billed to when nothing is sent"
  },
  {
    id: "order.pickup-nowhere",
    breaks: "What is picked up at a place that names no country is not taxed",
    file: "packages/core/src/pricing/TaxedAt.ts",
    find: "(named ?? storeCountry)",
    replace: `(named ?? "")`,
    tests: handler("order/OrderTaxes.pg"),
    noticedBy: "says no country"
  },
  {
    id: "store.rules-by-age",
    breaks: "A process prices for seconds by settings and taxes that another has changed",
    file: "packages/core/src/store/Stores.ts",
    find: "if (known.rulesVersion >= rulesVersion) return Effect.succeed(known)",
    replace: "if (known.rulesVersion >= 0n) return Effect.succeed(known)",
    tests: handler("store/TwoProcesses.pg"),
    noticedBy: "how taxes are rounded: GET checkout"
  },
  {
    id: "store.forgets-early",
    breaks: "What a request read while settings were being changed is believed after they were",
    file: "packages/core/src/store/Stores.ts",
    find: "return Effect.andThen(gone, database.afterCommit(gone))",
    replace: "return gone",
    tests: handler("store/TwoProcesses.pg"),
    noticedBy: "is known to nobody who reads meanwhile"
  }
]
