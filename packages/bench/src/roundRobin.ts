/**
 * A plain proxy: each connection goes to the next of its servers, byte by byte. A process of its own, so that its CPU is
 * nobody else's. Its servers are ports of the loopback, or the paths of sockets.
 */
import { connect, createServer } from "node:net"

const { port, servers } = JSON.parse(process.argv[2] ?? "") as {
  readonly port: number
  readonly servers: ReadonlyArray<number | string>
}

let next = 0
const server = createServer({ noDelay: true }, (caller) => {
  const place = servers[next++ % servers.length] ?? ""
  const behind = typeof place === "string" ? connect(place) : connect({ port: place, host: "127.0.0.1", noDelay: true })
  caller.pipe(behind).pipe(caller)
  for (const [one, other] of [
    [caller, behind],
    [behind, caller]
  ] as const) {
    one.on("error", () => other.destroy())
    one.on("close", () => other.destroy())
  }
})
server.listen(port, "127.0.0.1", () => process.stdout.write("listening\n"))
