/**
 * Requests as a shopper's browser sends them: kept-alive connections, the exact bytes of every response, and an error
 * if none came.
 */
import { Agent, type IncomingHttpHeaders, request } from "node:http"

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  /** Parsed JSON; undefined where the answer is something else. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a scenario reads any path of any answer
  readonly body: any
  readonly millis: number
}

export interface Sending {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly timeout?: number
}

/** The request may or may not have been carried out. */
export class NoAnswer extends Error {
  readonly code: string
  constructor(code: string) {
    super(`no answer: ${code}`)
    this.code = code
  }
}

/** Longer than any bound of the server. */
const patience = 30_000

/**
 * Idle connections are given up long before the server gives them up, or a request would now and then meet one that is
 * being closed.
 */
const idle = 1_000

const agent = new Agent({ keepAlive: true, timeout: idle, maxSockets: Number.POSITIVE_INFINITY })

const parsed = (bytes: Buffer, type: string | undefined): unknown => {
  if (type?.includes("json") !== true) return undefined
  try {
    return JSON.parse(bytes.toString("utf8"))
  } catch {
    return undefined
  }
}

/** `path` is below /api. Rejects with NoAnswer. */
export const send = (
  port: number,
  method: string,
  path: string,
  { body, headers, timeout }: Sending = {}
): Promise<Answer> =>
  new Promise((done, fail) => {
    const began = performance.now()
    const text = body === undefined ? undefined : JSON.stringify(body)
    const asked = request({
      agent,
      host: "127.0.0.1",
      port,
      method,
      path: `/api${path}`,
      headers: {
        ...(text === undefined
          ? {}
          : { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
        ...headers
      }
    })
    const lost = (error: NodeJS.ErrnoException) => fail(new NoAnswer(error.code ?? error.message))
    asked.setTimeout(timeout ?? patience, () => asked.destroy(new NoAnswer("TIMEOUT")))
    asked.on("error", lost)
    asked.on("response", (response) => {
      const chunks: Array<Buffer> = []
      response.on("data", (chunk: Buffer) => chunks.push(chunk))
      response.on("error", lost)
      response.on("end", () => {
        const bytes = Buffer.concat(chunks)
        done({
          status: response.statusCode ?? 0,
          headers: response.headers,
          bytes,
          body: parsed(bytes, response.headers["content-type"]),
          millis: performance.now() - began
        })
      })
    })
    asked.end(text)
  })

/** Runs `work` over the items, a fixed number at a time. */
export const eachOf = async <A, B>(
  items: ReadonlyArray<A>,
  atOnce: number,
  work: (item: A, index: number) => Promise<B>
): Promise<ReadonlyArray<B>> => {
  const results: Array<B> = []
  let next = 0
  const lane = async (): Promise<void> => {
    for (let i = next++; i < items.length; i = next++) results[i] = await work(items[i] as A, i)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, lane))
  return results
}

export const sleep = (millis: number): Promise<void> => new Promise((done) => setTimeout(done, millis))

/** Asks again every 20 ms until the answer is true; false after `millis`. */
export const until = async (millis: number, holds: () => Promise<boolean>): Promise<boolean> => {
  const end = performance.now() + millis
  while (!(await holds())) {
    if (performance.now() > end) return false
    await sleep(20)
  }
  return true
}
