/**
 * The load generator, a process of its own: keep-alive connections that each send their next request when the last one
 * has been answered. It reads only the status and the length of a response, to leave the two cores to the server and
 * the database.
 */
import { connect, type Socket } from "node:net"

/** One request as it is sent; `body` is JSON text. */
export interface Request {
  readonly method: "GET" | "POST" | "PATCH"
  readonly path: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** `seconds` 0 sends each request once; otherwise they are sent round and round until the time is over. */
export interface Job {
  readonly port: number
  readonly connections: number
  readonly seconds: number
  readonly requests: ReadonlyArray<Request>
  /** A request that is answered 503 is sent again after a second, as its Retry-After says, and counts once. */
  readonly patient?: boolean
}

/** Latencies in milliseconds. `failed` counts answers other than 2xx; `firstFailure` is the first of them. */
export interface Measured {
  readonly answered: number
  readonly failed: number
  readonly firstFailure: string | undefined
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
}

const bytesOf = (port: number, { method, path, body, headers }: Request): Buffer => {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    ...Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`)
  ]
  if (body !== undefined) lines.push("content-type: application/json", `content-length: ${Buffer.byteLength(body)}`)
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body ?? ""}`)
}

interface Tally {
  readonly latencies: Array<number>
  failed: number
  firstFailure: string | undefined
}

const isBusy = (head: string): boolean => head.startsWith("HTTP/1.1 503")

/** Sends the requests that `next` returns until there are none. */
const drive = ({ port, patient = false }: Job, next: () => Buffer | undefined, tally: Tally): Promise<void> =>
  new Promise((done, fail) => {
    const socket: Socket = connect({ port, host: "127.0.0.1", noDelay: true })
    let sentAt = 0
    let head = ""
    let left = -1
    let bytes: Buffer | undefined
    const write = () => {
      head = ""
      left = -1
      if (bytes !== undefined) socket.write(bytes)
    }
    const send = () => {
      bytes = next()
      if (bytes === undefined) {
        socket.destroy()
        return done()
      }
      sentAt = performance.now()
      write()
    }
    const answered = () => {
      if (patient && isBusy(head)) return setTimeout(write, 1_000)
      tally.latencies.push(performance.now() - sentAt)
      if (head.charCodeAt(9) !== 50 && !head.startsWith("HTTP/1.1 304")) {
        tally.failed++
        tally.firstFailure ??= head
      }
      return send()
    }
    socket.on("connect", send)
    socket.on("error", fail)
    socket.on("data", (chunk) => {
      if (left < 0) {
        const end = chunk.indexOf("\r\n\r\n")
        head = chunk.toString("latin1", 0, Math.min(chunk.length, end + 1_000))
        // 304 has no body and needs no Content-Length.
        const length = /content-length: (\d+)/i.exec(head)?.[1] ?? (head.startsWith("HTTP/1.1 304") ? "0" : undefined)
        if (end < 0 || length === undefined)
          return fail(new Error(`an answer without Content-Length, or with a broken head: ${head}`))
        left = Number(length) - (chunk.length - end - 4)
      } else left -= chunk.length
      if (left === 0) answered()
    })
  })

const quantile = (sorted: ReadonlyArray<number>, q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0

const run = async (job: Job): Promise<Measured> => {
  const { port, connections, seconds, requests } = job
  const bytes = requests.map((request) => bytesOf(port, request))
  const tally: Tally = { latencies: [], failed: 0, firstFailure: undefined }
  let at = 0
  const start = performance.now()
  const end = start + seconds * 1_000
  const next = () => (seconds === 0 ? bytes[at++] : performance.now() < end ? bytes[at++ % bytes.length] : undefined)
  await Promise.all(Array.from({ length: connections }, () => drive(job, next, tally)))
  const elapsed = (performance.now() - start) / 1_000
  const sorted = tally.latencies.toSorted((a, b) => a - b)
  const { failed, firstFailure } = tally
  return {
    answered: sorted.length,
    failed,
    firstFailure,
    perSecond: sorted.length / elapsed,
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99)
  }
}

process.on("message", (job: Job) => {
  run(job).then(
    (measured) => process.send?.({ measured }),
    (error: unknown) => process.send?.({ error: String(error) })
  )
})
