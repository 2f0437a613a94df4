/**
 * Who may use something that there is little of: a few at once, of them some for each owner, and owners in turn. An
 * owner that asks for more waits behind itself, in a line of bounded length, and keeps nobody else waiting.
 */
import { Effect } from "effect"

export interface TurnBounds {
  readonly atOnce: number
  /** Of one owner. */
  readonly ofOwner: number
  /** Of one owner; one more is refused. */
  readonly waiting: number
  /** Milliseconds, of real time: what is waited for is a connection. */
  readonly patience: number
}

interface Owner {
  underWay: number
  readonly line: Array<() => void>
}

export class FairTurns<E> {
  readonly #bounds: TurnBounds
  readonly #refused: () => E
  /** In the order in which they are served next; those that use and wait for nothing are not here. */
  readonly #owners = new Map<string, Owner>()
  #underWay = 0

  constructor(bounds: TurnBounds, refused: () => E) {
    this.#bounds = bounds
    this.#refused = refused
  }

  /** Runs the effect when it is the owner's turn; fails where the line is full or no turn comes in time. */
  readonly run =
    (owner: string) =>
    <A, E2, R>(use: Effect.Effect<A, E2, R>): Effect.Effect<A, E | E2, R> =>
      Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(restore(this.#turnOf(owner)), () =>
          Effect.ensuring(
            restore(use),
            Effect.sync(() => this.#giveBack(owner))
          )
        )
      )

  #turnOf(name: string): Effect.Effect<void, E> {
    return Effect.suspend(() => {
      let given = false
      const waited = Effect.callback<void, E>((resume) => {
        const owner = this.#owners.get(name) ?? { underWay: 0, line: [] }
        if (owner.line.length >= this.#bounds.waiting) return resume(Effect.fail(this.#refused()))
        const leave = () => {
          clearTimeout(timer)
          owner.line.splice(owner.line.indexOf(granted), 1)
          this.#forgetIdle(name, owner)
        }
        const timer = setTimeout(() => {
          leave()
          resume(Effect.fail(this.#refused()))
        }, this.#bounds.patience)
        const granted = () => {
          clearTimeout(timer)
          given = true
          resume(Effect.void)
        }
        owner.line.push(granted)
        this.#owners.set(name, owner)
        this.#serve()
        return Effect.sync(() => (given ? undefined : leave()))
      })
      return Effect.onInterrupt(waited, () => Effect.sync(() => (given ? this.#giveBack(name) : undefined)))
    })
  }

  #serve(): void {
    for (const [name, owner] of this.#owners) {
      if (this.#underWay >= this.#bounds.atOnce) return
      if (owner.underWay >= this.#bounds.ofOwner) continue
      const granted = owner.line.shift()
      if (granted === undefined) continue
      owner.underWay += 1
      this.#underWay += 1
      // Behind the others, which a walk over a Map still comes to in this order.
      this.#owners.delete(name)
      this.#owners.set(name, owner)
      granted()
    }
  }

  #giveBack(name: string): void {
    const owner = this.#owners.get(name)
    if (owner === undefined) return
    owner.underWay -= 1
    this.#underWay -= 1
    this.#forgetIdle(name, owner)
    this.#serve()
  }

  #forgetIdle(name: string, owner: Owner): void {
    if (owner.underWay === 0 && owner.line.length === 0) this.#owners.delete(name)
  }
}
