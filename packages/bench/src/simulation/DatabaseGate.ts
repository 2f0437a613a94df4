/**
 * A simulated process's way to PostgreSQL. It can be cut, which loses the process's transactions as `kill -9` does, and
 * it knows whether the database still owes an answer, which is how the scheduler sees that nothing moves any more.
 */
import { connect, createServer, type AddressInfo, type Socket } from "node:net"
import type { ConnectionOptions } from "@effect-commerce/core/database/ConnectionOptions"

export interface DatabaseGate {
  readonly connection: ConnectionOptions
  /** Whether a session waits for an answer of the database. */
  readonly isBusy: () => boolean
  /** Counts what went through. */
  readonly activity: () => number
  /** Ends every session, and lets none through any more. */
  readonly cut: () => void
}

/**
 * Reads the letters of a session's messages. `begins`: the first message has no letter, as what opens a session has
 * none.
 */
const readLetters = (begins: boolean, hear: (letter: string) => void): ((chunk: Buffer) => void) => {
  let hasBegun = !begins
  let rest: Buffer = Buffer.alloc(0)
  let skip = 0
  return (chunk) => {
    let data = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    for (;;) {
      if (skip > 0) {
        const skipped = Math.min(skip, data.length)
        data = data.subarray(skipped)
        skip -= skipped
        if (skip > 0) break
      }
      const head = hasBegun ? 1 : 0
      if (data.length < head + 4) break
      hear(hasBegun ? String.fromCharCode(data[0] ?? 0) : "startup")
      hasBegun = true
      skip = head + data.readUInt32BE(head)
    }
    rest = data
  }
}

/** `wake` is called whenever something goes through. */
export const openDatabaseGate = async (to: ConnectionOptions, wake: () => void): Promise<DatabaseGate> => {
  const sockets = new Set<Socket>()
  /** How many times each session still has to become ready. */
  const owed = new Map<Socket, number>()
  let activity = 0
  const moved = (): void => {
    activity += 1
    wake()
  }
  const keep = (socket: Socket): void => {
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.on("error", () => undefined)
  }
  const server = createServer((client) => {
    const database = to.path === undefined ? connect(to.port ?? 5432, to.host ?? "127.0.0.1") : connect(to.path)
    keep(client)
    keep(database)
    owed.set(client, 0)
    const add = (by: number) => owed.set(client, (owed.get(client) ?? 0) + by)
    // A simple query, a Sync and the opening of a session are answered by ReadyForQuery.
    const asked = readLetters(true, (letter) => {
      if (letter === "Q" || letter === "S" || letter === "startup") add(1)
      if (letter === "X") owed.delete(client)
    })
    const answered = readLetters(false, (letter) => {
      if (letter === "Z") add(-1)
    })
    client.on("data", (chunk: Buffer) => {
      moved()
      asked(chunk)
      database.write(chunk)
    })
    database.on("data", (chunk: Buffer) => {
      moved()
      answered(chunk)
      client.write(chunk)
    })
    for (const [one, other] of [
      [client, database],
      [database, client]
    ] as const) {
      one.on("close", () => {
        moved()
        owed.delete(client)
        sockets.delete(one)
        other.destroy()
      })
    }
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const { path: _path, url: _url, ...rest } = to
  return {
    connection: { ...rest, host: "127.0.0.1", port: (server.address() as AddressInfo).port },
    isBusy: () => [...owed.values()].some((count) => count > 0),
    activity: () => activity,
    cut: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
      owed.clear()
    }
  }
}
