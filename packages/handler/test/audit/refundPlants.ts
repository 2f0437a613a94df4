/** One fault for each law of refunds. The order `paid` has given back 50.00 of 222.00 in the provider's dashboard. */
import type { Books, Plant } from "./plants.ts"

const request = ({ store, paid }: Books, more: { readonly amount?: number; readonly shipping?: number } = {}) =>
  `INSERT INTO refund_request (store_id, id, order_id, amount, shipping, is_buyer_told, created_at, completed_at)
    VALUES ('${store}', 'rfd_1', '${paid.order}', ${more.amount ?? 5_000}, ${more.shipping ?? 0}, false, now(), now())`
const ours = ({ paid }: Books, sets = "") =>
  `UPDATE refund SET request_id = 'rfd_1'${sets} WHERE payment_id = '${paid.payment}'`
const units = ({ store, paid }: Books, quantity: number, amount: number) =>
  `INSERT INTO refund_item (store_id, refund_id, item_id, order_id, quantity, amount, tax, restock)
    VALUES ('${store}', 'rfd_1', '${paid.item}', '${paid.order}', ${quantity}, ${amount}, 0, 0)`
const counted = ({ paid }: Books, quantity: number) =>
  `UPDATE order_item SET refunded_quantity = ${quantity} WHERE id = '${paid.item}'`

export const refundPlants: ReadonlyArray<Plant> = [
  {
    law: "refund.request",
    plant: (books) => [
      request(books),
      `UPDATE refund_request SET order_id = '${books.manual.order}'`,
      ours(books, ", id = 'ref_1'")
    ],
    told: ({ paid, manual }) => ({ id: "ref_1", expected: paid.order, found: manual.order })
  },
  {
    law: "refund.asked",
    plant: (books) => [request(books, { amount: 4_999 }), ours(books)],
    told: () => ({ id: "rfd_1", expected: "4999", found: "5000" })
  },
  {
    law: "refund.operation",
    plant: (books) => [request(books), ours(books, ", id = 'ref_1', key = 'refund:pop_none', asked = 5000")],
    told: () => ({ id: "ref_1", expected: "5000 succeeded", found: null })
  },
  {
    law: "payment.refunding",
    plant: ({ paid }) => [`UPDATE payment SET refunding = 1 WHERE id = '${paid.payment}'`],
    told: ({ paid }) => ({ id: paid.payment, expected: "0", found: "1" })
  },
  {
    law: "refund.units",
    plant: (books) => [counted(books, 1)],
    told: ({ paid }) => ({ id: `${paid.order} ${paid.item}`, expected: "0", found: "1" })
  },
  {
    law: "refund.lines",
    plant: (books) => [request(books, { amount: 5_000 }), ours(books), units(books, 2, 5_000), counted(books, 2)],
    told: ({ paid }) => ({ id: `${paid.order} ${paid.item}`, expected: "21700 to 21700", found: "5000" })
  },
  {
    law: "refund.shipping",
    plant: (books) => [request(books, { shipping: 501 }), ours(books)],
    told: ({ paid }) => ({ id: paid.order, expected: "500", found: "501" })
  },
  {
    law: "refund.parts",
    plant: (books) => [request(books), ours(books), units(books, 1, 4_999), counted(books, 1)],
    told: () => ({ id: "rfd_1", expected: "4999", found: "5000" })
  },
  {
    law: "refund.completed",
    plant: (books) => [request(books), "UPDATE refund_request SET completed_at = NULL", ours(books)],
    told: () => ({ id: "rfd_1", expected: "completed", found: null })
  }
]
