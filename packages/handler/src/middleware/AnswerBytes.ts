/**
 * The bytes of responses that clients have not read yet, of all connections of an instance, of each client address and
 * of each store. A client that requests much and reads little gets an error before the process holds too much for it;
 * small responses are always sent, and a client that reads its responses never has many bytes pending.
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
   * Rejects a write, before anything is done, if its client has not read its share; once a write has run, its response
   * is always sent. Reads are rejected when the size of their response is known.
   */
  readonly before: (
    request: HttpServerRequest.HttpServerRequest,
    exchange: Exchange
  ) => Effect.Effect<void, AnswersUnread>
  /**
   * Counts the body until the client has read it or closed the connection; rejects a read whose response exceeds the
   * share. What is compressed afterwards counts as it is sent (`resized` of the exchange).
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
 * A body larger than limits of lists and of stored data should allow is not sent: it is a defect, and the log names the
 * route.
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
    ? Effect.die(
        new Error(`The response to ${method} ${path} has ${body.contentLength} bytes, more than are ever sent`)
      )
    : Effect.succeed(response)
}

export class AnswerBytes extends Context.Service<AnswerBytes, AnswerBytesMethods>()(
  "@effect-commerce/handler/middleware/AnswerBytes"
) {
  static readonly layer = Layer.sync(AnswerBytes, () => makeAnswerBytes())
}
