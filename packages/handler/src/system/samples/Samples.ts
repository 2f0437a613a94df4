/**
 * Gives every operation of the API document a sample of its request, of its response and of what its path names: of the
 * main ones what was recorded from the demo store (`npm run samples`), else the example that the route declares, else
 * one that is made of the schema.
 */
import { Effect } from "effect"
import type { Content, Operation } from "../Operation.ts"
import type { Parameter } from "../DocumentedParameters.ts"
import type { recordedSamples } from "./recordedSamples.ts"
import { withSampleIds } from "./sampleIds.ts"
import { sampleParameter, type Schemas, sampleValue } from "./SampleValues.ts"

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>

interface Making {
  readonly schemas: Schemas
  readonly isRequest: boolean
  readonly recorded: unknown
}

const withSample = (content: Content, { schemas, isRequest, recorded }: Making): Content => {
  const json = content["application/json"]
  if (json === undefined) return content
  const { example, ...body } = json
  const value = recorded ?? withSampleIds(example) ?? sampleValue(json.schema, schemas, isRequest)
  return value === undefined
    ? content
    : { ...content, "application/json": { ...body, examples: { sample: { value } } } }
}

const sampled = (path: string, parameter: Parameter): Parameter => {
  if (parameter.in !== "path" || parameter.example !== undefined) return parameter
  const { examples, ...schema } = parameter.schema
  const ownExample = (examples as ReadonlyArray<unknown> | undefined)?.[0]
  const example = sampleParameter(path, parameter.name, schema) ?? ownExample
  return example === undefined ? parameter : { ...parameter, schema, example }
}

interface Known {
  readonly schemas: Schemas
  readonly samples: typeof recordedSamples
}

const sampledOperation = (path: string, operation: Operation, { schemas, samples }: Known): Operation => {
  const { requestBody, responses } = operation
  const { request, response: answer } = samples[operation.operationId] ?? {}
  const answered = Object.entries(responses).map(([status, response]) => {
    const { content } = response
    return content === undefined || !status.startsWith("2")
      ? [status, response]
      : [status, { ...response, content: withSample(content, { schemas, isRequest: false, recorded: answer }) }]
  })
  return {
    ...operation,
    parameters: operation.parameters.map((parameter) => sampled(path, parameter)),
    ...(requestBody === undefined
      ? {}
      : {
          requestBody: {
            ...requestBody,
            content: withSample(requestBody.content, { schemas, isRequest: true, recorded: request })
          }
        }),
    responses: Object.fromEntries(answered)
  }
}

/** `schemas`: the named ones that operations refer to. `pause` lets others work between two paths. */
export const withSamples = Effect.fnUntraced(function* (paths: Paths, schemas: Schemas, pause: Effect.Effect<void>) {
  const made: Record<string, Readonly<Record<string, Operation>>> = {}
  // Large, and of use here alone.
  const { recordedSamples: samples } = yield* Effect.promise(() => import("./recordedSamples.ts"))
  for (const [path, operations] of Object.entries(paths)) {
    yield* pause
    made[path] = Object.fromEntries(
      Object.entries(operations).map(([method, operation]) => [
        method,
        sampledOperation(path, operation, { schemas, samples })
      ])
    )
  }
  return made
})
