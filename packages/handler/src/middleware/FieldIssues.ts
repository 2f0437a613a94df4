/**
 * What a schema found wrong with a request, field by field. Only the first mistakes are told: a body of a megabyte may
 * hold half a million, and an answer that named each of them would be thirty times as large as what was sent.
 */
import { SchemaAST, SchemaIssue } from "effect"
import { mostFields } from "./pipelineErrors.ts"

/** A caller is told the JSON type that was expected; the name of a schema is for the API document. */
const expected = (ast: SchemaAST.AST): string => {
  if (SchemaAST.isObjects(ast)) return "object"
  if (SchemaAST.isArrays(ast)) return "array"
  if (SchemaAST.isUnion(ast)) return [...new Set(ast.types.map(expected))].join(" | ")
  return SchemaIssue.defaultLeafHook(new SchemaIssue.InvalidType(ast)).replace(/^Expected /, "")
}

const leafHook: SchemaIssue.LeafHook = (issue) =>
  issue._tag === "InvalidType" && SchemaAST.resolve(issue.ast)?.["message"] === undefined
    ? `Expected ${expected(issue.ast)}`
    : SchemaIssue.defaultLeafHook(issue)

const format = SchemaIssue.makeFormatterStandardSchemaV1({ leafHook })

const partsOf = (issue: SchemaIssue.Issue): ReadonlyArray<SchemaIssue.Issue> =>
  issue._tag === "Composite" || issue._tag === "AnyOf" ? issue.issues : []

/** Collects until `found` is full; the tree is walked no further than that. */
const collect = (issue: SchemaIssue.Issue, path: ReadonlyArray<PropertyKey>, found: Map<string, string>): void => {
  if (issue._tag === "Pointer") return collect(issue.issue, [...path, ...issue.path], found)
  const parts = partsOf(issue)
  for (const part of parts) {
    if (found.size >= mostFields) return
    collect(part, path, found)
  }
  if (parts.length > 0) return
  for (const { path: below = [], message } of format(issue).issues) {
    const field = [...path, ...below.map((part) => (typeof part === "object" ? part.key : part))].map(String).join(".")
    if (!found.has(field)) found.set(field, message)
  }
}

/** Field (`items.0.quantity`) to a sentence; what concerns the whole is under `whole`. */
export const issuesByField = (issue: SchemaIssue.Issue, whole: string): Readonly<Record<string, string>> => {
  const found = new Map<string, string>()
  collect(issue, [], found)
  return Object.fromEntries([...found].map(([field, message]) => [field === "" ? whole : field, message]))
}
