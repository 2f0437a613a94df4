/** The SQL of order_download, but for the rows of a new order (SoldDownloads). */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { one, page } from "../database/Repository.ts"
import { offsetOf, type Page } from "../kernel/Pagination.ts"
import { grantedInSql } from "./DownloadGrants.ts"

/** A file that was bought, with what a link to it names. */
export interface BoughtFile {
  readonly orderId: string
  readonly itemId: string
  readonly position: number
  readonly productName: string
  readonly fileName: string
  readonly used: number
  readonly downloadLimit: number | null
  readonly expiryDays: number | null
  readonly paidAt: Date
}

/** What a link names: a file of an order, and the link itself. */
export interface LinkedFile {
  readonly orderId: string
  readonly itemId: string
  readonly position: number
  readonly link: string
  /** When the link ends, in seconds. */
  readonly until: number
}

/** Where a file lies, and whether the link has been counted. */
export interface FileToFetch {
  readonly fileName: string
  readonly url: string | null
  readonly storageKey: string | null
  readonly mimeType: string | null
  readonly isCounted: boolean
}

/** Whose orders: a guest's by number and address on a channel, or a customer's. */
export type BoughtBy =
  | { readonly orderNumber: bigint; readonly email: string; readonly channelId: string }
  | { readonly customerId: string }

/** Counted links of a file that are remembered, the latest first: far more than a person uses on a day. */
const mostLinks = 200

export class DownloadRepository extends Context.Service<DownloadRepository>()(
  "@effect-commerce/core/download/DownloadRepository",
  {
    make: Effect.map(Database, ({ sql }) => {
      const granted = sql.literal(grantedInSql)

      const bought = (storeId: string, by: BoughtBy) => {
        const whose =
          "customerId" in by
            ? sql`o.customer_id = ${by.customerId}`
            : sql`o.order_number = ${by.orderNumber} AND o.email = ${by.email}
                AND (o.sales_channel_id = ${by.channelId} OR o.sales_channel_id IS NULL)`
        return sql`FROM orders o JOIN order_download d ON d.store_id = o.store_id AND d.order_id = o.id
          WHERE o.store_id = ${storeId} AND ${whose} AND ${granted}`
      }

      /** The file `d` of a link, where its order grants it now. */
      const ofLink = (storeId: string, { orderId, itemId, position }: LinkedFile, now: Date) =>
        sql`d.store_id = ${storeId} AND d.order_id = ${orderId} AND d.item_id = ${itemId} AND d.position = ${position}
          AND o.store_id = d.store_id AND o.id = d.order_id AND ${granted}
          AND (d.expiry_days IS NULL OR o.paid_at + d.expiry_days * interval '1 day' > ${now}::timestamptz)`

      return {
        /** The newest orders first. */
        page: (storeId: string, by: BoughtBy, at: Page) =>
          page(
            sql<BoughtFile>`SELECT d.order_id, d.item_id, d.position, d.product_name, d.file_name, d.used,
                d.download_limit, d.expiry_days, o.paid_at
              ${bought(storeId, by)} ORDER BY o.created_at DESC, o.id DESC, d.item_id, d.position
              LIMIT ${at.limit} OFFSET ${offsetOf(at)}`,
            sql<{ readonly total: number }>`SELECT count(*)::int AS total ${bought(storeId, by)}`
          ),

        /** The file of a link that may be fetched: it has been counted, or may be counted once more. */
        find: (storeId: string, file: LinkedFile, now: Date) =>
          one(
            sql<FileToFetch>`SELECT d.file_name, d.url, d.storage_key, d.mime_type,
                jsonb_exists(d.links, ${file.link}) AS is_counted
              FROM order_download d, orders o WHERE ${ofLink(storeId, file, now)}
                AND (jsonb_exists(d.links, ${file.link}) OR d.download_limit IS NULL OR d.used < d.download_limit)`
          ),

        /**
         * Counts a link at its first use. One statement judges and counts, so of two links that meet at the last use
         * one is counted. Returns undefined where nothing was: the link was counted meanwhile, or none is left.
         */
        count: (storeId: string, file: LinkedFile, now: Date) =>
          one(
            sql<{ readonly used: number }>`UPDATE order_download d SET used = d.used + 1,
                links = coalesce((SELECT jsonb_object_agg(l.key, l.value) FROM (
                  SELECT key, value FROM jsonb_each(d.links) WHERE value::text::bigint > ${seconds(now)}::bigint
                  ORDER BY value::text::bigint DESC LIMIT ${sql.literal(String(mostLinks - 1))}) l), '{}'::jsonb)
                  || jsonb_build_object(${file.link}::text, ${file.until}::bigint)
              FROM orders o WHERE ${ofLink(storeId, file, now)}
                AND NOT jsonb_exists(d.links, ${file.link})
                AND (d.download_limit IS NULL OR d.used < d.download_limit)
              RETURNING d.used`
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(DownloadRepository, DownloadRepository.make)
}

const seconds = (at: Date): number => Math.floor(at.getTime() / 1_000)
