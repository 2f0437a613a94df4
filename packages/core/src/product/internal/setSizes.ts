/**
 * How many rows are tried together: as many as there may be, and by halves where one of them is refused, until that one
 * is tried alone.
 */
export class SetSizes {
  readonly #most: number
  /** One of so many next rows is refused; 0 where none is known to be. */
  #suspects = 0

  constructor(most: number) {
    this.#most = most
  }

  get next(): number {
    return this.#suspects === 0 ? this.#most : Math.max(1, Math.floor(this.#suspects / 2))
  }

  /** So many are done. */
  done(count: number): void {
    this.#suspects = Math.max(0, this.#suspects - count)
  }

  /** So many were refused together. */
  refused(count: number): void {
    this.#suspects = count
  }
}
