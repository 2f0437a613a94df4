/**
 * How many requests of one store are worked on at a time. A process has one thread and its database a few cores, so
 * that even a few slow requests of one store make other stores wait. A store that is alone in the process has no limit.
 * Beside others it has as many at once as take `workMillis` together, judged by its last ones, and at least one; the
 * rest wait. Calls of the host in its own process are not limited.
 */
import { FairTurns } from "@effect-commerce/core/database/FairTurns"
import { LeaveTurn } from "@effect-commerce/core/kernel/RequestTurn"
import { Effect } from "effect"
import type { Exchange } from "./Exchange.ts"
import { StoreBusy } from "./Refusals.ts"

/** Milliseconds after a request of another store during which a store is not alone. */
const besideMillis = 60_000
/** Milliseconds that the concurrent requests of a store may take together. */
const workMillis = 40
/** The most requests of a store at once. */
const mostAtOnce = 8
/** How many requests of one store may wait, and how many milliseconds: a thousand buyers at once are served. */
const mostWaiting = 2_000
const patience = 20_000
/** Stores whose times are remembered. */
const mostRemembered = 1_000
/** The weight of the last request in the moving average. */
const weight = 1 / 8

/** What requests of stores took lately, milliseconds. */
const makeTimes = () => {
  const times = new Map<string, number>()
  return {
    of: (storeId: string): number => times.get(storeId) ?? 0,
    add: (storeId: string, millis: number): void => {
      const before = times.get(storeId) ?? 0
      times.delete(storeId)
      times.set(storeId, before + weight * (millis - before))
      const [oldest] = times.keys()
      if (times.size > mostRemembered && oldest !== undefined) times.delete(oldest)
    }
  }
}

/** The two stores with the latest requests: at least one of them differs from any given store. */
const makeLastAsked = () => {
  let last = { storeId: "", at: Number.NEGATIVE_INFINITY }
  let before = last
  return {
    add: (storeId: string, at: number): void => {
      if (storeId !== last.storeId) before = last
      last = { storeId, at }
    },
    ofOthers: (storeId: string): number => (last.storeId === storeId ? before.at : last.at)
  }
}

type InTurn = (
  exchange: Exchange,
  storeId: string
) => <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StoreBusy, R>

/** Nobody waits for a turn. */
export const allAtOnce: InTurn = () => (work) => work

/** `now` in milliseconds. */
export const makeRequestTurns = (now: () => number): InTurn => {
  const times = makeTimes()
  const asked = makeLastAsked()
  const shareOf = (storeId: string): number => {
    if (now() - asked.ofOthers(storeId) > besideMillis) return Number.POSITIVE_INFINITY
    return Math.min(mostAtOnce, Math.max(1, Math.floor(workMillis / times.of(storeId))))
  }
  const turns = new FairTurns(
    { atOnce: Number.POSITIVE_INFINITY, ofOwner: shareOf, waiting: mostWaiting, patience },
    () => new StoreBusy()
  )

  return ({ ip }, storeId) =>
    (work) => {
      if (ip === undefined) return work
      asked.add(storeId, now())
      return turns.runLeaving(storeId)((leave) => {
        const began = now()
        let isCounted = false
        const ended = Effect.suspend(() => {
          if (!isCounted) times.add(storeId, Math.max(0, now() - began))
          isCounted = true
          return leave
        })
        return Effect.ensuring(Effect.provideService(work, LeaveTurn, ended), ended)
      })
    }
}
