/** The SQL of draft_order. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { makePageReader } from "../database/PageReads.ts"
import { versionAfter } from "../database/Precondition.ts"
import { none, one, storedJson } from "../database/Repository.ts"
import type { Page } from "../kernel/Pagination.ts"
import { decodeDraft, encodeDraft } from "../order/OrderDraft.ts"
import { OrderInput } from "../orderentry/OrderInput.ts"
import type { DraftOrderState, DraftStatus } from "./DraftOrder.ts"

type Row = Omit<DraftOrderState, "body" | "priced"> & { readonly body: unknown; readonly priced: unknown }

/** What a write of a draft decides. */
export type DraftOrderFields = Pick<DraftOrderState, "salesChannelId" | "customerId" | "email" | "body" | "priced">

/** An invoice that is sent. */
export interface SentInvoice {
  readonly tokenHash: string
  readonly sentAt: Date
  readonly expiresAt: Date
}

const columns = `d.id, d.store_id, d.sales_channel_id, d.customer_id, d.email, d.currency, d.in_store_currency, d.body,
  d.priced, d.invoice_sent_at, d.invoice_expires_at, d.created_at, d.updated_at`

const bodyOf = storedJson("draft_order.body", OrderInput)

const toState = (row: Row): DraftOrderState => {
  const priced = decodeDraft(row.priced, {})
  if (priced === undefined) throw new Error(`The draft order ${row.id} of ${row.storeId} cannot be read`)
  return { ...row, body: bodyOf(row.body), priced }
}

export class DraftOrderRepository extends Context.Service<DraftOrderRepository>()(
  "@effect-commerce/core/draftorder/DraftOrderRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      const select = sql.literal(`SELECT ${columns} FROM draft_order d`)
      const reader = makePageReader<Row>(sql, { name: "draft_order", alias: "d", columns })

      const isCompleted = sql`EXISTS (SELECT FROM orders o WHERE o.store_id = d.store_id AND o.draft_id = d.id)`
      const conditions: Record<DraftStatus, ReturnType<typeof sql.literal>> = {
        OPEN: sql`d.invoice_sent_at IS NULL AND NOT ${isCompleted}`,
        INVOICE_SENT: sql`d.invoice_sent_at IS NOT NULL AND NOT ${isCompleted}`,
        COMPLETED: isCompleted
      }

      const hasStatus = (statuses: ReadonlyArray<string>) =>
        sql.or(Object.entries(conditions).flatMap(([name, holds]) => (statuses.includes(name) ? [holds] : [])))

      const jsonOf = ({ body, priced }: Pick<DraftOrderFields, "body" | "priced">) => ({
        body: sql`${JSON.stringify(body)}::jsonb`,
        priced: sql`${encodeDraft(priced)}::jsonb`
      })

      return {
        insert: (storeId: string, draft: DraftOrderState) => {
          const { body, priced } = jsonOf(draft)
          return none(
            sql`INSERT INTO draft_order (store_id, id, sales_channel_id, customer_id, email, currency,
                in_store_currency, body, priced, created_at, updated_at)
              VALUES (${storeId}, ${draft.id}, ${draft.salesChannelId}, ${draft.customerId}, ${draft.email},
                ${draft.currency}, ${draft.inStoreCurrency}, ${body}, ${priced}, ${draft.createdAt},
                ${draft.updatedAt})`
          )
        },
        find: (storeId: string, id: string) =>
          one(sql<Row>`${select} WHERE d.store_id = ${storeId} AND d.id = ${id} AND d.deleted_at IS NULL`, toState),
        // FOR NO KEY UPDATE does not keep an order from naming the draft: its checkout may complete meanwhile.
        /** Locked until the transaction ends. */
        lock: (storeId: string, id: string) =>
          one(
            sql<Row>`${select} WHERE d.store_id = ${storeId} AND d.id = ${id} AND d.deleted_at IS NULL
              FOR NO KEY UPDATE`,
            toState
          ),
        /** The draft whose invoice has this token. */
        idByToken: (storeId: string, tokenHash: string, now: Date) =>
          one(
            sql<{ readonly id: string }>`SELECT id FROM draft_order WHERE store_id = ${storeId}
              AND invoice_token_hash = ${tokenHash} AND invoice_expires_at > ${now} AND deleted_at IS NULL`,
            ({ id }) => id
          ),
        /** The invoice that was sent of what the draft was before stands no more. */
        update: (storeId: string, id: string, fields: DraftOrderFields, now: Date) => {
          const { body, priced } = jsonOf(fields)
          return none(
            sql`UPDATE draft_order SET sales_channel_id = ${fields.salesChannelId},
                customer_id = ${fields.customerId}, email = ${fields.email}, body = ${body}, priced = ${priced},
                invoice_sent_at = NULL, invoice_token_hash = NULL, invoice_expires_at = NULL,
                updated_at = ${versionAfter(sql, now)}
              WHERE store_id = ${storeId} AND id = ${id}`
          )
        },
        saveInvoice: (storeId: string, id: string, { tokenHash, sentAt, expiresAt }: SentInvoice) =>
          none(
            sql`UPDATE draft_order SET invoice_sent_at = ${sentAt}, invoice_token_hash = ${tokenHash},
                invoice_expires_at = ${expiresAt}, updated_at = ${versionAfter(sql, sentAt)}
              WHERE store_id = ${storeId} AND id = ${id}`
          ),
        /** Orders may name it still: money that comes late for a checkout of it makes its order. */
        remove: (storeId: string, id: string, now: Date) =>
          none(
            sql`UPDATE draft_order SET deleted_at = ${now}, invoice_sent_at = NULL, invoice_token_hash = NULL,
                invoice_expires_at = NULL, updated_at = ${versionAfter(sql, now)}
              WHERE store_id = ${storeId} AND id = ${id}`
          ),
        /** Newest first. */
        list: (storeId: string, page: Page, statuses: ReadonlyArray<string> | undefined) =>
          Effect.map(
            reader.page(storeId, {
              conditions: [sql`d.deleted_at IS NULL`, ...(statuses === undefined ? [] : [hasStatus(statuses)])],
              order: sql.literal("d.created_at DESC, d.id DESC"),
              page
            }),
            ({ items, total }) => ({ items: items.map(toState), total })
          ),
        /** Drafts of a customer who is deleted keep what is sold, and nothing that says to whom. */
        forget: (storeId: string, { id, email }: { readonly id: string; readonly email: string }, now: Date) =>
          none(
            sql`UPDATE draft_order SET customer_id = NULL, email = NULL,
                body = body - '{customer,customerId,shippingAddress,billingAddress,notes}'::text[],
                priced = jsonb_set(priced, '{order}', (priced -> 'order') || '{"customerId": null, "email": null,
                  "customer": {"name": null, "phone": null}, "shippingAddress": null, "billingAddress": null,
                  "notes": null}'::jsonb),
                invoice_sent_at = NULL, invoice_token_hash = NULL, invoice_expires_at = NULL,
                updated_at = ${versionAfter(sql, now)}
              WHERE store_id = ${storeId} AND (customer_id = ${id} OR email = ${email})`
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(DraftOrderRepository, DraftOrderRepository.make)
}
