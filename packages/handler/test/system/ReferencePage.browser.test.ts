import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { listening, type Listening } from "../edge/nodeServer.ts"
import { chromium, openBrowser, type Visited } from "./Browser.ts"

if (chromium === undefined)
  process.stderr.write(
    "NOT TESTED: no Chromium is installed, so nobody has looked at the reference page in a browser\n"
  )

const phone = { width: 390, height: 844 }
const desk = { width: 1_280, height: 900 }

describe.skipIf(chromium === undefined)("the reference page in a browser", () => {
  let commerce: TestCommerce
  let server: Listening
  let browser: Awaited<ReturnType<typeof openBrowser>>
  beforeAll(async () => {
    commerce = await openTestCommerce()
    server = await listening(commerce.commerce.node)
    browser = await openBrowser(chromium ?? "")
    await commerce.call("GET", "/docs")
  })
  afterAll(async () => {
    await browser.close()
    await server.close()
    await commerce.close()
  })

  it.each([
    ["a phone", phone],
    ["a desk", desk]
  ])("asks no other address for anything on %s, and is no wider than its window", async (_, size) => {
    const url = `${server.url}/api/docs`
    const { requests, text, overflow } = await browser.visit(url, size)
    expect(requests.filter((asked) => asked !== url && !asked.startsWith("data:"))).toEqual([])
    expect(overflow).toBeLessThanOrEqual(0)
    const places = ["Commerce API", "Errors", "STOREFRONT", "ADMIN"].map((words) => text.indexOf(words))
    expect(places.every((place) => place >= 0)).toBe(true)
    expect(text.indexOf("STOREFRONT")).toBeLessThan(text.indexOf("ADMIN"))
  })

  // On a machine that does something else besides, one of three visits is enough.
  it("is ready within two seconds", async () => {
    const visits: Array<Visited> = []
    for (let i = 0; i < 3; i++) visits.push(await browser.visit(`${server.url}/api/docs`, desk))
    expect(Math.min(...visits.map(({ readyAfter }) => readyAfter))).toBeLessThan(2_000)
    expect(visits[0]?.text.length).toBeGreaterThan(10_000)
  })
})
