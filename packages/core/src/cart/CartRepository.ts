/**
 * The SQL of cart and cart_item. One statement reads a cart with its lines, their products and their stock, however
 * many lines there are.
 */
import { Context, Effect, Layer } from "effect"
import { customerInputsOf } from "../metafield/Customizations.ts"
import { Database } from "../database/Database.ts"
import { versionAfter } from "../database/Precondition.ts"
import { one } from "../database/Repository.ts"
import type { ChosenModifier } from "../pricing/LineModifiers.ts"
import { holdingJson, type OfferedSellable, type Sellable, sellableJoins, sellableJson } from "../pricing/Sellable.ts"
import type { CartLine, CartState } from "./Cart.ts"
import type { CartMerge, CartOwner, MergeableCart, MergeParties } from "./CartMerge.ts"

type LineJson = Omit<CartLine, "unitPrice"> & { readonly unitPrice: string }
type CartJsonRow = Omit<CartState, "lines"> & { readonly lines: ReadonlyArray<LineJson> }

/** What every write of a cart sets besides: its new end and its new version, which is the time of the write. */
export interface CartTouch {
  readonly expiresAt: Date
  readonly now: Date
}

export interface SavedLine {
  readonly line: CartLine
  readonly gone?: string | undefined
}

export interface CartFields {
  readonly notes?: string | null | undefined
  readonly locale?: string | null | undefined
  readonly regionId?: string | null | undefined
  readonly analyticsClientId?: string | null | undefined
  readonly analyticsSessionId?: string | null | undefined
  readonly couponCode?: string | null | undefined
}

/** A line as it would be with other modifiers. */
export interface LineWith {
  readonly cartId: string
  readonly itemId: string
  /** Absent: those that it has. */
  readonly modifiers: ReadonlyArray<ChosenModifier> | undefined
}

