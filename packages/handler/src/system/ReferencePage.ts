/**
 * The page that shows the OpenAPI document to people. Its script has three megabytes: it is read when the page is asked
 * for, not at the start.
 */
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { HttpApiScalar } from "effect/http-api"
import type { documentedAt } from "../Api.ts"
import { makeCounted } from "../middleware/Limits.ts"

export const referencePath = "/api/docs"

export const referencePage = (api: ReturnType<typeof documentedAt>) => {
  const page = Effect.flatten(HttpRouter.toHttpEffect(HttpApiScalar.layer(api, { path: referencePath })))
  return Layer.unwrap(Effect.map(makeCounted, (counted) => HttpRouter.add("GET", referencePath, counted(page))))
}
