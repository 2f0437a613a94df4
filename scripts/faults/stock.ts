/** Faults in concurrency: locks of the catalogue, reservations, turns. */
import type { Fault } from "../plantedFaults.ts"

export const stockFaults: ReadonlyArray<Fault> = [
  {
    id: "stock.held-for-ever",
    breaks: "A cart keeps its units for as long as somebody extends them",
    file: "packages/core/src/cart/internal/holdTime.ts",
    find: "expiresAt: Math.min(now + time, holdsUntil)",
    replace: "expiresAt: now + time",
    tests: ["packages/handler/test/inventory/Reservations.pg.test.ts"],
    noticedBy: "at most four times the store's time"
  },
  {
    id: "stock.old-parts-stay-held",
    breaks: "Units that were held for what a kit was made of stay held after the order",
    file: "packages/core/src/checkout/CheckoutRepository.ts",
    find: "WHERE r.store_id = ${storeId} AND r.holder_id = ${cartId}) AS is_holding",
    replace: "WHERE r.store_id = ${storeId} AND r.holder_id = ${id}) AS is_holding",
    tests: ["packages/handler/test/checkout/KitSales.pg.test.ts"],
    noticedBy: "is free again with the order"
  },
  {
    id: "stock.unlisted-event",
    breaks: "An event that nobody listed is stored",
    file: "packages/core/src/outbox/Outbox.ts",
    find: "if (unlisted !== undefined)",
    replace: "if (unlisted === null)",
    tests: ["packages/core/test/database/Database.pg.test.ts"],
    noticedBy: "no catalogue lists is a defect"
  }
]
