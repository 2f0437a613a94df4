/**
 * Florin, for tests and for trying the example without an account: a local server with books of its own that speaks the
 * calls of `provider.ts`, shows the page on which the shopper pays, sends unsigned notices, and misbehaves on request.
 *
 * How a payment goes follows from its `method`: `card` and `ideal` wait for the shopper (refunds of `ideal` are pending
 * for a time), `paylater` is reserved when the shopper agrees, `banktransfer` is pending from the beginning.
 *
 * `npx node examples/redirect-payments/emulation.ts` starts one, and says where it is. Its API keys are `test_own`,
 * `test_else` and `live_own`.
 */
import { randomBytes } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { fileURLToPath } from "node:url"

/** `lost`: it is done, and the connection breaks. `broken` and `busy`: it is not done. `slow`: the answer is late. */
export type FlorinFault = "lost" | "dropped" | "broken" | "busy" | "slow" | "page" | "cut"

/** Keys live for an hour; this is the earliest at which one may be forgotten. */
const keyLifetime = 55 * 60_000
const slowness = 60_000
const payTime = 15 * 60_000
const captureTime = 7 * 86_400_000

type Status = "open" | "pending" | "authorized" | "paid" | "canceled" | "expired" | "failed"

interface Part {
  readonly id: string
  readonly amount: bigint
  status: string
  readonly metadata: object | null
}

interface Book {
  readonly id: string
  readonly account: string
  readonly amount: bigint
  readonly currency: string
  readonly method: string
  readonly redirectUrl: string
  readonly webhookUrl: string | null
  readonly metadata: Readonly<Record<string, unknown>>
  status: Status
  expiresAt: number | null
  authorizedAt: number | null
  captured: bigint
  failureReason: string | null
  readonly captures: Array<Part>
  readonly refunds: Array<Part>
  readonly chargebacks: Array<Part & { reversedAt: string | null }>
}

class Refusal extends Error {
  readonly status: number
  constructor(status: number, detail: string) {
    super(detail)
    this.status = status
  }
}

const idOf = (prefix: string): string => `${prefix}_${randomBytes(8).toString("hex")}`

/** By the standard of currencies that Node has, not by the provider's. */
const digitsOf = (currency: string): number =>
  new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2

const amountIn = (amount: unknown): { readonly amount: bigint; readonly currency: string } => {
  const { value, currency } = (amount ?? {}) as { readonly value?: unknown; readonly currency?: unknown }
  if (typeof value !== "string" || typeof currency !== "string" || !/^[A-Z]{3}$/.test(currency))
    throw new Refusal(422, "The amount is invalid")
  const [, whole = "", fraction = ""] = /^(\d+)(?:\.(\d+))?$/.exec(value) ?? []
  if (whole === "" || fraction.length !== digitsOf(currency)) throw new Refusal(422, "The amount is invalid")
  const units = BigInt(whole + fraction)
  if (units === 0n) throw new Refusal(422, "The amount is too low")
  return { amount: units, currency }
}

