import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { Api } from "../../src/Api.ts"
import { storefrontQuery } from "../../src/catalog/StorefrontCatalogApi.ts"
import { parts } from "../../src/middleware/ApiGroup.ts"
import { codes } from "../../src/middleware/Codes.ts"
import { routesOf } from "../../src/middleware/routesOf.ts"
import { introduction, tagGroups } from "../../src/system/Introduction.ts"

const statuses: Readonly<Record<string, number>> = codes

describe("the introduction of the API document", () => {
  it("tells every error code with the status that it has", () => {
    const rows = introduction.split("\n").filter((line) => /^\| \d{3} /.test(line))
    const told = rows.flatMap((row) => {
      const [, told = ""] = row.split("|")
      return [...told.matchAll(/`([A-Z_]+)`/g)].map(([, code = ""]) => [code, Number(told.trim().slice(0, 3))] as const)
    })
    assert.strictEqual(told.length, 12)
    for (const [code, status] of told) assert.strictEqual(statuses[code], status, code)
  })

  it("names only codes and routes that there are", () => {
    const named = [...introduction.matchAll(/`([A-Z]+_[A-Z_]+)`/g)].map(([, code = ""]) => code)
    for (const code of named) assert.isDefined(statuses[code], code)
    const paths = new Set(routesOf(Api).map(({ path }) => path.replace(/^\/api/, "").replace(/:(\w+)/g, "{$1}")))
    const routes = [...introduction.matchAll(/`(?:GET|POST) (\S+)`/g)].map(([, path = ""]) => path)
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

  it("has from 120 to 200 lines of at most 120 characters", () => {
    const lines = introduction.split("\n")
    assert.isTrue(lines.length >= 120 && lines.length <= 200, `${lines.length} lines`)
    assert.deepStrictEqual(
      lines.filter((line) => line.length > 120),
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
