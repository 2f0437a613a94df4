/** Faults in what is left of deleted customers. */
import type { Plant } from "./plants.ts"

const deleted = (store: string) =>
  `INSERT INTO customer (store_id, id, deleted_at, created_at, updated_at) VALUES ('${store}', 'cust_1', now(), now(), now())`

export const erasurePlants: ReadonlyArray<Plant> = [
  {
    law: "erasure.cart",
    plant: ({ store, heldBy }) => [deleted(store), `UPDATE cart SET customer_id = 'cust_1' WHERE id = '${heldBy}'`],
    told: ({ heldBy }) => ({ id: heldBy, expected: "ended", found: "ACTIVE" })
  },
  {
    law: "erasure.checkout",
    plant: ({ store, manual }) => [
      deleted(store),
      `UPDATE cart SET customer_id = 'cust_1' WHERE id = '${manual.cart}'`
    ],
    told: ({ manual }) => ({ id: manual.checkout, expected: "no address", found: "COMPLETED" })
  }
]
