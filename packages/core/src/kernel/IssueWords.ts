/** How a mistake that a schema found is put to the person who sent the value. */
import { SchemaAST, SchemaIssue } from "effect"

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

/** The mistakes of an issue, each with its path and a message without names of schemas. */
export const formatIssue = SchemaIssue.makeFormatterStandardSchemaV1({ leafHook })
