import type {
  ApiKeyEnded,
  ApiKeyNotFound,
  ScopeNotHeld,
  ScopeUnknown
} from "@effect-commerce/core/identity/IdentityErrors"
import { type ErrorRows, missing } from "../middleware/ErrorRow.ts"
import { fieldErrors } from "../middleware/pipelineErrors.ts"

const unknownScope = (scope: string) => fieldErrors({ scopes: `${scope} is not a scope that can be minted` })

export const identityErrors: ErrorRows<ApiKeyEnded | ApiKeyNotFound | ScopeNotHeld | ScopeUnknown> = {
  ApiKeyEnded: { code: "UNAUTHORIZED", message: () => "This API key is not valid" },
  ApiKeyNotFound: missing("API key"),
  ScopeNotHeld: {
    code: "INSUFFICIENT_SCOPE",
    message: (e) => `This key lacks the scope ${e.scope}`,
    details: (e) => ({ required: e.scope })
  },
  ScopeUnknown: {
    code: "VALIDATION_FAILED",
    message: (e) => unknownScope(e.scope).message,
    details: (e) => unknownScope(e.scope).details
  }
}
