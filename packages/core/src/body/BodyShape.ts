/**
 * The field names that a body's schema allows at each path: the names of an object, whether its names are free, and
 * whether text is accepted there. Values are checked by the schema itself.
 */
import { SchemaAST } from "effect"

/** The schemas that a union, a recursive schema or a stored value stands for. */
const partsOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> => {
  const stored = ast.checks?.flatMap((check) => storedSchemas(check.annotations?.["representation"])) ?? []
  if (stored.length > 0) return stored.flatMap(partsOf)
  if (ast.encoding !== undefined) return partsOf(SchemaAST.toEncoded(ast))
  if (SchemaAST.isUnion(ast)) return ast.types.flatMap(partsOf)
  return SchemaAST.isSuspend(ast) ? partsOf(ast.thunk()) : [ast]
}

/** The schemas of stored JSON that a response carries undecoded; `storedAs` names them in its check. */
const storedSchemas = (representation: unknown): ReadonlyArray<SchemaAST.AST> =>
  typeof representation === "object" && representation !== null && "schemas" in representation
    ? (representation.schemas as ReadonlyArray<SchemaAST.AST>)
    : []

/** Names of bodies that write a resource, or a part of a resource, begin with one of these verbs. */
const writes = /^(?:Create|Update|Change|New|Set|Add|Write|Record|Place)(?=[A-Z])/

/** `CreateProduct` is about a product, `ProductImageInput` about a product image. */
const nounOf = (identifier: string): string => {
  const words = identifier
    .replace(writes, "")
    .replace(/(?:Input|Change)$/, "")
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase()
  if (/[^su]s$/.test(words)) return words
  return `${/^[aeiou]/.test(words) ? "an" : "a"} ${words}`
}

export class BodyShape {
  /** The name of the schema, where it has one. */
  readonly identifier: string | undefined
  /** For messages: "a product". */
  readonly noun: string
  /** Whether the body writes a resource; false for requests such as a login or a preview. */
  readonly isResource: boolean
  readonly isObject: boolean
  /** An object with free names. */
  readonly isFree: boolean
  readonly takesText: boolean
  private readonly schemas = new Map<string, ReadonlyArray<SchemaAST.AST>>()
  private readonly itemSchemas: ReadonlyArray<SchemaAST.AST>
  private readonly shapes = new Map<string, BodyShape>()
  private itemShape: BodyShape | undefined

  constructor(asts: ReadonlyArray<SchemaAST.AST>) {
    const parts = asts.flatMap(partsOf)
    const objects = parts.filter(SchemaAST.isObjects)
    const names = [...asts, ...parts].flatMap((ast) => SchemaAST.resolveIdentifier(ast) ?? [])
    this.identifier = names[0]
    this.noun = names[0] === undefined ? "this object" : nounOf(names[0])
    this.isResource = names.some((name) => writes.test(name))
    this.isObject = objects.length > 0
    this.isFree =
      objects.some(({ indexSignatures }) => indexSignatures.length > 0) ||
      parts.some((ast) => SchemaAST.isUnknown(ast) || SchemaAST.isAny(ast) || SchemaAST.isDeclaration(ast))
    this.takesText = parts.some((ast) => SchemaAST.isString(ast))
    this.itemSchemas = parts.filter(SchemaAST.isArrays).flatMap(({ elements, rest }) => [...elements, ...rest])
    for (const { name, type } of objects.flatMap(({ propertySignatures }) => propertySignatures))
      this.schemas.set(String(name), [...(this.schemas.get(String(name)) ?? []), type])
  }

  get names(): ReadonlyArray<string> {
    return [...this.schemas.keys()]
  }

  has(name: string): boolean {
    return this.schemas.has(name)
  }

  /** The shape of a field; an empty shape for an unknown name. */
  field(name: string): BodyShape {
    return this.remember(name, this.schemas.get(name) ?? [])
  }

  get isList(): boolean {
    return this.itemSchemas.length > 0
  }

  /** The shape of each item of a list. */
  get item(): BodyShape {
    return (this.itemShape ??= new BodyShape(this.itemSchemas))
  }

  private remember(name: string, asts: ReadonlyArray<SchemaAST.AST>): BodyShape {
    const known = this.shapes.get(name)
    if (known !== undefined) return known
    const made = new BodyShape(asts)
    this.shapes.set(name, made)
    return made
  }
}
