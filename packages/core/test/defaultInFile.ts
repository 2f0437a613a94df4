/** What a test provides to requests, which read it in fibers of their own. */
import type { Context } from "effect"
import { afterAll, beforeAll } from "vitest"

/** Where Effect keeps the default of a reference that was read once. */
const kept = "~effect/Context/defaultValue"

/**
 * The default of a reference in this process while the tests of this file run. Called at the top of the file, before
 * the hook that opens an instance.
 */
export const defaultInFile = <A>(reference: Context.Reference<A>, value: A): void => {
  beforeAll(() => void Object.assign(reference, { [kept]: value }))
  afterAll(() => void Reflect.deleteProperty(reference, kept))
}
