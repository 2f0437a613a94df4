import type {
  ApiKeyEnded,
  ApiKeyNotFound,
  PasswordsBusy,
  ScopeNotHeld
} from "@effect-commerce/core/identity/IdentityErrors"
import { type ErrorRows, missing } from "../middleware/ErrorRow.ts"

export const identityErrors: ErrorRows<ApiKeyEnded | ApiKeyNotFound | PasswordsBusy | ScopeNotHeld> = {
  ApiKeyEnded: { code: "UNAUTHORIZED", message: () => "This API key is not valid" },
  ApiKeyNotFound: missing("API key"),
  PasswordsBusy: {
    code: "SERVICE_TEMPORARILY_UNAVAILABLE",
    message: () => "Too many logins are under way; nothing was done. Retry shortly",
    headers: () => ({ "retry-after": "2" })
  },
  ScopeNotHeld: {
    code: "INSUFFICIENT_SCOPE",
    message: (e) => `This key lacks the scope ${e.scope}`,
    details: (e) => ({ required: e.scope })
  }
}
