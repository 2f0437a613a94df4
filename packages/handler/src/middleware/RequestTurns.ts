/**
 * How many requests of one store are worked on at a time. A process has one thread, and its database a few cores: of a
 * store whose requests take long, few at once make everybody's wait. A store that is alone in the process has no bound.
 * Beside others it has as many at once as come to `workMillis` by what its last ones took, at least one; the rest wait
 * behind each other. What a host asks in its own process is its own affair.
 */
import { FairTurns } from "@effect-commerce/core/database/FairTurns"
import { LeaveTurn } from "@effect-commerce/core/kernel/RequestTurn"
import { Effect } from "effect"
import type { Exchange } from "./Exchange.ts"
import { StoreBusy } from "./Refusals.ts"

/** A store is beside others for so long after one of them was asked for something, milliseconds. */
const besideMillis = 60_000
/** What a store's requests that are worked on at a time may come to, milliseconds. */
const workMillis = 40
/** And how many there are at most. */
const mostAtOnce = 8
/** Requests of one store that wait, and for how long, milliseconds: a thousand buyers who come at once are served. */
const mostWaiting = 2_000
const patience = 20_000
/** Stores whose times are remembered. */
const mostRemembered = 1_000
/** How much of the remembered time is the last request's. */
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

/** The two stores that were asked last for something: one of them is another than any that is looked at. */
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
