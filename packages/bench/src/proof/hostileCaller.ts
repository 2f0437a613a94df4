/**
 * The process of the hostile callers of one store: each sends as fast as it is answered, from a socket of its own, and
 * reads what comes without keeping it. A process of its own, so that what they cost is not measured as the server's.
 * It prints one line of JSON when it is told to end: how often each caller met each status.
 */
import { connect, type Socket } from "node:net"
import { request } from "node:http"
import { makeRandom, type Random } from "./Random.ts"
import { hostilePictures } from "./hostilePictures.ts"

export interface HostileOptions {
  readonly port: number
  readonly channelId: string
  readonly apiKey: string
  /** A draft whose text is changed again and again. */
  readonly draftId: string
  /** Modifier groups and brands that grow. */
  readonly groupId: string
  readonly seed: number
}

const options = JSON.parse(process.argv[2] ?? "{}") as HostileOptions
const met: Record<string, Record<string, number>> = {}
let stopping = false

const meet = (caller: string, outcome: string): void => {
  const counts = (met[caller] ??= {})
  counts[outcome] = (counts[outcome] ?? 0) + 1
}

interface Request {
  readonly method?: string
  readonly path: string
  readonly type?: string
  readonly body?: Buffer | object
  /** As a key, else as a shopper. */
  readonly asAdmin?: boolean
  /** Milliseconds after which the caller hangs up. */
  readonly hangUpAfter?: number
}

const ask = (caller: string, { method = "GET", path, type, body, asAdmin, hangUpAfter }: Request): Promise<void> =>
  new Promise((done) => {
    const bytes = body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))
    const asked = request({
      host: "127.0.0.1",
      port: options.port,
      method,
      path: `/api${path}`,
      agent: false,
      headers: {
        ...(bytes === undefined
          ? {}
          : { "content-type": type ?? "application/json", "content-length": bytes.byteLength }),
        ...(asAdmin === true ? { authorization: `Bearer ${options.apiKey}` } : {})
      }
    })
    asked.on("response", (response) => {
      meet(caller, String(response.statusCode))
      response.resume()
      response.on("close", done)
    })
    asked.on("error", (error: NodeJS.ErrnoException) => {
      meet(caller, error.code ?? "error")
      done()
    })
    if (hangUpAfter !== undefined) setTimeout(() => asked.destroy(), hangUpAfter)
    asked.end(bytes)
  })

const formOf = (picture: Buffer): { readonly type: string; readonly body: Buffer } => {
  const boundary = "----hostile"
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([Buffer.from(head), picture, Buffer.from(`\r\n--${boundary}--\r\n`)])
  }
}

const letters = "abcdefghijklmnopqrstuvwxyz"
const word = (random: Random): string =>
  Array.from({ length: random.between(3, 9) }, () => letters[random.between(0, 25)]).join("")
const storefront = `/vc/${options.channelId}`
const searchFor = (text: string): string => `${storefront}/products?limit=100&search=${encodeURIComponent(text)}`

/** Opens connections that ask for large pages and never read; one that was cut off is opened again. */
const neverReads = async (caller: string): Promise<void> => {
  const open = new Set<Socket>()
  while (!stopping) {
    while (open.size < 40) {
      const socket = connect(options.port, "127.0.0.1")
      open.add(socket)
      socket.pause()
      socket.on("error", () => undefined)
      socket.on("close", () => {
        open.delete(socket)
        meet(caller, "closed")
      })
      const one = `GET /api${storefront}/products?limit=100&sortBy=name&page=${open.size % 7} HTTP/1.1\r\nHost: a\r\n\r\n`
      socket.write(one.repeat(8))
    }
    await new Promise((done) => setTimeout(done, 50))
  }
  for (const socket of open) socket.destroy()
}

type Act = (caller: string, random: Random, turn: number) => Promise<unknown>

const pictures = await hostilePictures()
const acts: Readonly<Record<string, Act>> = {
  pictures: (caller, random) =>
    ask(caller, { method: "POST", path: `${storefront}/customization-upload`, ...formOf(random.pick(pictures)) }),
  "pictures, and hangs up": (caller, random) =>
    ask(caller, {
      method: "POST",
      path: `${storefront}/customization-upload`,
      hangUpAfter: 50,
      ...formOf(random.pick(pictures))
    }),
  "searches for letters": (caller) => ask(caller, { path: searchFor([...letters].join(" ")) }),
  "searches for unknown words": (caller, random) =>
    ask(caller, { path: searchFor(Array.from({ length: 20 }, () => word(random)).join(random.pick([" ", " or "]))) }),
  "large pages": (caller, random) =>
    Promise.all(
      Array.from({ length: 6 }, () =>
        ask(caller, { path: `${storefront}/products?limit=100&sortBy=name&page=${random.between(1, 200)}` })
      )
    ),
  "texts of brands": (caller, random, turn) =>
    ask(caller, {
      method: "POST",
      path: "/v1/brands",
      asAdmin: true,
      body: { name: `Brand ${turn} ${word(random)}`, translations: { de: { name: word(random).repeat(20) } } }
    }),
  "modifier groups that grow": (caller, random, turn) =>
    ask(caller, {
      method: "PATCH",
      path: `/v1/modifier-groups/${options.groupId}`,
      asAdmin: true,
      body: { description: word(random).repeat(1 + (turn % 100)) }
    }),
  "texts of a draft": (caller, random) =>
    ask(caller, {
      method: "PATCH",
      path: `/v1/products/${options.draftId}`,
      asAdmin: true,
      body: { description: Array.from({ length: 5_000 }, () => word(random)).join(" ") }
    }),
  "a backlog of events": async (caller, _random, turn) => {
    const items = Array.from({ length: 200 }, (_, i) => ({ name: `Item ${i}`, price: "1.00", quantity: 1 }))
    await ask(caller, {
      method: "POST",
      path: "/v1/orders",
      asAdmin: true,
      body: { items, notes: "n".repeat(2_000), externalId: `hostile-${turn}` }
    })
    await ask(caller, { path: "/v1/events?limit=100", asAdmin: true })
  }
}

const callers = Object.entries(acts).map(async ([caller, act], number) => {
  const random = makeRandom(options.seed).branch(number)
  for (let turn = 0; !stopping; turn++) await act(caller, random, turn)
})

process.on("message", () => {
  stopping = true
})
process.send?.("begun")
await Promise.all([...callers, neverReads("never reads")])
process.send?.({ met })
process.disconnect?.()
