/**
 * Validation errors of a schema as sentences for the caller: "must be a string", "is required". They repeat neither the
 * library's messages nor names of schemas nor the value itself.
 */
import { SchemaAST, SchemaIssue } from "effect"

const joined = (words: ReadonlyArray<string>): string =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(", ")} or ${words.at(-1) ?? ""}`

/** Longer lists of allowed values are only in the API document. */
const mostWords = 40

const kindOf = (ast: SchemaAST.AST): string => {
  if (SchemaAST.isString(ast) || SchemaAST.isTemplateLiteral(ast)) return "a string"
  if (SchemaAST.isNumber(ast)) return isWhole(ast) ? "a whole number" : "a number"
  if (SchemaAST.isBoolean(ast)) return "true or false"
  if (SchemaAST.isNull(ast)) return "null"
  if (SchemaAST.isObjects(ast)) return "an object"
  return SchemaAST.isArrays(ast) ? "a list" : "another value"
}

const isWhole = (ast: SchemaAST.AST): boolean =>
  ast.checks?.some((check) => idOf(check) === "effect/schema/isInt") ?? false

const membersOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> => {
  if (SchemaAST.isUnion(ast)) return ast.types.flatMap(membersOf)
  return SchemaAST.isSuspend(ast) ? membersOf(ast.thunk()) : [ast]
}

/** `must be one of active or draft`, `must be a string or null`. */
const expected = (ast: SchemaAST.AST): string => {
  const members = membersOf(ast)
  const literals = members.filter(SchemaAST.isLiteral).map(({ literal }) => String(literal))
  const kinds = members.filter((member) => !SchemaAST.isLiteral(member) && !SchemaAST.isUndefined(member)).map(kindOf)
  if (literals.length > mostWords) return "must be one of the words that are listed for it"
  const words = literals.length > 1 ? [`one of ${literals.join(", ")}`] : literals
  return `must be ${joined([...new Set([...words, ...kinds])])}`
}

type Representation = { readonly id?: string; readonly payload?: Readonly<Record<string, unknown>> | null }
const representationOf = (check: SchemaAST.Check<never>): Representation =>
  (check.annotations?.["representation"] ?? {}) as Representation
const idOf = (check: SchemaAST.Check<never>): string | undefined => representationOf(check).id

const units = (count: unknown, ast: SchemaAST.AST | undefined): string => {
  const [one, many] = ast !== undefined && SchemaAST.isArrays(ast) ? ["entry", "entries"] : ["character", "characters"]
  return `${String(count)} ${count === 1 ? one : many}`
}

const rangeOf = (payload: Readonly<Record<string, unknown>>): string =>
  `must be ${payload["exclusiveMinimum"] === true ? "above" : "from"} ${String(payload["minimum"])} to ` +
  `${payload["exclusiveMaximum"] === true ? "below " : ""}${String(payload["maximum"])}`

/** Our message for a check of the library; our own checks have messages. */
const checkWords = (check: SchemaAST.Check<never>, ast: SchemaAST.AST | undefined): string => {
  const { id = "", payload } = representationOf(check)
  const facts = payload ?? {}
  switch (id.slice(id.lastIndexOf("/") + 1)) {
    case "isMaxLength":
      return `must have at most ${units(facts["maxLength"], ast)}`
    case "isMinLength":
      return facts["minLength"] === 1 ? "must not be empty" : `must have at least ${units(facts["minLength"], ast)}`
    case "isBetween":
      return rangeOf(facts)
    case "isInt":
      return "must be a whole number"
    default:
      return "is not valid"
  }
}

/** How the library's default messages begin. */
const libraryWords = /^(?:Expected |Invalid data|Missing key|Forbidden|Unexpected)/

const leafWords = (issue: SchemaIssue.Leaf): string => {
  const said = SchemaIssue.defaultLeafHook(issue)
  if (!libraryWords.test(said)) return said
  if (issue._tag === "MissingKey") return "is required"
  return issue._tag === "InvalidType" ? expected(issue.ast) : "is not valid"
}

type Path = ReadonlyArray<PropertyKey>

/**
 * The first `most` errors, path (`items.0.quantity`) to sentence, and the first where a path has several. The tree is
 * walked no further than that. An error of the whole value has the empty path.
 */
export const issueWords = (issue: SchemaIssue.Issue, most = Number.POSITIVE_INFINITY): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  const add = (path: Path, words: string) => {
    const field = path.map(String).join(".")
    if (!found.has(field)) found.set(field, words)
  }
  const walk = (issue: SchemaIssue.Issue, path: Path, ast: SchemaAST.AST | undefined): void => {
    if (found.size >= most) return
    switch (issue._tag) {
      case "Pointer":
        return walk(issue.issue, [...path, ...issue.path], undefined)
      case "Encoding":
        return walk(issue.issue, path, ast)
      case "Filter":
        // Our checks may report errors at paths below their own.
        return issue.issue._tag === "InvalidValue"
          ? add(path, SchemaIssue.defaultCheckHook(issue) ?? checkWords(issue.filter as SchemaAST.Check<never>, ast))
          : walk(issue.issue, path, ast)
      case "Composite":
        return issue.issues.forEach((part) => walk(part, path, issue.ast))
      case "AnyOf":
        return issue.issues.length === 0
          ? add(path, expected(issue.ast))
          : issue.issues.forEach((part) => walk(part, path, issue.ast))
      default:
        return add(path, leafWords(issue))
    }
  }
  walk(issue, [], undefined)
  return found
}
