/** What a host loads with the library, counted in a process of its own: by packages, and by what is compiled. */
import { execFileSync } from "node:child_process"
import { Redacted } from "effect"
import * as TestDatabase from "@effect-commerce/core/testing/TestDatabase"
import { afterAll, beforeAll, expect, it } from "vitest"

let database: Awaited<ReturnType<typeof TestDatabase.open>>
beforeAll(async () => {
  database = await TestDatabase.open()
})
afterAll(() => database.close())

const program = `
import { registerHooks } from "node:module"
const urls = new Set()
registerHooks({ resolve: (name, context, next) => {
  const found = next(name, context)
  urls.add(found.url)
  return found
} })
const { createCommerce } = await import("@effect-commerce/handler")
const { Redacted } = await import("effect")
const { password, ...rest } = JSON.parse(process.env.CONNECTION)
const connection = { ...rest, password: Redacted.make(password) }
const commerce = await createCommerce({ database: { connection }, secret: "x".repeat(32) })
const packages = () =>
  [...new Set([...urls].flatMap((url) => /.*node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1] ?? []))].sort()
const native = () => process.report.getReport().sharedObjects.filter((path) => path.endsWith(".node")).length
const created = { packages: packages(), native: native() }
const { hashPassword } = await import("@effect-commerce/core/identity/Passwords")
const { Effect } = await import("effect")
const hashed = await Effect.runPromise(hashPassword("secret"))
const used = { hashed: hashed.slice(0, 10), native: native() }
await commerce.close()
process.stdout.write(JSON.stringify({ created, used }))
`

it("loads nothing that is compiled until a password is hashed, and no package for what is not asked", () => {
  const { path, host, port, username, password, database: name } = database.connection
  const connection = {
    path,
    host,
    port,
    username,
    password: password === undefined ? "" : Redacted.value(password),
    database: name
  }
  const out = execFileSync(process.execPath, ["--conditions=source", "--input-type=module", "--eval", program], {
    cwd: import.meta.dirname,
    env: { ...process.env, CONNECTION: JSON.stringify(connection) },
    encoding: "utf8"
  })
  expect(JSON.parse(out.slice(out.lastIndexOf('{"created"')))).toEqual({
    created: {
      packages: [
        "@effect/platform-node",
        "@effect/platform-node-shared",
        "@effect/sql-pg",
        "effect",
        "flatbush",
        "flatqueue",
        "ipaddr.js",
        "mustache",
        "point-in-polygon-hao",
        "robust-predicates",
        "transliteration",
        "ws"
      ],
      native: 0
    },
    used: { hashed: "$argon2id$", native: 1 }
  })
})
