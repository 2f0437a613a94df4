/** How the reference page writes schemas: the name of a type, a table of properties, and a sample with real values. */
import type { Json } from "./DocumentedParameters.ts"
import { escapeHtml, inlineMarkdown } from "./Markdown.ts"

export type Schemas = Readonly<Record<string, Json>>

const asJson = (value: unknown): Json => (typeof value === "object" && value !== null ? (value as Json) : {})
const asList = (value: unknown): ReadonlyArray<Json> => (Array.isArray(value) ? value.map(asJson) : [])

export const nameOfRef = (schema: Json): string | undefined =>
  typeof schema["$ref"] === "string" ? schema["$ref"].split("/").at(-1) : undefined

const resolve = (schemas: Schemas, schema: Json): Json => {
  const name = nameOfRef(schema)
  return name === undefined ? schema : (schemas[name] ?? {})
}

/** `string or null`, `list of Order`, with links to the named schemas. */
export const typeOf = (schema: Json): string => {
  const name = nameOfRef(schema)
  if (name !== undefined) return `<a href="#schema-${name}">${name}</a>`
  const union = [...asList(schema["anyOf"]), ...asList(schema["oneOf"])]
  if (union.length > 0) return union.map(typeOf).join(" or ")
  if (Array.isArray(schema["enum"]))
    return schema["enum"].map((one) => `<code>${escapeHtml(String(one))}</code>`).join(" | ")
  if (schema["const"] !== undefined) return `<code>${escapeHtml(String(schema["const"]))}</code>`
  if (schema["type"] === "array") return `list of ${typeOf(asJson(schema["items"]))}`
  if (Array.isArray(schema["type"])) return schema["type"].join(" or ")
  return typeof schema["type"] === "string" ? schema["type"] : "any JSON"
}

/** The object that a property holds, itself or as the items of a list; undefined for a named one, which is linked. */
const innerObject = (schema: Json): { readonly suffix: string; readonly schema: Json } | undefined => {
  if (schema["properties"] !== undefined) return { suffix: "", schema }
  if (schema["type"] === "array") {
    const inner = innerObject(asJson(schema["items"]))
    return inner === undefined ? undefined : { suffix: `[]${inner.suffix}`, schema: inner.schema }
  }
  return asList(schema["anyOf"])
    .map(innerObject)
    .find((inner) => inner !== undefined)
}

const limitsOf = (schema: Json): string => {
  const said = [
    ["maxLength", "at most %s characters"],
    ["minimum", "from %s"],
    ["maximum", "up to %s"],
    ["maxItems", "at most %s items"]
  ] as const
  const limits = said.flatMap(([key, text]) =>
    schema[key] === undefined ? [] : [text.replace("%s", String(schema[key]))]
  )
  return limits.length === 0 ? "" : ` <small>${escapeHtml(limits.join(", "))}</small>`
}

export const row = (
  name: string,
  schema: Json,
  { required, text }: { readonly required: boolean; readonly text: string }
) =>
  `<tr><td><code>${escapeHtml(name)}</code>${required ? "" : " <small>optional</small>"}</td><td>${typeOf(schema)}${limitsOf(schema)}</td><td>${inlineMarkdown(text)}</td></tr>`

const rowsOf = (schema: Json, prefix: string): string => {
  const required = Array.isArray(schema["required"]) ? schema["required"] : []
  return Object.entries(asJson(schema["properties"]))
    .map(([name, value]) => {
      const property = asJson(value)
      const text = typeof property["description"] === "string" ? property["description"] : ""
      const inner = innerObject(property)
      const own = row(`${prefix}${name}`, property, { required: required.includes(name), text })
      return inner === undefined ? own : own + rowsOf(inner.schema, `${prefix}${name}${inner.suffix}.`)
    })
    .join("")
}

/** Every property of an object, those of objects inside it under dotted names. */
export const propertyTable = (schemas: Schemas, schema: Json): string => {
  const shown = resolve(schemas, schema)
  const inner = innerObject(shown)
  if (inner === undefined) return `<p>${typeOf(shown)}</p>`
  return `<table><tbody>${rowsOf(inner.schema, inner.suffix === "" ? "" : `${inner.suffix}.`)}</tbody></table>`
}

const plainSamples: Readonly<Record<string, unknown>> = {
  string: "text",
  integer: 1,
  number: 1,
  boolean: true,
  null: null
}

/** Values for names that mean the same everywhere, where a schema gives no example. */
const byName: Readonly<Record<string, unknown>> = {
  salesChannelId: "vc_01m80xf47r2bsbq05ytyt41mhj",
  storeId: "store_01m80xf46ytpaesbq3tpc4sw1t",
  cartId: "cart_01m80xj2v5w7q3n9c4b8t6r1ex",
  checkoutId: "checkout_01m80xk8d1h4s6z2f9y3p5m7ga",
  productId: "prod_01m80xg5j9e2k7v4w1r8b6n3tc",
  variantId: "var_01m80xg5jq6t3y8m2z5d9c4f7h",
  orderId: "order_01m80xn3f7g2b9x5k1v8w4j6ra",
  customerId: "cust_01m80xm6c4r8p1t5h9q2z7e3yd",
  email: "ada@example.com",
  slug: "oak-table",
  currency: "USD",
  country: "US"
}

export const sampleByName = (name: string): unknown => byName[name]

const exampleOf = (schema: Json): unknown => {
  if (Array.isArray(schema["examples"])) return schema["examples"][0]
  if (schema["example"] !== undefined) return schema["example"]
  if (schema["const"] !== undefined) return schema["const"]
  if (schema["default"] !== undefined) return schema["default"]
  return Array.isArray(schema["enum"]) ? schema["enum"][0] : undefined
}

/** A value of the schema, from the examples of its properties. `depth` ends what contains itself. */
export const sampleOf = (schemas: Schemas, asked: Json, name = "", depth = 0): unknown => {
  const schema = resolve(schemas, asked)
  const example = exampleOf(schema)
  if (example !== undefined) return example
  const union = [...asList(schema["anyOf"]), ...asList(schema["oneOf"])]
  if (union[0] !== undefined) return sampleOf(schemas, union[0], name, depth)
  if (schema["properties"] !== undefined) {
    if (depth > 4) return {}
    return Object.fromEntries(
      Object.entries(asJson(schema["properties"])).map(([key, value]) => [
        key,
        sampleOf(schemas, asJson(value), key, depth + 1)
      ])
    )
  }
  if (schema["type"] === "array") return depth > 4 ? [] : [sampleOf(schemas, asJson(schema["items"]), name, depth + 1)]
  if (byName[name] !== undefined) return byName[name]
  const type = Array.isArray(schema["type"]) ? schema["type"][0] : schema["type"]
  return type === "object" ? {} : plainSamples[String(type)]
}
