import type {
  EmailDomainInUse,
  EmailDomainNotFound,
  EmailDomainNotLookedUp,
  EmailDomainTaken
} from "@effect-commerce/core/emaildomain/EmailDomainErrors"
import { type ErrorRows, missing } from "../middleware/ErrorRow.ts"

export const emailDomainErrors: ErrorRows<
  EmailDomainNotFound | EmailDomainTaken | EmailDomainInUse | EmailDomainNotLookedUp
> = {
  EmailDomainNotFound: missing("e-mail domain"),
  EmailDomainTaken: {
    code: "CONFLICT",
    message: (e) => `The store has the domain ${e.domain} already`,
    details: ({ domain }) => ({ domain })
  },
  EmailDomainInUse: {
    code: "CONFLICT",
    message: () => "The e-mail settings name the domain: clear customDomainId first",
    details: () => ({ reason: "in_use" })
  },
  EmailDomainNotLookedUp: {
    code: "DOMAIN_VERIFICATION_FAILED",
    message: (e) => `The DNS records of ${e.domain} could not be looked up: try again later`,
    details: ({ domain }) => ({ domain }),
    warning: (e) => `The DNS records of ${e.domain} could not be looked up: ${e.reason}`
  }
}
