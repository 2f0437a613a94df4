/**
 * The open connections of an HTTP server and their limits: a few requests at a time, and responses that the client
 * reads.
 */
import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"

export interface Connection {
  readonly underWay: Set<ServerResponse>
  /** Requests that wait until earlier ones of the connection are answered. */
  readonly waiting: Array<() => void>
  /** Bytes read when the last answer went out: more of them are the beginning of another request. */
  read: number
  /** When that was, or when the connection was opened, by `performance.now()`. */
  since: number
  /** How much of the responses the client had read at the last check, and how many checks since found no progress. */
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
 * Responds now, or when earlier requests of the connection are answered; nothing more is read from it until then. At
 * the end of each request Node resumes reading; that has happened when the microtask runs.
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

/** Bytes that the operating system has not sent yet. Node counts all of them as written. */
const heldBySystem = (socket: Socket): number =>
  (socket as unknown as { readonly _handle?: { readonly writeQueueSize?: number } | null })._handle?.writeQueueSize ?? 0

/**
 * Whether the client has read nothing during so many checks. Checks are counted instead of time, because the process
 * itself may have been busy.
 */
export const isStuck = (socket: Socket, connection: Connection, looks: number): boolean => {
  const { bytesWritten, writableLength } = socket
  const taken = writableLength === 0 ? "" : `${bytesWritten - writableLength} ${heldBySystem(socket)}`
  connection.looks = taken === "" || taken !== connection.taken ? 0 : connection.looks + 1
  connection.taken = taken
  return connection.looks >= looks
}
