/**
 * The way between a shop and a simulated payment company. Everything arrives at once while it is calm; else requests and
 * answers get lost or late, and the company may be silent for hours.
 */
import { PaymentUnanswered } from "@effect-commerce/core/payment/PaymentErrors"
import { Effect } from "effect"
import type { CompanyWorld } from "./Company.ts"
import type { CompanyKind } from "./CompanyKinds.ts"

const second = 1_000

/** When a request arrives, and how long after that it is answered; undefined: never. */
interface Way {
  readonly arrives: number | undefined
  readonly answers: number | undefined
}

export const openCompanyWire = (
  { settling }: CompanyKind,
  { time, random, isCalm, note, count }: Omit<CompanyWorld, "send">
) => {
  let silentUntil = 0
  const wayOf = (): Way => {
    if (time.now() < silentUntil) return random.chance(0.3) ? lost : { arrives: undefined, answers: undefined }
    const dice = random.next()
    if (dice < 0.62) return { arrives: random.between(1, 700), answers: random.between(1, 700) }
    if (dice < 0.72) return lost
    if (dice < 0.84) return { arrives: random.between(1, 900), answers: undefined }
    if (dice < 0.92) return { arrives: random.between(1, settling - 1), answers: undefined }
    if (dice < 0.97) return { arrives: random.between(1, 900), answers: random.between(15 * second, 25 * second) }
    return { arrives: undefined, answers: undefined }
  }
  const lost: Way = { arrives: undefined, answers: 1 }

  /** Runs `perform` when the request arrives; its argument is the time from which lookups show the result. */
  const call = <A, E>(
    isAlive: () => boolean,
    what: string,
    perform: (visibleAt: number) => Effect.Effect<A, E>
  ): Effect.Effect<A, E | PaymentUnanswered> =>
    Effect.callback<A, E | PaymentUnanswered>((resume) => {
      if (!isAlive()) return
      if (isCalm() && time.now() >= silentUntil) {
        note(what)
        resume(perform(time.now()))
        return
      }
      const { arrives, answers } = wayOf()
      const unanswered = Effect.fail(new PaymentUnanswered({ reason: "the connection was lost" }))
      const sentAt = time.now()
      note(
        `${what}: ${arrives === undefined ? "never arrives" : `arrives after ${arrives}`}, ${answers === undefined ? "no answer" : `answer after ${answers}`}`
      )
      count(arrives === undefined ? "requests lost" : answers === undefined ? "answers lost" : "requests")
      if (arrives === undefined) {
        if (answers !== undefined) time.at(sentAt + 200, () => resume(unanswered))
        return
      }
      const isUnseen = answers === undefined && random.chance(0.4)
      time.at(sentAt + arrives, () => {
        const answer = perform(isUnseen ? sentAt + settling : time.now())
        if (answers !== undefined) time.at(time.now() + answers, () => resume(answer))
      })
      if (answers === undefined && random.chance(0.5)) time.at(sentAt + 300, () => resume(unanswered))
    })

  return {
    call,
    /** Calls within this many milliseconds stay unanswered. */
    silence: (millis: number) => {
      silentUntil = Math.max(silentUntil, time.now() + millis)
    },
    speak: () => {
      silentUntil = 0
    }
  }
}
