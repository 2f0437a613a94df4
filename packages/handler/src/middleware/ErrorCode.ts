/** An error code as a schema, for responses that have errors of single rows. */
import { listed, named } from "@effect-commerce/core/kernel/Fields"
import { codes } from "./Codes.ts"

export const ErrorCode = named(
  "ErrorCode",
  "The error code: the one that a request for this product alone would return.",
  listed(Object.keys(codes))
)
