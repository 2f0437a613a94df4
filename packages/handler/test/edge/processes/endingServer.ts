/** Listens, tells its parent the port, ends at SIGTERM, tells that too, and listens again: until its parent leaves. */
import { Context } from "effect"
import { openHttpServer } from "../../../src/adapters/httpServer.ts"

/** Whoever is busy lets others wait to be let in. */
const work = (): void => {
  const until = performance.now() + 0.5
  while (performance.now() < until);
}

const listen = (): void => {
  const { server, end } = openHttpServer({
    node: (_request, response) => {
      work()
      setTimeout(() => response.end("hello"), 2)
    },
    services: Context.empty()
  })
  process.once(
    "SIGTERM",
    () =>
      void end()
        .then(() => process.send?.("ended"))
        .then(listen)
  )
  server.listen(0, "127.0.0.1", () => {
    const address = server.address()
    if (typeof address === "object" && address !== null) process.send?.(address.port)
  })
}
process.on("disconnect", () => process.exit())
listen()
