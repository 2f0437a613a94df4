/**
 * The fields of bodies that are accepted and ignored, as the API document shows them: read-only ones, because what was
 * read can be sent back. Bodies take no other names (`additionalProperties: false`).
 */
import { BodyShape } from "@effect-commerce/core/body/BodyShape"
import type { HttpApiEndpoint } from "effect/http-api"
import { bodiesOf, readsOf, takesStoreId } from "../middleware/BodyFields.ts"
import type { PolicyFacts } from "../middleware/Policy.ts"
import type { Json } from "./DocumentedParameters.ts"

const readOnly = { readOnly: true, description: "A field of responses. In a request it is accepted and ignored." }
const storeId = {
  type: "string",
  description: "The store to work on; needed with a key that is valid for several stores."
}

const shapeOf = (schemas: ReturnType<typeof bodiesOf>) => new BodyShape(schemas.map(({ ast }) => ast))

/** Collects such fields of named schemas, route by route. A schema that several routes use shows those of all. */
export const makeDocumentedBodies = () => {
  const added = new Map<string, Map<string, Json>>()

  const add = (schema: string | undefined, name: string, field: Json) => {
    if (schema === undefined) return
    const fields = added.get(schema) ?? new Map<string, Json>()
    added.set(schema, fields.set(name, field))
  }

  const collect = (body: BodyShape, read: BodyShape, depth: number): void => {
    if (depth > 8 || body.isFree) return
    if (body.isList) collect(body.item, read.item, depth + 1)
    if (body.isObject) for (const name of read.names) if (!body.has(name)) add(body.identifier, name, readOnly)
    for (const name of body.names) collect(body.field(name), read.field(name), depth + 1)
  }

  return {
    collect: (endpoint: HttpApiEndpoint.Top, policy: PolicyFacts) => {
      const body = shapeOf(bodiesOf(endpoint))
      collect(body, shapeOf(readsOf(endpoint, policy)), 0)
      if (takesStoreId(endpoint) && body.isObject && !body.has("storeId")) add(body.identifier, "storeId", storeId)
    },
    /** The schemas with the fields that were collected. */
    complete: (schemas: Readonly<Record<string, Json>>): Readonly<Record<string, Json>> =>
      Object.fromEntries(
        Object.entries(schemas).map(([name, schema]) => {
          const fields = added.get(name)
          if (fields === undefined) return [name, schema]
          const own = schema["properties"] as Json
          return [name, { ...schema, properties: { ...own, ...Object.fromEntries(fields), ...own } }]
        })
      )
  }
}
