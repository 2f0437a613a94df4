import { type AddressInfo, connect, createServer } from "node:net"

/** What PgBouncer takes at the start of a session as it comes. */
const known = [
  "user",
  "database",
  "application_name",
  "client_encoding",
  "DateStyle",
  "TimeZone",
  "timezone",
  "standard_conforming_strings"
]

/** The first setting of a startup message, after its length and version, that is not among these. */
const unknownIn = (startup: Buffer): string | undefined => {
  const fields = startup.toString("latin1", 8).split("\0")
  return fields.find((name, i) => i % 2 === 0 && name !== "" && !known.includes(name))
}

const refusal = (parameter: string): Buffer => {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C08P01\0Munsupported startup parameter: ${parameter}\0\0`)
  const head = Buffer.alloc(5)
  head.write("E")
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

/**
 * As PgBouncer does by itself: what it does not know at the start of a session is refused, all else goes through to the
 * socket at `path`.
 */
export const fakePooler = async (path: string) => {
  const server = createServer((socket) => {
    socket.once("data", (startup) => {
      const unknown = unknownIn(startup)
      if (unknown !== undefined) return socket.end(refusal(unknown))
      const behind = connect(path)
      behind.write(startup)
      socket.pipe(behind).pipe(socket)
      for (const end of [socket, behind]) end.on("error", () => undefined)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return { port: (server.address() as AddressInfo).port, close: () => new Promise((resolve) => server.close(resolve)) }
}
