/**
 * Bytes that an instance holds for its clients, counted by client address and by store. Each may hold at most as many
 * as are still free: the first half of all, the next a quarter; so a new client always finds some.
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

  /** The largest count among them. */
  shareOf(sharers: ReadonlyArray<string>): number {
    return Math.max(0, ...sharers.map((sharer) => this.#shares.get(sharer) ?? 0))
  }

  fits(sharers: ReadonlyArray<string>, bytes: number): boolean {
    return this.shareOf(sharers) + bytes <= this.#most - this.#whole
  }

  /** Adds to the count; a negative number subtracts. */
  count(sharers: ReadonlyArray<string>, bytes: number): void {
    this.#whole += bytes
    for (const sharer of sharers) {
      const share = (this.#shares.get(sharer) ?? 0) + bytes
      if (share === 0) this.#shares.delete(sharer)
      else this.#shares.set(sharer, share)
    }
  }
}
