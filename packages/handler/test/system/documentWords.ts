/** What the API document owes its reader, as a list of where it does not keep it. */
import type { ApiDocument } from "../../src/system/ApiDocument.ts"

type Json = Readonly<Record<string, unknown>>
const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)
const isSaid = (text: unknown): boolean => typeof text === "string" && text.trim().length > 2

export interface Fault {
  /** The tag of the operation, or `schemas`. */
  readonly where: string
  readonly what: string
}

export const nameOf = (schema: unknown): string | undefined =>
  isJson(schema) && typeof schema["$ref"] === "string" ? schema["$ref"].split("/").at(-1) : undefined

export const operationsOf = (document: ApiDocument) =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation }))
  )

/** A named schema, or a list of one. */
const isNamed = (schema: unknown): boolean =>
  nameOf(schema) !== undefined ||
  (isJson(schema) && schema["type"] === "array" && nameOf(schema["items"]) !== undefined)

const jsonSchemaOf = (content: unknown): unknown => {
  const json = isJson(content) ? content["application/json"] : undefined
  return isJson(json) ? json["schema"] : undefined
}

/** Every schema inside of a value, the value itself among them. */
const within = (value: unknown): ReadonlyArray<Json> => {
  if (Array.isArray(value)) return value.flatMap(within)
  if (!isJson(value)) return []
  const inner = Object.entries(value).flatMap(([key, one]) =>
    key === "examples" || key === "example" || key === "default" ? [] : within(one)
  )
  return [value, ...inner]
}

interface Property {
  readonly name: string
  readonly schema: Json
}
const propertiesOf = (value: unknown): ReadonlyArray<Property> =>
  within(value).flatMap((schema) =>
    isJson(schema["properties"]) && (schema["type"] === "object" || schema["type"] === undefined)
      ? Object.entries(schema["properties"]).flatMap(([name, one]) => (isJson(one) ? [{ name, schema: one }] : []))
      : []
  )

const isDescribed = (document: ApiDocument, { schema }: Property): boolean => {
  const name = nameOf(schema)
  return (
    isSaid(schema["description"]) || (name !== undefined && isSaid(document.components.schemas[name]?.["description"]))
  )
}

/** The schema that stands for the values: behind a name, a null, a list. */
const behind = (document: ApiDocument, schema: Json): Json => {
  const name = nameOf(schema)
  if (name !== undefined) return behind(document, document.components.schemas[name] ?? {})
  const choices = Array.isArray(schema["anyOf"]) ? schema["anyOf"].filter(isJson) : []
  const [one, ...more] = choices.filter((choice) => choice["type"] !== "null")
  return one === undefined || more.length > 0 ? schema : behind(document, one)
}

const isText = (schema: Json): boolean => [schema["type"]].flat().includes("string")

/** Texts of the merchant, of a provider or of the world, whatever their names: `Schema.property`, or any `property`. */
const openTexts = new Set([
  "displayType",
  "taxType",
  "mimeType",
  "contentType",
  "providerType",
  "paymentProviderType",
  "shippingDimensionUnit",
  "currencyUnit",
  "speedTier",
  "importStatus",
  "OrderTender.type",
  "RefundPreviewTender.type",
  "PaymentProvider.type",
  "NewPaymentProvider.type",
  "CheckoutPaymentMethod.type"
])
const closedName = /^(type|status|mode|resolution)$|[a-z](Type|Status|Mode|Policy|Strategy|Unit|Behavior|Tier|Kind)$/
const forms: ReadonlyArray<readonly [RegExp, ReadonlyArray<string>]> = [
  [/(^a|[a-z]A)t$/, ["date-time"]],
  [/(^u|[a-z]U)rl$|^image$|^logo$/, ["uri", "uri-reference"]],
  [/^email$|Email$/, ["email"]]
]

/** Properties whose names promise a closed set or a form that their schemas do not keep. */
export const looseProperties = (document: ApiDocument): ReadonlyArray<string> =>
  Object.entries(document.components.schemas).flatMap(([of, schema]) =>
    propertiesOf(schema).flatMap(({ name, schema: given }) => {
      const shown = behind(document, given)
      const isOpen = openTexts.has(name) || openTexts.has(`${of}.${name}`)
      if (!isText(shown) || isOpen) return []
      const isLoose = closedName.test(name) && shown["enum"] === undefined && shown["const"] === undefined
      const form = forms.find(([names]) => names.test(name))?.[1]
      const isBare = form?.includes(String(shown["format"])) === false
      return isLoose || isBare ? [`${of}.${name}`] : []
    })
  )

