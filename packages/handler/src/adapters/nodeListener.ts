/**
 * The Node listener as a step among others of a host (Express, connect, middie): what is not ours is the next one's.
 * Whoever answers learns when its connection is gone.
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import { Socket } from "node:net"
import { isOurs } from "../middleware/RequestTarget.ts"

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** Responses that are not closed, of each connection. */
const openResponses = new WeakMap<Socket, Set<ServerResponse>>()

const openResponsesOf = (socket: Socket): Set<ServerResponse> => {
  const known = openResponses.get(socket)
  if (known !== undefined) return known
  const open = new Set<ServerResponse>()
  openResponses.set(socket, open)
  socket.once("close", () =>
    // Node closes the first one itself.
    setImmediate(() => {
      for (const response of open) {
        response.destroy()
        response.emit("close")
      }
    })
  )
  return open
}

/**
 * Node closes no response whose turn on a connection (pipelined requests) has not come when the connection goes: who
 * waits for its end would wait for ever.
 */
const closedWithConnection = (socket: unknown, response: ServerResponse): void => {
  if (!(socket instanceof Socket)) return
  const open = openResponsesOf(socket)
  open.add(response)
  response.once("close", () => open.delete(response))
}

/** Without `next` everything is answered, by 404 where it is not ours. */
export const handingOn =
  (listener: Listener, basePath: string) =>
  (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void): void => {
    if (next !== undefined && !isOurs(request, basePath)) return next()
    closedWithConnection(request.socket, response)
    if (next === undefined) return listener(request, response)
    try {
      listener(request, response)
    } catch (error) {
      next(error)
    }
  }
