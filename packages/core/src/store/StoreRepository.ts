/** The SQL of account, store and sales_channel (platform tables). */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import type { RowReader } from "../guard/RateLimits.ts"
import { anyRow, many, none, one } from "../database/Repository.ts"
import { countLocked } from "../database/StoreLocks.ts"
import { storesWithoutDomain } from "../database/StoreDomains.ts"
import type { SalesChannel } from "./SalesChannel.ts"
import type { StoreContext } from "./StoreContext.ts"

/** Settings of a store that may be written; undefined leaves a column as it is. */
export type StoreChanges = Partial<
  Omit<
    StoreContext,
    "id" | "accountId" | "listLimits" | "suspended" | keyof StoreQuotas | "createdAt" | "updatedAt" | "rulesVersion"
  >
>

/** What the operator allows; null for no limit. */
export type StoreQuotas = Pick<StoreContext, "maxProducts" | "maxOrdersPerMonth">

export type ChannelRow = Omit<SalesChannel, "connectionId" | "createdAt" | "updatedAt"> & {
  readonly createdAt: Date
  readonly updatedAt: Date
}

type Currency = Pick<StoreContext, "currency">

const settingColumns = {
  name: "name",
  currency: "currency",
  country: "country",
  languages: "languages",
  timezone: "timezone",
  priceIncludesTax: "price_includes_tax",
  taxRounding: "tax_rounding",
  taxRoundingMode: "tax_rounding_mode",
  stackRounding: "stack_rounding",
  reservationStrategy: "reservation_strategy",
  reservationMinutes: "reservation_minutes",
  customerVerification: "customer_verification",
  lateCapture: "late_capture",
  cartLifetimeMinutes: "cart_lifetime_minutes",
  checkoutLifetimeMinutes: "checkout_lifetime_minutes",
  abandonedAfterMinutes: "abandoned_after_minutes",
  recoveryAfterMinutes: "recovery_after_minutes"
} as const satisfies Record<keyof StoreChanges, string>

const settingsOf = (changes: StoreChanges): Record<string, unknown> => {
  const columns: Record<string, unknown> = {}
  for (const [field, column] of Object.entries(settingColumns)) {
    const value = changes[field as keyof StoreChanges]
    if (value !== undefined) columns[column] = value
  }
  return columns
}

