/** Programs that are written with a strict client, made of the document that the server answers. */
import { execFile } from "node:child_process"
import { cp, mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import openapiTypes, { astToString } from "openapi-typescript"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { listening, type Listening } from "../edge/nodeServer.ts"

const root = join(import.meta.dirname, "../../../..")
let shop: TestCommerce
let server: Listening
let folder = ""

const ran = (...command: ReadonlyArray<string>) =>
  new Promise<string>((done) => {
    const [program = "", ...parameters] = command
    execFile(program, parameters, { cwd: folder }, (_, out, err) => done(out + err))
  })

/** What a program prints: JSON, or why it failed. */
const program = async (name: string, ...parameters: ReadonlyArray<string>): Promise<unknown> => {
  const text = await ran(process.execPath, `${name}.ts`, ...parameters)
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

beforeAll(async () => {
  shop = await openTestCommerce()
  server = await listening(shop.commerce.node)
  folder = await mkdtemp(join(tmpdir(), "typed-client-"))
  await cp(join(import.meta.dirname, "programs"), folder, { recursive: true })
  await symlink(join(root, "node_modules"), join(folder, "node_modules"))
  await writeFile(join(folder, "package.json"), '{ "type": "module" }')
  const document = await (await fetch(`${server.url}/api/openapi.json`)).json()
  await writeFile(join(folder, "commerce.ts"), astToString(await openapiTypes(document as never)))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await server?.close()
  await shop?.close()
})

/** What the compiler says of programs. */
const compiled = (...programs: ReadonlyArray<string>): Promise<string> => {
  const strict = ["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--verbatimModuleSyntax"]
  const modules = ["--module", "nodenext", "--target", "es2024", "--types", "node", "--allowImportingTsExtensions"]
  return ran(join(root, "node_modules/.bin/tsc"), "--ignoreConfig", "--noEmit", ...strict, ...modules, ...programs)
}

interface Sampled {
  readonly operationId: string
  readonly "x-codeSamples": ReadonlyArray<{ readonly label: string; readonly source: string }>
}

/** Each sample of the reference page as a function, without its imports. */
const sampleFunctions = (operations: ReadonlyArray<Sampled>): string => {
  const functions = operations.map(({ operationId, "x-codeSamples": samples }) => {
    const lines = samples.find(({ label }) => label === "Generated types")?.source.split("\n") ?? []
    const body = lines.filter((line) => !/^(?:import|\/\/) /.test(line)).join("\n")
    return `export const ${operationId.replace(".", "_")} = async () => {\n${body}\nreturn data\n}`
  })
  const imports = ['import createClient from "openapi-fetch"', 'import type { paths } from "./commerce.ts"']
  return [...imports, 'const key = "svc_"', "const bytes = new Uint8Array()", ...functions].join("\n")
}

describe("a strict client made of the document", () => {
  it("compiles a storefront's and a merchant's program without a cast", async () => {
    expect(await compiled("storefront.ts", "admin.ts")).toBe("")
  })

  it("compiles every sample of the reference page", async () => {
    const { paths } = (await (await fetch(`${server.url}/api/docs/reference.json`)).json()) as {
      readonly paths: Readonly<Record<string, Readonly<Record<string, Sampled>>>>
    }
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
    expect(operations.length).toBeGreaterThan(180)
    await writeFile(join(folder, "samples.ts"), sampleFunctions(operations))
    expect(await compiled("samples.ts")).toBe("")
  })

  // What the storefront buys is what the merchant has opened.
  it("opens a shop, buys in it and has the order paid, errors told apart by their codes", async () => {
    const api = `${server.url}/api`
    expect(await program("admin", api, shop.apiKey)).toEqual({
      stock: ["SHIRT-NAVY 5", "SHIRT-WHITE 5"],
      picture: "A shirt",
      rate: "5.00",
      renamed: ["Fine shirt", "changed at true"],
      problems: ["name", "basePrice"],
      known: ["metafields.material"]
    })
    const bought = (await program("storefront", api, shop.channelId)) as { readonly order: { readonly id: string } }
    expect(bought).toEqual({
      shown: {
        total: 1,
        colours: ["Navy 1", "White 1"],
        name: "Hemd",
        translated: ["de: Hemd"],
        price: "20.00 USD",
        picture: "A shirt",
        saleEnds: null,
        categories: [["Shirts", 0]]
      },
      tooMany: { left: 5 },
      none: { wrong: { quantity: "must be from 1 to 999999" } },
      bought: ["2 Fine shirt - Navy"],
      checkout: { total: "45.00", tax: 0, tenders: 0 },
      order: { id: expect.stringMatching(/^ord_/), number: "#1001", status: "PENDING", same: true },
      account: { registered: 200, wrong: ["email"], name: "Ada", nobody: "UNAUTHORIZED" }
    })
    expect(await program("admin", api, shop.apiKey, bought.order.id)).toEqual({
      listed: 1,
      before: "pending",
      ships: "San Francisco",
      after: "paid",
      history: ["nothing to PENDING", "PENDING to PAID"],
      twice: "PAYMENT_ALREADY_CAPTURED",
      lacking: ["3 of 50"]
    })
  })
})
