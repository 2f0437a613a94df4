/**
 * The typed client over the router itself: the same ring, guard, decoding and encoding as over HTTP, without a socket
 * and without an address.
 */
import { Context, Effect, type Scope } from "effect"
import { HttpClient, HttpClientRequest, HttpServerRequest, HttpServerResponse } from "effect/http"
import { type HttpApi, HttpApiClient, type HttpApiGroup } from "effect/http-api"
import { InProcess } from "../middleware/Exchange.ts"

type App = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  unknown,
  HttpServerRequest.HttpServerRequest | Scope.Scope
>

/** On whose behalf a call is made: what the headers of an HTTP request would say. */
export interface ApiCaller {
  /** An admin key, for `/v1` and the dashboard's routes. */
  readonly apiKey?: string | undefined
  /** The storefront's page, for channels that have a domain and for `/stores`. */
  readonly origin?: string | undefined
  /** The token of a customer who has signed in on the channel. */
  readonly customerToken?: string | undefined
  /** Anything else: `idempotency-key`, `accept-language`, `if-match`. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

const headersOf = ({ apiKey, origin, customerToken, headers = {} }: ApiCaller): Readonly<Record<string, string>> => ({
  ...headers,
  ...(apiKey === undefined ? {} : { "x-api-key": apiKey }),
  ...(origin === undefined ? {} : { origin }),
  ...(customerToken === undefined ? {} : { authorization: `Bearer ${customerToken}` })
})

/** What the caller of a call says in its headers. */
const CallerHeaders = Context.Reference<Readonly<Record<string, string>>>(
  "@effect-commerce/handler/adapters/CallerHeaders",
  { defaultValue: () => ({}) }
)

type Methods = Readonly<Record<string, Readonly<Record<string, Method>>>>
type Method = (request: unknown) => Effect.Effect<unknown, unknown>

const clientOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  app: App
): Effect.Effect<Methods> =>
  HttpApiClient.makeWith(api, {
    baseUrl: "http://in.process",
    httpClient: HttpClient.make((request) =>
      Effect.flatMap(CallerHeaders, (headers) => {
        const asked = HttpClientRequest.setHeaders(request, headers)
        return Effect.scoped(app).pipe(
          Effect.map((response) => HttpServerResponse.toClientResponse(response, { request: asked })),
          Effect.provideService(HttpServerRequest.HttpServerRequest, HttpServerRequest.fromClientRequest(asked)),
          Effect.provideService(InProcess, true),
          Effect.orDie
        )
      })
    )
  }) as unknown as Effect.Effect<Methods>

/** The client is made once, when it is first needed; each caller only wraps its methods. */
export const makeClient = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  app: App
): ((caller?: ApiCaller) => HttpApiClient.ForApi<typeof api>) => {
  let groups:
    | ReadonlyArray<readonly [group: string, methods: ReadonlyArray<readonly [name: string, method: Method]>]>
    | undefined
  return (caller = {}) => {
    // The last line restores the types of the client; in between, groups and methods are untyped.
    groups ??= Object.entries(Effect.runSync(clientOf(api, app))).map(
      ([group, methods]) => [group, Object.entries(methods)] as const
    )
    const headers = headersOf(caller)
    const speaking =
      (method: Method): Method =>
      (request) =>
        Effect.provideService(method(request), CallerHeaders, headers)
    const called = groups.map(([group, methods]) => [
      group,
      Object.fromEntries(methods.map(([name, method]) => [name, speaking(method)]))
    ])
    return Object.fromEntries(called) as HttpApiClient.ForApi<typeof api>
  }
}
