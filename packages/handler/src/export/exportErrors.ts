import type { ExportLinkInvalid, ExportNotFound } from "@effect-commerce/core/export/ExportErrors"
import { type ErrorRows, missing } from "../middleware/ErrorRow.ts"

export const exportErrors: ErrorRows<ExportNotFound | ExportLinkInvalid> = {
  ExportNotFound: missing("export"),
  ExportLinkInvalid: missing("file")
}
