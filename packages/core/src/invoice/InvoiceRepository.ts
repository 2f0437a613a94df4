/** The SQL of invoice and invoice_counter. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { none, one } from "../database/Repository.ts"
import { jsonText } from "../kernel/CanonicalJson.ts"
import { type InvoiceParties, type InvoiceSeries, type InvoiceState, readParties } from "./Invoice.ts"

/** The number of the first invoice of a series. */
const firstNumber = 1_001

type InvoiceRow = Omit<InvoiceState, "parties"> & { readonly parties: unknown }

export interface NewInvoice {
  readonly orderId: string
  readonly series: InvoiceSeries
  readonly parties: InvoiceParties
  readonly issuedAt: Date
}

export class InvoiceRepository extends Context.Service<InvoiceRepository>()(
  "@effect-commerce/core/invoice/InvoiceRepository",
  {
    make: Effect.map(Database, ({ sql }) => ({
      find: (storeId: string, orderId: string) =>
        one(
          sql<InvoiceRow>`SELECT series, number, parties, issued_at FROM invoice
            WHERE store_id = ${storeId} AND order_id = ${orderId}`,
          (row): InvoiceState => ({ ...row, parties: readParties(row.parties) })
        ),
      /** Holds the order until the transaction ends: two first requests issue one invoice, and a cancellation waits. */
      lockOrder: (storeId: string, orderId: string) =>
        none(sql`SELECT 1 FROM orders WHERE store_id = ${storeId} AND id = ${orderId} FOR NO KEY UPDATE`),
      /** Takes the next number of the series. It is the last statement of its transaction, so numbers have no gaps. */
      issue: (storeId: string, { orderId, series, parties, issuedAt }: NewInvoice) =>
        one(
          sql<{ readonly number: bigint }>`WITH next AS (
              INSERT INTO invoice_counter AS c (store_id, series, last_number)
              VALUES (${storeId}, ${series}, ${firstNumber})
              ON CONFLICT (store_id, series) DO UPDATE SET last_number = c.last_number + 1 RETURNING last_number
            ) INSERT INTO invoice (store_id, order_id, series, number, parties, issued_at)
            SELECT ${storeId}, ${orderId}, ${series}, last_number, ${jsonText(parties)}::jsonb, ${issuedAt} FROM next
            RETURNING number`,
          ({ number }): InvoiceState => ({ series, number, parties, issuedAt })
        )
    }))
  }
) {
  static readonly layer = Layer.effect(InvoiceRepository, InvoiceRepository.make)
}
