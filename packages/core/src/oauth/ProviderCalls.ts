/**
 * How a provider is called: every request goes through the room `outbound`, also those that the OAuth library makes. A
 * response that is cut off, too long or too late is no response. What the other side has sent is repeated in no error.
 */
import { type Context, Effect } from "effect"
import { loadedOnce } from "../kernel/loadedOnce.ts"
import { GuardedFetch } from "../outbound/GuardedFetch.ts"
import { OutboundBlocked, OutboundFailed } from "../outbound/OutboundErrors.ts"
import { LoginProviderNotReady, SignInCodeRejected, SignInRejected } from "./OauthErrors.ts"

/** The most bytes of one response: a set of keys has some kilobytes. */
const mostBytes = 262_144

const loadOauth = loadedOnce(() => import("oauth4webapi"))
const loadJose = loadedOnce(() => import("jose"))
type Oauth = Awaited<ReturnType<typeof loadOauth>>
type Jose = Awaited<ReturnType<typeof loadJose>>

/** The signature that the OAuth library calls in place of the global fetch. */
type Fetch = (
  url: string,
  init: { readonly method: string; readonly headers: Readonly<Record<string, string>>; readonly body?: unknown }
) => Promise<Response>

/** The provider answers, and not as its protocol says. The message is ours. */
export class OddAnswer extends Error {
  readonly _tag = "OddAnswer"
}

/** What an exchange with a provider is written with. */
export interface Calling {
  readonly oauth: Oauth
  readonly jose: Jose
  readonly fetch: Fetch
}

export type ExchangeFailure = LoginProviderNotReady | SignInRejected | SignInCodeRejected

const headersOf = (headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>): Headers => {
  const made = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && name !== "set-cookie")
      made.set(name, typeof value === "string" ? value : value.join(", "))
  }
  return made
}

/** Calls `heard` as each request is sent, and again once it is known whether the provider has answered. */
const fetchBy =
  (
    guard: GuardedFetch["Service"],
    context: Context.Context<never>,
    signal: AbortSignal,
    heard: (hasAnswered: boolean) => void
  ): Fetch =>
  async (url, { method, headers, body }) => {
    heard(false)
    const sent = guard.request({
      method: method === "POST" ? "POST" : "GET",
      url,
      headers: { ...headers, "user-agent": "effect-commerce" },
      body: body === undefined || body === null ? undefined : new TextEncoder().encode(String(body)),
      maxBytes: mostBytes
    })
    const answer = await Effect.runPromiseWith(context)(sent, { signal })
    if (!answer.complete) throw new OddAnswer("its response was cut off, too long or too slow")
    heard(answer.status < 500)
    // A redirect is not followed, and no other of these has a body that means anything.
    if (answer.status < 200 || answer.status === 204 || (answer.status >= 300 && answer.status < 400))
      throw new OddAnswer(`it answered with the status ${answer.status}`)
    return new Response(new Uint8Array(answer.body), { status: answer.status, headers: headersOf(answer.headers) })
  }

const isKnown = <E extends ExchangeFailure>(error: unknown): error is E | LoginProviderNotReady =>
  error instanceof LoginProviderNotReady || error instanceof SignInRejected || error instanceof SignInCodeRejected

/** The library's code for what it found, which holds nothing of what was sent. */
const codeOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error && typeof error.code === "string"
    ? error.code
    : "not what its protocol says"

/** The JSON object of a response. */
export const objectOf = async (response: Response): Promise<Readonly<Record<string, unknown>>> => {
  const value: unknown = await response.json().catch(() => undefined)
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new OddAnswer(`it answered ${response.status} without a JSON object`)
  return value as Readonly<Record<string, unknown>>
}

export const makeProviderCalls = Effect.map(GuardedFetch, (guard) => ({
  /**
   * Runs an exchange with the provider. What cannot be reached or does not speak its protocol is not ready; what the
   * libraries find wrong otherwise is as `found` says. `E` is what `work` throws besides, of our own errors.
   */
  exchange: <A, E extends ExchangeFailure = never>(
    provider: string,
    work: (calling: Calling) => Promise<A>,
    found?: (reason: string) => E
  ): Effect.Effect<A, E | LoginProviderNotReady> =>
    Effect.flatMap(Effect.context<never>(), (context) => {
      let hasAnswered = false
      const heard = (isAnswer: boolean) => void (hasAnswered = isAnswer)
      const notReady = (reason: string) => new LoginProviderNotReady({ provider, reason, hasAnswered })
      return Effect.tryPromise({
        try: async (signal) =>
          work({ oauth: await loadOauth(), jose: await loadJose(), fetch: fetchBy(guard, context, signal, heard) }),
        catch: (error) => {
          if (isKnown<E>(error)) return error
          if (error instanceof OutboundBlocked || error instanceof OutboundFailed) return notReady(error.reason)
          if (error instanceof OddAnswer) return notReady(error.message)
          return found === undefined ? notReady(codeOf(error)) : found(codeOf(error))
        }
      })
    })
}))
export type ProviderCalls = Effect.Success<typeof makeProviderCalls>
