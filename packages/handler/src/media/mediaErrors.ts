import type {
  ImageRejected,
  ImageTooLarge,
  MediaNotFound,
  MediaUploadFailed,
  SourceRejected,
  StorageFull,
  StorageLimitReached
} from "@effect-commerce/core/media/MediaErrors"
import { type ErrorRows, missing } from "../middleware/ErrorRow.ts"
import { fieldErrors } from "../middleware/pipelineErrors.ts"

export const mediaErrors: ErrorRows<
  MediaNotFound | ImageRejected | ImageTooLarge | SourceRejected | MediaUploadFailed | StorageFull | StorageLimitReached
> = {
  MediaNotFound: missing("file"),
  ImageRejected: {
    code: "VALIDATION_FAILED",
    message: (e) => `The file ${e.reason}`,
    details: (e) => fieldErrors({ file: e.reason }).details
  },
  ImageTooLarge: {
    code: "PAYLOAD_TOO_LARGE",
    message: (e) => `The file is larger than ${e.maxBytes} bytes`,
    details: (e) => ({ maxBytes: e.maxBytes })
  },
  SourceRejected: {
    code: "VALIDATION_FAILED",
    message: (e) => `The image at this address ${e.reason}`,
    details: (e) => fieldErrors({ sourceUrl: e.reason }).details
  },
  MediaUploadFailed: {
    code: "MEDIA_UPLOAD_FAILED",
    message: () => "The media storage did not take the file; nothing was added"
  },
  StorageFull: {
    code: "SERVICE_TEMPORARILY_UNAVAILABLE",
    message: () => "The media storage is nearly full; nothing was added. Everything else works"
  },
  StorageLimitReached: {
    code: "PLAN_LIMIT_REACHED",
    message: (e) =>
      e.of === "storage"
        ? "This store's plan has no room for the file"
        : "Shoppers have uploaded too much that no cart and no review names; there is room again in a day",
    details: (e) => ({
      limit: e.of,
      limitBytes: Number(e.limit),
      usedBytes: Number(e.used),
      remedy:
        e.of === "storage"
          ? "Delete files that are not used, or ask the operator of the server for more."
          : "Wait a day: what nothing names is deleted then."
    })
  }
}
