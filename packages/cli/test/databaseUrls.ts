/** `postgres://` URLs of databases of the test server, which listens on a socket file. */
import { createServer, connect, type Server } from "node:net"
import type { TestDatabaseMethods } from "@effect-commerce/core/testing/TestDatabase"
import { Redacted } from "effect"

/** Listens on a port, for the socket file. */
export const reachable = (path: string): Promise<Server & { readonly port: number }> =>
  new Promise((done) => {
    const server = createServer({ noDelay: true }, (incoming) => {
      const outgoing = connect(path)
      incoming.pipe(outgoing).pipe(incoming)
      for (const [one, other] of [
        [incoming, outgoing],
        [outgoing, incoming]
      ] as const) {
        one.on("error", () => other.destroy())
        one.on("close", () => other.destroy())
      }
    })
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      done(Object.assign(server, { port: typeof address === "object" && address !== null ? address.port : 0 }))
    })
  })

/** The URL of the database, through a port that `reachable` has opened. */
export const urlOf = ({ connection }: TestDatabaseMethods, port: number): string => {
  const { username = "", password, database = "" } = connection
  const secret = password === undefined ? "" : Redacted.value(password)
  return `postgres://${username}:${encodeURIComponent(secret)}@127.0.0.1:${port}/${database}`
}
