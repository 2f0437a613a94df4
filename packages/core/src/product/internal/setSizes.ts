/**
 * How many rows are tried together: as many as there may be, and by halves where one of them is refused, until that one
 * is tried alone.
 */
export class SetSizes {
  readonly #most: number
  /** How many of the next rows are known to hold one that is refused; 0 where none is. */
  #suspects = 0

  constructor(most: number) {
    this.#most = most
  }

  get next(): number {
    return this.#suspects === 0 ? this.#most : Math.max(1, Math.floor(this.#suspects / 2))
  }

  /** `count` rows are done. */
  done(count: number): void {
    this.#suspects = Math.max(0, this.#suspects - count)
  }

  /** `count` rows were refused together. */
  refused(count: number): void {
    this.#suspects = count
  }
}
