/** An endpoint on loopback that keeps what it is sent and answers as it is told, path by path. */
import { createHmac, timingSafeEqual } from "node:crypto"
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"

export interface Hit {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly raw: Buffer
  /** Of the parsed body. */
  readonly id: string
  readonly type: string
  /** `performance.now()` at the request's head. */
  readonly at: number
}

/**
 * A status, or nothing for a connection that is broken off, or a promise that may never be kept. `nth` counts the hits
 * of a path from 1.
 */
export type Behaviour = (nth: number, hit: Hit) => number | "reset" | Promise<number>

export interface Sink {
  readonly url: (path: string) => string
  readonly hits: ReadonlyArray<Hit>
  /** Hits of one path. */
  readonly of: (path: string) => ReadonlyArray<Hit>
  readonly behave: (path: string, behaviour: Behaviour) => void
  /** Resolves as soon as the path has `count` hits; rejects after ten seconds. */
  readonly until: (path: string, count: number) => Promise<ReadonlyArray<Hit>>
  readonly close: () => Promise<void>
}

export const openSink = async (): Promise<Sink> => {
  const hits: Array<Hit> = []
  const behaviours = new Map<string, Behaviour>()
  const listeners = new Set<() => void>()
  const of = (path: string) => hits.filter((hit) => hit.path === path)
  const server = createServer((request, response) => {
    const at = performance.now()
    const parts: Array<Buffer> = []
    request.on("data", (part: Buffer) => parts.push(part))
    request.on("end", async () => {
      const raw = Buffer.concat(parts)
      const path = request.url ?? ""
      const { id, type } = JSON.parse(raw.toString("utf8")) as { readonly id: string; readonly type: string }
      const hit = { path, headers: request.headers, raw, id, type, at }
      hits.push(hit)
      for (const listener of listeners) listener()
      const answer = await (behaviours.get(path)?.(of(path).length, hit) ?? 200)
      if (answer === "reset") request.socket.destroy()
      else response.writeHead(answer, answer >= 300 && answer < 400 ? { location: "/followed" } : {}).end()
    })
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const { port } = server.address() as AddressInfo
  return {
    url: (path) => `http://127.0.0.1:${port}${path}`,
    hits,
    of,
    behave: (path, behaviour) => void behaviours.set(path, behaviour),
    until: (path, count) =>
      new Promise((done, fail) => {
        const look = () => {
          const found = of(path)
          if (found.length < count) return
          clearTimeout(timer)
          listeners.delete(look)
          done(found)
        }
        const timer = setTimeout(() => {
          listeners.delete(look)
          fail(new Error(`${path} has ${of(path).length} hits, not ${count}`))
        }, 10_000)
        listeners.add(look)
        look()
      }),
    close: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    }
  }
}

/** What a merchant's code does with a delivery (docs/guides/webhooks.md), written apart from ours. */
export const isGenuine = (secret: string, { headers, raw }: Pick<Hit, "headers" | "raw">, now: number): boolean => {
  const timestamp = String(headers["x-svc-timestamp"])
  const expected = createHmac("sha256", secret).update(`${timestamp}.`).update(raw).digest()
  const given = Buffer.from(String(headers["x-svc-signature"]), "hex")
  return (
    given.length === expected.length && timingSafeEqual(given, expected) && Math.abs(now - Number(timestamp)) <= 300_000
  )
}
