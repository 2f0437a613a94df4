/** The rows of the order room that If-Match is judged by. */
import type { VersionedRows } from "../database/RowVersions.ts"

export const orderRows = { order: { table: "orders" } } as const satisfies VersionedRows
