/**
 * The bytes of request bodies that Node's HTTP server reads for an instance, until the requests are answered. A body
 * counts before any of it is read, by its Content-Length: a client that sends many large bodies at once, or sends them
 * slowly, gets an error before the process holds too much for it. Small bodies are always read; bodies given to `fetch`
 * belong to the host.
 */
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { nodeResponse, sharersOf } from "./AnswerBytes.ts"
import { ByteShares } from "./ByteShares.ts"
import type { Exchange } from "./Exchange.ts"
import { BodiesUnderWay } from "./Refusals.ts"

/** Bytes in all. */
export const mostReceived = 134_217_728
/** Bytes of a body that is always read. */
const alwaysRead = 65_536

/** The most bytes a body can have: its Content-Length, or without one the limit of the route. */
const announced = ({ headers }: HttpServerRequest.HttpServerRequest, most: number): number => {
  if (headers["transfer-encoding"] !== undefined) return most
  return Math.min(Number(headers["content-length"] ?? 0), most)
}

export const makeBodyBytes = (most = mostReceived) => {
  const bytes = new ByteShares(most)
  /** Called before a body of at most this many bytes is read. */
  return (request: HttpServerRequest.HttpServerRequest, exchange: Exchange, mostBody: number) =>
    Effect.suspend((): Effect.Effect<void, BodiesUnderWay> => {
      const size = announced(request, mostBody)
      const response = size > alwaysRead ? nodeResponse(request) : undefined
      if (response === undefined) return Effect.void
      const sharers = sharersOf(exchange)
      if (!bytes.fits(sharers, size)) return Effect.fail(new BodiesUnderWay())
      bytes.count(sharers, size)
      response.once("close", () => bytes.count(sharers, -size))
      return Effect.void
    })
}
