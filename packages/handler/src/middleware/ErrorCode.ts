/** The code of a refusal as a schema: in answers that carry refusals of single rows. */
import { listed, named } from "@effect-commerce/core/kernel/Fields"
import { codes } from "./Codes.ts"

export const ErrorCode = named(
  "ErrorCode",
  "What was refused, for programs: the code that the call for this one alone would have answered.",
  listed(Object.keys(codes))
)
