/** The rules for a customer's password. Imports nothing heavy, so that forms and declarations can use it. */
import { Schema } from "effect"
import { isCommonPassword } from "../identity/CommonPasswords.ts"
import { described } from "../kernel/Fields.ts"

/** Longer texts would only cost time to hash. */
const maxPasswordLength = 256

const kinds: ReadonlyArray<readonly [pattern: RegExp, name: string]> = [
  [/\p{Lu}/u, "an uppercase letter"],
  [/\p{Ll}/u, "a lowercase letter"],
  [/\p{Nd}/u, "a digit"],
  [/[^\p{L}\p{N}\s]/u, "a special character"]
]

/**
 * What a new password lacks, as one sentence, or undefined where it is good. Letters and digits of any script count.
 */
export const passwordProblem = (password: string): string | undefined => {
  const length = [...password].length
  if (length < 8) return "must have at least 8 characters"
  if (length > maxPasswordLength) return `must have at most ${maxPasswordLength} characters`
  const lacking = kinds.flatMap(([pattern, name]) => (pattern.test(password) ? [] : [name]))
  if (lacking.length > 0) return `must contain ${lacking.join(", ")}`
  return isCommonPassword(password) ? "is among the passwords that are guessed first: choose another" : undefined
}

/** A new password. */
export const NewPassword = described(
  Schema.String.pipe(Schema.check(Schema.makeFilter((password: string) => passwordProblem(password) ?? true))),
  "At least 8 characters, with an uppercase letter, a lowercase letter, a digit and a special character. The most " +
    "common passwords are rejected.",
  "Corr3ct-Horse!"
)

/** A password to compare: any text that is not longer than a password can be. */
export const GivenPassword = described(
  Schema.String.pipe(Schema.check(Schema.isMaxLength(4 * maxPasswordLength))),
  "The customer's password.",
  "Corr3ct-Horse!"
)
