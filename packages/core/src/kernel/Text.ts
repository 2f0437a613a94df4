/** Text in requests: whatever is kept, looked up or repeated has a longest form. Lengths are of UTF-16 code units. */
import { Schema } from "effect"

export const text = (max: number) => Schema.String.pipe(Schema.check(Schema.isMaxLength(max)))

export const optionalText = (max: number) => Schema.optionalKey(Schema.NullOr(text(max)))

/** An id, a token or a code as a caller gives it: longer ones name nothing. */
export const Reference = Schema.NonEmptyString.pipe(Schema.check(Schema.isMaxLength(200)))
