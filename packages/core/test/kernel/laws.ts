/** How often a law is tried: 1,000 random cases, more with LAW_CASES=100000. A failure prints its seed and path. */
import fc from "fast-check"

const cases = Number(process.env["LAW_CASES"] ?? 1000)

/** Asserts that `holds` does not throw for random values of `arbitrary`. */
export const law = <T>(arbitrary: fc.Arbitrary<T>, holds: (value: T) => void): void =>
  fc.assert(fc.property(arbitrary, holds), { numRuns: cases })

/** `law` for what waits for the database. */
export const lawAsync = <T>(arbitrary: fc.Arbitrary<T>, holds: (value: T) => Promise<void>): Promise<void> =>
  fc.assert(fc.asyncProperty(arbitrary, holds), { numRuns: cases })
