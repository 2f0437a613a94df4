/** What must hold for invoices. */
import type { Law } from "../database/Law.ts"

export const invoiceLaws: ReadonlyArray<Law> = [
  {
    law: "invoice.number",
    says: "the invoices of a series go upward from 1001 without a gap",
    table: "invoice",
    // Reported once for a series, at its gap: every later number is off by the same amount.
    sql: `SELECT DISTINCT ON (series) order_id AS id, series || '-' || expected AS expected,
        series || '-' || number AS found FROM (
        SELECT order_id, series, number, 1000 + row_number() OVER (PARTITION BY series ORDER BY number) AS expected
        FROM invoice WHERE store_id = $1) n
      WHERE expected <> number ORDER BY series, number`
  },
  {
    law: "invoice.counter",
    says: "the counter of a series is the number of its newest invoice",
    table: "invoice_counter",
    sql: `SELECT series AS id, i.newest AS expected, c.last_number AS found
      FROM (SELECT series, max(number) AS newest FROM invoice WHERE store_id = $1 GROUP BY series) i
      FULL JOIN (SELECT series, last_number FROM invoice_counter WHERE store_id = $1) c USING (series)
      WHERE i.newest IS DISTINCT FROM c.last_number`
  },
  {
    law: "invoice.series",
    says: "an order of a channel in test mode is numbered apart from the others",
    table: "invoice",
    sql: `SELECT i.order_id AS id, CASE WHEN o.is_test_order THEN 'TEST' ELSE 'INV' END AS expected, i.series AS found
      FROM invoice i JOIN orders o ON o.store_id = i.store_id AND o.id = i.order_id
      WHERE i.store_id = $1 AND (i.series = 'TEST') <> o.is_test_order`
  }
]
