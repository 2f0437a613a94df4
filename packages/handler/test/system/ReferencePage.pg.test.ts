import { gunzipSync, brotliDecompressSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { listening } from "../edge/nodeServer.ts"

let commerce: TestCommerce
beforeAll(async () => {
  commerce = await openTestCommerce()
})
afterAll(() => commerce.close())

const fetched = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
  const answer = await commerce.commerce.fetch(new Request(`http://shop.test/api${path}`, { headers }))
  return { answer, bytes: Buffer.from(await answer.arrayBuffer()) }
}

interface Shown {
  readonly operationId: string
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> }
  readonly parameters: ReadonlyArray<{ readonly $ref?: string; readonly in: string; readonly examples?: object }>
  readonly security: ReadonlyArray<object>
  readonly "x-codeSamples": ReadonlyArray<{ readonly label: string; readonly source: string }>
}

const operationsOf = ({ paths }: { readonly paths: Readonly<Record<string, Readonly<Record<string, Shown>>>> }) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation }))
  )

describe("the reference page", () => {
  it("loads scripts, styles and data from this server alone", async () => {
    const page = await commerce.call("GET", "/docs")
    expect(page.status).toBe(200)
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8")
    expect(page.headers.get("x-request-id")).toMatch(/^req_[0-9a-f]{24}$/)
    const policy = page.headers.get("content-security-policy") ?? ""
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline';/)
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe/)
    expect(page.text).toContain("<title>Commerce API</title>")
    expect(page.text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//)
    const asked = [...page.text.matchAll(/(?:src|href)="(docs\/[^"]+|openapi\.json)"/g)].map(([, path]) => path)
    expect(asked).toEqual([
      "docs/scalar/standalone.esm.js",
      "docs/reference.json",
      "docs/values.json",
      "openapi.json",
      "docs/reference.js"
    ])
    for (const path of asked) expect((await commerce.call("GET", `/${path}`)).status).toBe(200)
  })

  it("keeps the renderer's files: the entry is asked for anew, its chunks never change", async () => {
    const { headers, text } = await commerce.call("GET", "/docs/scalar/standalone.esm.js")
    expect(headers.get("content-type")).toBe("text/javascript; charset=utf-8")
    expect(headers.get("cache-control")).toBe("no-cache")
    const [, chunk = ""] = /"\.\/(chunks\/[\w.-]+\.js)"/.exec(text) ?? []
    const loaded = await commerce.call("GET", `/docs/scalar/${chunk}`)
    expect(loaded.status).toBe(200)
    expect(loaded.headers.get("cache-control")).toBe("public, max-age=31536000, immutable")
  })

  it.each(["scalar/package.json", "scalar/chunks/none.js", "scalar/..%2f..%2fpackage.json", "scalar/NOTICE.txt"])(
    "serves no other file: %s",
    async (path) => {
      expect((await commerce.call("GET", `/docs/${path}`)).status).toBe(404)
    }
  )

  it("has every section of the introduction, the first chapter before all tags, and links that lead somewhere", async () => {
    const { body: plain } = await commerce.call("GET", "/openapi.json")
    const { body: shown } = await commerce.call("GET", "/docs/reference.json")
    type Tag = { readonly name: string; readonly "x-displayName"?: string; readonly description: string }
    const sections: ReadonlyArray<Tag> = shown.tags.filter((tag: Tag) => tag.name.startsWith("about "))
    const headings = [...plain.info.description.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading)
    const opening = [...shown.info.description.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading)
    expect(opening).toEqual(["Start", "Which routes are mine", "Get a sales channel and a key", "Which Origin to send"])
    const chapters = shown["x-tagGroups"].slice(0, 4)
    expect(chapters.map(({ name }: Tag) => name)).toEqual(["Storefront", "Back office", "Every request", "Changelog"])
    const named = new Map(sections.map((tag) => [tag.name, tag["x-displayName"]]))
    const shownHeadings = chapters.flatMap(
      (chapter: { readonly name: string; readonly tags: ReadonlyArray<string> }) => [
        chapter.name,
        ...chapter.tags.map((tag) => named.get(tag))
      ]
    )
    expect([...opening, ...shownHeadings]).toEqual(headings)
    const words = (text: string) =>
      text
        .replaceAll(/^#+ .+$/gm, "")
        .split(/\s+/)
        .filter((word) => word !== "")
    const all = [shown.info.description, ...sections.map((tag) => tag.description)].join("\n")
    const asPlain = words(plain.info.description.replaceAll("](#description/", "](#tag/about-"))
    expect(words(all)).toEqual(asPlain)
    const places = sections.map(
      ({ name }) =>
        `#tag/${name
          .toLowerCase()
          .replaceAll(/[^a-z0-9 -]/g, "")
          .replaceAll(" ", "-")}`
    )
    const links = [...all.matchAll(/\]\((#[^)]+)\)/g)].map(([, link = ""]) => link)
    expect(links.length).toBe(3)
    expect(links.filter((link) => !places.includes(link))).toEqual([])
  })

  it("has every operation of the document with samples of code", async () => {
    const { body: plain } = await commerce.call("GET", "/openapi.json")
    const { body: shown } = await commerce.call("GET", "/docs/reference.json")
    expect(Object.keys(shown.paths)).toEqual(Object.keys(plain.paths))
    expect(JSON.stringify(plain)).not.toContain("x-codeSamples")
    const operations = operationsOf(shown)
    expect(operations.length).toBeGreaterThan(180)
    const api = commerce.commerce.api() as unknown as Readonly<Record<string, Readonly<Record<string, unknown>>>>
    for (const { operation } of operations) {
      const labels = operation["x-codeSamples"].map(({ label }) => label)
      const kinds = Object.keys(operation.requestBody?.content ?? {})
      const isOverHttp = kinds.includes("multipart/form-data") || kinds.includes("*/*")
      expect(labels).toEqual(isOverHttp ? ["Generated types"] : ["Generated types", "In process"])
      const [group = "", name = ""] = operation.operationId.split(".")
      expect(typeof api[group]?.[name]).toBe("function")
    }
  })

  it("shows the Origin of a storefront as a header, and leaves optional filters out of samples", async () => {
    const { body } = await commerce.call("GET", "/docs/reference.json")
    const found = operationsOf(body).find(({ operation }) => operation.operationId === "storefront.products")
    const parameters = (found?.operation.parameters ?? []).map((one) =>
      one.$ref === undefined ? one : body.components.parameters[one.$ref.split("/").at(-1) ?? ""]
    )
    expect(parameters.find(({ name }) => name === "Origin")).toMatchObject({ in: "header", required: true })
    const filters = parameters.filter((one) => one.in === "query")
    expect(filters.length).toBeGreaterThan(10)
    for (const { examples } of filters) expect(examples).toMatchObject({ sample: { "x-disabled": true } })
    expect(found?.operation.security).toEqual([])
    expect(Object.keys(body.components.securitySchemes)).toEqual([
      "apiKey",
      "bearer",
      "appToken",
      "appBearer",
      "customer",
      "session",
      "sessionCookie",
      "csrf"
    ])
  })

  it("answers other methods with 405", async () => {
    const posted = await commerce.call("POST", "/docs")
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET"])
  })
})

describe("values of samples", () => {
  const values = { ids: { vc_recorded: "vc_own" }, apiKey: "svc_shown" }

  it("are those of the host, with its key for who reads the page on this machine alone", async () => {
    const shop = await openTestCommerce({ referenceValues: () => values })
    const server = await listening(shop.commerce.node)
    const seenBy = async (host: string, headers: Readonly<Record<string, string>> = {}) =>
      (await server.ask("GET", "/api/docs/values.json", { host, ...headers })).body as { readonly apiKey?: string }
    try {
      for (const host of [`127.0.0.1:${server.port}`, "localhost", "[::1]:4000"])
        expect(await seenBy(host)).toEqual(values)
      for (const host of ["shop.example", "127.0.0.1.evil.example", "localhost.evil.example:4000"])
        expect(await seenBy(host)).toEqual({ ids: values.ids })
      expect(await seenBy("localhost", { "x-forwarded-for": "192.0.2.7" })).toEqual({ ids: values.ids })
      const asked = await fetch(`${server.url}/api/docs/values.json`, { headers: { origin: "https://evil.example" } })
      expect(asked.headers.get("access-control-allow-origin")).toBeNull()
      expect(asked.headers.get("cache-control")).toBe("no-store")
    } finally {
      await server.close()
      await shop.close()
    }
  })

  it("are none where the host names none", async () => {
    expect((await commerce.call("GET", "/docs/values.json")).body).toEqual({ ids: {} })
  })
})

describe.each(["/docs/reference.json", "/openapi.json", "/docs/scalar/standalone.esm.js"])("%s", (path) => {
  it("is sent compressed to whoever takes that, and as it is to others", async () => {
    const plain = await fetched(path)
    const zipped = await fetched(path, { "accept-encoding": "gzip" })
    const br = await fetched(path, { "accept-encoding": "gzip, deflate, br" })
    const refusing = await fetched(path, { "accept-encoding": "gzip;q=0, br; q=0.0" })
    const encodings = [plain, zipped, br, refusing].map(({ answer }) => answer.headers.get("content-encoding"))
    expect(encodings).toEqual([null, "gzip", "br", null])
    expect(plain.answer.headers.get("vary")).toContain("Accept-Encoding")
    expect(gunzipSync(zipped.bytes).equals(plain.bytes)).toBe(true)
    expect(brotliDecompressSync(br.bytes).equals(plain.bytes)).toBe(true)
    expect(refusing.bytes.equals(plain.bytes)).toBe(true)
    expect(br.bytes.length).toBeLessThan(plain.bytes.length / 2)
  })

  it("is not sent again to whoever has it", async () => {
    const first = await fetched(path)
    const etag = first.answer.headers.get("etag") ?? ""
    expect(etag).toMatch(/^W\/"[\w-]{27}"$/)
    for (const known of [etag, etag.slice(2), `"other", ${etag}`]) {
      const { answer, bytes } = await fetched(path, { "if-none-match": known })
      expect([answer.status, bytes.length, answer.headers.get("etag")]).toEqual([304, 0, etag])
    }
    expect((await fetched(path, { "if-none-match": '"other"' })).answer.status).toBe(200)
  })
})

describe("making the document", () => {
  it("lets other requests through in between", async () => {
    const fresh = await openTestCommerce()
    try {
      let isMade = false
      const made = fresh.call("GET", "/openapi.json").then(() => {
        isMade = true
      })
      let between = 0
      while (!isMade) {
        await new Promise((resolve) => setImmediate(resolve))
        await fresh.call("GET", "/health/live")
        if (!isMade) between += 1
      }
      await made
      expect(between).toBeGreaterThan(10)
    } finally {
      await fresh.close()
    }
  })
})
