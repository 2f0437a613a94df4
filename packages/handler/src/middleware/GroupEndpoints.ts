/**
 * The endpoints of one group of routes. A room builds them from its own declaration, so that no room needs the whole
 * api; `endpointRoutes` finds them by the name of the group.
 */
import { Effect, type Layer, type Scope } from "effect"
import { HttpApi, HttpApiBuilder, type HttpApiGroup } from "effect/http-api"
import { putInvoiceLinks } from "./InvoiceLinks.ts"

/**
 * Every endpoint of `group` has its handler in what `build` returns; a missing one does not compile. Orders in their
 * answers get the links to their invoices.
 */
export const endpointsOf = <Group extends HttpApiGroup.Constraint, Return>(
  group: Group,
  build: (handlers: HttpApiBuilder.Handlers.FromGroup<Group>) => HttpApiBuilder.Handlers.ValidateReturn<Return>
): Layer.Layer<
  HttpApiGroup.ToService<"commerce", Group>,
  HttpApiBuilder.Handlers.Error<Return>,
  Exclude<HttpApiBuilder.Handlers.Context<Return>, Scope.Scope>
> =>
  HttpApiBuilder.group(
    HttpApi.make("commerce").add(group as never),
    group.identifier as never,
    ((handlers: HttpApiBuilder.Handlers.FromGroup<Group>) => {
      const built: unknown = build(handlers)
      return Effect.tap(
        (Effect.isEffect(built) ? built : Effect.succeed(built)) as Effect.Effect<never>,
        putInvoiceLinks
      )
    }) as never
  ) as never
