import { createConfig, lintFromString } from "@redocly/openapi-core"
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import openapiTypes, { astToString } from "openapi-typescript"
import { describe, expect, it } from "vitest"
import { Api } from "../../src/Api.ts"
import { makeApiDocument } from "../../src/system/ApiDocument.ts"

const document = await Effect.runPromise(makeApiDocument(Api))

/** A client as a reader of the document would write it. */
const use = `import type { components, operations, paths } from "./types.ts"
export const show = (cart: components["schemas"]["Cart"]): string => cart.currency + cart.items.length
export type Line = components["schemas"]["Cart"]["items"][number]
export type Adding = operations["cart.addItem"]["requestBody"]["content"]["application/json"]
export const line: Adding = { productId: "prod_1", quantity: 2 }
export type Refused = operations["cart.addItem"]["responses"]["400"]["content"]["application/json"]["code"]
export const refused: Refused = "INSUFFICIENT_STOCK"
export type Order = components["schemas"]["Order"] | components["schemas"]["Product"]
export type Translated = components["schemas"]["Brand"]["translations"][string]["name"]
export const name: Translated = "Lampe"
export const adding: Adding = { productId: "prod_1", quantity: 2, metadata: { gift: true, to: ["Ada"] } }
export const rateConfig: components["schemas"]["ShippingRate"]["rateConfig"] = { amount: "6.90" }
export const noPickup: components["schemas"]["Order"]["pickupLocationData"] = null
export const method = (order: components["schemas"]["Order"]) => order.shippingSelection?.methodName ?? "none"
type Upload = operations["uploads.customization"]["requestBody"]["content"]["multipart/form-data"]
export const upload: Upload = { file: "bytes" }
export type Get = paths["/vc/{salesChannelId}/cart/{cartId}"]["get"]
`

const compile = (folder: string) =>
  new Promise<string>((done) => {
    const tsc = join(import.meta.dirname, "../../../../node_modules/.bin/tsc")
    const strict = ["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--verbatimModuleSyntax"]
    const options = ["--ignoreConfig", "--noEmit", "--module", "nodenext", "--allowImportingTsExtensions", ...strict]
    execFile(tsc, [...options, join(folder, "use.ts")], (error, out, err) => done(error === null ? "" : out + err))
  })

describe("tools that read the document", () => {
  it("lint it by the recommended rules without an error", async () => {
    const config = await createConfig({ extends: ["recommended"] })
    const problems = await lintFromString({ source: JSON.stringify(document), config })
    const errors = problems.filter(({ severity }) => severity === "error")
    expect(errors.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`)).toEqual([])
  })

  it("make types of it that compile under strict and have the names of commerce", async () => {
    const folder = await mkdtemp(join(tmpdir(), "api-types-"))
    try {
      const types = astToString(await openapiTypes(structuredClone(document) as never))
      await writeFile(join(folder, "package.json"), '{ "type": "module" }')
      await writeFile(join(folder, "types.ts"), types)
      await writeFile(join(folder, "use.ts"), use)
      expect(await compile(folder)).toBe("")
      const lines = types.split("\n")
      expect(lines.filter((line) => /^\s.*Record<string, never>/.test(line))).toEqual([])
      // A shape is written once: what is repeated shows as more lines for each operation.
      const operations = Object.values(document.paths).flatMap((path) => Object.keys(path))
      expect(lines.length / operations.length).toBeLessThan(117)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
