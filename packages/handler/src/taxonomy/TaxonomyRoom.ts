import { Layer } from "effect"
import { room } from "../middleware/Room.ts"
import { attributeEndpoints } from "./AttributeEndpoints.ts"
import { brandEndpoints } from "./BrandEndpoints.ts"
import { categoryEndpoints } from "./CategoryEndpoints.ts"

export const taxonomyRoom = room(Layer.mergeAll(categoryEndpoints, attributeEndpoints, brandEndpoints))
