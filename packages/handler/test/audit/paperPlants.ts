/** One fault for each law of invoices, downloads and exports. */
import type { Plant } from "./plants.ts"

const invoice = (store: string, order: string, series: string, number: number) =>
  `INSERT INTO invoice (store_id, order_id, series, number, parties, issued_at)
    VALUES ('${store}', '${order}', '${series}', ${number}, '{}', now())`
const counter = (store: string, series: string, number: number) =>
  `INSERT INTO invoice_counter (store_id, series, last_number) VALUES ('${store}', '${series}', ${number})`
const download = (store: string, order: string, item: string, used: number, links = "{}") =>
  `INSERT INTO order_download (store_id, order_id, item_id, position, product_id, product_name, file_id, file_name,
      download_limit, used, links)
    VALUES ('${store}', '${order}', '${item}', 1, 'prod_1', 'Book', 'file_1', 'book.pdf', 2, ${used}, '${links}')`
const exported = (store: string, more: Readonly<Record<string, string>> = {}) => {
  const columns = { status: "'RUNNING'", due_at: "now()", rows: "0", bytes: "0", parts: "0", lease: "NULL", ...more }
  return `INSERT INTO export_job (store_id, id, resource, format, filters, created_at, updated_at,
      ${Object.keys(columns).join(", ")})
    VALUES ('${store}', 'exp_1', 'orders', 'csv', '{}', now(), now(), ${Object.values(columns).join(", ")})`
}
const part = (store: string, position: number) =>
  `INSERT INTO export_part (store_id, key, export_id, position, rows, bytes, ready)
    VALUES ('${store}', '${store}/exp_1-${position}.csv', 'exp_1', ${position}, 1, 10, true)`

export const paperPlants: ReadonlyArray<Plant> = [
  {
    law: "invoice.number",
    plant: ({ store, admin }) => [counter(store, "INV", 1_002), invoice(store, admin.order, "INV", 1_002)],
    told: ({ admin }) => ({ id: admin.order, expected: "INV-1001", found: "INV-1002" })
  },
  {
    law: "invoice.counter",
    plant: ({ store, admin }) => [counter(store, "INV", 1_002), invoice(store, admin.order, "INV", 1_001)],
    told: () => ({ id: "INV", expected: "1001", found: "1002" })
  },
  {
    law: "invoice.series",
    plant: ({ store, manual }) => [counter(store, "INV", 1_001), invoice(store, manual.order, "INV", 1_001)],
    told: ({ manual }) => ({ id: manual.order, expected: "TEST", found: "INV" })
  },
  {
    law: "download.limit",
    plant: ({ store, paid }) => [
      "ALTER TABLE order_download DROP CONSTRAINT order_download_used_check",
      download(store, paid.order, paid.item, 3)
    ],
    told: ({ paid }) => ({ id: `${paid.order} ${paid.item} 1`, expected: "2", found: "3" })
  },
  {
    law: "download.counted",
    plant: ({ store, paid }) => [download(store, paid.order, paid.item, 1, '{"a": 1, "b": 2}')],
    told: ({ paid }) => ({ id: `${paid.order} ${paid.item} 1`, expected: "2", found: "1" })
  },
  {
    law: "download.paid",
    plant: ({ store, manual }) => [download(store, manual.order, manual.item, 1)],
    told: ({ manual }) => ({ id: `${manual.order} ${manual.item} 1`, expected: "0", found: "1" })
  },
  {
    law: "export.lease",
    plant: ({ store }) => [
      "ALTER TABLE export_job DROP CONSTRAINT export_job_lease_check",
      exported(store, { status: "'QUEUED'", lease: "'lease_1'" })
    ],
    told: () => ({ id: "exp_1", expected: "RUNNING until a time", found: "QUEUED" })
  },
  {
    law: "export.parts",
    plant: ({ store }) => [exported(store, { rows: "2", bytes: "10", parts: "1" }), part(store, 0)],
    told: () => ({ id: "exp_1", expected: "1 parts, 2 rows, 10 bytes", found: "1 parts, 1 rows, 10 bytes" })
  },
  {
    law: "export.position",
    plant: ({ store }) => [exported(store, { rows: "1", bytes: "10", parts: "1" }), part(store, 1)],
    told: ({ store }) => ({ id: `${store}/exp_1-1.csv`, expected: "0", found: "1" })
  }
]
