/**
 * Loaded into a server before anything else (`--import`): counts what the process writes to sockets and the statements
 * that it sends to PostgreSQL, and tells the sums whenever its parent asks. What is asked of the database is read from
 * the bytes themselves, so nothing of the server knows of it.
 */
import { subscribe } from "node:diagnostics_channel"
import type { Socket } from "node:net"

/** Sums since the process began. */
export interface WireTally {
  /** Executions, those that only open, bound and end a transaction left out. */
  readonly statements: number
  readonly transactions: number
  /** Writes to the sockets of the database: what is sent together is one. */
  readonly flushes: number
  /** Bytes written: to the database, and to those who asked. */
  readonly toDatabase: number
  readonly toCallers: number
  /** Bytes of the database's answers. */
  readonly fromDatabase: number
}

const sockets = { callers: new Set<Socket>(), database: new Set<Socket>() }
const ended = { toCallers: 0, toDatabase: 0, fromDatabase: 0 }
const executed = { statements: 0, transactions: 0, flushes: 0 }

const control = /^\s*(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|LISTEN|SELECT set_config|SELECT pg_notify)/

/**
 * Messages of one connection: Parse names a text, Bind a portal of it, Execute runs the portal, Query runs its own
 * text.
 */
const readMessages = (): ((chunk: Buffer) => void) => {
  const texts = new Map<string, string>()
  let portal = ""
  let rest: Buffer = Buffer.alloc(0)
  let begun = false
  const run = (text: string) => {
    if (/^\s*COMMIT/.test(text)) executed.transactions++
    if (!control.test(text)) executed.statements++
  }
  const wordsOf = (body: Buffer): readonly [string, string] => {
    const first = body.indexOf(0)
    return [body.toString("utf8", 0, first), body.toString("utf8", first + 1, body.indexOf(0, first + 1))]
  }
  const read: Readonly<Record<string, (body: Buffer) => void>> = {
    P: (body) => texts.set(...wordsOf(body)),
    B: (body) => (portal = texts.get(wordsOf(body)[1]) ?? ""),
    E: () => run(portal),
    Q: (body) => run(body.toString("utf8", 0, body.length - 1))
  }
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    for (;;) {
      // What opens a session has no letter before its length.
      const head = begun ? 1 : 0
      if (rest.length < head + 4) return
      const length = rest.readUInt32BE(head)
      if (rest.length < head + length) return
      if (begun) read[String.fromCharCode(rest[0] ?? 0)]?.(rest.subarray(5, 1 + length))
      begun = true
      rest = rest.subarray(head + length)
    }
  }
}

const watchDatabase = (socket: Socket): void => {
  const seen = readMessages()
  const write = socket.write.bind(socket) as (...words: ReadonlyArray<unknown>) => boolean
  socket.write = ((chunk: Uint8Array | string, ...more: ReadonlyArray<unknown>) => {
    executed.flushes++
    seen(Buffer.from(chunk))
    return write(chunk, ...more)
  }) as typeof socket.write
}

const watch = (kind: keyof typeof sockets, socket: Socket): void => {
  sockets[kind].add(socket)
  socket.once("close", () => {
    sockets[kind].delete(socket)
    ended[kind === "callers" ? "toCallers" : "toDatabase"] += socket.bytesWritten
    if (kind === "database") ended.fromDatabase += socket.bytesRead
  })
}

subscribe("net.server.socket", (message) => watch("callers", (message as { readonly socket: Socket }).socket))
subscribe("net.client.socket", (message) => {
  const { socket } = message as { readonly socket: Socket }
  watch("database", socket)
  // Connecting puts `write` back; who writes waits for the same event, and comes after.
  socket.once("connect", () => watchDatabase(socket))
})

const sumOf = (kind: keyof typeof sockets, of: "bytesWritten" | "bytesRead"): number =>
  [...sockets[kind]].reduce((sum, socket) => sum + socket[of], 0)

const tally = (): WireTally => ({
  ...executed,
  toDatabase: ended.toDatabase + sumOf("database", "bytesWritten"),
  toCallers: ended.toCallers + sumOf("callers", "bytesWritten"),
  fromDatabase: ended.fromDatabase + sumOf("database", "bytesRead")
})

process.on("message", () => process.send?.(tally()))
