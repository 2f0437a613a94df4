/** What the README says of embedding, done. */
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import * as TestDatabase from "@effect-commerce/core/testing/TestDatabase"
import { afterAll, beforeAll, expect, it } from "vitest"
import { addMug, firstStore, openApp } from "../../../../examples/embed/main.ts"
import { listening } from "./nodeServer.ts"

const root = resolve(import.meta.dirname, "../../../..")
let database: Awaited<ReturnType<typeof TestDatabase.open>>
beforeAll(async () => {
  database = await TestDatabase.open()
})
afterAll(() => database.close())

it("the example sells below its base path, keeps its own pages, and its key opens the back office", async () => {
  const { app, commerce } = await openApp({
    database: { connection: database.connection },
    secret: TestDatabase.testSecret
  })
  const server = await listening(app as never)
  try {
    const { storeId, channelId, apiKey } = await firstStore(commerce)
    const mug = await addMug(commerce, storeId)
    const shown = await server.ask("GET", `/shop/api/vc/${channelId}/products`)
    expect(shown.body.data.map(({ id }: { readonly id: string }) => id)).toEqual([mug.id])
    expect((await server.ask("GET", "/")).text).toBe("A page of ours")
    expect((await server.ask("GET", "/shop/api/v1/store", { "x-api-key": apiKey })).body.id).toBe(storeId)
  } finally {
    await server.close()
    await commerce.close()
  }
})

it("the README makes the first store with the same lines", () => {
  const lines = (text: string) => text.split("\n").map((line) => line.trim())
  const example = new Set(lines(readFileSync(resolve(root, "examples/embed/main.ts"), "utf8")))
  const readme = lines(readFileSync(resolve(root, "README.md"), "utf8")).filter((line) =>
    /^const (?:channel|\{ key \}|\{ id, accountId \}) /.test(line)
  )
  expect(readme.length).toBe(3)
  expect(readme.filter((line) => !example.has(line))).toEqual([])
})
