/**
 * Bytes that an instance holds for its clients, and who has which share of them: a client address, a store. One of them
 * has as many at most as nobody else has by then: the first half of all, the next a quarter; so there is always
 * something left for whoever has none.
 */
export class ByteShares {
  readonly #most: number
  #whole = 0
  readonly #shares = new Map<string, number>()

  constructor(most: number) {
    this.#most = most
  }

  get whole(): number {
    return this.#whole
  }

  /** Of whoever of them has most. */
  shareOf(sharers: ReadonlyArray<string>): number {
    return Math.max(0, ...sharers.map((sharer) => this.#shares.get(sharer) ?? 0))
  }

  fits(sharers: ReadonlyArray<string>, bytes: number): boolean {
    return this.shareOf(sharers) + bytes <= this.#most - this.#whole
  }

  /** Counts so many more; less than zero: so many are held no longer. */
  count(sharers: ReadonlyArray<string>, bytes: number): void {
    this.#whole += bytes
    for (const sharer of sharers) {
      const share = (this.#shares.get(sharer) ?? 0) + bytes
      if (share === 0) this.#shares.delete(sharer)
      else this.#shares.set(sharer, share)
    }
  }
}
