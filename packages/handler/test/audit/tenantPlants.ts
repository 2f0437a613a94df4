/** The faults of the laws that hold stores apart. */
import type { Plant } from "./plants.ts"

export const tenantPlants: ReadonlyArray<Plant> = [
  {
    law: "tenant.cart-channel",
    plant: ({ heldBy, otherChannel }) => [
      `UPDATE cart SET sales_channel_id = '${otherChannel}' WHERE id = '${heldBy}'`
    ],
    told: ({ heldBy, store, otherStore }) => ({ id: heldBy, expected: store, found: otherStore })
  },
  {
    law: "tenant.checkout-channel",
    plant: ({ manual, otherChannel }) => [
      `UPDATE checkout SET sales_channel_id = '${otherChannel}' WHERE id = '${manual.checkout}'`
    ],
    told: ({ manual, store, otherStore }) => ({ id: manual.checkout, expected: store, found: otherStore })
  },
  {
    law: "tenant.orders-channel",
    plant: ({ manual, otherChannel }) => [
      `UPDATE orders SET sales_channel_id = '${otherChannel}' WHERE id = '${manual.order}'`
    ],
    told: ({ manual, store, otherStore }) => ({ id: manual.order, expected: store, found: otherStore })
  },
  {
    law: "tenant.goods",
    plant: ({ admin, otherLamp }) => [
      `UPDATE order_item SET product_id = '${otherLamp}' WHERE order_id = '${admin.order}'`
    ],
    told: ({ admin, store, otherStore }) => ({ id: `${admin.order} ${admin.item}`, expected: store, found: otherStore })
  },
  {
    law: "tenant.key",
    plant: ({ store, otherStore }) => [
      `UPDATE api_key SET id = 'key_astray', account_id = (SELECT account_id FROM store WHERE id = '${otherStore}') WHERE store_id = '${store}'`,
      `UPDATE account SET id = 'acct_own' WHERE id = (SELECT account_id FROM store WHERE id = '${store}')`,
      `UPDATE account SET id = 'acct_other' WHERE id = (SELECT account_id FROM store WHERE id = '${otherStore}')`,
      `UPDATE store SET account_id = 'acct_own' WHERE id = '${store}'`,
      "UPDATE api_key SET account_id = 'acct_other' WHERE id = 'key_astray'"
    ],
    told: () => ({ id: "key_astray", expected: "acct_own", found: "acct_other" })
  }
]
