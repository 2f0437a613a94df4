import { createServer, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import type { StoreContext } from "../../src/store/StoreContext.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"
import { WebhookSubscriptions } from "../../src/webhook/WebhookSubscriptions.ts"
import { type Instance, openInstance } from "./instance.ts"

let database: Awaited<ReturnType<typeof TestDatabase.open>>
let instance: Instance
let server: Server
let held: Array<{ readonly path: string; readonly answer: ServerResponse }> = []
let isSilent = true

beforeAll(async () => {
  database = await TestDatabase.open()
  instance = await openInstance(database)
  server = createServer((request, answer) => {
    if (isSilent) held.push({ path: request.url ?? "", answer })
    else answer.end()
  })
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
})
afterAll(async () => {
  await instance.close()
  server.closeAllConnections()
  server.close()
  await database.close()
})

describe("test sends", () => {
  it("of one store are a few at a time, so that an endpoint that is silent leaves its origin to other stores", async () => {
    const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const sendTests = async (store: StoreContext, path: string, count: number) => {
      const { id } = await instance.subscribe(store, `${at}${path}`)
      return Array.from({ length: count }, () =>
        instance.run(WebhookSubscriptions.use((webhooks) => webhooks.test(store, id, {})))
      )
    }
    const many = await sendTests(await instance.openStore(), "/many", 10)
    await vi.waitFor(() => expect(held.length).toBe(4), 5_000)
    const one = await sendTests(await instance.openStore(), "/one", 1)
    await vi.waitFor(() => expect(held.map(({ path }) => path)).toContain("/one"), 5_000)
    expect(held.filter(({ path }) => path === "/many").length).toBe(4)
    isSilent = false
    for (const { answer } of held) answer.end()
    held = []
    const results = await Promise.all([...many, ...one])
    expect(results.map(({ delivered }) => delivered)).toEqual(Array.from({ length: 11 }, () => true))
  })
})
