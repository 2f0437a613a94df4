/** The typed client over the router itself: the same ring, guard, decoding and encoding as over HTTP, without a socket. */
import { Effect, type Scope } from "effect"
import { HttpClient, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiClient } from "effect/http-api"
import { Api } from "../Api.ts"

type App = Effect.Effect<HttpServerResponse.HttpServerResponse, unknown, HttpServerRequest.HttpServerRequest | Scope.Scope>

const clientOf = (app: App) =>
  HttpApiClient.makeWith(Api, {
    baseUrl: "http://in.process",
    httpClient: HttpClient.make((request) =>
      Effect.scoped(app).pipe(
        Effect.map((response) => HttpServerResponse.toClientResponse(response, { request })),
        Effect.provideService(HttpServerRequest.HttpServerRequest, HttpServerRequest.fromClientRequest(request)),
        Effect.orDie
      )
    )
  })

/** Groups of effectful methods, one per endpoint. */
export type CommerceApi = Effect.Success<ReturnType<typeof clientOf>>

export const makeApi = (app: App): CommerceApi => Effect.runSync(clientOf(app))
