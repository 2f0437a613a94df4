import type { DownloadLinkInvalid } from "@effect-commerce/core/download/DownloadErrors"
import { type ErrorRows, missing } from "../middleware/ErrorRow.ts"

export const downloadErrors: ErrorRows<DownloadLinkInvalid> = { DownloadLinkInvalid: missing("file") }
