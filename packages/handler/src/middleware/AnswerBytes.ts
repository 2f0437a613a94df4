/**
 * The bytes of answers that are on their way and that nobody has taken yet, of all connections of an instance, of each
 * client address and of each store. Who asks much and reads little is refused before the process holds too much for
 * him; small answers are always given, and whoever reads what he asked for has never much on its way.
 *
 * It counts whole bodies below Node's HTTP server: files are read as they are taken, and what `fetch` and a call in
 * process answer belongs to the host.
 */
import { Context, Effect, Layer } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { IncomingMessage, ServerResponse } from "node:http"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { ByteShares } from "./ByteShares.ts"
import type { Exchange } from "./Exchange.ts"
import { AnswersUnread } from "./Refusals.ts"

/** Bytes of one body of JSON. */
export const mostAnswer = 8_388_608
/** Bytes on their way in all. */
export const mostUnderWay = 134_217_728
/** Bytes of a body that is always sent. */
const alwaysSent = 65_536

interface AnswerBytesMethods {
  /** Bytes on their way. */
  readonly underWay: () => number
  /**
   * Refuses a write whose client has left its share unread, before anything is done: its answer is sent, whatever it
   * is. Reads are refused when their answer is known.
   */
  readonly before: (
    request: HttpServerRequest.HttpServerRequest,
    exchange: Exchange
  ) => Effect.Effect<void, AnswersUnread>
  /**
   * Counts the body until its connection has taken it or is gone; refuses what a read answers beyond a share. What is
   * compressed afterwards counts as it is sent (`resized` of the exchange).
   */
  readonly sending: (
    request: HttpServerRequest.HttpServerRequest,
    exchange: Exchange,
    response: HttpServerResponse.HttpServerResponse
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse, AnswersUnread>
}

const isRead = ({ method }: HttpServerRequest.HttpServerRequest): boolean => method === "GET" || method === "HEAD"

/** Who has a share. */
export const sharersOf = ({ ip, storeId }: Exchange): ReadonlyArray<string> => [
  ...(ip === undefined ? [] : [`ip:${ip}`]),
  ...(storeId === undefined ? [] : [`store:${storeId}`])
]

/** Node's response to a request that it has read. */
export const nodeResponse = (request: HttpServerRequest.HttpServerRequest): ServerResponse | undefined => {
  if (!(request.source instanceof IncomingMessage)) return undefined
  const response = NodeHttpServerRequest.toServerResponse(request)
  return response instanceof ServerResponse && !response.destroyed ? response : undefined
}

const makeAnswerBytes = (most = mostUnderWay): AnswerBytesMethods => {
  const bytesUnderWay = new ByteShares(most)

  return {
    underWay: () => bytesUnderWay.whole,
    before: (request, exchange) =>
      !isRead(request) && bytesUnderWay.shareOf(sharersOf(exchange)) + mostAnswer > most / 2
        ? Effect.fail(new AnswersUnread())
        : Effect.void,
    sending: (request, exchange, response) =>
      Effect.suspend(() => {
        const { body } = response
        if (body._tag !== "Uint8Array" || request.method === "HEAD") return Effect.succeed(response)
        const bytes = body.contentLength
        const sent = nodeResponse(request)
        if (sent === undefined) return Effect.succeed(response)
        const sharers = sharersOf(exchange)
        if (bytes > alwaysSent && isRead(request) && !bytesUnderWay.fits(sharers, bytes))
          return Effect.fail(new AnswersUnread())
        let counted = 0
        const resized = (now: number): void => {
          bytesUnderWay.count(sharers, now - counted)
          counted = now
        }
        resized(bytes)
        exchange.resized = resized
        sent.once("close", () => {
          resized(0)
          exchange.resized = undefined
        })
        return Effect.succeed(response)
      })
  }
}

/**
 * A body that lists and bounds of what is stored should never have let come about is not sent: it would be a defect of
 * ours, and the log names the route.
 */
export const withinAnswer = (
  { method }: HttpServerRequest.HttpServerRequest,
  path: string,
  response: HttpServerResponse.HttpServerResponse
): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  const { body } = response
  return body._tag === "Uint8Array" &&
    body.contentType.startsWith("application/json") &&
    body.contentLength > mostAnswer
    ? Effect.die(new Error(`The answer to ${method} ${path} has ${body.contentLength} bytes, more than are ever sent`))
    : Effect.succeed(response)
}

export class AnswerBytes extends Context.Service<AnswerBytes, AnswerBytesMethods>()(
  "@effect-commerce/handler/middleware/AnswerBytes"
) {
  static readonly layer = Layer.sync(AnswerBytes, () => makeAnswerBytes())
}
