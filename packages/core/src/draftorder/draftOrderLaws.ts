/** What must hold for draft orders. */
import type { Law } from "../database/Law.ts"
import { foreignChannel } from "../store/foreignChannel.ts"

/** The items of a draft as they are stored with their prices, and what they come to. */
const items = `LATERAL (SELECT count(*) AS lines,
    coalesce(sum((i->>'quantity')::bigint * (i->>'unitPrice')::bigint), 0) AS cost
  FROM jsonb_array_elements(d.priced->'order'->'items') i) i`

export const draftOrderLaws: ReadonlyArray<Law> = [
  {
    law: "draft.subtotal",
    says: "a draft costs what its items cost, and has as many as its body",
    table: "draft_order",
    sql: `SELECT d.id, i.cost || ' for ' || i.lines AS expected,
      (d.priced->'order'->>'subtotal') || ' for ' || jsonb_array_length(d.body->'items') AS found
      FROM draft_order d CROSS JOIN ${items}
      WHERE d.store_id = $1 AND (i.cost <> (d.priced->'order'->>'subtotal')::bigint
        OR i.lines <> jsonb_array_length(d.body->'items'))`
  },
  {
    law: "draft.order",
    says: "the order that a merchant made of a draft sells what was drafted, at the prices of then",
    table: "draft_order",
    sql: `SELECT d.id, i.cost || ' for ' || i.lines AS expected, s.cost || ' for ' || s.lines AS found
      FROM draft_order d JOIN orders o ON o.store_id = $1 AND o.draft_id = d.id CROSS JOIN ${items}
      CROSS JOIN LATERAL (SELECT count(*) AS lines, coalesce(sum(quantity * unit_price), 0) AS cost FROM order_item
        WHERE store_id = $1 AND order_id = o.id) s
      WHERE d.store_id = $1 AND o.checkout_id IS NULL AND (s.cost <> i.cost OR s.lines <> i.lines)`
  },
  {
    law: "draft.checkout",
    says: "the order that came of an invoice is that of a checkout of its draft",
    table: "orders",
    sql: `SELECT o.id, o.draft_id AS expected, k.draft_id AS found
      FROM orders o JOIN checkout k ON k.store_id = $1 AND k.id = o.checkout_id
      WHERE o.store_id = $1 AND o.draft_id IS DISTINCT FROM k.draft_id`
  },
  {
    law: "draft.deleted",
    says: "what was begun of a deleted draft cannot be bought any more",
    table: "checkout",
    sql: `SELECT k.id, 'not PENDING' AS expected, k.status AS found
      FROM checkout k JOIN draft_order d ON d.store_id = $1 AND d.id = k.draft_id
      WHERE k.store_id = $1 AND k.status = 'PENDING' AND d.deleted_at IS NOT NULL`
  },
  foreignChannel("draft_order")
]
