/** The page that shows the OpenAPI document to people. Its script has three megabytes: it is read when the page is asked for, not at the start. */
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { HttpApiScalar } from "effect/http-api"
import { Api } from "../Api.ts"

export const referencePath = "/api/docs"

export const referencePage = HttpRouter.add("GET", referencePath, Effect.flatten(HttpRouter.toHttpEffect(HttpApiScalar.layer(Api, { path: referencePath }))))
