/**
 * How many rows of a resource a store may have if all of them are read at once, compiled, or get an event: far above
 * what a large shop needs, far below what would slow down a process or a statement. It is declared beside the resource,
 * and the room's declaration lists it for docs/bounds.md.
 */
export interface StoreBound {
  /** The collection that an error names. */
  readonly field: string
  readonly most: number
  /** The plural in an error: `tax classes`. */
  readonly words: string
  /** What is counted, in docs/bounds.md, if `words` does not say it. */
  readonly says?: string
}
