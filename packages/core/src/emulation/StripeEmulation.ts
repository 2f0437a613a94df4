/**
 * A local server that speaks the part of Stripe's API that the provider `stripe` uses, with books of its own,
 * idempotency keys that are forgotten after a day, and signed webhooks. It misbehaves on demand. Give its `apiBase` as
 * COMMERCE_STRIPE_API_BASE, or to `stripeProvider`.
 */
import { createHmac, randomBytes } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import type { RawNotice } from "../payment/PaymentProvider.ts"
import { type Emitted, makeStripeBooks } from "./StripeBooks.ts"
import { answerCall, type EmulatedCall, paramsOf } from "./StripeCalls.ts"
import { EmulatedFailure } from "./StripeObjects.ts"

export interface EmulatedAccount {
  /** `sk_test_…` or `sk_live_…`: the mode of all that is made with it. */
  readonly secretKey: string
  readonly webhookSecret: string
  readonly account: string
}

/**
 * - `lost`: it is done, and the connection breaks before the answer.
 * - `dropped`: the connection breaks before anything is done.
 * - `slow`: it is done at once, and answered late.
 * - `broken`: an error 500 without anything done, remembered under the idempotency key.
 * - `busy`: an error 429.
 */
export type StripeFault = "lost" | "dropped" | "slow" | "broken" | "busy"

export interface StripeEmulationOptions {
  /** One in test mode by default. Two keys of one account have the same books, and the first signs its notices. */
  readonly accounts?: ReadonlyArray<EmulatedAccount>
  /** Unix milliseconds. */
  readonly now?: () => number
  /** Milliseconds until search finds what was made; null: the account has no search. A minute by default. */
  readonly searchDelay?: number | null
  /** Milliseconds before an answer, while its idempotency key is in use; of a `slow` one too. */
  readonly latency?: number
  readonly slowness?: number
  /** Called with each notice, besides `notices`. */
  readonly onNotice?: (notice: RawNotice, account: EmulatedAccount) => void
}

export const emulatedAccount: EmulatedAccount = {
  secretKey: "sk_test_emulated",
  webhookSecret: "whsec_emulated",
  account: "acct_emulated"
}

export interface EmulatedRequest extends EmulatedCall {
  readonly idempotencyKey: string | undefined
  readonly headers: IncomingMessage["headers"]
}

const keyLifetime = 86_400_000

interface Remembered {
  readonly call: string
  readonly at: number
  readonly answer: Answer | undefined
}

interface Answer {
  readonly status: number
  readonly body: string
  readonly isReplayed?: boolean
}

