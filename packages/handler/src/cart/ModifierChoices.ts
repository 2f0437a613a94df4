/** Modifiers in the bodies of cart items and of orders that are placed in one call. */
import { described, optional, text } from "@effect-commerce/core/kernel/Fields"
import { maxChosenModifiers, maxModifierQuantity } from "@effect-commerce/core/pricing/LineModifiers"
import { Schema } from "effect"

/** A fraction is rejected like any other wrong quantity, with MODIFIER_QUANTITY_INVALID: the body is not malformed. */
const quantity = Schema.Finite.annotate({ toJsonSchema: () => [{ type: "integer" }, true] } as never)

const ModifierChoice = Schema.Struct({
  modifierGroupId: described(text(200), "The group it is chosen from."),
  modifierId: described(text(200), "The chosen modifier."),
  quantity: optional(quantity, `How many of it for each unit: 1, the default, to ${maxModifierQuantity}.`, 1)
}).annotate({ identifier: "ModifierChoice", description: "A modifier to add to a product." })

export const modifierChoices = (description: string) =>
  optional(Schema.Array(ModifierChoice).pipe(Schema.check(Schema.isMaxLength(maxChosenModifiers))), description)
