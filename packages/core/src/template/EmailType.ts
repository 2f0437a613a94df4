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
  "ORDER_ATTENTION",
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

/**
 * Marketing mails: they need the store's postal address, the recipient's consent, and no pause. Only what the store
 * sends by itself to many counts. A reminder of a cart is about something its reader began, and a welcome was asked
 * for.
 */
export const isMarketing = (type: EmailType): boolean => type === "MARKETING_CAMPAIGN"

const unsubscribable: ReadonlySet<EmailType> = new Set(["MARKETING_CAMPAIGN", "CART_ABANDONED", "NEWSLETTER_WELCOME"])

/**
 * Mails that their reader can unsubscribe from with one click (RFC 8058), and that are not sent to who has: marketing,
 * and what some laws count as advertising too. Receipts, answers and what was asked for once are not among them.
 */
export const canUnsubscribe = (type: EmailType): boolean => unsubscribable.has(type)

const withToken: ReadonlySet<EmailType> = new Set([
  "EMAIL_VERIFICATION",
  "PASSWORD_RESET",
  "NEWSLETTER_CONFIRMATION",
  "TEAM_INVITATION",
  "STORE_INVITATION"
])

/** Mails without which their reader cannot go on: they carry a token. */
export const carriesToken = (type: EmailType): boolean => withToken.has(type)

const toBuyers: ReadonlySet<EmailType> = new Set([
  "ORDER_CONFIRMATION",
  "ORDER_SHIPPED",
  "ORDER_CANCELLED",
  "ORDER_COMPLETED",
  "ORDER_REFUNDED",
  "ORDER_NOTE"
])

/** Mails to buyers about their order. */
export const isAboutOrder = (type: EmailType): boolean => toBuyers.has(type)

const toPeopleOfTheStore: ReadonlySet<EmailType> = new Set([
  "NEW_ORDER_ADMIN",
  "NEW_CUSTOMER",
  "LOW_STOCK_ALERT",
  "WEBHOOK_CIRCUIT_OPEN",
  "ORDER_ATTENTION",
  "STORE_ROLE_CHANGED",
  "STORE_DELETED",
  "EXPORT_COMPLETE",
  "SCHEDULED_BACKUP_SUCCESS",
  "SCHEDULED_BACKUP_FAILED",
  "CAMPAIGN_SCHEDULE_FAILED",
  "INQUIRY_NEW_ADMIN"
])

/** Mails to the owner and the team. They never make a buyer wait. */
export const isForMerchant = (type: EmailType): boolean => toPeopleOfTheStore.has(type)