export class StoreRepository extends Context.Service<StoreRepository>()("@effect-commerce/core/store/StoreRepository", {
  make: Effect.gen(function* () {
    const { sql } = yield* Database

    const storeColumns = sql.literal(
      `id, account_id, name, currency, country, languages, timezone, price_includes_tax, tax_rounding,
         tax_rounding_mode, stack_rounding, reservation_strategy, reservation_minutes, customer_verification,
         late_capture, cart_lifetime_minutes, checkout_lifetime_minutes, abandoned_after_minutes,
           recovery_after_minutes, list_limits, suspended_at IS NOT NULL AS suspended, max_products,
           max_orders_per_month, created_at, updated_at, rules_version`
    )
    const channelColumns = sql.literal(
      `id, store_id, name, domain, mode, storefront_read_enabled, cart_enabled, customer_auth_enabled,
          orders_write_enabled, created_at, updated_at`
    )

    return {
      insertAccount: (row: { readonly id: string; readonly name: string; readonly now: Date }) =>
        none(sql`INSERT INTO account (id, name, created_at) VALUES (${row.id}, ${row.name}, ${row.now})`),
      accountExists: (id: string) => anyRow(sql`SELECT 1 FROM account WHERE id = ${id}`),
      insertStore: (row: {
        readonly id: string
        readonly accountId: string
        readonly settings: StoreChanges
        readonly now: Date
      }) =>
        none(
          sql`INSERT INTO store ${sql.insert({
            id: row.id,
            account_id: row.accountId,
            created_at: row.now,
            updated_at: row.now,
            ...settingsOf(row.settings)
          })}`
        ),
      updateStore: (id: string, changes: StoreChanges, now: Date) =>
        none(sql`UPDATE store SET ${sql.update({ ...settingsOf(changes), updated_at: now })},
                rules_version = rules_version + 1 WHERE id = ${id}`),
      /** Lowers the page size of a list; times are in milliseconds. */
      limitList: (id: string, list: string, limit: { readonly rows: number; readonly until: number }, now: number) =>
        none(
          sql`UPDATE store SET list_limits = list_limits || ${JSON.stringify({ [list]: limit })}::jsonb
              WHERE id = ${id} AND NOT coalesce((list_limits -> ${list} ->> 'rows')::int <= ${limit.rows}::int
                AND (list_limits -> ${list} ->> 'until')::bigint > ${now}::bigint, false)`
        ),
      setSuspended: (id: string, at: Date | null) =>
        anyRow(sql`UPDATE store SET suspended_at = ${at} WHERE id = ${id} RETURNING id`),
      /** An absent quota stays. Prices are read with the store's version: so are its quotas from then on. */
      setQuotas: (id: string, { maxProducts, maxOrdersPerMonth }: Partial<StoreQuotas>) =>
        none(sql`UPDATE store SET rules_version = rules_version + 1
            ${maxProducts === undefined ? sql`` : sql`, max_products = ${maxProducts}`}
            ${maxOrdersPerMonth === undefined ? sql`` : sql`, max_orders_per_month = ${maxOrdersPerMonth}`}
            WHERE id = ${id}`),
      /**
       * Raises `rules_version`; called in the transaction that changes a rule of the store. Returns the store with its
       * new version.
       */
      bumpRules: (id: string, namesGroups: boolean) =>
        one(sql<StoreContext>`UPDATE store SET rules_version = rules_version + 1,
                discounts_groups = discounts_groups OR ${namesGroups} WHERE id = ${id} RETURNING ${storeColumns}`),
      /** The store's currency, locked against changes until the transaction ends. */
      holdCurrency: (id: string) =>
        one(sql<Currency>`SELECT currency FROM store WHERE id = ${id} FOR KEY SHARE`, ({ currency }) => currency),
      // Every row of a store references this one, so writing any of them takes a lock on it that FOR UPDATE waits for.
      /** For changing the currency: waits until no transaction is writing rows of the store, and blocks new ones. */
      lockCurrency: (id: string) =>
        one(sql<Currency>`SELECT currency FROM store WHERE id = ${id} FOR UPDATE`, ({ currency }) => currency),
      /** The kinds of rows that hold amounts in the store's currency. */
      currencyUses: (id: string) =>
        many(
          sql<{
            readonly what: string
          }>`SELECT 'products' AS what WHERE EXISTS
                (SELECT FROM product WHERE store_id = ${id} AND deleted_at IS NULL)
                UNION ALL SELECT 'productImports' WHERE EXISTS
                  (SELECT FROM product_import WHERE store_id = ${id} AND finished_at IS NULL)
                UNION ALL SELECT 'shippingRates' WHERE EXISTS (SELECT FROM shipping_rate WHERE store_id = ${id}
                  AND (type <> 'FREE' OR min_order_amount IS NOT NULL OR max_cost IS NOT NULL OR class_costs <> '{}'))
                UNION ALL SELECT 'modifierGroups' WHERE EXISTS
                  (SELECT FROM modifier WHERE store_id = ${id})
                UNION ALL SELECT 'coupons' WHERE EXISTS (SELECT FROM coupon WHERE store_id = ${id}
                  AND (amount IS NOT NULL OR minimum_order_amount IS NOT NULL OR maximum_discount IS NOT NULL))
                UNION ALL SELECT 'promotions' WHERE EXISTS (SELECT FROM promotion WHERE store_id = ${id}
                  AND (type = 'AMOUNT_OFF' OR minimum_order_amount IS NOT NULL
                    OR config @? '$.tiers[*] ? (exists(@.amount) || exists(@.minAmount))'))
                UNION ALL SELECT 'fxRates' WHERE EXISTS (SELECT FROM fx_rate WHERE store_id = ${id})
                UNION ALL SELECT 'checkoutFields' WHERE EXISTS (SELECT FROM checkout_field WHERE store_id = ${id}
                  AND (surcharge ->> 'type' = 'FIXED' OR options @? '$[*].surcharge.type ? (@ == "FIXED")'))
                UNION ALL SELECT 'giftCards' WHERE EXISTS
                  (SELECT FROM gift_card WHERE store_id = ${id} AND balance > 0)
                UNION ALL SELECT 'loyaltyProgram' WHERE EXISTS
                  (SELECT FROM loyalty_program WHERE store_id = ${id} AND is_enabled)
                UNION ALL SELECT 'bundleOffers' WHERE EXISTS
                  (SELECT FROM bundle_offer WHERE store_id = ${id} AND discount_type = 'FIXED_AMOUNT')
                UNION ALL SELECT 'newsletterBenefit' WHERE EXISTS (SELECT FROM newsletter_benefit WHERE store_id = ${id}
                  AND (type = 'FIXED_AMOUNT' OR minimum_order_amount IS NOT NULL))`,
          (row) => row.what
        ),
      /** `uncommitted`: the reading transaction itself has changed the row. */
      findStore: <E = never>(id: string, read?: RowReader<E>) => {
        const select = sql<StoreContext & { readonly uncommitted: boolean }>`SELECT ${storeColumns},
            coalesce(xmin = pg_current_xact_id_if_assigned()::xid, false) AS uncommitted FROM store WHERE id = ${id}`
        const found = read === undefined ? one(select) : read<StoreContext & { readonly uncommitted: boolean }>(select)
        return Effect.map(found, (row) => {
          if (row === undefined) return undefined
          const { uncommitted, ...store } = row
          return { store, uncommitted }
        })
      },
      listStores: many(sql<StoreContext>`SELECT ${storeColumns} FROM store ORDER BY created_at, id`),
      firstStores: (most: number) =>
        Effect.map(
          many(sql<
            StoreContext & { readonly inAll: number }
          >`SELECT ${storeColumns}, (SELECT count(*)::int FROM store) AS in_all
                FROM store ORDER BY created_at, id LIMIT ${most}`),
          (rows) => ({ items: rows.map(({ inAll: _inAll, ...store }) => store), total: rows[0]?.inAll ?? 0 })
        ),
      /** Counts the store's channels; no other transaction can add one until this one ends. */
      countChannelsToAdd: (storeId: string) =>
        countLocked(sql, { table: "sales_channel", ownerId: storeId, which: sql`store_id = ${storeId}` }),
      insertChannel: (row: ChannelRow) =>
        none(
          sql`INSERT INTO sales_channel ${sql.insert({
            id: row.id,
            store_id: row.storeId,
            name: row.name,
            domain: row.domain,
            mode: row.mode,
            storefront_read_enabled: row.storefrontReadEnabled,
            cart_enabled: row.cartEnabled,
            customer_auth_enabled: row.customerAuthEnabled,
            orders_write_enabled: row.ordersWriteEnabled,
            created_at: row.createdAt,
            updated_at: row.updatedAt
          })}`
        ),
      updateChannel: (row: ChannelRow) =>
        none(
          sql`UPDATE sales_channel SET ${sql.update({
            name: row.name,
            domain: row.domain,
            mode: row.mode,
            storefront_read_enabled: row.storefrontReadEnabled,
            cart_enabled: row.cartEnabled,
            customer_auth_enabled: row.customerAuthEnabled,
            orders_write_enabled: row.ordersWriteEnabled,
            updated_at: row.updatedAt
          })} WHERE store_id = ${row.storeId} AND id = ${row.id}`
        ),
      deleteChannel: (storeId: string, id: string) =>
        anyRow(sql`DELETE FROM sales_channel WHERE store_id = ${storeId} AND id = ${id} RETURNING id`),
      findChannel: <E = never>(id: string, read?: RowReader<E>) => {
        const select = sql<ChannelRow>`SELECT ${channelColumns} FROM sales_channel WHERE id = ${id}`
        return read === undefined ? one(select) : read<ChannelRow>(select)
      },
      lockChannel: (storeId: string, id: string) =>
        one(sql<ChannelRow>`SELECT ${channelColumns} FROM sales_channel WHERE store_id = ${storeId} AND id = ${id} FOR
                UPDATE`),
      /** The channels of one store, or of all stores (for the operator). */
      listChannels: (storeId: string | undefined) =>
        many(
          storeId === undefined
            ? sql<ChannelRow>`SELECT ${channelColumns} FROM sales_channel ORDER BY created_at, id`
            : sql<ChannelRow>`SELECT ${channelColumns} FROM sales_channel WHERE store_id = ${storeId} ORDER BY
                created_at, id`
        ),
      storesWithoutDomain: Effect.map(
        one(sql.unsafe<{ readonly value: number }>(storesWithoutDomain)),
        (row) => row?.value ?? 0
      )
    }
  })
}) {
  static readonly layer = Layer.effect(StoreRepository, StoreRepository.make)
}
