import type { EmailLinkUnknown } from "@effect-commerce/core/emaillink/EmailLinkErrors"
import type { ErrorRows } from "../middleware/ErrorRow.ts"

export const emailLinkErrors: ErrorRows<EmailLinkUnknown> = {
  EmailLinkUnknown: { code: "RESOURCE_NOT_FOUND", message: () => "There is no such link" }
}