/** How many properties there are in all, and which are not described. */
export const describedProperties = (document: ApiDocument) => {
  const all = [...propertiesOf(document.components.schemas), ...propertiesOf(document.paths)]
  return { total: all.length, bare: all.filter((one) => !isDescribed(document, one)).map(({ name }) => name) }
}

const faultsOfSchema = (schema: unknown): ReadonlyArray<string> => {
  const bare = within(schema).filter(
    (one) => one["type"] === "array" && one["items"] === undefined && one["prefixItems"] === undefined
  )
  const shut = within(schema).filter(
    (one) =>
      [one["type"]].flat().includes("object") &&
      ["properties", "additionalProperties", "patternProperties"].every((key) => one[key] === undefined)
  )
  const states = propertiesOf(schema).filter(
    ({ name, schema: one }) => /(^|[a-z])[sS]tatus$/.test(name) && one["type"] === "string" && one["enum"] === undefined
  )
  return [
    ...(bare.length === 0 ? [] : [`${bare.length} arrays that say nothing of their items`]),
    ...(shut.length === 0 ? [] : [`${shut.length} objects that say nothing of what they hold`]),
    ...states.map(({ name }) => `${name} is a state and no enumeration`)
  ]
}

const wordsOf = (text: string): ReadonlyArray<string> =>
  text
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => !["", "a", "an", "the", "one", "of", "answers", "lists"].includes(word))

/** At least two words that the summary does not have. */
const saysMore = ({ summary = "", description = "" }: ApiDocument["paths"][string][string]): boolean =>
  wordsOf(description).filter((word) => !wordsOf(summary).includes(word)).length >= 2

const faultsOfOperation = (
  document: ApiDocument,
  at: ReturnType<typeof operationsOf>[number]
): ReadonlyArray<string> => {
  const { operation } = at
  const parameters = operation.parameters.map((one) => {
    const name = nameOf(one)
    return (name === undefined ? one : document.components.parameters[name]) as unknown as Json
  })
  const body = jsonSchemaOf(operation.requestBody?.content)
  const answers = Object.entries(operation.responses).filter(([status]) => status.startsWith("2"))
  const refusals = Object.entries(operation.responses).filter(([status]) => Number(status) >= 400)
  return [
    ...(isSaid(operation.summary) ? [] : ["no summary"]),
    ...(isSaid(operation.description) ? [] : ["no description"]),
    ...(saysMore(operation) ? [] : ["the description says no more than the summary"]),
    ...parameters.filter((one) => !isSaid(one["description"])).map((one) => `${String(one["name"])} is not described`),
    ...(body === undefined || isNamed(body) ? [] : ["the body is no named schema"]),
    ...answers.flatMap(([status, { content }]) =>
      content === undefined || !("application/json" in content) || isNamed(jsonSchemaOf(content))
        ? []
        : [`answer ${status} is no named schema`]
    ),
    ...faultsOfSchema(at.operation),
    ...refusals
      .filter(([, refusal]) => codesOf(document, refusal).length === 0)
      .map(([status]) => `${status} lists no codes`)
  ]
}

/** The codes of an error response, where the schema of each of its errors is closed. */
export const codesOf = (document: ApiDocument, refusal: unknown): ReadonlyArray<string> => {
  const schema = jsonSchemaOf(document.components.responses[nameOf(refusal) ?? ""]?.["content"])
  const errors = isJson(schema) && Array.isArray(schema["oneOf"]) ? schema["oneOf"] : [schema]
  const codes = errors.map((one) => {
    const named = document.components.schemas[nameOf(one) ?? ""]
    const properties = named?.["additionalProperties"] === false ? named["properties"] : undefined
    const code = isJson(properties) ? properties["code"] : undefined
    return isJson(code) ? code["const"] : undefined
  })
  return codes.every((code) => typeof code === "string") ? codes : []
}

export const faultsOf = (document: ApiDocument): ReadonlyArray<Fault> => [
  ...operationsOf(document).flatMap((at) =>
    faultsOfOperation(document, at).map((what) => ({
      where: at.operation.tags[0] ?? "untagged",
      what: `${at.method} ${at.path}: ${what}`
    }))
  ),
  ...Object.entries(document.components.schemas).flatMap(([name, schema]) => [
    ...faultsOfSchema(schema).map((what) => ({ where: "schemas", what: `${name}: ${what}` })),
    ...(/^[A-Z][A-Za-z]*[A-Za-z]$/.test(name) ? [] : [{ where: "schemas", what: `${name} is no name` }])
  ])
]
