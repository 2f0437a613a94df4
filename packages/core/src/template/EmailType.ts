/** The kinds of mail. There is a template for each of them; email/MailPlans.ts says which are sent, and when. */
import { Schema } from "effect"

export const EmailType = Schema.Literals([
  "ORDER_CONFIRMATION",
  "ORDER_SHIPPED",
  "ORDER_CANCELLED",
  "ORDER_COMPLETED",
  "ORDER_REFUNDED",
  "ORDER_NOTE",
  "NEW_ORDER_ADMIN",
  "DRAFT_INVOICE",
  "NEW_CUSTOMER",
  "LOW_STOCK_ALERT",
  "WEBHOOK_CIRCUIT_OPEN",
  "BACK_IN_STOCK",
  "CART_ABANDONED",
  "EMAIL_VERIFICATION",
  "NEWSLETTER_CONFIRMATION",
  "NEWSLETTER_WELCOME",
  "TEAM_INVITATION",
  "ORDERS_LINKED",
  "STORE_INVITATION",
  "STORE_ROLE_CHANGED",
  "STORE_DELETED",
  "EXPORT_COMPLETE",
  "SCHEDULED_BACKUP_SUCCESS",
  "SCHEDULED_BACKUP_FAILED",
  "CAMPAIGN_SCHEDULE_FAILED",
  "PASSWORD_RESET",
  "INQUIRY_NEW_ADMIN",
  "INQUIRY_REPLY_CUSTOMER",
  "INQUIRY_CONFIRMATION_CUSTOMER",
  "MARKETING_CAMPAIGN"
])
export type EmailType = typeof EmailType.Type

export const emailTypes: ReadonlyArray<EmailType> = EmailType.literals

export const isEmailType = (text: string): text is EmailType => (emailTypes as ReadonlyArray<string>).includes(text)

/** Marketing mails are rejected while the store has no postal address for their footer. */
export const isMarketing = (type: EmailType): boolean => type === "MARKETING_CAMPAIGN"
