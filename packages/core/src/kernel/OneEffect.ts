/**
 * Values that a host makes with `effect` and hands over: hidden texts and effects. npm gives a host one copy, because
 * `effect` is a peer dependency (docs/decisions/0021). Where there are two all the same, what the other one made is
 * refused in words that name the remedy: a hidden text of another copy cannot be read, and an effect of another version
 * runs by luck.
 */
import { Effect, Predicate, Redacted } from "effect"

const remedy = "was made by another copy of effect than the one used here: `npm ls effect` must show one"

/** By these, effect 3 knows its own. */
const thirdRedacted = Symbol.for("effect/Redacted")
const thirdEffect = Symbol.for("effect/Effect")

const hiddenHere: unknown = Object.getPrototypeOf(Redacted.make(""))

/** The end of a sentence that begins with the name of the value; undefined where it is a text, hidden or not. */
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

/** The text itself. Throws a TypeError that names the value and never says what is in it. */
export const readText = (name: string, value: string | Redacted.Redacted): string => {
  const problem = textProblem(value)
  if (problem !== undefined) throw new TypeError(`${name} ${problem}`)
  return typeof value === "string" ? value : Redacted.value(value)
}

/** The effect itself. Throws a TypeError where it is none, or none of this copy. */
export const ownEffect = <A, E, R>(name: string, work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
  const given: unknown = work
  if (!Effect.isEffect(given))
    throw new TypeError(`${name} ${Predicate.hasProperty(given, thirdEffect) ? remedy : "must be an effect"}`)
  // One object for all effects of a copy.
  if (given[Effect.TypeId] !== Effect.void[Effect.TypeId]) throw new TypeError(`${name} ${remedy}`)
  return work
}
