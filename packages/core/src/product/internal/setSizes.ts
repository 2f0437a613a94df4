/**
 * How many rows to try in one transaction: as many as allowed, then half as many each time they fail, down to one row.
 */
export class SetSizes {
  readonly #most: number
  /** How many of the next rows are known to contain a failing one; 0 if none is known. */
  #suspects = 0

  constructor(most: number) {
    this.#most = most
  }

  get next(): number {
    return this.#suspects === 0 ? this.#most : Math.max(1, Math.floor(this.#suspects / 2))
  }

  /** `count` rows succeeded. */
  done(count: number): void {
    this.#suspects = Math.max(0, this.#suspects - count)
  }

  /** `count` rows failed together. */
  refused(count: number): void {
    this.#suspects = count
  }
}