export const startStripeEmulation = async (options: StripeEmulationOptions = {}) => {
  const { accounts = [emulatedAccount], searchDelay = 60_000, latency = 0, slowness = 60_000 } = options
  let shift = 0
  const now = () => (options.now ?? Date.now)() + shift
  let receiver: string | null = null
  const notices: Array<RawNotice> = []
  const requests: Array<EmulatedRequest> = []
  const keys = new Map<string, Remembered>()
  let faults: ReadonlyArray<{ readonly on: RegExp; readonly fault: StripeFault; left: number }> = []

  const openBooks = (account: EmulatedAccount) => {
    const livemode = account.secretKey.includes("_live_")
    const emit = (event: Emitted) => {
      const notice = signedNotice(account.webhookSecret, eventOf(event, livemode, now()), now())
      notices.push(notice)
      options.onNotice?.(notice, account)
      if (receiver !== null) deliver(receiver, notice)
    }
    return makeStripeBooks({ livemode, now: () => Math.floor(now() / 1_000), emit })
  }
  const booksOf = new Map([...accounts].reverse().map((account) => [account.account, openBooks(account)]))
  const opened = accounts.map((account) => ({ ...account, books: booksOf.get(account.account) ?? openBooks(account) }))

  const execute = (call: EmulatedCall, { books, account }: (typeof opened)[number]): Answer => {
    const searchedUntil = searchDelay === null ? undefined : Math.floor((now() - searchDelay) / 1_000)
    try {
      return { status: 200, body: JSON.stringify(answerCall(call, { books, account, searchedUntil })) }
    } catch (error) {
      if (error instanceof EmulatedFailure) return failure(error.status, error.error)
      throw error
    }
  }

  /** The fault that a request meets; each counts down. */
  const faultOf = ({ method, path }: EmulatedCall): StripeFault | undefined => {
    const met = faults.find(({ on, left }) => left > 0 && on.test(`${method} ${path}`))
    if (met !== undefined) met.left -= 1
    return met?.fault
  }

  /** What was answered under the key before; else it is done, and remembered. */
  const answerOnce = async (
    { idempotencyKey, ...call }: EmulatedRequest,
    owner: (typeof opened)[number],
    fault: StripeFault | undefined
  ): Promise<Answer> => {
    const name = `${owner.secretKey} ${idempotencyKey}`
    const text = JSON.stringify([call.method, call.path, [...call.params].sort()])
    const remember = (answer: Answer | undefined) => {
      if (idempotencyKey !== undefined) keys.set(name, { call: text, at: now(), answer })
    }
    const known = keys.get(name)
    if (known !== undefined && now() - known.at < keyLifetime) return repeated(known, text)
    const answer = fault === "broken" ? failure(500, { message: "Stripe failed" }) : execute(call, owner)
    remember(undefined)
    await passed(fault === "slow" ? slowness : latency)
    remember(answer)
    return answer
  }

  const answered = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = await requestOf(incoming)
    requests.push(request)
    const owner = opened.find(({ secretKey }) => incoming.headers.authorization === `Bearer ${secretKey}`)
    if (owner === undefined) return send(response, failure(401, { message: "Invalid API Key provided: sk_t**" }))
    const fault = faultOf(request)
    if (fault === "dropped") return void response.destroy()
    if (fault === "busy") return send(response, failure(429, { code: "rate_limit", message: "Too many requests" }))
    const answer = await answerOnce(request, owner, fault)
    return fault === "lost" ? void response.destroy() : send(response, answer)
  }

  const server = createServer((request, response) => {
    answered(request, response).catch((error: unknown) =>
      send(response, failure(500, { message: error instanceof Error ? error.message : "The emulation broke" }))
    )
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const { port } = server.address() as AddressInfo

  return {
    apiBase: `http://127.0.0.1:${port}`,
    accounts: opened,
    /** The books of the first account. */
    books: opened[0]?.books ?? makeStripeBooks({ livemode: false, now, emit: () => undefined }),
    /** Every notice that was sent, the oldest first. */
    notices,
    /** Every request that arrived, the oldest first. */
    requests,
    /** The next `times` requests that match `METHOD /path` go wrong. The SDK repeats once what broke. */
    misbehave: (on: RegExp, fault: StripeFault, times = 1_000_000) => {
      faults = [...faults, { on, fault, left: times }]
    },
    behave: () => {
      faults = []
    },
    forgetKeys: () => keys.clear(),
    /** Posts every notice from now on to this address, once; null: none any more. */
    deliverTo: (url: string | null) => {
      receiver = url
    },
    /** Moves the clock of the emulation by milliseconds. */
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
export type StripeEmulation = Awaited<ReturnType<typeof startStripeEmulation>>

/** A notice that does not arrive is lost, as it is while a shop is down: it stays in `notices`. */
const deliver = (url: string, { headers, body }: RawNotice): void => {
  const signature = headers["stripe-signature"] ?? ""
  const init = { method: "POST", headers: { "content-type": "application/json", "stripe-signature": signature } }
  fetch(url, { ...init, body: new Uint8Array(body) }).catch(() => undefined)
}

const passed = (millis: number): Promise<void> =>
  millis === 0 ? Promise.resolve() : new Promise((done) => setTimeout(done, millis).unref())

const requestOf = async (request: IncomingMessage): Promise<EmulatedRequest> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const { pathname: path, search } = new URL(request.url ?? "/", "http://localhost")
  const { method = "GET", headers } = request
  const params = paramsOf(method === "GET" ? search : Buffer.concat(chunks).toString("utf8"))
  const key = headers["idempotency-key"]
  return { method, path, params, headers, idempotencyKey: typeof key === "string" ? key : undefined }
}

const failure = (status: number, error: object): Answer => ({
  status,
  body: JSON.stringify({ error: { type: status === 429 ? "invalid_request_error" : "api_error", ...error } })
})

const send = (response: ServerResponse, { status, body, isReplayed }: Answer): void => {
  response.writeHead(status, {
    "content-type": "application/json",
    "request-id": `req_${randomBytes(7).toString("hex")}`,
    ...(isReplayed === true ? { "idempotent-replayed": "true" } : {})
  })
  response.end(body)
}

/** Under a key that was used before: the answer of then, if it was the same request and has been answered. */
const repeated = ({ call, answer }: Remembered, text: string): Answer => {
  if (call !== text)
    return failure(400, {
      type: "idempotency_error",
      message: "Keys for idempotent requests can only be used with the same parameters they were first used with."
    })
  return answer === undefined
    ? failure(409, { type: "idempotency_error", code: "idempotency_key_in_use", message: "The key is in use." })
    : { ...answer, isReplayed: true }
}

const eventOf = ({ type, object }: Emitted, livemode: boolean, now: number): object => ({
  id: `evt_${randomBytes(12).toString("hex")}`,
  object: "event",
  api_version: "2026-10-28.endive",
  created: Math.floor(now / 1_000),
  type,
  livemode,
  pending_webhooks: 1,
  data: { object }
})

/** A notice as Stripe sends it, for this secret and time (Unix milliseconds). */
export const signedNotice = (secret: string, event: object, now: number): RawNotice => {
  const text = JSON.stringify(event)
  const time = Math.floor(now / 1_000)
  const signature = createHmac("sha256", secret).update(`${time}.${text}`).digest("hex")
  return {
    headers: { "stripe-signature": `t=${time},v1=${signature},v0=${"0".repeat(64)}` },
    body: new TextEncoder().encode(text)
  }
}
