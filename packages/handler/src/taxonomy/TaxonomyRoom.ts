import { Layer } from "effect"
import type { Room } from "../middleware/Room.ts"
import { attributeEndpoints } from "./AttributeEndpoints.ts"
import { brandEndpoints } from "./BrandEndpoints.ts"
import { categoryEndpoints } from "./CategoryEndpoints.ts"
import { taxonomyErrors } from "./taxonomyErrors.ts"

export const taxonomyRoom = {
  endpoints: Layer.mergeAll(categoryEndpoints, attributeEndpoints, brandEndpoints),
  errors: taxonomyErrors
} as const satisfies Room
