/**
 * The functions of a source file and how long each is. The lines of a function are counted from its first to its last,
 * without the lines of functions of several lines that stand inside it: those are counted by themselves. So a service's
 * constructor is as long as what it does beside defining its methods.
 */
import { parseAst } from "vitest/node"

export interface MeasuredFunction {
  readonly line: number
  readonly lines: number
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string" && "start" in value

const isFunction = ({ type }: Node): boolean =>
  type === "FunctionDeclaration" || type === "FunctionExpression" || type === "ArrowFunctionExpression"

/** The functions that stand in a node, each with those in it. */
interface Found extends Node {
  readonly inner: ReadonlyArray<Found>
}

const functionsIn = (value: unknown): ReadonlyArray<Found> => {
  if (Array.isArray(value)) return value.flatMap(functionsIn)
  if (!isNode(value)) return []
  const inner = Object.values(value).flatMap(functionsIn)
  return isFunction(value) ? [{ type: value.type, start: value.start, end: value.end, inner }] : inner
}

export const functionsOf = (text: string): ReadonlyArray<MeasuredFunction> => {
  const lineAt = (offset: number) => text.slice(0, offset).split("\n").length
  const height = ({ start, end }: Node) => lineAt(end) - lineAt(start) + 1
  const measured = (found: Found): ReadonlyArray<MeasuredFunction> => {
    const within = found.inner.reduce((sum, one) => sum + (height(one) > 1 ? height(one) : 0), 0)
    return [{ line: lineAt(found.start), lines: height(found) - within }, ...found.inner.flatMap(measured)]
  }
  return functionsIn(parseAst(text, { lang: "ts" })).flatMap(measured)
}
