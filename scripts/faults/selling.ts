/** Faults in stock and completion. */
import type { Fault } from "../plantedFaults.ts"

const handler = (path: string) => [`packages/handler/test/${path}.test.ts`]

export const sellingFaults: ReadonlyArray<Fault> = [
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
    id: "completion.rival",
    breaks: "A shopper with two windows buys the same cart twice",
    file: "packages/core/src/checkout/CompletionChecks.ts",
    find: "if (rival === null) return Effect.void",
    replace: `if (rival?.status !== "PROCESSING") return Effect.void`,
    tests: handler("checkout/Purchase.pg"),
    noticedBy: "of a cart is made once"
  },
  {
    id: "completion.lock",
    breaks: "Two completions of one checkout run side by side",
    file: "packages/core/src/checkout/Completion.ts",
    find: `repository.lockWithCart(store.id, id), FaultPoint`,
    replace: `Effect.void, FaultPoint`,
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
  }
]
