/** Limits over two real server processes on one data directory, with the store of counters that each names. */
import { redisProgram, sayWithoutRedis, startTestRedis, type TestRedis } from "@effect-commerce/core/testing/TestRedis"
import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { commerce, folder, type Serving, serving } from "./runCli.ts"

sayWithoutRedis("nobody has run two servers over one")

interface Answer {
  readonly status: number
  readonly headers: Headers
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads any path of any answer
  readonly body: any
}

const data = folder()
let shop: { readonly salesChannelId: string; readonly apiKey: string; readonly ownerEmail: string }
beforeAll(async () => {
  shop = JSON.parse((await commerce(["init", "--data-dir", data.path, "--json"])).out)
})
afterAll(() => data.remove())

/** The middle of an hour, so that no window turns while a test runs. */
const noon = "2030-01-01T12:00:10.000Z"

const opened = async (env: Readonly<Record<string, string>>) => {
  const with_ = { COMMERCE_TRUSTED_PROXIES: "127.0.0.1", COMMERCE_TEST_CLOCK: "1", ...env }
  const servers: ReadonlyArray<Serving> = await Promise.all([
    serving(["--data-dir", data.path], with_),
    serving(["--data-dir", data.path], with_)
  ])
  const ask = async (turn: number, path: string, options: RequestInit = {}): Promise<Answer> => {
    const answer = await fetch(`${servers[turn % 2]?.url}${path}`, options)
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, body: text.startsWith("{") ? JSON.parse(text) : text }
  }
  /** To one process after the other, as the client of this address. */
  const from = (address: string) => (turn: number, path: string, key: string | null, body?: unknown) =>
    ask(turn, path, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        "x-forwarded-for": address,
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" })
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
  const setClocks = async (now: string) => {
    const body = JSON.stringify({ now })
    for (const turn of [0, 1])
      await ask(turn, "/test/clock", { method: "POST", headers: { "content-type": "application/json" }, body })
  }
  await setClocks(noon)
  return { servers, from, setClocks, end: () => Promise.all(servers.map((server) => server.end("SIGTERM"))) }
}

/** All of them, 32 at once. */
const atOnce = async (count: number, send: (turn: number) => Promise<Answer>): Promise<ReadonlyArray<Answer>> => {
  const answers: Array<Answer> = []
  let sent = 0
  const sender = async () => {
    while (sent < count) answers.push(await send(sent++))
  }
  await Promise.all(Array.from({ length: 32 }, sender))
  return answers
}
const statuses = (answers: ReadonlyArray<Answer>) =>
  Object.fromEntries(
    [...new Set(answers.map(({ status }) => status))]
      .sort((a, b) => a - b)
      .map((status) => [status, answers.filter((answer) => answer.status === status).length])
  )

const stores = (["postgres", "redis"] as const).filter((store) => store === "postgres" || redisProgram !== undefined)

describe.each(stores)("two processes that count in %s", (store) => {
  let redis: TestRedis | undefined
  let shared: Awaited<ReturnType<typeof opened>>
  beforeAll(async () => {
    redis = store === "redis" ? await startTestRedis(["--requirepass", "hunter2"]) : undefined
    const url = redis?.url.replace("redis://", "redis://:hunter2@")
    shared = await opened(url === undefined ? {} : { COMMERCE_REDIS_URL: url })
  })
  afterAll(async () => {
    await shared.end()
    await redis?.close()
  })

  it("let exactly 60 of 500 requests of an address pass in each of three minutes", async () => {
    const send = shared.from("203.0.113.1")
    for (const minute of ["00", "01", "02"]) {
      await shared.setClocks(`2030-01-01T12:${minute}:10.000Z`)
      const answers = await atOnce(500, (turn) => send(turn, "/v1/store", shop.apiKey))
      expect(statuses(answers)).toEqual({ 200: 60, 429: 440 })
      const refused = answers.find(({ status }) => status === 429)
      expect(refused?.body.details).toEqual({
        limit: 60,
        ttlMs: 60_000,
        retryAfterSeconds: expect.any(Number),
        scope: "ip"
      })
      expect(["limit", "remaining", "reset"].map((name) => refused?.headers.get(`x-ratelimit-${name}`))).toEqual([
        "60",
        "0",
        refused?.headers.get("retry-after")
      ])
    }
    await shared.setClocks(noon)
  })

  it("refuse whoever has failed fifty times at whatever, a good key included, and nobody else", async () => {
    await shared.setClocks("2030-01-01T13:00:10.000Z")
    const send = shared.from("203.0.113.2")
    const paths = ["/v1/store", "/v1/orders", `/vc/${shop.salesChannelId}/customers/me`]
    const failed = await atOnce(55, (turn) => send(turn, paths[turn % 3] ?? "", `svc_wrong${turn}`))
    expect(statuses(failed)).toEqual({ 401: 50, 429: 5 })
    for (const turn of [0, 1]) {
      const { status, body } = await send(turn, "/v1/store", shop.apiKey)
      expect([status, body.details]).toEqual([
        429,
        expect.objectContaining({ limit: 50, ttlMs: 300_000, scope: "auth" })
      ])
    }
    for (const turn of [0, 1])
      expect((await shared.from("203.0.113.3")(turn, "/v1/store", shop.apiKey)).status).toBe(200)
    await shared.setClocks(noon)
  })
})

