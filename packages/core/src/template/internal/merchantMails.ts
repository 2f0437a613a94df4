/** The default mails to merchants and their teams, in English. */
import type { EmailType } from "../EmailType.ts"
import type { TemplateParts } from "../TemplateRenderer.ts"
import { button, mailOf, note, orderTable, paragraph, quote, shippingAddress, when } from "./mailBlocks.ts"

export const merchantMails = {
  NEW_ORDER_ADMIN: {
    subject: "New order {{orderNumber}}: {{totalAmount}} {{currency}}",
    ...mailOf(
      "A new order",
      paragraph(
        "{{storeName}} has received order {{orderNumber}}{{#customerName}} from " +
          "{{customerName}}{{/customerName}}{{#customerEmail}} ({{customerEmail}}){{/customerEmail}}."
      ),
      paragraph("Payment: {{financialStatus}}{{#paymentMethod}} ({{paymentMethod}}){{/paymentMethod}}"),
      orderTable,
      shippingAddress,
      when("notes", paragraph("The customer's note:"), quote("notes"))
    )
  },
  NEW_CUSTOMER: {
    subject: "New customer at {{storeName}}",
    ...mailOf(
      "A new customer",
      paragraph(
        "{{#customerName}}{{customerName}} " +
          "({{customerEmail}}){{/customerName}}{{^customerName}}{{customerEmail}}{{/customerName}} has opened an " +
          "account at {{storeName}}."
      )
    )
  },
  LOW_STOCK_ALERT: {
    subject: "Low stock: {{productName}}",
    ...mailOf(
      "Running low",
      paragraph(
        "{{productName}}{{#sku}} ({{sku}}){{/sku}} is running low: {{available}} left. You asked to be told at " +
          "{{threshold}}."
      )
    )
  },
  WEBHOOK_CIRCUIT_OPEN: {
    subject: "Webhooks to {{webhookHost}} are suspended",
    ...mailOf(
      "Your endpoint receives no events",
      paragraph(
        "{{storeName}} could not deliver events to {{webhookUrl}}: {{failureCount}} attempts in a row have failed. " +
          "The last error: {{lastError}}."
      ),
      paragraph(
        "Sending has been suspended since {{openedAt}}. An hour later the next event is tried; as soon as one is " +
          "accepted, sending goes on. Events that happen until then are not sent again."
      ),
      paragraph(
        "They are in the feed of events for 30 days. Read them with GET /api/v1/events?after= and the id of the last " +
          "event that your endpoint has handled."
      )
    )
  },
  TEAM_INVITATION: {
    subject: "{{inviterName}} invites you to {{storeName}}",
    ...mailOf(
      "You are invited",
      paragraph("{{inviterName}} invites you to work on {{storeName}} as {{role}}."),
      button("Accept the invitation", "invitationUrl"),
      note("You do not know the sender? Then ignore this mail.")
    )
  },
  STORE_INVITATION: {
    subject: "{{inviterName}} invites you to the store {{storeName}}",
    ...mailOf(
      "You are invited to a store",
      paragraph("{{inviterName}} has opened the store {{storeName}} to you. Your role: {{role}}."),
      button("Open the store", "invitationUrl"),
      note("You do not know the sender? Then ignore this mail.")
    )
  },
  STORE_ROLE_CHANGED: {
    subject: "Your role at {{storeName}} has changed",
    ...mailOf(
      "Your role has changed",
      paragraph("Your role at {{storeName}} was {{previousRole}} and is now {{role}}.")
    )
  },
  STORE_DELETED: {
    subject: "The store {{storeName}} was deleted",
    ...mailOf(
      "A store was deleted",
      paragraph(
        "The store {{storeName}} was deleted on {{deletedAt}}{{#deletedBy}} by {{deletedBy}}{{/deletedBy}}. Its data " +
          "can no longer be reached."
      )
    )
  },
  EXPORT_COMPLETE: {
    subject: "Your export of {{resource}} is ready",
    ...mailOf(
      "Your export is ready",
      paragraph("The export of {{resource}} from {{storeName}} has finished: {{rowCount}} rows."),
      button("Download", "downloadUrl")
    )
  },
  SCHEDULED_BACKUP_SUCCESS: {
    subject: "Backup of {{storeName}} done",
    ...mailOf(
      "Backup done",
      paragraph("The scheduled backup of {{storeName}} finished on {{finishedAt}}. Size: {{size}}.")
    )
  },
  SCHEDULED_BACKUP_FAILED: {
    subject: "Backup of {{storeName}} failed",
    ...mailOf(
      "Backup failed",
      paragraph("The scheduled backup of {{storeName}} failed on {{failedAt}}: {{error}}"),
      paragraph("Earlier backups are not affected.")
    )
  },
  CAMPAIGN_SCHEDULE_FAILED: {
    subject: "The campaign {{campaignName}} was not sent",
    ...mailOf(
      "A campaign was not sent",
      paragraph("The campaign {{campaignName}} of {{storeName}}, planned for {{scheduledFor}}, was not sent: {{error}}")
    )
  },
  INQUIRY_NEW_ADMIN: {
    subject: "New question: {{inquirySubject}}",
    ...mailOf(
      "A new question",
      paragraph(
        "{{#customerName}}{{customerName}} " +
          "({{customerEmail}}){{/customerName}}{{^customerName}}{{customerEmail}}{{/customerName}} has written to " +
          "{{storeName}}:"
      ),
      quote("message")
    )
  }
} satisfies Partial<Record<EmailType, TemplateParts>>
