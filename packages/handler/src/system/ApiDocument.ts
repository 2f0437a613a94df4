/**
 * The OpenAPI document of the whole surface, made from the declarations of the routes and their schemas. It is made
 * route by route, and requests are served between two routes: no single step holds the process for long.
 */
import { tidySchema } from "@effect-commerce/core/body/tidySchema"
import { Effect } from "effect"
import { HttpApi, type HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { GroupDocument, type GroupFacts } from "../middleware/ApiGroup.ts"
import { Policy, type PolicyFacts } from "../middleware/Policy.ts"
import { refusalCodes } from "../middleware/refusalCodes.ts"
import { declaredBase } from "../middleware/RequestTarget.ts"
import { cacheHeadersOf, notModified, sharedHeaders, unchangedOf } from "./DocumentedCaching.ts"
import { type Json, parametersOf } from "./DocumentedParameters.ts"
import { makeDocumentedBodies } from "./DocumentedBodies.ts"
import type { Content, Operation } from "./Operation.ts"
import { makeRefusals } from "./DocumentedRefusals.ts"
import { introductionAt, tagGroups } from "./Introduction.ts"
import { withSamples } from "./samples/Samples.ts"
import { sharedParameters } from "./sharedParameters.ts"
import { securityOf, securitySchemes } from "./SecuritySchemes.ts"

export type { Operation } from "./Operation.ts"

export interface ApiDocument {
  readonly openapi: string
  readonly info: Json & { readonly description: string }
  readonly servers: ReadonlyArray<{ readonly url: string; readonly description: string }>
  readonly tags: ReadonlyArray<{ readonly name: string; readonly description: string }>
  readonly "x-tagGroups": ReadonlyArray<{
    readonly name: string
    readonly description: string
    readonly tags: ReadonlyArray<string>
  }>
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Json>>
    readonly parameters: Readonly<Record<string, Json>>
    readonly responses: Readonly<Record<string, Json>>
    readonly headers: Readonly<Record<string, Json>>
    readonly securitySchemes: Json
  }
}

interface AnyApi {
  readonly groups: Readonly<Record<string, unknown>>
}

const annotationOf = <A>(annotated: { readonly annotations: unknown }, key: string): A => {
  const found = (annotated.annotations as { readonly mapUnsafe: ReadonlyMap<string, unknown> }).mapUnsafe.get(key)
  if (found === undefined) throw new Error(`a route or its group lacks ${key}`)
  return found as A
}

const factsOf = (group: HttpApiGroup.Top): GroupFacts => annotationOf(group, GroupDocument.key)
const endpointsOf = (group: HttpApiGroup.Top) => Object.values(group.endpoints) as ReadonlyArray<HttpApiEndpoint.Top>

const placeOf = (group: HttpApiGroup.Top): number => tagGroups.findIndex(({ name }) => name === factsOf(group).part)

/** Groups in the order of the parts of the interface. */
const groupsOf = (api: AnyApi): ReadonlyArray<HttpApiGroup.Top> =>
  (Object.values(api.groups) as ReadonlyArray<HttpApiGroup.Top>).toSorted((a, b) => placeOf(a) - placeOf(b))

/**
 * The endpoint without its errors: those are written by their codes, because they are most of the work and the text.
 */
const withoutRefusals = (endpoint: HttpApiEndpoint.Top): HttpApiEndpoint.Top =>
  Object.assign(Object.create(Object.getPrototypeOf(endpoint)), endpoint, { error: new Set(), middlewares: new Set() })

/** What Effect makes of one route: its operation, and the schemas that have names. */
const partOf = (group: HttpApiGroup.Top, endpoint: HttpApiEndpoint.Top) => {
  const alone = HttpApiGroup.make(group.identifier).add(withoutRefusals(endpoint))
  return OpenApi.fromApi(HttpApi.make("part").add(alone), {
    includeAnnotationKey: (key) => key.startsWith("x-")
  }) as unknown as Pick<ApiDocument, "paths" | "components">
}

const statusTexts: Readonly<Record<string, string>> = { 200: "Done.", 201: "Created.", 202: "Accepted." }

/** Adds an example to the JSON of a body. */
const withExample = (content: Content | undefined, example: unknown): Content | undefined => {
  const json = content?.["application/json"]
  return json === undefined || example === undefined
    ? content
    : { ...content, "application/json": { ...json, example } }
}

type Refer = ReturnType<typeof makeRefusals>["refer"]

/** A body of whatever kind. */
const anyBytes: Content = { "*/*": { schema: { type: "string", format: "binary" } } }

