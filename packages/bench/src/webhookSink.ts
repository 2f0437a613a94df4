/**
 * The endpoint of the webhook benchmark, a process of its own. Told to expect some requests it answers when they have
 * come: how long the last one was after the first, and when each one's head was there, in milliseconds since 1970, so
 * that processes of one machine can compare.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

export interface Expected {
  readonly count: number
}

export interface Arrived {
  readonly at: ReadonlyArray<number>
}

let expected = 0
let at: Array<number> = []

const tellWhenAll = (): void => {
  if (expected === 0 || at.length < expected) return
  process.send?.({ at } satisfies Arrived)
  at = []
  expected = 0
}

const server = createServer((request, response) => {
  at.push(performance.timeOrigin + performance.now())
  request.resume()
  request.on("end", () => {
    response.writeHead(200, { "content-length": "0" }).end()
    tellWhenAll()
  })
})

process.on("message", ({ count }: Expected) => {
  expected = count
  tellWhenAll()
})
server.listen(0, "127.0.0.1", () => process.stdout.write(`listening on ${(server.address() as AddressInfo).port}\n`))
