/**
 * When files that were bought may be fetched: while the order is paid, and neither cancelled nor refunded in full; for
 * as many days as the product said, counted from the payment. Pure, with the same rule as a condition in SQL.
 */
import { Schema } from "effect"
import { arrayOf, integer, nullableInteger, nullableTimestamp, nullableUrl, string } from "../kernel/Fields.ts"

/** A file that was bought with an order, as it is read with the order. */
export interface OrderDownload {
  readonly fileId: string
  readonly productId: string
  readonly productName: string
  readonly fileName: string
  readonly used: number
  readonly limit: number | null
  readonly expiryDays: number | null
}

/** What a grant follows from. */
export interface GrantingOrder {
  readonly status: string
  readonly financialStatus: string
  /** When it was first paid in full. */
  readonly paidAt: Date | null
  readonly downloads: ReadonlyArray<OrderDownload>
}

const day = 86_400_000

/** Ends of orders that end what they granted. */
const endingStatuses = ["CANCELLED", "REFUNDED"] as const

const isGranted = ({ status, financialStatus, paidAt }: GrantingOrder): boolean =>
  paidAt !== null && financialStatus !== "refunded" && !endingStatuses.some((ending) => ending === status)

/** `isGranted` for the order `o` of a statement. */
export const grantedInSql = `o.paid_at IS NOT NULL AND o.financial_status <> 'refunded'
  AND o.status NOT IN (${endingStatuses.map((status) => `'${status}'`).join(", ")})`

/** Until when a file may be fetched; null: for ever. */
export const expiryOf = (paidAt: Date, expiryDays: number | null): Date | null =>
  expiryDays === null ? null : new Date(paidAt.getTime() + expiryDays * day)

const fileName = string("Name of the file.", "manual.pdf")
const productName = string("Name of the product.")
const downloadsUsed = integer("How often it was fetched.", 0)
const downloadLimit = nullableInteger("How often it can be fetched; null is without limit.")
const expiresAt = nullableTimestamp("Until when it can be fetched; null is for ever.")

export const OrderDownloadsView = Schema.Struct({
  files: arrayOf(
    Schema.Struct({
      fileId: string("Id of the file."),
      productId: string("The product it came with."),
      productName,
      fileName,
      downloadsUsed,
      downloadLimit,
      expiresAt
    }).annotate({ identifier: "OrderDownload", description: "A file that was bought." }),
    "Files that were bought: none before the order is paid, and none after it is cancelled or refunded in full. At " +
      "most 1,000 are listed."
  )
}).annotate({ identifier: "OrderDownloads", description: "The files that an order gives access to." })

/** As a shopper gets it. */
export const DownloadView = Schema.Struct({
  productName,
  fileName,
  downloadUrl: nullableUrl(
    "Where the file is fetched, without a credential: a secret that works for a day. Each link counts once, when it " +
      "is first used. Null where the file cannot be fetched any more."
  ),
  downloadsUsed,
  downloadLimit,
  expiresAt
}).annotate({ identifier: "ShopperDownload", description: "A file that a shopper has bought." })
export type DownloadView = typeof DownloadView.Type

/** The most files of an order that are read with it. */
export const mostListedFiles = 1_000

export const downloadMetaOf = (order: GrantingOrder): typeof OrderDownloadsView.Type => {
  const { paidAt } = order
  if (paidAt === null || !isGranted(order)) return { files: [] }
  return {
    files: order.downloads.map(({ used, limit, expiryDays, ...file }) => ({
      ...file,
      downloadsUsed: used,
      downloadLimit: limit,
      expiresAt: expiryOf(paidAt, expiryDays)?.toISOString() ?? null
    }))
  }
}
