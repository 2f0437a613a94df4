/**
 * The declared endpoints as routes. HttpApiBuilder's own layer copies every service of the application for each
 * request, a quarter of what a small read costs; our endpoints take their services when they are built, so here only
 * the guards are added.
 */
import { Context, Effect, Layer } from "effect"
import { HttpRouter, type HttpServerResponse } from "effect/http"
import { type HttpApi, HttpApiBuilder, type HttpApiEndpoint, type HttpApiGroup } from "effect/http-api"
import { Exchange } from "./Exchange.ts"
import {
  AdminGuard,
  ChannelGuard,
  CustomerGuard,
  InstallationGuard,
  OpenGuard,
  PersonGuard,
  PublicGuard,
  RawGuard,
  VisitorGuard
} from "./Policy.ts"

type Guards =
  | AdminGuard
  | ChannelGuard
  | CustomerGuard
  | InstallationGuard
  | OpenGuard
  | PersonGuard
  | PublicGuard
  | RawGuard
  | VisitorGuard

/** What `endpointsOf` leaves in the context. */
interface BuiltGroup {
  readonly handlers: ReadonlyMap<string, { readonly handler: unknown }>
}

type Answer = Effect.Effect<Effect.Effect<HttpServerResponse.HttpServerResponse>>

/** Needs every group of the API: a missing one is a defect at startup. */
export const endpointRoutes = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): Layer.Layer<never, never, HttpRouter.HttpRouter | HttpApiGroup.ToService<Id, Groups> | Guards> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const router = yield* HttpRouter.HttpRouter
      const services = yield* Effect.context<Guards>()
      const guards = Context.pick(
        AdminGuard,
        ChannelGuard,
        CustomerGuard,
        InstallationGuard,
        OpenGuard,
        PersonGuard,
        PublicGuard,
        RawGuard,
        VisitorGuard
      )(services)
      for (const group of Object.values<HttpApiGroup.Top>(api.groups as never)) {
        const built = services.mapUnsafe.get(group.key) as BuiltGroup | undefined
        if (built === undefined)
          return yield* Effect.die(
            new Error(`the endpoints of the group "${group.identifier}" are in no room of rooms.ts`)
          )
        for (const endpoint of Object.values<HttpApiEndpoint.Top>(group.endpoints as never)) {
          const answer = HttpApiBuilder.endpoint(
            api as never,
            group.identifier as never,
            endpoint.identifier as never,
            built.handlers.get(endpoint.identifier)?.handler as never
          ) as Answer
          const answered = yield* Effect.updateContext(
            answer,
            (_: Context.Context<never>): Context.Context<never> => guards
          )
          yield* router.add(
            endpoint.method as "GET",
            endpoint.path as `/${string}`,
            Effect.flatMap(Exchange, (exchange) => {
              exchange.route = endpoint.path
              return answered
            })
          )
        }
      }
    })
  )
