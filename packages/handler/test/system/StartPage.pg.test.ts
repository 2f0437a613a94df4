/** What the printed address of a server answers. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { listening } from "../edge/nodeServer.ts"

let commerce: TestCommerce
let mounted: TestCommerce
let root: TestCommerce
beforeAll(async () => {
  commerce = await openTestCommerce()
  mounted = await openTestCommerce({ basePath: "/shop/api" })
  root = await openTestCommerce({ basePath: "/" })
})
afterAll(async () => {
  for (const each of [commerce, mounted, root]) await each.close()
})

const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
const asked = (of: TestCommerce, path: string, accept: string, method = "GET") =>
  of.commerce.fetch(new Request(`http://shop.test${path}`, { method, headers: { accept } }))
const hrefs = (html: string) => [...html.matchAll(/<a href="([^"]+)"/g)].map(([, href = ""]) => href)

describe("the base path itself", () => {
  it("shows a browser a page whose links lead somewhere, which runs nothing and asks nobody for anything", async () => {
    const page = await asked(commerce, "/api", browser)
    const html = await page.text()
    expect([page.status, page.headers.get("content-type"), page.headers.get("cache-control")]).toEqual([
      200,
      "text/html; charset=utf-8",
      "no-store"
    ])
    expect(page.headers.get("content-security-policy")).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; " +
        "frame-ancestors 'none'"
    )
    expect(page.headers.get("vary")).toContain("Accept")
    expect(html).not.toMatch(/<script|<img|@import|url\(|<link[^>]+href="(?!data:)/)
    expect(html).toContain("<code>http://shop.test/api</code>")
    expect(html).not.toContain(commerce.channelId)
    expect(hrefs(html)).toEqual(["api/docs", "api/openapi.json", "api/health/ready"])
    for (const href of hrefs(html)) expect((await asked(commerce, `/${href}`, browser)).status).toBe(200)
  })

  it("gives the same links as JSON to whoever does not ask for a page", async () => {
    const answer = await asked(commerce, "/api", "*/*")
    expect(await answer.json()).toEqual({
      name: "Commerce API",
      links: {
        reference: "http://shop.test/api/docs",
        openapi: "http://shop.test/api/openapi.json",
        health: "http://shop.test/api/health/ready"
      }
    })
    const head = await asked(commerce, "/api", browser, "HEAD")
    expect([head.status, head.headers.get("content-type"), await head.text()]).toEqual([
      200,
      "text/html; charset=utf-8",
      ""
    ])
    const posted = await asked(commerce, "/api", "*/*", "POST")
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET"])
  })

  it("is below the base path of a host, whose own pages stay its own, also below a mount", async () => {
    const html = await (await asked(mounted, "/shop/api", browser)).text()
    expect(html).toContain("<code>http://shop.test/shop/api</code>")
    expect(hrefs(html)[0]).toBe("api/docs")
    const handedOn: Array<string> = []
    const host = await listening((request, response) => {
      mounted.commerce.node(request, response, () => {
        handedOn.push(request.url ?? "")
        response.end("the host's")
      })
    })
    try {
      for (const path of ["/", "/api", "/shop", "/shop/"])
        expect((await host.ask("GET", path, { accept: browser })).text).toBe("the host's")
      expect(handedOn).toEqual(["/", "/api", "/shop", "/shop/"])
      expect((await host.ask("GET", "/shop/api", { accept: browser })).status).toBe(200)
    } finally {
      await host.close()
    }
  })

  it("links to the products of the channel that the host shows to readers of its reference, and to no other", async () => {
    const shown: { id?: string } = {}
    const demo = await openTestCommerce({
      referenceValues: () => (shown.id === undefined ? undefined : { ids: { vc_recorded: shown.id }, apiKey: "svc_x" })
    })
    try {
      expect(hrefs(await (await asked(demo, "/api", browser)).text()).length).toBe(3)
      shown.id = demo.channelId
      const html = await (await asked(demo, "/api", browser)).text()
      expect(hrefs(html)[0]).toBe(`api/vc/${demo.channelId}/products?limit=3`)
      expect(html).not.toContain("svc_x")
      const { links } = (await (await asked(demo, "/api", "*/*")).json()) as { readonly links: { products: string } }
      expect(links.products).toBe(`http://shop.test/api/vc/${demo.channelId}/products?limit=3`)
    } finally {
      await demo.close()
    }
  })

  it("is `/` where every path is ours", async () => {
    const html = await (await asked(root, "/", browser)).text()
    expect(hrefs(html)).toEqual(["docs", "openapi.json", "health/ready"])
    expect((await asked(root, "/docs", browser)).status).toBe(200)
    expect((await asked(root, "/api", browser)).status).toBe(404)
  })

  it("shows no host that is none", async () => {
    const server = await listening(commerce.commerce.node)
    try {
      const { text } = await server.raw(
        'GET /api HTTP/1.1\r\nhost: a"><b>.test\r\naccept: text/html\r\nconnection: close\r\n\r\n'
      )
      expect(text).toContain("<code>/api</code>")
    } finally {
      await server.close()
    }
  })
})
