/**
 * The fields of a route's body, by its declaration: unknown names are refused together with whatever else the schemas
 * find wrong, and fields that only responses have are dropped before the endpoint reads the body.
 */
import { BodyShape } from "@effect-commerce/core/body/BodyShape"
import { makeBodyKeys } from "@effect-commerce/core/body/BodyKeys"
import { Effect, Schema } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { issuesByField } from "./FieldIssues.ts"
import { mostFields } from "./pipelineErrors.ts"
import type { PolicyFacts } from "./Policy.ts"
import { RequestInvalid } from "./Refusals.ts"

/** The schemas of the bodies that a route takes as JSON. */
export const bodiesOf = ({ payload }: HttpApiEndpoint.Top): ReadonlyArray<Schema.Top> =>
  [...payload.values()].flatMap(({ encoding, schemas }) => (encoding._tag === "Json" ? schemas : []))

/**
 * What reads show of the resource that a body writes: what the declaration names, else what the route answers. A body
 * that writes no resource, such as a login, has none.
 */
export const readsOf = (endpoint: HttpApiEndpoint.Top, { reads }: PolicyFacts): ReadonlyArray<Schema.Top> => {
  if (reads !== undefined) return [reads]
  return new BodyShape(bodiesOf(endpoint).map(({ ast }) => ast)).isResource ? [...endpoint.success] : []
}

/** Every body below `/v1` may name its store. */
export const takesStoreId = ({ path }: HttpApiEndpoint.Top): boolean => path.startsWith("/api/v1/")

/** What an endpoint may read of a parsed body. Fails with every field that is wrong. */
export const makeBodyFields = (endpoint: HttpApiEndpoint.Top, policy: PolicyFacts) => {
  const bodies = bodiesOf(endpoint)
  if (bodies.length === 0) return Effect.succeed
  const keysOf = makeBodyKeys(bodies, readsOf(endpoint, policy), {
    also: takesStoreId(endpoint) ? ["storeId"] : [],
    most: mostFields
  })
  const decode = Schema.decodeUnknownEffect(Schema.Union(bodies) as Schema.Top as Schema.Codec<unknown>, {
    errors: "all"
  })
  return (json: unknown): Effect.Effect<unknown, RequestInvalid> => {
    const { value, errors } = keysOf(json)
    if (Object.keys(errors).length === 0) return Effect.succeed(value)
    return Effect.matchEffect(decode(value), {
      onSuccess: () => Effect.fail(new RequestInvalid({ errors })),
      onFailure: ({ issue }) =>
        Effect.fail(new RequestInvalid({ errors: { ...errors, ...issuesByField(issue, "payload") } }))
    })
  }
}
