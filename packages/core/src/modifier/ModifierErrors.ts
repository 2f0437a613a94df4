/** The errors of modifier groups, with the facts that a caller needs. */
import { Schema } from "effect"

export class ModifierGroupNotFound extends Schema.TaggedError<ModifierGroupNotFound>()("ModifierGroupNotFound", {
  id: Schema.String
}) {}

/** The group cannot be deleted while a product has it. */
export class ModifierGroupInUse extends Schema.TaggedError<ModifierGroupInUse>()("ModifierGroupInUse", {
  id: Schema.String
}) {}
