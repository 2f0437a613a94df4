import { Agent, request } from "node:http"
import { connect } from "node:net"
import { afterEach, describe, expect, it } from "vitest"
import { openPostOffice } from "../../core/test/email/mailServer.ts"
import { commerce, folder, type Serving, serving } from "./runCli.ts"

const cleanups: Array<() => unknown> = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})
const dataDir = () => {
  const made = folder()
  cleanups.push(made.remove)
  return made.path
}
const serve = async (args: ReadonlyArray<string>, env?: Readonly<Record<string, string>>): Promise<Serving> => {
  const server = await serving(args, env)
  cleanups.push(() => server.end("SIGTERM"))
  return server
}
const status = async (url: string, key?: string): Promise<number> =>
  (await fetch(url, key === undefined ? {} : { headers: { "x-api-key": key } })).status
const shown = (server: Serving, name: string): string => new RegExp(`${name}\\s+(\\S+)`).exec(server.out())?.[1] ?? ""

describe("commerce serve", () => {
  it("sets up an empty installation, shows the key once, keeps the data over a stop, a kill and a start, and its mails leave through COMMERCE_SMTP_URL", async () => {
    const data = dataDir()
    const first = await serve(["--data-dir", data])
    const key = shown(first, "admin key")
    expect(key).toMatch(/^svc_[\w-]{43}$/)
    expect(await status(`${first.url}/health/ready`)).toBe(200)
    expect(await status(`${first.url}/v1/store`, key)).toBe(200)
    expect(await first.end("SIGTERM")).toBe(0)

    const second = await serve(["--data-dir", data])
    expect(second.out()).not.toContain("svc_")
    expect(await status(`${second.url}/v1/store`, key)).toBe(200)
    await second.end("SIGKILL")

    const office = await openPostOffice({ login: { user: "shop@mugs.example", password: "hunter#2" } })
    cleanups.push(office.close)
    const third = await serve(["--data-dir", data], {
      COMMERCE_SMTP_URL: `smtp://shop%40mugs.example:hunter%232@127.0.0.1:${office.port}`
    })
    const post = async (path: string, body: object) => {
      const sent = {
        method: "POST",
        headers: { "x-api-key": key, "content-type": "application/json" },
        body: JSON.stringify(body)
      }
      return (await fetch(`${third.url}/v1/email/templates${path}`, sent)).json() as Promise<{ readonly id: string }>
    }
    const note = {
      name: "Note",
      eventType: "ORDER_NOTE",
      language: "en",
      subject: "From {{storeName}}",
      htmlContent: "<p>Hello</p>"
    }
    await post(`/${(await post("", note)).id}/send`, { to: "ada@example.com" })
    await expect
      .poll(() => office.mails.map((mail) => [mail.envelopeFrom, mail.subject, mail.overTls]), { timeout: 10_000 })
      .toEqual([["shop@mugs.example", "From My store", true]])
    expect(third.out()).not.toContain("hunter")
    expect(await third.end("SIGTERM")).toBe(0)
  })

  it("says at the start that mails lead nowhere, where they leave and nobody has said where the shop is reached", async () => {
    const line = /(COMMERCE_PUBLIC_URL: links in mails lead nowhere for 1 store: .*)/
    const server = await serving(
      ["--data-dir", dataDir()],
      { COMMERCE_SMTP_URL: "smtp://post%40mugs.example:x@127.0.0.1:9" },
      line
    )
    expect(server.url).toMatch(/set COMMERCE_PUBLIC_URL, or give a sales channel its domain/)
    expect(await server.end("SIGTERM")).toBe(0)
  })

  it("shares its data directory with commands and with a second server, and stopping one leaves the other", async () => {
    const data = dataDir()
    const one = await serve(["--data-dir", data])
    const two = await serve(["--data-dir", data], { COMMERCE_RATE_LIMIT_PER_MINUTE: "off" })
    const made = await commerce([
      "keys",
      "create",
      "--data-dir",
      data,
      "--store",
      shown(one, "store"),
      "--name",
      "beside",
      "--scope",
      "store:read",
      "--rate-limit",
      "100000",
      "--json"
    ])
    expect([made.code, made.err]).toEqual([0, ""])
    const { id, key, tier } = JSON.parse(made.out)
    expect(tier).toBe("FREE")
    expect(await status(`${two.url}/v1/store`, key)).toBe(200)
    expect(await one.end("SIGTERM")).toBe(0)
    expect(await status(`${two.url}/v1/store`, key)).toBe(200)
    expect((await commerce(["keys", "revoke", id, "--data-dir", data])).code).toBe(0)
    const until = performance.now() + 6_000
    let after = 200
    while (after === 200 && performance.now() < until) after = await status(`${two.url}/v1/store`, key)
    expect(after).toBe(401)
  })

  it("says in one line that its port is taken", async () => {
    const data = dataDir()
    const one = await serve(["--data-dir", data])
    const port = new URL(one.url).port
    const refused = await commerce(["serve", "--data-dir", data, "--port", port])
    expect([refused.code, refused.out]).toEqual([1, ""])
    expect(refused.err.trim().split("\n").length).toBe(1)
    expect(refused.err).toContain(`port ${port} of 127.0.0.1 is in use: choose another with --port`)
  })

  it("lets requests under way end after SIGTERM, takes no new ones, and exits 0 within ten seconds even if one never ends", async () => {
    const server = await serve(["--data-dir", dataDir()])
    const { hostname, port } = new URL(server.url)
    const open = (path: string) => {
      const asked = request({
        hostname,
        port,
        path: `/api/${path}`,
        method: "POST",
        headers: { "content-type": "application/json", "content-length": "2" }
      })
      const answered = new Promise<number | string>((done) => {
        asked.on("response", (response) => done(response.statusCode ?? 0))
        asked.on("error", (error: NodeJS.ErrnoException) => done(error.code ?? error.message))
      })
      return { asked, answered, sent: new Promise<void>((done) => asked.write("{", () => done())) }
    }
    const [ends, never] = [
      open(`vc/${shown(server, "sales channel")}/cart`),
      open(`vc/${shown(server, "sales channel")}/cart`)
    ]
    await Promise.all([ends.sent, never.sent])
    expect(await status(`${server.url}/health/ready`)).toBe(200)
    const [began, ended] = [performance.now(), server.end("SIGTERM")]
    const refused = async (): Promise<boolean> => {
      const failure = await fetch(`${server.url}/health/live`).then(
        () => undefined,
        (error: Error) => error.cause as NodeJS.ErrnoException
      )
      return failure?.code === "ECONNREFUSED" || (performance.now() - began < 5_000 && refused())
    }
    expect(await refused()).toBe(true)
    ends.asked.end("}")
    expect(await ends.answered).toBe(201)
    expect(await never.answered).toBe("ECONNRESET")
    expect(await ended).toBe(0)
    expect(performance.now() - began).toBeLessThan(10_000)
  })

  it("answers every request that reached it before it ends, and ends idle connections at once", async () => {
    const server = await serve(["--data-dir", dataDir()], { COMMERCE_RATE_LIMIT_PER_MINUTE: "off" })
    const { hostname, port } = new URL(server.url)
    const agent = new Agent({ keepAlive: true, maxSockets: 8 })
    cleanups.push(() => agent.destroy())
    const path = `/api/vc/${shown(server, "sales channel")}/categories`
    const ask = (keeping?: Agent): Promise<number | string> =>
      new Promise((done) => {
        const asked = request(
          { hostname, port, path, ...(keeping === undefined ? {} : { agent: keeping }) },
          (response) => {
            response.resume().on("end", () => done(response.statusCode ?? 0))
            response.on("error", (error) => done(error.message))
          }
        )
        // A kept connection that ended before the request was sent over it is asked again by every client (RFC 9112,
        // 9.3.1).
        asked.on("error", (error: NodeJS.ErrnoException) =>
          done(asked.reusedSocket ? "reused" : (error.code ?? error.message))
        )
        asked.end()
      })
    await Promise.all(Array.from({ length: 8 }, () => ask(agent)))
    const idle = connect(Number(port), hostname, () => idle.write(`GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`))
    const idleEnded = new Promise<number>((done) => idle.on("close", () => done(performance.now())))
    await new Promise((answered) => idle.once("data", answered))
    let ending = false
    const told: Array<Awaited<ReturnType<typeof ask>>> = []
    const busy = Array.from({ length: 8 }, async () => {
      for (let refused = false; !refused; ) {
        const answer = await ask(agent)
        if (ending) told.push(answer)
        refused = answer === "ECONNREFUSED"
      }
    })
    ending = true
    const began = performance.now()
    const ended = server.end("SIGTERM")
    await Promise.all(busy)
    expect((await idleEnded) - began).toBeLessThan(6_000)
    expect(await ended).toBe(0)
    expect(performance.now() - began).toBeLessThan(10_000)
    expect(told.filter((one) => ![200, "reused", "ECONNREFUSED"].includes(one))).toEqual([])
    expect(told.filter((one) => one === 200).length).toBeGreaterThan(0)
  })

  it("begins once where two start on an empty directory at the same time", async () => {
    const data = dataDir()
    const servers = await Promise.all([serve(["--data-dir", data]), serve(["--data-dir", data])])
    const keys = servers.map((server) => shown(server, "admin key")).filter((key) => key !== "")
    expect(keys.length).toBe(1)
    expect(await Promise.all(servers.map((server) => status(`${server.url}/v1/store`, keys[0])))).toEqual([200, 200])
    expect(servers.map((server) => shown(server, "store"))).toEqual([
      shown(servers[0], "store"),
      shown(servers[0], "store")
    ])
  })

  it("with --demo fills the store it made, also when the first try was cut short, and leaves any other store alone", async () => {
    const countIn = async (server: Serving): Promise<number> => {
      const answer = await fetch(`${server.url}/vc/${shown(server, "sales channel")}/products?limit=1`)
      return ((await answer.json()) as { readonly meta: { readonly total: number } }).meta.total
    }
    const cutShort = dataDir()
    await commerce(["init", "--data-dir", cutShort, "--name", "Demo store"])
    const resumed = await serve(["--demo", "--data-dir", cutShort])
    expect(await countIn(resumed)).toBeGreaterThanOrEqual(200)
    const own = dataDir()
    await commerce(["init", "--data-dir", own, "--name", "My own"])
    expect(await countIn(await serve(["--demo", "--data-dir", own]))).toBe(0)
  })

  it("does the background work alone as --role worker, and listens nowhere", async () => {
    const data = dataDir()
    await commerce(["init", "--data-dir", data])
    const worker = await serving(["--role", "worker", "--data-dir", data], {}, /working/)
    expect(worker.out()).not.toContain("listening")
    expect(await worker.end("SIGTERM")).toBe(0)
  })

  it("ends in order when npm, which runs it, is told to end, and takes Ctrl-C for one signal though terminal and npm both send it", async () => {
    const data = dataDir()
    const throughNpm = await serving(["--data-dir", data], "npm")
    expect(await throughNpm.end("SIGTERM")).toBe(0)
    await expect(fetch(throughNpm.url)).rejects.toMatchObject({ cause: { code: "ECONNREFUSED" } })
    const twice = await serving(["--data-dir", data])
    const [ended] = [twice.end("SIGINT"), twice.end("SIGTERM")]
    expect(await ended).toBe(0)
  })
})