describe.skipIf(redisProgram === undefined)("a server whose Redis is killed in the middle of a minute", () => {
  let redis: TestRedis
  let shared: Awaited<ReturnType<typeof opened>>
  beforeAll(async () => {
    redis = await startTestRedis(["--requirepass", "hunter2"])
    shared = await opened({ COMMERCE_REDIS_URL: redis.url.replace("redis://", "redis://:hunter2@") })
  })
  afterAll(async () => {
    await shared.end()
    await redis.close()
  })

  it("reads and sells on, refuses what guards a secret, says so, and counts for all again by itself", async () => {
    const send = shared.from("203.0.113.9")
    const ready = async (turn: number) => (await send(turn, "/health/ready", null)).body
    const both = async <A>(ask: (turn: number) => Promise<A>) => [await ask(0), await ask(1)]
    const login = (turn: number) =>
      send(turn, `/vc/${shop.salesChannelId}/customers/login`, null, { email: "a@b.example", password: "Wr0ng-Horse!" })
    expect(await both(ready)).toEqual([
      { status: "ready", rateLimits: "shared" },
      { status: "ready", rateLimits: "shared" }
    ])
    expect((await login(0)).status).toBe(401)

    await redis.kill()
    await expect
      .poll(() => both(ready))
      .toEqual([
        { status: "ready", rateLimits: "alone" },
        { status: "ready", rateLimits: "alone" }
      ])
    expect(statuses(await both((turn) => send(turn, "/v1/store", shop.apiKey)))).toEqual({ 200: 2 })
    expect(statuses(await both((turn) => send(turn, `/vc/${shop.salesChannelId}/cart`, null, {})))).toEqual({ 201: 2 })
    for (const refused of await both(login))
      expect([refused.status, refused.body, refused.headers.get("retry-after")]).toEqual([
        503,
        expect.objectContaining({
          code: "SERVICE_TEMPORARILY_UNAVAILABLE",
          message: "The counters of rate limits cannot be reached; nothing was processed. Retry shortly"
        }),
        "1"
      ])
    const metrics = await metricsOf(0)
    expect(metrics).toContain("commerce_rate_limit_store_up 0\n")
    expect(metrics).toContain('commerce_rate_limit_store_failures_total{outcome="refused"} 1\n')
    expect(metrics).toMatch(/commerce_rate_limit_store_failures_total\{outcome="counted_alone"\} [1-9]\d*\n/)

    await redis.start()
    await expect
      .poll(() => both(ready))
      .toEqual([
        { status: "ready", rateLimits: "shared" },
        { status: "ready", rateLimits: "shared" }
      ])
    expect(statuses(await both(login))).toEqual({ 401: 2 })
    expect(await metricsOf(1)).toContain("commerce_rate_limit_store_up 1\n")
    for (const server of shared.servers) {
      const printed = `${server.out()}${server.err()}`
      expect(printed).not.toContain("hunter2")
      expect(printed).toContain(`The Redis of the rate limits at 127.0.0.1:${redis.port} cannot be used: `)
      expect(printed).toContain(`The Redis of the rate limits at 127.0.0.1:${redis.port} answers again`)
    }
  })

  const metricsOf = async (turn: number): Promise<string> =>
    (await fetch(`${shared.servers[turn]?.url}/metrics`, { headers: { connection: "close" } })).text()
})

