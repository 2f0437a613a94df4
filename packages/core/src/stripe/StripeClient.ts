/**
 * The way to Stripe's API: the SDK, loaded when Stripe is used for the first time, and a client for each secret key.
 * Every call ends. The SDK repeats a request once when the connection broke, the same request is still running or
 * Stripe failed, always under the idempotency key that the request was sent with. It sends no telemetry.
 */
import { Effect, Redacted } from "effect"
import type { Stripe } from "stripe"
import { sha256Hex } from "../crypto/Hashing.ts"
import { loadedOnce } from "../kernel/loadedOnce.ts"
import { readText } from "../kernel/OneEffect.ts"
import type { Credentials, ProviderAccount, ProviderMode } from "../payment/PaymentProvider.ts"
import type { StripeOptions } from "./StripeOptions.ts"
import { problemOf, StripeProblem } from "./StripeProblem.ts"

const sdk = loadedOnce(() => import("stripe"))

const defaultTimeout = 18_000
/** Above this, clients are made again: a client holds no connection of its own. */
const mostClients = 1_000

/** Whose key, and how its payments are captured. */
export interface StripeKeys {
  readonly secretKey: string
  readonly isManual: boolean
}

/** `rk_…` are restricted keys. Null: it is no secret key. */
export const modeOfKey = (secretKey: string): ProviderMode | null => {
  const mode = /^[sr]k_(test|live)_\w+$/.exec(secretKey)?.[1]
  return mode === "test" || mode === "live" ? mode : null
}

export const keysOf = (
  options: StripeOptions,
  credentials: Redacted.Redacted<Credentials> | null
): StripeKeys | null => {
  if (credentials === null) {
    const { secretKey, captureMethod } = options
    return secretKey === undefined
      ? null
      : { secretKey: readText("payments.stripe.secretKey", secretKey), isManual: captureMethod === "manual" }
  }
  const { secretKey = "", captureMethod } = Redacted.value(credentials)
  return { secretKey, isManual: captureMethod === "manual" }
}

export interface StripeApi {
  readonly isManual: boolean
  /** One request, or one list to its end. */
  readonly ask: <A>(request: (stripe: Stripe) => Promise<A>) => Effect.Effect<A, StripeProblem>
}

export const makeStripeClients = (options: StripeOptions) => {
  const clients = new Map<string, Promise<Stripe>>()
  const timeout = options.timeout ?? defaultTimeout

  const clientOf = (secretKey: string): Promise<Stripe> => {
    const name = sha256Hex(secretKey)
    const known = clients.get(name)
    if (known !== undefined) return known
    if (clients.size >= mostClients) clients.clear()
    const made = sdk().then(({ Stripe: Client }) => new Client(secretKey, configOf(Client, options, timeout)))
    clients.set(name, made)
    return made
  }

  const withKeys = ({ secretKey, isManual }: StripeKeys): StripeApi => ({
    isManual,
    ask: (request) =>
      Effect.tryPromise({ try: async () => request(await clientOf(secretKey)), catch: problemOf }).pipe(
        Effect.timeoutOrElse({
          duration: timeout,
          orElse: () =>
            Effect.fail(new StripeProblem({ kind: "unanswered", reason: `Stripe did not answer within ${timeout} ms` }))
        })
      )
  })

  return {
    withKeys,
    /** Of an account that an operation names. A key of the other mode would look into other books. */
    forAccount: ({ credentials, mode }: ProviderAccount): Effect.Effect<StripeApi, StripeProblem> => {
      const keys = keysOf(options, credentials[0] ?? null)
      if (keys === null)
        return Effect.fail(new StripeProblem({ kind: "denied", reason: "Stripe is not configured here" }))
      return modeOfKey(keys.secretKey) === mode
        ? Effect.succeed(withKeys(keys))
        : Effect.fail(
            new StripeProblem({ kind: "denied", reason: `The secret key of Stripe is not one for ${mode} mode` })
          )
    }
  }
}

const configOf = (Client: typeof Stripe, { apiBase, fetch }: StripeOptions, timeout: number) => ({
  telemetry: false,
  maxNetworkRetries: 1,
  timeout,
  ...(apiBase === undefined ? {} : serverOf(new URL(apiBase))),
  ...(fetch === undefined ? {} : { httpClient: Client.createFetchHttpClient(fetch) })
})

const serverOf = ({ hostname, port, protocol }: URL) => {
  const isPlain = protocol === "http:"
  return { host: hostname, port: port || (isPlain ? "80" : "443"), protocol: isPlain ? "http" : "https" } as const
}

interface Answered {
  readonly lastResponse: { readonly headers: unknown }
}

/**
 * Whether Stripe repeated the stored answer of an earlier request with the same key: it says what was so then, and the
 * object may have changed since.
 */
export const isReplayed = ({ lastResponse: { headers } }: Answered): boolean => {
  const name = "idempotent-replayed"
  const value =
    headers instanceof Headers ? headers.get(name) : (headers as Readonly<Record<string, string | undefined>>)[name]
  return value === "true"
}
