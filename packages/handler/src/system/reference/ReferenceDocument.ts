/**
 * The API document as the reference page shows it. Beside what tools read it has samples of code, and the Origin of a
 * storefront is a header like others: as a credential, which it is to tools, its value would be hidden in samples.
 */
import type { ApiDocument, Operation } from "../ApiDocument.ts"
import type { Json, Parameter } from "../DocumentedParameters.ts"
import { codeSamples, exampleOf, sampleOrigin } from "./CodeSamples.ts"

type Requirement = Readonly<Record<string, ReadonlyArray<string>>>

const originHeader = {
  name: "Origin",
  in: "header",
  required: true,
  description:
    "The page that asks. Browsers send it by themselves; from a server send the domain of the sales channel. A " +
    "channel in test mode that has no domain accepts any.",
  schema: { type: "string" },
  example: sampleOrigin
}
const schemesOfOrigin = ["salesChannel", "origin"]

/** The alternatives that open an operation, without the Origin; none where that is all. */
const credentialsOf = (security: ReadonlyArray<Requirement>): ReadonlyArray<Requirement> =>
  security
    .map((requirement) =>
      Object.fromEntries(Object.entries(requirement).filter(([scheme]) => !schemesOfOrigin.includes(scheme)))
    )
    .filter((requirement, _, all) => Object.keys(requirement).length > 0 || all.length > 1)

/**
 * The renderer sends every parameter that has an example, a default or a closed set of values: with all filters of a
 * list at once nothing would be found. Optional ones are shown with their example, and are sent once they are ticked.
 */
const unticked = (parameter: Parameter): Parameter => {
  if (parameter.required || parameter.in !== "query") return parameter
  const { example: _, schema, ...rest } = parameter
  const { example: _of, examples: _all, ...plain } = schema
  const [first] = (schema["enum"] as ReadonlyArray<unknown> | undefined) ?? []
  const value = exampleOf(parameter) ?? schema["default"] ?? first ?? ""
  return { ...rest, schema: plain, examples: { sample: { value, "x-disabled": true } } }
}

type Shared = ApiDocument["components"]["parameters"]

/** The name of a parameter that stands in the document once, for all operations that take it. */
const sharedName = (parameter: Parameter): string | undefined =>
  (parameter as unknown as { readonly $ref?: string }).$ref?.split("/").at(-1)

/** The parameters of an operation, each written out. */
const parametersOf = (shared: Shared, operation: Operation): ReadonlyArray<Parameter> =>
  operation.parameters.map((parameter) => {
    const name = sharedName(parameter)
    return name === undefined ? parameter : (shared[name] as unknown as Parameter)
  })

/** Parameters that operations share. Written into each operation they would take a browser 50 ms more to read. */
export const referenceParameters = (shared: Shared): Shared => ({
  ...Object.fromEntries(
    Object.entries(shared).map(([name, parameter]) => [name, unticked(parameter as unknown as Parameter)])
  ),
  Origin: originHeader
})

/** The operations of a path. */
export const referenceOperations = (document: ApiDocument, path: string, basePath: string): Json =>
  Object.fromEntries(
    Object.entries(document.paths[path] ?? {}).map(([method, operation]) => {
      const parameters = parametersOf(document.components.parameters, operation)
      const shown = operation.parameters.map((one) => (sharedName(one) === undefined ? unticked(one) : one))
      const { security = [] } = operation as Operation & { readonly security?: ReadonlyArray<Requirement> }
      const fromPages = security.some((requirement) => schemesOfOrigin.some((scheme) => scheme in requirement))
      return [
        method,
        {
          ...operation,
          parameters: [...shown, ...(fromPages ? [{ $ref: "#/components/parameters/Origin" }] : [])],
          security: credentialsOf(security),
          "x-codeSamples": codeSamples({ path, method, operation, parameters, basePath })
        }
      ]
    })
  )

/** The credentials that are shown to be entered. */
export const referenceSchemes = (schemes: Json): Json =>
  Object.fromEntries(Object.entries(schemes).filter(([name]) => !schemesOfOrigin.includes(name)))
