import type {
  MetafieldConflictNotFound,
  MetafieldConflictSettled,
  MetafieldDefinitionNotFound,
  MetafieldInUse,
  MetafieldKeyTaken,
  MetafieldResolutionRequired,
  MetafieldsRejected
} from "@effect-commerce/core/metafield/MetafieldErrors"
import { type ErrorRows, missing } from "../middleware/ErrorRow.ts"
import { fieldErrors } from "../middleware/pipelineErrors.ts"

/** Errors of changes that existing values of products prevent. */
const inUse = {
  definition: (count: number) => `${count} products have a value of this definition: say force=true to delete them too`,
  type: (count: number) => `The type stays while ${count} products have a value`,
  isCustomerInput: (count: number) => `isCustomerInput stays while ${count} products have a value`,
  enumValues: (count: number) => `${count} products have a choice that would go`,
  productIds: (count: number) => `${count} products have a value and would no longer have the field`
} as const

export const metafieldErrors: ErrorRows<
  | MetafieldDefinitionNotFound
  | MetafieldKeyTaken
  | MetafieldInUse
  | MetafieldsRejected
  | MetafieldConflictNotFound
  | MetafieldConflictSettled
  | MetafieldResolutionRequired
> = {
  MetafieldDefinitionNotFound: missing("metafield definition"),
  MetafieldKeyTaken: {
    code: "CONFLICT",
    message: (e) => `Another metafield definition has the key ${e.key}`,
    details: (e) => ({ key: e.key })
  },
  MetafieldInUse: {
    code: "CONFLICT",
    message: (e) => inUse[e.field](e.valueCount),
    details: (e) => ({ field: e.field, valueCount: e.valueCount })
  },
  MetafieldsRejected: {
    code: "VALIDATION_FAILED",
    message: (e) => fieldErrors(e.errors).message,
    details: (e) => fieldErrors(e.errors).details
  },
  MetafieldConflictNotFound: missing("metafield conflict"),
  MetafieldConflictSettled: {
    code: "CONFLICT",
    message: (e) => `This conflict is ${e.status} already`,
    details: (e) => ({ status: e.status })
  },
  MetafieldResolutionRequired: {
    code: "RESOLUTION_REQUIRED",
    message: () => "Say what shall be: a resolution of accept_source, keep_current or custom"
  }
}
