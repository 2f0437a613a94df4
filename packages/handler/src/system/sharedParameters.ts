/** Parameters that are the same in several operations are written once, under their name. */
import type { Json, Parameter } from "./DocumentedParameters.ts"

type Paths<O> = Readonly<Record<string, Readonly<Record<string, O>>>>

/** `Idempotency-Key` -> `IdempotencyKey`, `salesChannelId` -> `SalesChannelId`. */
const componentName = (name: string): string =>
  name.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter) => letter.toUpperCase())

/** By name, the one that most operations use; others of that name stay where they are. */
const mostUsed = (parameters: ReadonlyArray<Parameter>): ReadonlyMap<string, string> => {
  const uses = new Map<string, number>()
  for (const one of parameters) {
    const text = JSON.stringify(one)
    uses.set(text, (uses.get(text) ?? 0) + 1)
  }
  const chosen = new Map<string, string>()
  for (const [text, count] of [...uses].toSorted(([, a], [, b]) => b - a)) {
    const name = componentName((JSON.parse(text) as Parameter).name)
    if (count > 1 && ![...chosen.values()].includes(name)) chosen.set(text, name)
  }
  return chosen
}

export const sharedParameters = <O extends { readonly parameters: ReadonlyArray<Parameter> }>(paths: Paths<O>) => {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  const chosen = mostUsed(operations.flatMap(({ parameters }) => parameters))
  const refer = (one: Parameter): Json | Parameter => {
    const name = chosen.get(JSON.stringify(one))
    return name === undefined ? one : { $ref: `#/components/parameters/${name}` }
  }
  const rewritten = Object.entries(paths).map(([path, methods]) => [
    path,
    Object.fromEntries(
      Object.entries(methods).map(([method, operation]) => [
        method,
        { ...operation, parameters: operation.parameters.map(refer) }
      ])
    )
  ])
  return {
    paths: Object.fromEntries(rewritten) as Paths<Omit<O, "parameters">>,
    parameters: Object.fromEntries([...chosen].map(([text, name]) => [name, JSON.parse(text) as Json]))
  }
}
