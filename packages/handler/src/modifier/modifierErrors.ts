import type { ModifierGroupInUse, ModifierGroupNotFound } from "@effect-commerce/core/modifier/ModifierErrors"
import { type ErrorRows, missing } from "../middleware/ErrorRow.ts"

export const modifierErrors: ErrorRows<ModifierGroupNotFound | ModifierGroupInUse> = {
  ModifierGroupNotFound: missing("modifier group"),
  ModifierGroupInUse: {
    code: "CONFLICT",
    message: () => "Products have this modifier group: take it off them first, or make it a draft",
    details: () => ({ usedBy: "products" })
  }
}
