/**
 * Fair queueing for a scarce resource of a process (connections, threads, a decoder): a bound on tasks at once, a lower
 * bound for each owner (a store), and owners served in turn. An owner with much work waits behind its own tasks; other
 * owners wait for at most one of them.
 */
import { Effect } from "effect"

export interface TurnBounds {
  readonly atOnce: number
  /** Tasks of one owner at once; a function is called whenever a turn is given. By default as many as `atOnce`. */
  readonly ofOwner?: number | ((owner: string) => number)
  /** Tasks of one owner that may wait; a further one fails. By default any number. */
  readonly waiting?: number
  /** Tasks of all owners that may wait. By default any number. */
  readonly waitingInAll?: number
  /** Milliseconds of real time after which a waiting caller fails. By default never. */
  readonly patience?: number
}

interface Owner {
  underWay: number
  readonly line: Array<() => void>
}

/** For bounds without `waiting`, `waitingInAll` and `patience`. */
const nobodyIsRefused = (): never => {
  throw new Error("turns without bounds refuse nobody")
}

export class FairTurns<E = never> {
  readonly #bounds: Required<TurnBounds>
  readonly #ofOwner: (owner: string) => number
  readonly #refused: () => E
  /** Owners with running or waiting tasks, in the order in which they are served next. */
  readonly #owners = new Map<string, Owner>()
  #underWay = 0
  #waiting = 0

  /** `refused` makes the error of a task that may not wait. */
  constructor(bounds: TurnBounds, refused: () => E = nobodyIsRefused) {
    const unbounded = Number.POSITIVE_INFINITY
    this.#bounds = {
      ofOwner: bounds.atOnce,
      waiting: unbounded,
      waitingInAll: unbounded,
      patience: unbounded,
      ...bounds
    }
    const { ofOwner } = this.#bounds
    this.#ofOwner = typeof ofOwner === "number" ? () => ofOwner : ofOwner
    this.#refused = refused
  }

  /** Tasks that run, and tasks that wait for their turn. */
  load(): { readonly underWay: number; readonly waiting: number } {
    return { underWay: this.#underWay, waiting: this.#waiting }
  }

  /** Runs the effect when it is the owner's turn; fails if the queue is full or no turn comes in time. */
  readonly run =
    (owner: string) =>
    <A, E2, R>(use: Effect.Effect<A, E2, R>): Effect.Effect<A, E | E2, R> =>
      this.runLeaving(owner)(() => use)

  /** Like `run`, for an effect that may give up its turn before it ends by calling `leave`. */
  readonly runLeaving =
    (owner: string) =>
    <A, E2, R>(use: (leave: Effect.Effect<void>) => Effect.Effect<A, E2, R>): Effect.Effect<A, E | E2, R> =>
      Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(restore(this.#turnOf(owner)), () => {
          let hasTurn = true
          const leave = Effect.sync(() => {
            if (hasTurn) this.#giveBack(owner)
            hasTurn = false
          })
          return Effect.ensuring(restore(use(leave)), leave)
        })
      )

  #turnOf(name: string): Effect.Effect<void, E> {
    return Effect.suspend(() => {
      let given = false
      const waited = Effect.callback<void, E>((resume) => {
        const owner = this.#owners.get(name) ?? { underWay: 0, line: [] }
        if (!this.#mayCome(name, owner)) return resume(Effect.fail(this.#refused()))
        const leave = () => {
          clearTimeout(timer)
          owner.line.splice(owner.line.indexOf(granted), 1)
          this.#waiting -= 1
          this.#forgetIdle(name, owner)
        }
        const giveUp = () => {
          leave()
          resume(Effect.fail(this.#refused()))
        }
        const { patience } = this.#bounds
        const timer = Number.isFinite(patience) ? setTimeout(giveUp, patience) : undefined
        const granted = () => {
          clearTimeout(timer)
          given = true
          resume(Effect.void)
        }
        owner.line.push(granted)
        this.#waiting += 1
        this.#owners.set(name, owner)
        this.#serve()
        return Effect.sync(() => (given ? undefined : leave()))
      })
      return Effect.onInterrupt(waited, () => Effect.sync(() => (given ? this.#giveBack(name) : undefined)))
    })
  }

  /** Whether a task may come: it may run at once, or there is room to wait. */
  #mayCome(name: string, { underWay, line }: Owner): boolean {
    const { atOnce, waiting, waitingInAll } = this.#bounds
    if (this.#underWay < atOnce && underWay < this.#ofOwner(name) && line.length === 0) return true
    return line.length < waiting && this.#waiting < waitingInAll
  }

  #serve(): void {
    for (const [name, owner] of this.#owners) {
      if (this.#underWay >= this.#bounds.atOnce) return
      if (owner.underWay >= this.#ofOwner(name)) continue
      const granted = owner.line.shift()
      if (granted === undefined) continue
      this.#waiting -= 1
      owner.underWay += 1
      this.#underWay += 1
      this.#putLast(name, owner)
      granted()
    }
  }

  #giveBack(name: string): void {
    const owner = this.#owners.get(name)
    if (owner === undefined) return
    owner.underWay -= 1
    this.#underWay -= 1
    this.#putLast(name, owner)
    this.#forgetIdle(name, owner)
    this.#serve()
  }

  /** Moves the owner to the end; an iteration over the Map that is under way visits it again. */
  #putLast(name: string, owner: Owner): void {
    this.#owners.delete(name)
    this.#owners.set(name, owner)
  }

  #forgetIdle(name: string, owner: Owner): void {
    if (owner.underWay === 0 && owner.line.length === 0) this.#owners.delete(name)
  }
}