export class CartRepository extends Context.Service<CartRepository>()("@effect-commerce/core/cart/CartRepository", {
  make: Effect.gen(function* () {
    const { sql, withCommit } = yield* Database
    const touched = (touch: CartTouch) =>
      sql`status = 'ACTIVE', updated_at = ${touch.now}, expires_at = ${touch.expiresAt}`

    /**
     * Whether a row `c` is a cart of this customer on this channel, in what the store sells in, that can still be
     * written to.
     */
    const activeOf = (storeId: string, of: CartOwner, now: Date) =>
      sql`c.store_id = ${storeId} AND c.customer_id = ${of.customerId} AND c.status IN ('ACTIVE', 'ABANDONED')
          AND c.currency = (SELECT currency FROM store WHERE id = ${storeId})
          AND c.sales_channel_id IS NOT DISTINCT FROM ${of.salesChannelId}::text AND c.expires_at > ${now}`

    const columns = (
      now: Date,
      locale = sql.literal("c.locale")
    ) => sql`c.id, c.sales_channel_id, c.session_token, c.customer_id, c.status, c.currency, c.locale, c.notes,
        c.region_id,
        c.analytics_client_id, c.analytics_session_id, c.coupon_code, c.merged_into, c.expires_at, c.created_at,
        c.updated_at, (SELECT rules_version FROM store WHERE id = c.store_id) AS rules_version,
        (SELECT round(extract(epoch FROM max(r.expires_at)) * 1000)::float8 FROM reservation r WHERE r.store_id =
        c.store_id AND r.holder_id = c.id) AS reserved_until,
        round(extract(epoch FROM c.holds_until) * 1000)::float8 AS holds_until,
        ${holdingJson(sql, "c.id", now)} AS holding, coalesce((
          SELECT json_object_agg(h.key, h.quantity) FROM (
            SELECT r.key,
              sum(r.quantity)::int AS quantity FROM checkout k JOIN reservation r ON r.store_id = k.store_id AND
              r.holder_id = k.id
            WHERE k.store_id = c.store_id AND k.cart_id = c.id AND k.status = 'PROCESSING' AND r.expires_at > ${now}
              GROUP BY r.key) h), '{}'::json) AS paying,
        coalesce((
          SELECT json_agg(json_build_object('id', i.id, 'identity', i.identity, 'productId', i.product_id, 'variantId',
            i.variant_id, 'quantity', i.quantity, 'unitPrice', i.unit_price::text, 'notes', i.notes, 'metadata',
            i.metadata, 'customizations', i.customizations, 'modifiers', i.modifiers,
            'sellable', ${sellableJson(sql, now, { channelId: sql.literal("c.sales_channel_id"), locale })})
            ORDER BY i.created_at, i.id)
          FROM cart_item i ${sql.literal(sellableJoins)}
          WHERE i.store_id = c.store_id AND i.cart_id = c.id), '[]'::json) AS lines`
    const select = (now: Date) => sql`SELECT ${columns(now)} FROM cart c`

    const fieldOf = (storeId: string, cartId: string, field: "sales_channel_id" | "locale") =>
      sql`(SELECT ${sql(field)} FROM cart k WHERE k.store_id = ${storeId} AND k.id = ${cartId})`

    const without = (storeId: string, cartId: string, id: string) =>
      sql`gone AS (DELETE FROM cart_item WHERE store_id = ${storeId} AND cart_id = ${cartId} AND id = ${id}),`

    return {
      /** The language of a cart, for a statement that does not read the cart. */
      localeOf: (storeId: string, id: string) => fieldOf(storeId, id, "locale"),
      /** When the cart has held units for long enough, epoch milliseconds; null before it has held any. */
      holdsUntil: (storeId: string, id: string) =>
        one(
          sql<{ readonly holdsUntil: Date | null }>`SELECT holds_until FROM cart
              WHERE store_id = ${storeId} AND id = ${id}`,
          (row) => row.holdsUntil?.getTime() ?? null
        ),
      setHoldsUntil: (storeId: string, id: string, holdsUntil: number) =>
        withCommit(sql`UPDATE cart SET holds_until = ${new Date(holdsUntil)}
            WHERE store_id = ${storeId} AND id = ${id}`),
      /** Without its lines, in what the store sells in now; answers the cart as it is then. */
      insert: (storeId: string, cart: CartState) =>
        Effect.orDie(
          Effect.map(
            sql<
              Pick<CartState, "currency" | "rulesVersion">
            >`INSERT INTO cart (store_id, id, sales_channel_id, session_token, customer_id, currency, locale,
                expires_at,                 created_at, updated_at)
                SELECT s.id, ${cart.id}, ${cart.salesChannelId}, ${cart.sessionToken}, ${cart.customerId}, s.currency,
                  ${cart.locale}, ${cart.expiresAt}, ${cart.createdAt}, ${cart.updatedAt}
                FROM store s WHERE s.id = ${storeId}
                RETURNING currency, (SELECT rules_version FROM store WHERE id = cart.store_id) AS rules_version`,
            ([row]) => ({ ...cart, ...row })
          )
        ),
      find: (storeId: string, by: { readonly id: string } | { readonly sessionToken: string }, now: Date) =>
        Effect.orDie(
          Effect.map(
            "id" in by
              ? sql<CartJsonRow>`${select(now)} WHERE c.store_id = ${storeId} AND c.id = ${by.id}`
              : sql<CartJsonRow>`${select(now)} WHERE c.store_id = ${storeId} AND c.session_token =
                  ${by.sessionToken}`,
            (rows) => (rows[0] === undefined ? undefined : toState(rows[0]))
          )
        ),
      /** The cart's lines, named in another language than its own. */
      linesIn: (storeId: string, id: string, locale: string | null, now: Date) =>
        Effect.orDie(
          Effect.map(
            sql<CartJsonRow>`SELECT ${columns(now, sql`${locale}::text`)} FROM cart c
                WHERE c.store_id = ${storeId} AND c.id = ${id}`,
            ([row]) => (row === undefined ? [] : toState(row).lines)
          )
        ),
      /** Locks the cart's row; every write of a cart begins with it. */
      lock: (storeId: string, id: string) =>
        Effect.orDie(
          Effect.map(
            sql`SELECT 1 FROM cart WHERE store_id = ${storeId} AND id = ${id} FOR UPDATE`,
            (rows) => rows.length > 0
          )
        ),
      /**
       * Writes one line (its quantity is the wanted total) and touches the cart. A line that went into it is `gone`.
       */
      saveLine: (storeId: string, cartId: string, { line, gone }: SavedLine, touch: CartTouch) =>
        withCommit(
          sql`WITH ${gone === undefined ? sql.literal("") : without(storeId, cartId, gone)} line AS (
                INSERT INTO cart_item (store_id, cart_id, id, identity, product_id, variant_id, quantity, unit_price,
                  notes, metadata, customizations, modifiers, created_at)
                VALUES (${storeId}, ${cartId}, ${line.id}, ${line.identity}, ${line.productId}, ${line.variantId},
                  ${line.quantity}, ${line.unitPrice}, ${line.notes}, ${JSON.stringify(line.metadata)}::jsonb,
                    ${JSON.stringify(line.customizations)}::jsonb, ${JSON.stringify(line.modifiers)}::jsonb,
                    ${touch.now})
                ON CONFLICT (store_id, cart_id, id) DO UPDATE SET quantity = EXCLUDED.quantity,
                  identity = EXCLUDED.identity, notes = EXCLUDED.notes, metadata = EXCLUDED.metadata,
                    customizations = EXCLUDED.customizations, modifiers = EXCLUDED.modifiers,
                    unit_price = EXCLUDED.unit_price)
              UPDATE cart SET ${touched(touch)} WHERE store_id = ${storeId} AND id = ${cartId}`
        ),
      /** What a line would be made of with other modifiers, and what a shopper fills in for it. */
      sellableWith: (storeId: string, { cartId, itemId, modifiers }: LineWith, now: Date) =>
        one(
          sql<{
            readonly sellable: Sellable
            readonly inputs: OfferedSellable["customerInputs"] | null
          }>`SELECT ${sellableJson(sql, now, {
            channelId: fieldOf(storeId, cartId, "sales_channel_id"),
            locale: fieldOf(storeId, cartId, "locale")
          })} AS sellable,
                ${sql.literal(customerInputsOf("i.store_id", "i.product_id"))} AS inputs FROM (
                SELECT store_id, product_id, variant_id,
                  coalesce(${modifiers === undefined ? null : JSON.stringify(modifiers)}::jsonb, modifiers) AS modifiers
                FROM cart_item
                WHERE store_id = ${storeId} AND cart_id = ${cartId} AND id = ${itemId}
              ) i ${sql.literal(sellableJoins)}`,
          (row) => ({ ...row.sellable, customerInputs: row.inputs ?? [] })
        ),
      removeLines: (storeId: string, cartId: string, ids: ReadonlyArray<string>, touch: CartTouch) =>
        withCommit(
          sql`WITH gone AS
              (DELETE FROM cart_item WHERE store_id = ${storeId} AND cart_id = ${cartId} AND id = ANY(${ids}::text[]))
              UPDATE cart SET ${touched(touch)} WHERE store_id = ${storeId} AND id = ${cartId}`
        ),
      savePrices: (storeId: string, cartId: string, lines: ReadonlyArray<CartLine>, touch: CartTouch) =>
        withCommit(
          sql`WITH priced AS (
                UPDATE cart_item i SET unit_price = n.unit_price
                FROM unnest(${lines.map((line) => line.id)}::text[],
                  ${lines.map((line) => line.unitPrice)}::bigint[]) AS n (id, unit_price)
                WHERE i.store_id = ${storeId} AND i.cart_id = ${cartId} AND i.id = n.id)
              UPDATE cart SET ${touched(touch)} WHERE store_id = ${storeId} AND id = ${cartId}`
        ),
      saveFields: (storeId: string, cartId: string, fields: CartFields, touch: CartTouch) =>
        withCommit(
          sql`UPDATE cart SET ${sql.csv([
            touched(touch),
            ...(fields.notes === undefined ? [] : [sql`notes = ${fields.notes}`]),
            ...(fields.locale === undefined ? [] : [sql`locale = ${fields.locale}`]),
            ...(fields.regionId === undefined ? [] : [sql`region_id = ${fields.regionId}`]),
            ...(fields.analyticsClientId === undefined ? [] : [sql`analytics_client_id = ${fields.analyticsClientId}`]),
            ...(fields.analyticsSessionId === undefined
              ? []
              : [sql`analytics_session_id = ${fields.analyticsSessionId}`]),
            ...(fields.couponCode === undefined ? [] : [sql`coupon_code = ${fields.couponCode}`])
          ])} WHERE store_id = ${storeId} AND id = ${cartId}`
        ),
      // cart_store_id_customer_id_idx serves this and `lockForMerge`.
      /** The customer's newest cart on the channel that can be written to. */
      findActive: (storeId: string, owner: CartOwner, now: Date) =>
        Effect.orDie(
          Effect.map(
            sql<CartJsonRow>`${select(now)} WHERE ${activeOf(storeId, owner, now)} ORDER BY c.created_at DESC,
                c.id DESC LIMIT 1`,
            (rows) => (rows[0] === undefined ? undefined : toState(rows[0]))
          )
        ),
      /**
       * Locks the cart of a session, and the customer's active cart and the one the session's went into; answers their
       * ids.
       */
      lockForMerge: (storeId: string, parties: MergeParties, now: Date) =>
        Effect.orDie(
          Effect.map(
            sql<{ readonly id: string }>`SELECT c.id FROM cart c WHERE c.store_id = ${storeId} AND c.id IN (
                  SELECT s.id FROM cart s WHERE s.store_id = ${storeId} AND s.session_token = ${parties.sessionToken}
                  UNION ALL SELECT s.merged_into FROM cart s WHERE s.store_id = ${storeId} AND s.session_token =
                    ${parties.sessionToken}
                  UNION ALL
                    (SELECT c.id FROM cart c WHERE ${activeOf(storeId, parties, now)} ORDER BY c.created_at DESC,
                    c.id DESC LIMIT 1)
                ) ORDER BY c.id FOR UPDATE OF c`,
            (rows) => rows.map((row) => row.id)
          )
        ),
      findForMerge: (storeId: string, ids: ReadonlyArray<string>, now: Date) =>
        Effect.orDie(
          Effect.map(
            // Under the carts' locks no checkout of theirs is made, nor begins or ends being paid;
            // checkout_store_id_cart_id_idx serves both.
            sql<CartJsonRow & Pick<MergeableCart, "isBeingPaid" | "hasOpenCheckouts">>`SELECT ${columns(now)},
                EXISTS (SELECT FROM checkout k WHERE k.store_id = c.store_id AND k.cart_id = c.id AND k.status =
                'PROCESSING') AS is_being_paid,
                  EXISTS (SELECT FROM checkout k WHERE k.store_id = c.store_id AND k.cart_id = c.id AND k.status =
                  'PENDING') AS has_open_checkouts
                FROM cart c WHERE c.store_id = ${storeId} AND c.id = ANY(${ids}::text[])`,
            (rows) =>
              rows.map((row) => ({
                ...toState(row),
                isBeingPaid: row.isBeingPaid,
                hasOpenCheckouts: row.hasOpenCheckouts
              }))
          )
        ),
      /** Empties the source into the target, whose lines become exactly these. */
      merge: (storeId: string, { sourceId, targetId, couponCode, lines }: CartMerge, touch: CartTouch) => {
        const rows = lines.map(({ sellable: _sellable, unitPrice, ...line }) => ({
          ...line,
          unitPrice: String(unitPrice)
        }))
        return withCommit(
          sql`WITH emptied AS (
                DELETE FROM cart_item WHERE store_id = ${storeId} AND cart_id = ${sourceId}
              ), merged AS (
                UPDATE cart SET status = 'MERGED', merged_into = ${targetId},
                  updated_at = ${versionAfter(sql, touch.now)} WHERE store_id = ${storeId} AND id = ${sourceId}
              ), lines AS (
                INSERT INTO cart_item (store_id, cart_id, id, identity, product_id, variant_id, quantity, unit_price,
                  notes, metadata, customizations, modifiers, created_at)
                SELECT ${storeId}, ${targetId}, l.id, l.identity, l."productId", l."variantId", l.quantity,
                  l."unitPrice", l.notes, l.metadata, l.customizations, l.modifiers, ${touch.now}
                FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS l (id text, identity text, "productId" text,
                  "variantId" text, quantity int, "unitPrice" bigint, notes text, metadata jsonb, customizations jsonb,
                    modifiers jsonb)
                ON CONFLICT (store_id, cart_id, id) DO UPDATE SET quantity = EXCLUDED.quantity
              )
              UPDATE cart SET ${touched(touch)},
                coupon_code = ${couponCode} WHERE store_id = ${storeId} AND id = ${targetId}`
        )
      },
      /** Locks a cart and answers where it was merged into; null where it is its own, undefined where there is none. */
      lockMerged: (storeId: string, id: string) =>
        Effect.orDie(
          Effect.map(
            sql<{
              readonly mergedInto: string | null
            }>`SELECT merged_into FROM cart WHERE store_id = ${storeId} AND id = ${id} FOR UPDATE`,
            (rows) => rows[0]?.mergedInto
          )
        ),
      /**
       * Takes what a checkout of a merged cart has bought out of a locked cart that it went into; answers the lines
       * that have less now, or are gone.
       */
      removeBought: (storeId: string, cartId: string, checkoutId: string, now: Date) =>
        // A merge kept the id of a line that was new to this cart; one that was the same as a line of it was added to
        // that line, which is found by what the two have in common.
        Effect.orDie(
          Effect.map(
            sql<{ readonly id: string }>`WITH found AS (
                SELECT DISTINCT ON (l.id) i.id, l.quantity FROM checkout_line l
                JOIN cart_item i ON i.store_id = l.store_id AND i.cart_id = ${cartId} AND
                  (i.id = l.cart_item_id OR (i.product_id = l.product_id
                  AND i.variant_id IS NOT DISTINCT FROM l.variant_id AND i.metadata = l.metadata AND i.customizations =
                    l.customizations
                  AND i.modifiers = l.modifiers))
                WHERE l.store_id = ${storeId} AND l.checkout_id = ${checkoutId} ORDER BY l.id,
                  i.id = l.cart_item_id DESC NULLS LAST
              ), bought AS (
                SELECT id, sum(quantity)::int AS quantity FROM found GROUP BY id
              ), gone AS (
                DELETE FROM cart_item i USING bought b WHERE i.store_id = ${storeId} AND i.cart_id = ${cartId} AND i.id
                  = b.id AND i.quantity <= b.quantity
              ), fewer AS (
                UPDATE cart_item i SET quantity = i.quantity - b.quantity FROM bought b
                WHERE i.store_id = ${storeId} AND i.cart_id = ${cartId} AND i.id = b.id AND i.quantity > b.quantity
              ), changed AS (
                UPDATE cart SET updated_at = ${versionAfter(sql, now)} WHERE store_id = ${storeId} AND id = ${cartId}
              )
              SELECT id FROM bought`,
            (rows) => rows.map((row) => row.id)
          )
        )
    }
  })
}) {
  static readonly layer = Layer.effect(CartRepository, CartRepository.make)
}

const toState = (row: CartJsonRow): CartState => ({
  ...row,
  lines: row.lines.map((line) => ({ ...line, unitPrice: BigInt(line.unitPrice) }))
})
