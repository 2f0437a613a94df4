/**
 * How many of a thing a store may have, where all of them are read at once, compiled, or get an event: far beyond what
 * a large shop needs, far below what one process or one statement would feel. It stands beside the concept, and the
 * room's declaration lists it for docs/bounds.md.
 */
export interface StoreBound {
  /** The collection that an error names. */
  readonly field: string
  readonly most: number
  /** The plural in an error: `tax classes`. */
  readonly words: string
  /** What counts, in docs/bounds.md, where `words` does not say it. */
  readonly says?: string
}
