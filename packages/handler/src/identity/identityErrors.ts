import type { ApiKeyEnded, ApiKeyNotFound, ScopeNotHeld } from "@effect-commerce/core/identity/IdentityErrors"
import { type ErrorRows, missing } from "../middleware/ErrorRow.ts"

export const identityErrors: ErrorRows<ApiKeyEnded | ApiKeyNotFound | ScopeNotHeld> = {
  ApiKeyEnded: { code: "UNAUTHORIZED", message: () => "This API key is not valid" },
  ApiKeyNotFound: missing("API key"),
  ScopeNotHeld: {
    code: "INSUFFICIENT_SCOPE",
    message: (e) => `This key lacks the scope ${e.scope}`,
    details: (e) => ({ required: e.scope })
  }
}
