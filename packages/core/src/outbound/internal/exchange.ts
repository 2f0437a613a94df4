/**
 * One request over a pool of undici, without streams: it succeeds once the response head has arrived. At most
 * `maxBytes` of the body are kept, and a body that is too long, too slow or broken off is only marked as incomplete. A
 * connection whose response body was not read completely is closed.
 */
import { Effect } from "effect"
import type { Dispatcher, Pool } from "undici"

export interface Exchanged {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: Uint8Array
  readonly complete: boolean
}

export interface Sending {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | undefined
  readonly maxBytes: number
  /** Milliseconds of real time for the whole exchange. */
  readonly millis: number
}

/** The timeout came before the response head. */
export class TimedOut extends Error {}

export const exchange = (pool: Pool, { maxBytes, millis, ...sending }: Sending): Effect.Effect<Exchanged, unknown> =>
  Effect.callback<Exchanged, unknown>((resume) => {
    const parts: Array<Buffer> = []
    let length = 0
    let head: Pick<Exchanged, "status" | "headers"> | undefined
    let controller: Dispatcher.DispatchController | undefined
    let isOver = false
    const over = (outcome: Effect.Effect<Exchanged, unknown>) => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      resume(outcome)
    }
    const answer = (complete: boolean) => {
      if (head !== undefined) over(Effect.succeed({ ...head, body: Buffer.concat(parts), complete }))
    }
    const giveUp = (reason: Error) => {
      isOver = true
      controller?.abort(reason)
    }
    const timer = setTimeout(
      () => {
        const late = new TimedOut()
        if (head === undefined) over(Effect.fail(late))
        else answer(false)
        giveUp(late)
      },
      Math.max(0, Math.ceil(millis))
    )
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (given) => {
        controller = given
        if (isOver) given.abort(new TimedOut())
      },
      onResponseStart: (_, status, headers) => {
        if (status >= 200) head = { status, headers }
      },
      onResponseData: (given, chunk) => {
        parts.push(chunk.subarray(0, maxBytes - length))
        length += chunk.length
        if (length <= maxBytes) return
        answer(false)
        given.abort(new Error("the answer is longer than is read"))
      },
      onResponseEnd: () => answer(true),
      onResponseError: (_, error) => {
        if (head === undefined) over(Effect.fail(error))
        else answer(false)
      }
    }
    try {
      pool.dispatch({ ...sending, body: sending.body ?? null }, handler)
    } catch (error) {
      over(Effect.fail(error))
    }
    return Effect.sync(() => {
      clearTimeout(timer)
      giveUp(new Error("nobody waits for it any more"))
    })
  })
