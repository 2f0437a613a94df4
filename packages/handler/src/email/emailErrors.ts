import type { EmailFooterMissing, EmailsDisabled, MailHeld } from "@effect-commerce/core/email/EmailErrors"
import type { EmailTemplateActive, EmailTemplateNotFound } from "@effect-commerce/core/template/TemplateErrors"
import { type ErrorRows, missing } from "../middleware/ErrorRow.ts"

const held: Readonly<Record<MailHeld["reason"], string>> = {
  paused: "The store has paused its marketing mails",
  unsubscribed: "The recipient has unsubscribed",
  no_consent: "The recipient is a customer who has not agreed to marketing mails",
  daily_limit: "The store has sent as many marketing mails in 24 hours as dailyCampaignSendLimit allows",
  hourly_limit: "As many mails were asked for in 24 hours as can leave in them: 24 times hourlyRateLimit"
}

export const emailErrors: ErrorRows<
  EmailTemplateNotFound | EmailTemplateActive | EmailFooterMissing | MailHeld | EmailsDisabled
> = {
  EmailTemplateNotFound: missing("e-mail template"),
  EmailTemplateActive: {
    code: "CONFLICT",
    message: (e) => `Another template of ${e.eventType} in ${e.language} is active`,
    details: ({ eventType, language }) => ({ eventType, language })
  },
  EmailFooterMissing: {
    code: "BUSINESS_RULE_VIOLATION",
    message: () => "Mails that sell need the store's postal address: set footerAddress in the e-mail settings",
    details: ({ eventType }) => ({ eventType, field: "footerAddress" })
  },
  MailHeld: {
    code: "BUSINESS_RULE_VIOLATION",
    message: (e) => held[e.reason],
    details: ({ reason }) => ({ reason })
  },
  EmailsDisabled: {
    code: "BUSINESS_RULE_VIOLATION",
    message: () => "The store has switched its mails off",
    details: () => ({ field: "emailsEnabled" })
  }
}
