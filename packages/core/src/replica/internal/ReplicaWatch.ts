/**
 * What a process knows of the read replica, and whether a store may be read there. Positions are those of the
 * write-ahead log. The replica is fit while it takes no longer than the bound to reach a position that the primary had
 * when it was asked: an idle primary has no new position, so it never looks like lag. A store that this process has
 * written is fit once a position is reached that was asked for after the write. The verdict is as old as the question:
 * where no look comes, because the process stood still or a look hangs, the replica is unfit by itself.
 */

/** Between the beginnings of two looks, milliseconds. */
export const lookEvery = 1_000

/** Stores whose last write is remembered one by one; beyond, a write counts for all stores. */
const rememberedStores = 1_000

export interface ReplicaState {
  readonly isServing: boolean
  /** Why it is not read, for a person; undefined while it is. */
  readonly why: string | undefined
  /** How long the replica took, or has taken so far, to reach a position of the primary; undefined: not known. */
  readonly lagMillis: number | undefined
  /** Reads that the replica might answer, by who answered them. */
  readonly byReplica: number
  readonly byPrimary: number
  /** Reads among `byPrimary` that the replica was asked for first, and failed. */
  readonly askedAgain: number
}

export class ReplicaWatch {
  readonly #maxLag: number
  #awaited: { readonly position: bigint; readonly at: number } | undefined
  #why: string | undefined = "it has not been asked yet"
  #lag: number | undefined
  /** The replica has everything that was committed before. */
  #seenUpTo = Number.NEGATIVE_INFINITY
  readonly #written = new Map<string, number>()
  #allWritten = Number.NEGATIVE_INFINITY
  #byReplica = 0
  #byPrimary = 0
  #askedAgain = 0

  constructor(maxLagMillis: number) {
    this.#maxLag = maxLagMillis
  }

  /** Whether a position of the primary is still to be reached: no other is asked for before. */
  get isAwaiting(): boolean {
    return this.#awaited !== undefined
  }

  /** The primary had written up to `position` when it was asked at `at`. */
  await(position: bigint, at: number): void {
    this.#awaited = { position, at }
  }

  /** The replica has replayed up to `position`. Returns whether it has reached what was awaited. */
  replayed(position: bigint, now: number): boolean {
    const awaited = this.#awaited
    if (awaited === undefined) return true
    this.#lag = now - awaited.at
    if (position < awaited.position) return false
    this.#awaited = undefined
    this.#seenUpTo = awaited.at
    this.#why = this.#lag > this.#maxLag ? "it lags" : undefined
    for (const [storeId, at] of this.#written) if (at < awaited.at) this.#written.delete(storeId)
    return true
  }

  /** It cannot be read until a look finds it fit again. */
  unfit(why: string): void {
    this.#why = why
    this.#awaited = undefined
    this.#lag = undefined
  }

  /** This process has committed a write of the store that its readers expect to see. */
  wrote(storeId: string, now: number): void {
    if (this.#written.size >= rememberedStores) {
      this.#written.clear()
      this.#allWritten = now
    } else this.#written.set(storeId, now)
  }

  serves(storeId: string, now: number): boolean {
    const written = Math.max(this.#written.get(storeId) ?? Number.NEGATIVE_INFINITY, this.#allWritten)
    return this.#whyNot(now) === undefined && written < this.#seenUpTo
  }

  #whyNot(now: number): string | undefined {
    if (this.#why !== undefined) return this.#why
    if (now - (this.#awaited?.at ?? now) > this.#maxLag) return "it lags"
    return now - this.#seenUpTo > this.#maxLag + lookEvery ? "it was not looked at in time" : undefined
  }

  answeredByReplica(): void {
    this.#byReplica += 1
  }
  answeredByPrimary(): void {
    this.#byPrimary += 1
  }
  askedAgain(): void {
    this.#askedAgain += 1
  }

  state(now: number): ReplicaState {
    const why = this.#whyNot(now)
    return {
      isServing: why === undefined,
      why,
      lagMillis: this.#lag,
      byReplica: this.#byReplica,
      byPrimary: this.#byPrimary,
      askedAgain: this.#askedAgain
    }
  }
}
