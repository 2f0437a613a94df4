import type { EmailFooterMissing, EmailsDisabled } from "@effect-commerce/core/email/EmailErrors"
import type { EmailTemplateActive, EmailTemplateNotFound } from "@effect-commerce/core/template/TemplateErrors"
import { type ErrorRows, missing } from "../middleware/ErrorRow.ts"

export const emailErrors: ErrorRows<EmailTemplateNotFound | EmailTemplateActive | EmailFooterMissing | EmailsDisabled> =
  {
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
    EmailsDisabled: {
      code: "BUSINESS_RULE_VIOLATION",
      message: () => "The store has switched its mails off",
      details: () => ({ field: "emailsEnabled" })
    }
  }
