/**
 * The page that shows the API document to people: one HTML text without scripts, written from the document itself. It
 * opens with the introduction, then come the parts of the interface in their order, then the named schemas.
 */
import { Effect } from "effect"
import type { ApiDocument, Operation } from "./ApiDocument.ts"
import type { Json, Parameter } from "./DocumentedParameters.ts"
import { anchorOf, escapeHtml, inlineMarkdown, markdown } from "./Markdown.ts"
import { nameOfRef, propertyTable, row, sampleByName, sampleOf, typeOf } from "./PageSchemas.ts"
import { pageStyle } from "./PageStyle.ts"

/** The page can ask nobody for anything, whatever it is made to contain. */
export const pageHeaders = {
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
}

interface Shown {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

const operationsByTag = (document: ApiDocument): ReadonlyMap<string, ReadonlyArray<Shown>> => {
  const found = new Map<string, Array<Shown>>()
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags[0] ?? ""
      const listed = found.get(tag)
      const shown = { method: method.toUpperCase(), path, operation }
      if (listed === undefined) found.set(tag, [shown])
      else listed.push(shown)
    }
  return found
}

const titleOf = ({ method, path, operation }: Shown): string => operation.summary ?? `${method} ${path}`

const navigation = (document: ApiDocument, byTag: ReadonlyMap<string, ReadonlyArray<Shown>>): string => {
  const links = (tag: string) =>
    (byTag.get(tag) ?? [])
      .map((shown) => `<li><a href="#${shown.operation.operationId}">${escapeHtml(titleOf(shown))}</a></li>`)
      .join("")
  const parts = document["x-tagGroups"].map(({ name, tags }) => {
    const listed = tags.map((tag) => `<details><summary>${escapeHtml(tag)}</summary><ul>${links(tag)}</ul></details>`)
    return `<h2>${name}</h2>${listed.join("")}`
  })
  return `<nav aria-label="Contents"><a href="#introduction">Introduction</a>${parts.join("")}<h2>Reference</h2><a href="#schemas">Schemas</a><a href="openapi.json">openapi.json</a></nav>`
}

const componentOf = <A>(from: Readonly<Record<string, Json>>, value: A): A => {
  const name = nameOfRef(value as Json)
  return name === undefined ? value : (from[name] as A)
}

const parameterTable = (parameters: ReadonlyArray<Parameter>): string => {
  if (parameters.length === 0) return ""
  const rows = parameters.map((one) =>
    row(one.name, one.schema, { required: one.required, text: `${one.description ?? ""} (${one.in})` })
  )
  return `<h4>Parameters</h4><table><tbody>${rows.join("")}</tbody></table>`
}

interface JsonContent {
  readonly schema: Json
  readonly example?: unknown
}
const jsonOf = (content: unknown): JsonContent | undefined =>
  (content as Readonly<Record<string, JsonContent>> | undefined)?.["application/json"]

const form = "multipart/form-data"
const takesForm = ({ requestBody }: Operation): boolean => requestBody?.content[form] !== undefined

const pretty = (value: unknown): string => escapeHtml(JSON.stringify(value, null, 2))

const credentials: Readonly<Record<string, string>> = {
  admin: "An admin API key",
  channel: "The origin of the sales channel",
  public: "Any origin",
  open: "No credential"
}

const valueFor = (document: ApiDocument, { name, schema }: Parameter): string =>
  String(sampleByName(name) ?? sampleOf(document.components.schemas, schema, name))

const headersFor = (shown: Shown, parameters: ReadonlyArray<Parameter>): ReadonlyArray<string> => {
  const facts = shown.operation as unknown as Readonly<Record<string, unknown>>
  const needsCustomer = JSON.stringify(facts["security"]) === '[{"salesChannel":[],"customer":[]}]'
  return [
    ...(facts["x-surface"] === "admin" ? ["X-API-Key: svc_…"] : []),
    ...(facts["x-surface"] === "channel" || facts["x-surface"] === "public" ? ["Origin: https://shop.example"] : []),
    ...(needsCustomer ? ["Authorization: Bearer eyJ…"] : []),
    ...(parameters.some(({ name, required }) => name === "Idempotency-Key" && required)
      ? ["Idempotency-Key: 6f0c2a5e-complete-1"]
      : []),
    ...(shown.operation.requestBody === undefined || takesForm(shown.operation)
      ? []
      : ["Content-Type: application/json"])
  ]
}

/** The call as it is typed into a shell. */
const commandFor = (document: ApiDocument, shown: Shown, parameters: ReadonlyArray<Parameter>): string => {
  const path = shown.path.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const parameter = parameters.find((one) => one.in === "path" && one.name === name)
    return parameter === undefined ? whole : encodeURIComponent(valueFor(document, parameter))
  })
  const query = parameters
    .filter((one) => one.in === "query" && one.required)
    .map((one) => `${one.name}=${encodeURIComponent(valueFor(document, one))}`)
  const url = `https://commerce.example${path}${query.length === 0 ? "" : `?${query.join("&")}`}`
  const body = jsonOf(shown.operation.requestBody?.content)
  const isForm = takesForm(shown.operation)
  const data =
    body === undefined || isForm ? undefined : (body.example ?? sampleOf(document.components.schemas, body.schema))
  return [
    `curl${shown.method === "GET" ? "" : ` -X ${shown.method}`} '${url}'`,
    ...headersFor(shown, parameters).map((header) => `  -H '${header}'`),
    ...(isForm ? ["  -F 'file=@lamp.jpg;type=image/jpeg'"] : []),
    ...(data === undefined ? [] : [`  -d '${JSON.stringify(data, null, 2).replaceAll("'", "'\\''")}'`])
  ].join(" \\\n")
}

