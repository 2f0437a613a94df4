/**
 * What an HTTP server knows of its open connections, and what one of them may keep: a few requests at a time, and
 * answers that somebody reads.
 */
import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"

export interface Connection {
  readonly underWay: Set<ServerResponse>
  /** Requests that wait until earlier ones of the connection are answered. */
  readonly waiting: Array<() => void>
  /** Bytes read when the last answer went out: more of them are the beginning of another request. */
  read: number
  /** When that was, or when it was opened, as `performance.now()` tells. */
  since: number
  /** What of the answers was taken when it was last looked after, and how often that was the same since. */
  taken: string
  looks: number
}

/** Requests of one connection that are answered at a time. Node reads as many as arrive at once. */
const mostPipelined = 4

export const opened = (): Connection => ({
  underWay: new Set(),
  waiting: [],
  read: 0,
  since: performance.now(),
  taken: "",
  looks: 0
})

/**
 * Answers now, or when earlier requests of the connection are answered; nothing more is read of it until then. What
 * Node does at the end of each request, it goes on reading, has happened when the microtask runs.
 */
export const inTurn = (socket: Socket, { underWay, waiting }: Connection, answer: () => void): void => {
  if (underWay.size <= mostPipelined) return answer()
  waiting.push(answer)
  queueMicrotask(() => {
    if (waiting.length > 0) socket.pause()
  })
}

/** After an answer of the connection. */
export const nextInTurn = (socket: Socket, { waiting }: Connection): void => {
  waiting.shift()?.()
  if (waiting.length === 0 && socket.isPaused()) socket.resume()
}

/** What the system still has of what it was given. Node counts all of it as written. */
const heldBySystem = (socket: Socket): number =>
  (socket as unknown as { readonly _handle?: { readonly writeQueueSize?: number } | null })._handle?.writeQueueSize ?? 0

/**
 * Whether its peer has taken nothing of what waits for it in so many looks. Looks are counted, not time, of which much
 * may pass while the process itself is busy.
 */
export const isStuck = (socket: Socket, connection: Connection, looks: number): boolean => {
  const { bytesWritten, writableLength } = socket
  const taken = writableLength === 0 ? "" : `${bytesWritten - writableLength} ${heldBySystem(socket)}`
  connection.looks = taken === "" || taken !== connection.taken ? 0 : connection.looks + 1
  connection.taken = taken
  return connection.looks >= looks
}
