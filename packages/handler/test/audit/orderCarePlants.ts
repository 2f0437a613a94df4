/** One fault for each law of orders that were sent, cancelled or labelled, and of draft orders. */
import type { Books, Plant } from "./plants.ts"

const cancelled = ({ store, manual }: Books) =>
  `INSERT INTO cancellation (store_id, order_id, reason, restock, actor, created_at)
    VALUES ('${store}', '${manual.order}', 'other', true, '{}', now())`
const sent = ({ manual }: Books) => `UPDATE order_item SET fulfilled_quantity = 1 WHERE id = '${manual.item}'`
const setOrder = ({ manual }: Books, sets: string) => `UPDATE orders SET ${sets} WHERE id = '${manual.order}'`

/** A draft of two units at 1.00. */
const draft = ({ store }: Books, { subtotal = "200", more = "", values = "" } = {}) =>
  `INSERT INTO draft_order (store_id, id, currency, in_store_currency, body, priced, created_at, updated_at${more})
    VALUES ('${store}', 'draft_1', 'USD', true, '{"items":[{}]}',
      '{"order":{"items":[{"quantity":2,"unitPrice":"100"}],"subtotal":"${subtotal}"}}', now(), now()${values})`

export const orderCarePlants: ReadonlyArray<Plant> = [
  {
    law: "cancellation.status",
    plant: (books) => [cancelled(books)],
    told: ({ manual }) => ({ id: manual.order, expected: "CANCELLED", found: "PENDING" })
  },
  {
    law: "cancellation.sent",
    plant: (books) => [setOrder(books, "status = 'CANCELLED'"), sent(books)],
    told: ({ manual }) => ({ id: `${manual.order} ${manual.item}`, expected: "0", found: "1" })
  },
  {
    law: "cancellation.stock",
    plant: (books) => [cancelled(books)],
    told: ({ manual, lamp }) => ({ id: `${manual.order} ${lamp}`, expected: "0", found: "-1" })
  },
  {
    law: "cancellation.uses",
    plant: (books) => [
      cancelled(books),
      `INSERT INTO redemption (store_id, kind, source_id, holder_id, order_id, created_at)
        VALUES ('${books.store}', 'coupon', 'coup_1', '${books.manual.checkout}', '${books.manual.order}', now())`
    ],
    told: ({ manual }) => ({ id: `coupon coup_1 ${manual.order}`, expected: null, found: manual.order })
  },
  {
    law: "fulfilment.units",
    plant: (books) => [sent(books)],
    told: ({ manual }) => ({ id: `${manual.order} ${manual.item}`, expected: "0", found: "1" })
  },
  {
    law: "fulfilment.order",
    plant: ({ store, manual }) => [
      `INSERT INTO fulfilment (store_id, id, order_id, actor, created_at)
        VALUES ('${store}', 'ful_1', '${manual.order}', '{}', now())`
    ],
    told: ({ manual }) => ({ id: "ful_1", expected: manual.order, found: null })
  },
  {
    law: "fulfilment.status",
    plant: (books) => [setOrder(books, "status = 'SHIPPED'")],
    told: ({ manual }) => ({ id: manual.order, expected: "0", found: "1" })
  },
  {
    law: "order.label",
    plant: (books) => [
      `INSERT INTO order_status_label (store_id, id, name, canonical_status, created_at, updated_at)
        VALUES ('${books.otherStore}', 'osl_1', 'Packed', 'PROCESSING', now(), now())`,
      setOrder(books, "status_label_id = 'osl_1'")
    ],
    told: ({ manual, store, otherStore }) => ({ id: manual.order, expected: store, found: otherStore })
  },
  {
    law: "draft.subtotal",
    plant: (books) => [draft(books, { subtotal: "199" })],
    told: () => ({ id: "draft_1", expected: "200 for 1", found: "199 for 1" })
  },
  {
    law: "draft.order",
    plant: (books) => [draft(books), `UPDATE orders SET draft_id = 'draft_1' WHERE id = '${books.admin.order}'`],
    told: () => ({ id: "draft_1", expected: "200 for 1", found: "10000 for 1" })
  },
  {
    law: "draft.checkout",
    plant: (books) => [draft(books), setOrder(books, "draft_id = 'draft_1'")],
    told: ({ manual }) => ({ id: manual.order, expected: "draft_1", found: null })
  },
  {
    law: "draft.deleted",
    plant: (books) => [
      draft(books, { more: ", deleted_at", values: ", now()" }),
      `UPDATE checkout SET status = 'PENDING', draft_id = 'draft_1', draft_terms = '{}'
        WHERE id = '${books.manual.checkout}'`
    ],
    told: ({ manual }) => ({ id: manual.checkout, expected: "not PENDING", found: "PENDING" })
  },
  {
    law: "tenant.draft_order-channel",
    plant: (books) => [draft(books, { more: ", sales_channel_id", values: `, '${books.otherChannel}'` })],
    told: ({ store, otherStore }) => ({ id: "draft_1", expected: store, found: otherStore })
  }
]
