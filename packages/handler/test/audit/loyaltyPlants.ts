/** One fault for each law of loyalty points. */
import type { Books, Plant } from "./plants.ts"

const account = ({ store }: Books, balance: number, lifetime = 0) =>
  `INSERT INTO loyalty_account (store_id, customer_id, referral_code, balance, lifetime, created_at)
    VALUES ('${store}', 'cust_points', 'REF-PLANTED2', ${balance}, ${lifetime}, now())`
const transaction = (
  { store, paid }: Books,
  type: string,
  points: number,
  {
    cause = "adjustment",
    remaining = Math.max(points, 0)
  }: { readonly cause?: string; readonly remaining?: number } = {}
) =>
  `INSERT INTO loyalty_transaction (store_id, id, customer_id, type, cause, points, remaining, order_id, created_at)
    VALUES ('${store}', 'ltx_${cause}', 'cust_points', '${type}', '${cause}', ${points}, ${remaining},
      ${cause === "adjustment" ? "NULL" : `'${paid.order}'`}, now())`
const order = ({ store, paid }: Books, columns: string, values: string) =>
  `INSERT INTO loyalty_order (store_id, order_id, customer_id, ${columns})
    VALUES ('${store}', '${paid.order}', 'cust_points', ${values})`

export const loyaltyPlants: ReadonlyArray<Plant> = [
  {
    law: "loyalty.balance",
    plant: (books) => [account(books, 5), transaction(books, "ADJUST", 7, { remaining: 5 })],
    told: () => ({ id: "cust_points", expected: "7", found: "5" })
  },
  {
    law: "loyalty.remaining",
    plant: (books) => [account(books, 7), transaction(books, "ADJUST", 7, { remaining: 6 })],
    told: () => ({ id: "cust_points", expected: "6", found: "7" })
  },
  {
    law: "loyalty.lifetime",
    plant: (books) => [account(books, 0, 3)],
    told: () => ({ id: "cust_points", expected: "0", found: "3" })
  },
  {
    law: "loyalty.earned",
    plant: (books) => [account(books, 9, 9), transaction(books, "EARN", 9, { cause: "order" })],
    told: ({ paid }) => ({ id: paid.order, expected: "0", found: "9" })
  },
  {
    law: "loyalty.spent",
    plant: (books) => [order(books, "spent", "4")],
    told: ({ paid }) => ({ id: paid.order, expected: "4", found: "0" })
  },
  {
    law: "loyalty.returned",
    plant: (books) => [order(books, "spent, returned", "4, 4")],
    told: ({ paid }) => ({ id: paid.order, expected: "4", found: "0" })
  },
  {
    law: "loyalty.payment",
    plant: (books) => [order(books, "worth", "250")],
    told: ({ paid }) => ({ id: paid.order, expected: "250", found: "0" })
  }
]