const bodySection = (document: ApiDocument, operation: Operation): string => {
  const optional = operation.requestBody?.required === false ? " <small>may be left out</small>" : ""
  return Object.entries(operation.requestBody?.content ?? {})
    .map(([type, { schema }]) => {
      const kind = takesForm(operation) ? ` as <code>${escapeHtml(type)}</code>` : ""
      const link = nameOfRef(schema) === undefined ? "" : `: ${typeOf(schema)}`
      return `<h4>Body${kind}${link}${optional}</h4>${propertyTable(document.components.schemas, schema)}`
    })
    .join("")
}

const answerSection = (document: ApiDocument, operation: Operation): string =>
  Object.entries(operation.responses)
    .filter(([status]) => status.startsWith("2"))
    .map(([status, { description, content }]) => {
      const json = jsonOf(content)
      if (json === undefined) return `<h4>Answer ${status}</h4><p>${inlineMarkdown(description)}</p>`
      const { schemas } = document.components
      const fields = nameOfRef(json.schema) === undefined ? propertyTable(schemas, json.schema) : ""
      const sample = pretty(json.example ?? sampleOf(schemas, json.schema))
      return `<h4>Answer ${status}: ${typeOf(json.schema)}</h4>${fields}<details><summary>Sample answer</summary><pre><code>${sample}</code></pre></details>`
    })
    .join("")

const codesOf = (document: ApiDocument, response: Json): ReadonlyArray<unknown> => {
  const json = jsonOf(response["content"])
  const schema = json === undefined ? {} : (componentOf(document.components.schemas, json.schema) as Json)
  const properties = schema["properties"] as Readonly<Record<string, Json>> | undefined
  return (properties?.["code"]?.["enum"] as ReadonlyArray<unknown> | undefined) ?? []
}

const refusalSection = (document: ApiDocument, operation: Operation): string => {
  const rows = Object.entries(operation.responses)
    .filter(([status]) => !status.startsWith("2"))
    .map(([status, response]) => {
      const listed = codesOf(document, componentOf(document.components.responses, response as unknown as Json))
      return `<tr><td>${status}</td><td>${listed.map((code) => `<code>${String(code)}</code>`).join(" ")}</td></tr>`
    })
  return rows.length === 0
    ? ""
    : `<details><summary>Refusals</summary><table><tbody>${rows.join("")}</tbody></table></details>`
}

const article = (document: ApiDocument, shown: Shown): string => {
  const { method, path, operation } = shown
  const parameters = operation.parameters.map((one) =>
    componentOf(document.components.parameters, one as unknown as Json)
  ) as unknown as ReadonlyArray<Parameter>
  const facts = operation as unknown as Readonly<Record<string, unknown>>
  const scope = typeof facts["x-scope"] === "string" ? ` with scope <code>${facts["x-scope"]}</code>` : ""
  return [
    `<article id="${operation.operationId}"><h4>${escapeHtml(titleOf(shown))}</h4>`,
    `<code class="path"><span class="method">${method}</span>${escapeHtml(path)}</code>`,
    markdown(operation.description ?? ""),
    `<p><small>Needs: ${credentials[String(facts["x-surface"])] ?? ""}${scope}.</small></p>`,
    parameterTable(parameters),
    bodySection(document, operation),
    answerSection(document, operation),
    refusalSection(document, operation),
    `<details open><summary>Sample request</summary><pre><code>${escapeHtml(commandFor(document, shown, parameters))}</code></pre></details></article>`
  ].join("")
}

const schemaSection = (document: ApiDocument): string =>
  Object.entries(document.components.schemas)
    .filter(([name]) => !name.endsWith("Refusal"))
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([name, schema]) => {
      const text = typeof schema["description"] === "string" ? markdown(schema["description"]) : ""
      return `<article id="schema-${name}"><h4>${name}</h4>${text}${propertyTable(document.components.schemas, schema)}</article>`
    })
    .join("")

/** Written tag by tag; `breathe` runs between two of them. */
export const referencePage = Effect.fnUntraced(function* (document: ApiDocument, breathe: Effect.Effect<void>) {
  const byTag = operationsByTag(document)
  const descriptions = new Map(document.tags.map(({ name, description }) => [name, description]))
  const sections: Array<string> = []
  for (const { name, description, tags } of document["x-tagGroups"]) {
    sections.push(`<h2 class="part" id="${anchorOf(name)}">${name}</h2>${markdown(description)}`)
    for (const tag of tags) {
      yield* breathe
      const articles = (byTag.get(tag) ?? []).map((shown) => article(document, shown))
      const text = markdown(descriptions.get(tag) ?? "")
      sections.push(
        `<section class="tag" id="${anchorOf(tag)}"><h3>${escapeHtml(tag)}</h3>${text}${articles.join("")}</section>`
      )
    }
  }
  yield* breathe
  const title = escapeHtml(String(document.info["title"]))
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
<style>${pageStyle}</style></head><body>
${navigation(document, byTag)}
<main><h1 id="introduction">${title}</h1>${markdown(String(document.info["description"]))}
${sections.join("\n")}
<h2 class="part" id="schemas">Schemas</h2>${schemaSection(document)}</main></body></html>`
})