const written = (amount: bigint, currency: string) => {
  const digits = digitsOf(currency)
  const text = amount.toString().padStart(digits + 1, "0")
  return { value: digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`, currency }
}

const sumOf = (parts: ReadonlyArray<Part>): bigint =>
  parts.reduce((sum, { amount, status }) => (status === "failed" ? sum : sum + amount), 0n)

const isoOf = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString())

export const startFlorin = async () => {
  /** Accounts by their keys: two keys of an account have the same books. */
  const accounts = new Map([
    ["test_own", "org_own"],
    ["test_own_renewed", "org_own"],
    ["live_own", "org_own"],
    ["test_else", "org_else"]
  ])
  let shift = 0
  const now = () => Date.now() + shift
  const books = new Map<string, Book>()
  const keys = new Map<string, { readonly at: number; readonly call: string; readonly answer: object }>()
  const notices: Array<string> = []
  let faults: ReadonlyArray<{ readonly on: RegExp; readonly fault: FlorinFault; left: number }> = []
  let isDelivering = true

  const shown = (book: Book) => {
    const parts = (all: ReadonlyArray<Part>) =>
      all.map(({ amount, ...part }) => ({ ...part, amount: written(amount, book.currency) }))
    const isPayable = book.status === "open"
    return {
      id: book.id,
      status: book.status,
      amount: written(book.amount, book.currency),
      amountCaptured: book.captured === 0n ? null : written(book.captured, book.currency),
      authorizedAt: isoOf(book.authorizedAt),
      expiresAt: isPayable || book.status === "authorized" ? isoOf(book.expiresAt) : null,
      failureReason: book.failureReason,
      metadata: book.metadata,
      checkoutUrl: isPayable ? `${url()}/pay/${book.id}` : null,
      captures: parts(book.captures),
      refunds: parts(book.refunds),
      chargebacks: book.chargebacks.map(({ id, amount, reversedAt }) => ({
        id,
        amount: written(amount, book.currency),
        reversedAt,
        reason: "unauthorized"
      }))
    }
  }

  const send = (book: Book): void => {
    notices.push(`id=${book.id}`)
    if (isDelivering && book.webhookUrl !== null)
      fetch(book.webhookUrl, { method: "POST", body: new URLSearchParams({ id: book.id }) }).catch(() => undefined)
  }

  const find = (id: string, account?: string): Book => {
    const book = books.get(id)
    if (book === undefined || (account !== undefined && book.account !== account))
      throw new Refusal(404, "No payment exists with this id")
    if ((book.status === "open" || book.status === "authorized") && book.expiresAt !== null && now() >= book.expiresAt)
      book.status = "expired"
    return book
  }

  const become = (book: Book, status: Status, failureReason: string | null = null): string => {
    if (status === "authorized") Object.assign(book, { authorizedAt: now(), expiresAt: now() + captureTime })
    if (status === "paid") book.captured = book.amount
    Object.assign(book, { status, failureReason })
    send(book)
    return `id=${book.id}`
  }

  const refund = (book: Book, amount: bigint, metadata: object | null): Part => {
    if (book.status !== "paid" || amount > book.captured - sumOf(book.refunds))
      throw new Refusal(422, "The amount is higher than what can be refunded")
    const part = { id: idOf("re"), amount, status: book.method === "ideal" ? "queued" : "refunded", metadata }
    book.refunds.push(part)
    send(book)
    return part
  }

  const create = (account: string, body: Readonly<Record<string, unknown>>): Book => {
    const method = body["method"] ?? "card"
    if (!["card", "ideal", "paylater", "banktransfer"].includes(String(method)))
      throw new Refusal(422, "The payment method is not activated on your account")
    if (typeof body["redirectUrl"] !== "string") throw new Refusal(422, "The redirect URL is missing")
    const book: Book = {
      id: idOf("tr"),
      account,
      ...amountIn(body["amount"]),
      method: String(method),
      redirectUrl: body["redirectUrl"],
      webhookUrl: typeof body["webhookUrl"] === "string" ? body["webhookUrl"] : null,
      metadata: (body["metadata"] ?? {}) as Readonly<Record<string, unknown>>,
      status: method === "banktransfer" ? "pending" : "open",
      expiresAt: now() + payTime,
      authorizedAt: null,
      captured: 0n,
      failureReason: null,
      captures: [],
      refunds: [],
      chargebacks: []
    }
    books.set(book.id, book)
    return book
  }

  const cancel = (book: Book): object => {
    if (book.status !== "open" && book.status !== "authorized") throw new Refusal(422, "The payment cannot be canceled")
    book.status = "canceled"
    return shown(book)
  }

  const capture = (book: Book, amount: bigint, metadata: object | null): Part => {
    if (book.status !== "authorized" || amount > book.amount) throw new Refusal(422, "The amount cannot be captured")
    const part = { id: idOf("cpt"), amount, status: "succeeded", metadata }
    book.captures.push(part)
    Object.assign(book, { captured: amount, status: "paid" })
    send(book)
    return part
  }

  const list = (account: string, key: string | null): object => ({
    payments: [...books.values()]
      .filter((book) => book.account === account && book.metadata["key"] === key)
      .reverse()
      .map(shown)
  })

  const execute = (account: string, method: string, target: URL, body: Readonly<Record<string, unknown>>): object => {
    const [, , resource, id = "", part] = target.pathname.split("/").map(decodeURIComponent)
    if (resource === "organizations") return { id: account }
    if (resource !== "payments") throw new Refusal(404, "No such resource")
    if (id === "")
      return method === "GET" ? list(account, target.searchParams.get("metadata[key]")) : shown(create(account, body))
    const book = find(id, account)
    if (method === "GET") return shown(book)
    if (method === "DELETE") return cancel(book)
    const { amount } = amountIn(body["amount"])
    const metadata = (body["metadata"] ?? null) as object | null
    const { id: made } = part === "captures" ? capture(book, amount, metadata) : refund(book, amount, metadata)
    return { id: made }
  }

  /** What a key was answered with is repeated for an hour, also where it has changed since. */
  const executeOnce = (account: string, method: string, target: URL, text: string, key: unknown): object => {
    const body = text === "" ? {} : (JSON.parse(text) as Readonly<Record<string, unknown>>)
    if (typeof key !== "string") return execute(account, method, target, body)
    const call = `${method} ${target.pathname} ${text}`
    const known = keys.get(`${account} ${key}`)
    if (known !== undefined && now() - known.at < keyLifetime) {
      if (known.call !== call) throw new Refusal(409, "This key was used for another request")
      return known.answer
    }
    const answer = execute(account, method, target, body)
    keys.set(`${account} ${key}`, { at: now(), call, answer })
    return answer
  }

  const faultOf = (call: string): FlorinFault | undefined => {
    const fault = faults.find(({ on, left }) => left > 0 && on.test(call))
    if (fault !== undefined) fault.left -= 1
    return fault?.fault
  }

  const answer = async (request: IncomingMessage, response: ServerResponse, target: URL): Promise<void> => {
    const fault = faultOf(`${request.method} ${target.pathname}`)
    const json = (status: number, body: object) =>
      void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
    const text = await textOf(request)
    if (fault === "dropped") return void response.destroy()
    if (fault === "busy") return json(429, { detail: "Too many requests" })
    if (fault === "broken") return json(503, { detail: "The service is temporarily unavailable" })
    if (fault === "page") return void response.writeHead(404, { "content-type": "text/html" }).end("<h1>Not here</h1>")
    const account = accounts.get((request.headers.authorization ?? "").slice("Bearer ".length))
    if (account === undefined) return json(401, { detail: "Missing authentication, or failed to authenticate" })
    try {
      const body = executeOnce(account, request.method ?? "", target, text, request.headers["idempotency-key"])
      if (fault === "slow") await new Promise((done) => setTimeout(done, slowness).unref())
      if (fault === "lost") return void response.destroy()
      if (fault === "cut") return void response.writeHead(200).end(JSON.stringify(body).slice(0, -9))
      json(request.method === "POST" ? 201 : 200, body)
    } catch (error) {
      if (error instanceof Refusal) return json(error.status, { detail: error.message })
      throw error
    }
  }

  /** The page that the shopper pays on, and what its buttons send. */
  const page = async (request: IncomingMessage, response: ServerResponse, id: string): Promise<void> => {
    const book = find(id)
    const outcome = new URLSearchParams(await textOf(request)).get("outcome")
    if (request.method === "POST" && book.status === "open")
      become(book, outcome === "paid" && book.method === "paylater" ? "authorized" : (outcome as Status))
    if (request.method === "POST" || book.status !== "open")
      return void response.writeHead(303, { location: book.redirectUrl }).end()
    const { value, currency } = written(book.amount, book.currency)
    const buttons = ["paid", "failed", "canceled"].map((name) => `<button name=outcome value=${name}>${name}</button>`)
    response.writeHead(200, { "content-type": "text/html" })
    response.end(
      `<!doctype html><title>Florin</title><form method=post>${value} ${currency} ${buttons.join(" ")}</form>`
    )
  }

  const server = createServer((request, response) => {
    const target = new URL(request.url ?? "/", "http://florin.example")
    const [, first, id = ""] = target.pathname.split("/")
    const done = first === "pay" ? page(request, response, id) : answer(request, response, target)
    done.catch((error: unknown) => void response.writeHead(500).end(String(error)))
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const ofKey = (key: string): Book => {
    const book = [...books.values()].find(({ metadata }) => metadata["key"] === key)
    if (book === undefined) throw new Error(`There is no payment of ${key}`)
    return find(book.id)
  }
  /** The notice of what was done. */
  const noticeAfter = (book: Book, act: () => unknown): string => {
    act()
    send(book)
    return `id=${book.id}`
  }
  const newest = <A>(all: ReadonlyArray<A>): A => {
    const last = all.at(-1)
    if (last === undefined) throw new Error("There is none yet")
    return last
  }

  return {
    apiBase: url(),
    /** The body of every notice that was sent, or would have been, the oldest first. */
    notices,
    payments: () => [...books.values()],
    /** A payment that somebody else makes with the same account. */
    payElsewhere: (): string => {
      const amount = { value: "5.00", currency: "EUR" }
      const book = create("org_own", { amount, redirectUrl: "https://elsewhere.example" })
      become(book, "paid")
      return book.id
    },
    // What happens at Florin to the payment with a key of ours. Each returns the notice that it sends.
    become: (key: string, status: Status, reason?: string) => become(ofKey(key), status, reason),
    refund: (key: string, amount?: bigint) => {
      const book = ofKey(key)
      refund(book, amount ?? book.captured - sumOf(book.refunds), null)
      return `id=${book.id}`
    },
    settleRefund: (key: string, status: "refunded" | "failed") => {
      const book = ofKey(key)
      return noticeAfter(book, () => Object.assign(newest(book.refunds), { status }))
    },
    chargeBack: (key: string, amount?: bigint) => {
      const book = ofKey(key)
      const part = { id: idOf("chb"), amount: amount ?? book.captured, status: "", metadata: null, reversedAt: null }
      return noticeAfter(book, () => book.chargebacks.push(part))
    },
    reverse: (key: string) => {
      const book = ofKey(key)
      return noticeAfter(book, () => Object.assign(newest(book.chargebacks), { reversedAt: isoOf(now()) }))
    },
    /** The next `times` requests that match `METHOD /path` go wrong. */
    misbehave: (on: RegExp, fault: FlorinFault, times = 1_000_000) => {
      faults = [...faults, { on, fault, left: times }]
    },
    behave: () => {
      faults = []
    },
    forgetKeys: () => keys.clear(),
    /** Whether notices arrive. */
    deliver: (arrive: boolean) => {
      isDelivering = arrive
    },
    /** Moves Florin's clock by milliseconds. */
    advance: (millis: number) => {
      shift += millis
    },
    stop: () =>
      new Promise<void>((done) => {
        server.closeAllConnections()
        server.close(() => done())
      })
  }
}
export type Florin = Awaited<ReturnType<typeof startFlorin>>

const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString("utf8")
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.stdout.write(`export FLORIN_API=${(await startFlorin()).apiBase}\n`)
