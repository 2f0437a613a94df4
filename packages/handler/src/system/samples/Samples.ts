/** Gives every operation of the API document a sample of its request, of its response and of what its path names. */
import { Effect } from "effect"
import type { Content, Operation } from "../Operation.ts"
import type { Parameter } from "../DocumentedParameters.ts"
import { withSampleIds } from "./sampleIds.ts"
import { sampleParameter, type Schemas, sampleValue } from "./SampleValues.ts"

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>

const withSample = (content: Content, schemas: Schemas, isRequest: boolean): Content => {
  const json = content["application/json"]
  if (json === undefined) return content
  const example = withSampleIds(json.example) ?? sampleValue(json.schema, schemas, isRequest)
  return example === undefined ? content : { ...content, "application/json": { ...json, example } }
}

const sampled = (path: string, parameter: Parameter): Parameter => {
  if (parameter.in !== "path" || parameter.example !== undefined) return parameter
  const { examples: _ofTheSchema, ...schema } = parameter.schema
  const example = sampleParameter(path, parameter.name, schema)
  return example === undefined ? parameter : { ...parameter, schema, example }
}

const sampledOperation = (path: string, operation: Operation, schemas: Schemas): Operation => {
  const { requestBody, responses } = operation
  const answered = Object.entries(responses).map(([status, response]) => {
    const { content } = response
    return content === undefined || !status.startsWith("2")
      ? [status, response]
      : [status, { ...response, content: withSample(content, schemas, false) }]
  })
  return {
    ...operation,
    parameters: operation.parameters.map((parameter) => sampled(path, parameter)),
    ...(requestBody === undefined
      ? {}
      : { requestBody: { ...requestBody, content: withSample(requestBody.content, schemas, true) } }),
    responses: Object.fromEntries(answered)
  }
}

/** `schemas`: the named ones that operations refer to. `pause` lets others work between two paths. */
export const withSamples = Effect.fnUntraced(function* (paths: Paths, schemas: Schemas, pause: Effect.Effect<void>) {
  const made: Record<string, Readonly<Record<string, Operation>>> = {}
  for (const [path, operations] of Object.entries(paths)) {
    yield* pause
    made[path] = Object.fromEntries(
      Object.entries(operations).map(([method, operation]) => [method, sampledOperation(path, operation, schemas)])
    )
  }
  return made
})
