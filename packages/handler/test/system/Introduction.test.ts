import { assert, describe, it } from "@effect/vitest"
import { metafieldTypes } from "@effect-commerce/core/metafield/MetafieldFields"
import { resources } from "@effect-commerce/core/identity/Scope"
import { Result, Schema } from "effect"
import { Api } from "../../src/Api.ts"
import { storefrontQuery } from "../../src/storefront/StorefrontApi.ts"
import { PaymentMethod } from "@effect-commerce/core/checkout/CheckoutInput"
import { parts } from "../../src/middleware/ApiGroup.ts"
import { codes } from "../../src/middleware/Codes.ts"
import { routesOf } from "../../src/middleware/routesOf.ts"
import { introductionAt, introduction, tagGroups } from "../../src/system/Introduction.ts"

const statuses: Readonly<Record<string, number>> = codes

describe("the introduction of the API document", () => {
  it("lists every error code with the status that it has", () => {
    const rows = introduction.split("\n").filter((line) => /^\| \d{3} /.test(line))
    const listed = rows.flatMap((row) => {
      const [, cell = ""] = row.split("|")
      return [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, code = ""]) => [code, Number(cell.trim().slice(0, 3))] as const)
    })
    assert.strictEqual(listed.length, 12)
    for (const [code, status] of listed) assert.strictEqual(statuses[code], status, code)
  })

  it("ends with what changed for users of the API, newest first", () => {
    const at = introduction.indexOf("# Changelog")
    assert.isAbove(at, 0)
    assert.match(introduction.slice(at), /\n## Version 1, \w+ \d{4}\n/)
    assert.notInclude(introduction.slice(at + 1), "\n# ")
  })

  it("names only codes and routes that there are", () => {
    const named = [...introduction.matchAll(/`([A-Z]+_[A-Z_]+)`/g)].map(([, code = ""]) => code)
    const types = new Set<string>(metafieldTypes)
    for (const code of named.filter((one) => !types.has(one))) assert.isDefined(statuses[code], code)
    const paths = new Set(routesOf(Api).map(({ path }) => path.replace(/^\/api/, "").replace(/:(\w+)/g, "{$1}")))
    const routes = [...introduction.matchAll(/`(?:GET|POST|PATCH) (\S+)`/g)].map(([, path = ""]) => path)
    assert.isAtLeast(routes.length, 7)
    for (const route of routes) {
      const end = route.replace(/^…/, "")
      assert.isTrue(
        [...paths].some((path) => (route.startsWith("…") ? path.endsWith(end) : path === end)),
        route
      )
    }
  })

  it("lists products with parameters that there are, and with values that they take", () => {
    const queries = [...introduction.matchAll(/\/products\?([^\s'"]+)/g)].map(([, query = ""]) => query)
    assert.isAtLeast(queries.length, 4)
    const known = new Set(Object.keys(storefrontQuery.schema.fields))
    for (const query of queries) {
      const given = Object.fromEntries(new URLSearchParams(query))
      for (const name of Object.keys(given)) assert.isTrue(known.has(name) || /^(attr|mf)\.\w/.test(name), name)
      assert.isTrue(Result.isSuccess(Schema.decodeUnknownResult(storefrontQuery)(given)), query)
    }
  })

  it("has lines of at most 120 characters, and no address but the one that the page replaces", () => {
    const lines = introduction.split("\n")
    const isScope = (line: string) => /^\| `[a-z-]+` \| /.test(line)
    assert.deepStrictEqual(
      lines.filter((line) => line.length > 120 && !isScope(line)),
      []
    )
    assert.notInclude(introduction, "127.0.0.1")
    assert.include(introduction, "https://commerce.example/api")
  })

  it("has a section for each question that readers ask", () => {
    const asked = [
      "Ways to pay",
      "Languages",
      "Attributes and variants",
      "HTML in descriptions",
      "Upload a file",
      "Publish a product",
      "Customizations",
      "Links to categories and brands",
      "The cart after an order",
      "Shipping methods",
      "Scopes",
      "Checkout fields",
      "Regions and currencies"
    ]
    assert.deepStrictEqual(
      asked.filter((heading) => !introduction.includes(`\n## ${heading}\n`)),
      []
    )
    assert.match(introduction, /^`displayType` of an attribute is a text of at most 50 characters/m)
    assert.match(introduction, /\n# Changelog\n[^]*\n## Version 1, November 2026\n/)
  })

  it("says of every scope what it is for", () => {
    const section = introduction.split("\n## Scopes\n")[1]?.split("\n## ")[0] ?? ""
    const rows = [...section.matchAll(/^\| `([a-z-]+)` \| (.{5,}) \|$/gm)].map(([, resource]) => resource)
    assert.deepStrictEqual(rows, [...resources])
    const needed = new Set(
      routesOf(Api).flatMap(({ policy }) => (policy.scope === undefined ? [] : [policy.scope.split(":")[0]]))
    )
    const notBuilt = [...section.matchAll(/^\| `([a-z-]+)` \| .*not built yet/gm)].map(([, one]) => one)
    assert.deepStrictEqual(
      notBuilt.toSorted(),
      resources.filter((one) => !needed.has(one) && one !== "metrics").toSorted()
    )
  })

  it("names the address that the API is reached at", () => {
    assert.include(introductionAt("/shop/api"), "followed by `/shop/api`: `https://commerce.example/shop/api`")
    assert.notInclude(introductionAt("/shop/api"), "commerce.example/api")
    assert.equal(introductionAt("/api"), introduction)
  })

  it("names each type of customization and each way to pay", () => {
    // Shoppers cannot fill in JSON.
    for (const type of metafieldTypes.filter((one) => one !== "JSON")) assert.include(introduction, `\`${type}\``)
    for (const method of PaymentMethod.literals) assert.include(introduction, `\`${method}\``)
  })

  it("links to headings that there are", () => {
    const slugs = [...introduction.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replaceAll(/[^a-z0-9 -]/g, "")
        .replaceAll(" ", "-")
    )
    assert.strictEqual(new Set(slugs).size, slugs.length)
    const links = [...introduction.matchAll(/\]\(([^)]+)\)/g)].map(([, link = ""]) => link)
    assert.isAtLeast(links.length, 3)
    assert.deepStrictEqual(
      links.filter((link) => !slugs.includes(link.replace(/^#description\//, ""))),
      []
    )
  })

  it("describes the six groups of tags, the storefront first", () => {
    assert.deepStrictEqual(
      tagGroups.map(({ name }) => name),
      [...parts]
    )
    for (const { description } of tagGroups) assert.isAbove(description.length, 40)
  })
})