describe.skipIf(redisProgram === undefined)("doctor", () => {
  const says = async (url: string, env: Readonly<Record<string, string>> = {}) => {
    const asked = { env: { COMMERCE_REDIS_URL: url, ...env } }
    const { code, out, err } = await commerce(["doctor", "--data-dir", data.path, "--json"], asked)
    expect(`${out}${err}`).not.toContain("hunter2")
    const findings: ReadonlyArray<{ readonly check: string; readonly says: string; readonly remedy: string | null }> =
      JSON.parse(out)
    const found = findings.find(({ check }) => check === "limits.redis")
    return [code, found?.says, found?.remedy]
  }
  /** Of those for people, which have what is well too. */
  const line = async (url: string, env: Readonly<Record<string, string>> = {}) => {
    const { out } = await commerce(["doctor", "--data-dir", data.path], { env: { COMMERCE_REDIS_URL: url, ...env } })
    return out.split("\n").find((one) => one.includes("limits.redis"))
  }
  const policies = ["--maxmemory", "64mb", "--maxmemory-policy"]

  it("names the Redis that counts rate limits, and finds one that would forget them, is a replica, in cluster mode or not there", async () => {
    const good = await startTestRedis([...policies, "noeviction", "--requirepass", "hunter2"])
    const forgets = await startTestRedis([...policies, "allkeys-lru"])
    const replica = await startTestRedis(["--replicaof", "127.0.0.1", "1"])
    const cluster = await startTestRedis(["--cluster-enabled", "yes"])
    try {
      const withPassword = good.url.replace("redis://", "redis://:hunter2@")
      expect(await line(withPassword)).toMatch(
        new RegExp(`^ok {2}limits\\.redis +rates are counted in the Redis \\d+\\.\\S+ at 127\\.0\\.0\\.1:${good.port}$`)
      )
      expect(await says(forgets.url)).toEqual([
        1,
        `127.0.0.1:${forgets.port} forgets counters when its memory is full (maxmemory-policy allkeys-lru)`,
        "set its maxmemory-policy to noeviction, or give the limits a Redis of their own"
      ])
      expect(await says(replica.url)).toEqual([
        1,
        `127.0.0.1:${replica.port} is a replica and takes no counts`,
        "name its primary in COMMERCE_REDIS_URL"
      ])
      expect(await says(cluster.url)).toEqual([
        1,
        `127.0.0.1:${cluster.port} is in cluster mode and does not count the limits of a request together`,
        "name a Redis without cluster mode in COMMERCE_REDIS_URL; until then each process counts for itself, and routes " +
          "with a limit of their own answer 503"
      ])
      await good.kill()
      expect(await says(withPassword)).toEqual([
        1,
        `127.0.0.1:${good.port}: connect ECONNREFUSED 127.0.0.1:${good.port}`,
        "start it, or mend COMMERCE_REDIS_URL: host, port, user, password, database; until then each process counts " +
          "for itself, and routes with a limit of their own answer 503"
      ])
      const elsewhere = { COMMERCE_RATE_LIMIT_STORE: "postgres" }
      expect(await line(withPassword, elsewhere)).toBeUndefined()
    } finally {
      await Promise.all([good.close(), forgets.close(), replica.close(), cluster.close()])
    }
  })

  it.skipIf(!existsSync("/usr/bin/openssl"))(
    "reaches one over TLS whose certificate is vouched for, and no other",
    async () => {
      const made = folder()
      const [key, certificate] = [`${made.path}.key`, `${made.path}.crt`]
      const words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
      const names = ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate]
      execFileSync("/usr/bin/openssl", [...words.split(" "), ...names], { stdio: "ignore" })
      const files = ["--tls-cert-file", certificate, "--tls-key-file", key, "--tls-ca-cert-file", certificate]
      const redis = await startTestRedis([...files, "--tls-auth-clients", "no"], { isSecure: true })
      try {
        expect((await says(redis.url)).slice(0, 2)).toEqual([
          1,
          expect.stringContaining(`127.0.0.1:${redis.port}: self-signed certificate`)
        ])
        expect(await line(redis.url, { NODE_EXTRA_CA_CERTS: certificate })).toMatch(/^ok {2}limits\.redis /)
      } finally {
        await redis.close()
        made.remove()
      }
    }
  )
})
