/** What the review room brings: its service, and the rows that If-Match is judged by. */
import type { VersionedRows } from "../database/RowVersions.ts"
import { Reviews } from "./Reviews.ts"

export const reviewRoom = Reviews.layer

export const reviewRows = { review: { table: "review" } } as const satisfies VersionedRows
