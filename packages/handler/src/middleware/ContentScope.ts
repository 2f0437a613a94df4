/** For `adminRouteByContent`: demands the scope that the content of a request needs. */
import { grants, type Scope } from "@effect-commerce/core/identity/Scope"
import { Effect } from "effect"
import type { AdminCaller } from "./Callers.ts"
import { ScopeInsufficient } from "./Refusals.ts"

export const requireScope = (
  { scopes }: AdminCaller["Service"],
  required: Scope
): Effect.Effect<void, ScopeInsufficient> =>
  grants(scopes, required) ? Effect.void : Effect.fail(new ScopeInsufficient({ required }))
