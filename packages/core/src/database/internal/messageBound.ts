/**
 * The largest message that PostgreSQL may send us; ParameterBound.ts bounds what we send. A message over the bound
 * fails only its own statement: the driver alone would end the whole connection, with every statement of other tenants
 * that is queued on it.
 */
import type * as PgConnection from "@effect/sql-pg/PgConnection"

/**
 * Bytes of one message from PostgreSQL, usually a row. Stored values have bounds far below it, so a larger row is a bug
 * of ours.
 */
export const largestMessage = 16 * 1024 * 1024

type Push = (bytes: Uint8Array) => void

/**
 * A message begins with its type, one byte, and its length, four bytes, which counts itself and not the type
 * (PostgreSQL manual, 55.7).
 */
const headerSize = 5
const readyForQuery = 0x5a
const nothing = new Uint8Array(0)

/**
 * Passes PostgreSQL's bytes on, in whatever chunks they arrive. A message over the bound is replaced by an error, and
 * what follows is dropped until the server is ready for the next statement: for the driver that statement has failed,
 * and the statements behind it get their results.
 */
export const boundMessages = (push: Push, largest: number): Push => {
  let refusing = false
  /** Bytes of the current message that have not arrived yet. */
  let awaited = 0
  /** An incomplete header. */
  let held: Uint8Array = nothing

  /** Reads the header of the message that begins at `at`. Returns from which position on bytes are passed on. */
  const begin = (bytes: Uint8Array, at: number, from: number): number => {
    const length = Math.max(4, new DataView(bytes.buffer, bytes.byteOffset + at + 1).getInt32(0))
    awaited = length + 1
    if (refusing) refusing = bytes[at] !== readyForQuery
    else if (length > largest) {
      if (at > from) push(bytes.subarray(from, at))
      push(refusal(`a message of ${length} bytes is over the bound of ${largest}`))
      refusing = true
    } else return from
    return at
  }

  return (arrived) => {
    const bytes = held.length === 0 ? arrived : Buffer.concat([held, arrived])
    held = nothing
    let at = 0
    let from = 0
    while (at < bytes.length) {
      if (awaited === 0) {
        if (bytes.length - at < headerSize) break
        from = begin(bytes, at, from)
      }
      const step = Math.min(awaited, bytes.length - at)
      awaited -= step
      at += step
      if (refusing) from = at
    }
    // Kept as a copy: the bytes are the socket's.
    if (at < bytes.length) held = Uint8Array.from(bytes.subarray(at))
    if (at > from) push(from === 0 && at === bytes.length ? bytes : bytes.subarray(from, at))
  }
}

/** An ErrorResponse: internal_error, so the edge answers 500 and logs it. */
const refusal = (message: string): Uint8Array => {
  const fields = Buffer.from(`SERROR\0VERROR\0CXX000\0M${message}\0\0`)
  const head = Buffer.alloc(headerSize)
  head.write("E")
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

interface Parser {
  pushEach: (bytes: Uint8Array, onMessage: (message: unknown) => void) => void
}

const guarded = new WeakSet<object>()

/**
 * The driver's connection with the bound in front of its parser, installed when the connection is first seen. The
 * driver has no option that fails only the one statement.
 */
export const withMessageBound = (connection: PgConnection.PgConnection): PgConnection.PgConnection => {
  if (guarded.has(connection)) return connection
  guarded.add(connection)
  const parser = parserOf(connection)
  const parse = parser.pushEach
  let heard: (message: unknown) => void = () => undefined
  const push = boundMessages((bytes) => parse(bytes, heard), largestMessage)
  parser.pushEach = (bytes, onMessage) => {
    heard = onMessage
    push(bytes)
  }
  return connection
}

/** Private to the driver, whose version is pinned; a test checks that it exists. */
const parserOf = (connection: object): Parser => {
  const { session } = connection as { readonly session?: { readonly parser?: Partial<Parser> } }
  if (typeof session?.parser?.pushEach !== "function")
    throw new Error("this version of @effect/sql-pg is not known: its connections have no parser to bound")
  return session.parser as Parser
}
