/**
 * The Node listener as middleware of a host (Express, connect, middie): requests of other paths go to the next one. A
 * response is closed when its connection closes.
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
 * When a connection closes, Node does not close responses of pipelined requests that are not the current one: code that
 * waits for their end would wait for ever.
 */
const closedWithConnection = (socket: unknown, response: ServerResponse): void => {
  if (!(socket instanceof Socket)) return
  const open = openResponsesOf(socket)
  open.add(response)
  response.once("close", () => open.delete(response))
}

/** Without `next` every request is answered, with 404 where no route of ours matches. */
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
