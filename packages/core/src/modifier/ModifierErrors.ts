/** The errors of modifier groups, with the facts that a caller needs. */
import { Schema } from "effect"

export class ModifierGroupNotFound extends Schema.TaggedError<ModifierGroupNotFound>()("ModifierGroupNotFound", {
  id: Schema.String
}) {}

/** A product has the group. */
export class ModifierGroupInUse extends Schema.TaggedError<ModifierGroupInUse>()("ModifierGroupInUse", {
  id: Schema.String
}) {}