/** One operation with the texts, credentials, parameters and errors of its declaration. */
const operationOf = (
  path: string,
  made: Operation,
  { endpoint, tag, refer }: { readonly endpoint: HttpApiEndpoint.Top; readonly tag: string; readonly refer: Refer }
) => {
  const facts = annotationOf<PolicyFacts>(endpoint, Policy.key)
  const successes = facts.alwaysFails === true ? [] : Object.entries(made.responses)
  const answers = successes.map(([status, { content, description, ...rest }]) => {
    const text = description === "Success" ? (statusTexts[status] ?? description) : description
    const headers = cacheHeadersOf(facts)
    return [status, { ...rest, ...headers, description: text, ...(content === undefined ? {} : { content }) }] as const
  })
  const body = facts.rawBody === true ? anyBytes : withExample(made.requestBody?.content, facts.exampleRequest)
  return {
    tags: [tag],
    operationId: made.operationId,
    ...(facts.summary === undefined ? {} : { summary: facts.summary }),
    ...(facts.description === undefined ? {} : { description: facts.description }),
    parameters: parametersOf(path, made.parameters, facts),
    ...(body === undefined ? {} : { requestBody: { required: facts.optionalBody !== true, content: body } }),
    responses: Object.fromEntries([
      ...answers,
      ...unchangedOf(facts),
      ...[...refusalCodes(endpoint, facts)].map(refer)
    ]),
    security: securityOf(facts, endpoint.method),
    "x-surface": facts.surface,
    ...(facts.scope === undefined ? {} : { "x-scope": facts.scope }),
    ...(facts.installation?.needs === undefined ? {} : { "x-app-scope": facts.installation.needs }),
    ...(facts.scopes === undefined ? {} : { "x-scope": facts.scopes.join(" or ") }),
    "x-idempotency": facts.idempotency ?? "none"
  }
}

/** Adds the named schemas of a group. A name with two meanings would document one of them wrongly. */
const addSchemas = (schemas: Record<string, Json>, added: Readonly<Record<string, Json>>): void => {
  for (const [name, schema] of Object.entries(added)) {
    const known = schemas[name]
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`Two schemas are called ${name}: give one of them another identifier`)
    schemas[name] = schema
  }
}

/** Lets waiting work run first; a timer would never fire under a test clock. */
export const breathe: Effect.Effect<void> = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))

/** The parts of the interface that have routes, with the titles of their groups. */
const filledGroups = (groups: ReadonlyArray<HttpApiGroup.Top>): ApiDocument["x-tagGroups"] =>
  tagGroups
    .map(({ name, description }) => ({
      name,
      description,
      tags: groups.map(factsOf).flatMap((facts) => (facts.part === name ? [facts.title] : []))
    }))
    .filter(({ tags }) => tags.length > 0)

/**
 * The document of an API below `basePath`, which is its server, relative to the document's own address; paths are
 * relative to it.
 */
export const makeApiDocument = Effect.fnUntraced(function* (api: AnyApi, basePath: string = declaredBase) {
  const groups = groupsOf(api)
  const refusals = makeRefusals()
  const bodies = makeDocumentedBodies()
  const paths: Record<string, Record<string, ReturnType<typeof operationOf>>> = {}
  const schemas: Record<string, Json> = {}
  for (const group of groups) {
    const tag = factsOf(group).title
    for (const endpoint of endpointsOf(group)) {
      yield* breathe
      const made = tidySchema(partOf(group, endpoint)) as Pick<ApiDocument, "paths" | "components">
      addSchemas(schemas, made.components.schemas)
      bodies.collect(endpoint, annotationOf<PolicyFacts>(endpoint, Policy.key))
      for (const [path, methods] of Object.entries(made.paths)) {
        const shown = (paths[path.slice(declaredBase.length)] ??= {})
        for (const [method, operation] of Object.entries(methods))
          shown[method] = operationOf(path, operation, { endpoint, tag, refer: refusals.refer })
      }
    }
  }
  const named = bodies.complete(schemas)
  const sampled = yield* withSamples(paths as unknown as ApiDocument["paths"], named, breathe)
  const shared = sharedParameters(sampled)
  return {
    openapi: "3.1.0",
    info: {
      title: "Commerce API",
      version: "1",
      description: introductionAt(basePath),
      license: { name: "MIT", identifier: "MIT" }
    },
    servers: [{ url: basePath === "" ? "/" : basePath, description: "This server." }],
    tags: groups.map(factsOf).map(({ title, description }) => ({ name: title, description })),
    "x-tagGroups": filledGroups(groups),
    paths: shared.paths,
    components: {
      schemas: { ...named, ...refusals.schemas },
      parameters: shared.parameters,
      responses: { ...refusals.responses, NotModified: notModified },
      headers: sharedHeaders,
      securitySchemes
    }
  } as unknown as ApiDocument
})
