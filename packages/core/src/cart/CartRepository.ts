/**
 * The SQL of cart and cart_item. One statement reads a cart with its lines, their products and their stock, however
 * many lines there are.
 */
import { Context, Effect, Layer } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { customerInputsOf } from "../metafield/Customizations.ts"
import { Database } from "../database/Database.ts"
import { one } from "../database/Repository.ts"
import { lineOfferJson } from "../offer/OfferColumns.ts"
import type { ChosenModifier } from "../modifier/LineModifiers.ts"
import { holdingJson, type OfferedSellable, type Sellable, sellableJoins, sellableJson } from "../pricing/Sellable.ts"
import type { CartLine, CartState } from "./Cart.ts"

type LineJson = Omit<CartLine, "unitPrice"> & { readonly unitPrice: string }
export type CartJsonRow = Omit<CartState, "lines"> & { readonly lines: ReadonlyArray<LineJson> }

/** Lines to remove. `alsoIn`: named queries of the same statement that remove them elsewhere. */
interface RemovedLines {
  readonly ids: ReadonlyArray<string>
  readonly alsoIn: Statement.Fragment
}

/** What every write of a cart also sets: its new expiry and its new version, which is the time of the write. */
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
  /** Absent: the line's own modifiers. */
  readonly modifiers: ReadonlyArray<ChosenModifier> | undefined
}

/** The columns of a cart `c` with its lines, named in the cart's own language or in another. */
export const cartColumns =
  (sql: SqlClient.SqlClient) =>
  (now: Date, locale = sql.literal("c.locale")) =>
    sql`c.id, c.sales_channel_id, c.session_token, c.customer_id, c.status, c.currency, c.locale, c.notes,
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
            'sellable', ${sellableJson(sql, now, { channelId: sql.literal("c.sales_channel_id"), locale })},
            'offer', ${sql.literal(lineOfferJson)})
            ORDER BY i.created_at, i.id)
          FROM cart_item i ${sql.literal(sellableJoins)}
          WHERE i.store_id = c.store_id AND i.cart_id = c.id), '[]'::json) AS lines`

export const touchedCart = (sql: SqlClient.SqlClient) => (touch: CartTouch) =>
  sql`status = 'ACTIVE', updated_at = ${touch.now}, expires_at = ${touch.expiresAt}`

export const toCart = (row: CartJsonRow): CartState => ({
  ...row,
  lines: row.lines.map((line) => ({ ...line, unitPrice: BigInt(line.unitPrice) }))
})

export class CartRepository extends Context.Service<CartRepository>()("@effect-commerce/core/cart/CartRepository", {
  make: Effect.gen(function* () {
    const { sql, withCommit } = yield* Database
    const touched = touchedCart(sql)
    const columns = cartColumns(sql)
    const select = (now: Date) => sql`SELECT ${columns(now)} FROM cart c`

    const fieldOf = (storeId: string, cartId: string, field: "sales_channel_id" | "locale") =>
      sql`(SELECT ${sql(field)} FROM cart k WHERE k.store_id = ${storeId} AND k.id = ${cartId})`

    const without = (storeId: string, cartId: string, id: string) =>
      sql`gone AS (DELETE FROM cart_item WHERE store_id = ${storeId} AND cart_id = ${cartId} AND id = ${id}),`

    return {
      /** The language of a cart, for a statement that does not read the cart. */
      localeOf: (storeId: string, id: string) => fieldOf(storeId, id, "locale"),
      /** The latest time until which the cart may hold units, epoch milliseconds; null before it has held any. */
      holdsUntil: (storeId: string, id: string) =>
        one(
          sql<{ readonly holdsUntil: Date | null }>`SELECT holds_until FROM cart
              WHERE store_id = ${storeId} AND id = ${id}`,
          (row) => row.holdsUntil?.getTime() ?? null
        ),
      setHoldsUntil: (storeId: string, id: string, holdsUntil: number) =>
        withCommit(sql`UPDATE cart SET holds_until = ${new Date(holdsUntil)}
            WHERE store_id = ${storeId} AND id = ${id}`),
      /** Inserts the cart without lines, in the currency that the store sells in now; returns it as stored. */
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
            (rows) => (rows[0] === undefined ? undefined : toCart(rows[0]))
          )
        ),
      /** The cart's lines, with names in another language than the cart's own. */
      linesIn: (storeId: string, id: string, locale: string | null, now: Date) =>
        Effect.orDie(
          Effect.map(
            sql<CartJsonRow>`SELECT ${columns(now, sql`${locale}::text`)} FROM cart c
                WHERE c.store_id = ${storeId} AND c.id = ${id}`,
            ([row]) => (row === undefined ? [] : toCart(row).lines)
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
       * Writes one line (its quantity is the new total) and the cart's expiry and version. `gone` is a line that was
       * merged into it.
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
      /** The product of a line as sold with other modifiers, and the fields that a shopper fills in for it. */
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
      removeLines: (storeId: string, cartId: string, { ids, alsoIn }: RemovedLines, touch: CartTouch) =>
        withCommit(
          sql`WITH gone AS
              (DELETE FROM cart_item WHERE store_id = ${storeId} AND cart_id = ${cartId} AND id = ANY(${ids}::text[])),
              ${alsoIn}
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
        )
    }
  })
}) {
  static readonly layer = Layer.effect(CartRepository, CartRepository.make)
}
