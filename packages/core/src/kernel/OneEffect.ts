/**
 * Values that a host makes with `effect` and passes to us: redacted texts and effects. npm installs one copy, because
 * `effect` is a peer dependency (docs/decisions/0021). If there are two all the same, values of the other copy are
 * rejected with an error that names the remedy: a redacted text of another copy cannot be read, and an effect of
 * another version may or may not run.
 */
import { Effect, Predicate, Redacted } from "effect"

const remedy = "was made by another copy of effect than the one used here: `npm ls effect` must show one"

/** The symbols that mark values of effect 3. */
const thirdRedacted = Symbol.for("effect/Redacted")
const thirdEffect = Symbol.for("effect/Effect")

const hiddenHere: unknown = Object.getPrototypeOf(Redacted.make(""))

/** The problem, as the end of a sentence that begins with the value's name; undefined for a text, redacted or not. */
export const textProblem = (value: unknown): string | undefined => {
  if (typeof value === "string") return undefined
  if (!Redacted.isRedacted(value))
    return Predicate.hasProperty(value, thirdRedacted) ? remedy : "must be a text or a Redacted one"
  if (Object.getPrototypeOf(value) !== hiddenHere) return remedy
  try {
    return typeof Redacted.value(value) === "string" ? undefined : "must be a text or a Redacted one"
  } catch {
    return "was wiped"
  }
}

/** Returns the text. Throws a TypeError that names the value and never shows its content. */
export const readText = (name: string, value: string | Redacted.Redacted): string => {
  const problem = textProblem(value)
  if (problem !== undefined) throw new TypeError(`${name} ${problem}`)
  return typeof value === "string" ? value : Redacted.value(value)
}

/** Returns the effect. Throws a TypeError if it is not an effect of this copy. */
export const ownEffect = <A, E, R>(name: string, work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
  const given: unknown = work
  if (!Effect.isEffect(given))
    throw new TypeError(`${name} ${Predicate.hasProperty(given, thirdEffect) ? remedy : "must be an effect"}`)
  // All effects of a copy share this object.
  if (given[Effect.TypeId] !== Effect.void[Effect.TypeId]) throw new TypeError(`${name} ${remedy}`)
  return work
}
