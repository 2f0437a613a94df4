/**
 * The endpoints of one group of routes. A room builds them from its own declaration, so that no room needs the whole
 * api; `endpointRoutes` finds them by the name of the group.
 */
import type { Layer, Scope } from "effect"
import { HttpApi, HttpApiBuilder, type HttpApiGroup } from "effect/http-api"

/** Every endpoint of `group` has its handler in what `build` returns; a missing one does not compile. */
export const endpointsOf = <Group extends HttpApiGroup.Constraint, Return>(
  group: Group,
  build: (handlers: HttpApiBuilder.Handlers.FromGroup<Group>) => HttpApiBuilder.Handlers.ValidateReturn<Return>
): Layer.Layer<
  HttpApiGroup.ToService<"commerce", Group>,
  HttpApiBuilder.Handlers.Error<Return>,
  Exclude<HttpApiBuilder.Handlers.Context<Return>, Scope.Scope>
> =>
  HttpApiBuilder.group(HttpApi.make("commerce").add(group as never), group.identifier as never, build as never) as never
