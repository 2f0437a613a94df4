import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { Redacted } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { Refused, WrongUsage } from "../src/Refused.ts"
import { settingNotes } from "../src/settingNotes.ts"
import { readSettings, type SettingFlags, variables } from "../src/Settings.ts"

const folder = mkdtempSync(join(tmpdir(), "commerce-settings-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const secret = "0123456789abcdef0123456789abcdef"

interface Given {
  readonly flags?: SettingFlags
  readonly env?: Readonly<Record<string, string>>
  readonly file?: unknown
}

const read = ({ flags = {}, env = {}, file = {} }: Given) => {
  writeFileSync(join(folder, "commerce.config.json"), typeof file === "string" ? file : JSON.stringify(file))
  return readSettings(flags, env, folder)
}

const refusal = (given: Given): Error => {
  try {
    read(given)
  } catch (error) {
    if (error instanceof Error) return error
  }
  throw new Error("was not refused")
}

describe("settings", () => {
  it("have the documented defaults", () => {
    expect(read({})).toEqual({
      databaseUrl: undefined,
      directDatabaseUrl: undefined,
      readDatabaseUrl: undefined,
      readMaxLagMillis: undefined,
      dataDir: ".commerce",
      secret: undefined,
      host: "127.0.0.1",
      port: 4_000,
      httpMaxConnections: undefined,
      publicUrl: undefined,
      trustedProxies: [],
      perMinute: 60,
      isAlone: true,
      demoLimits: false,
      logFormat: process.stdout.isTTY ? "pretty" : "json",
      perHour: 1_000,
      rateLimitStore: "postgres",
      mediaUrl: undefined,
      smtpUrl: undefined,
      webhookAllowPrivate: false,
      testClock: false,
      stripe: { secretKey: undefined, webhookSecret: undefined, apiBase: undefined },
      otlpEndpoint: undefined
    })
  })

  it("are explained, all of them, in the guide to configuration", () => {
    const guide = readFileSync(resolve(import.meta.dirname, "../../../docs/guides/configuration.md"), "utf8")
    const rows = guide.split("\n").filter((line) => line.startsWith("| `"))
    const explained = rows.flatMap((row) =>
      [...(row.split(" | ")[0] ?? "").matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name)
    )
    expect(explained.sort()).toEqual([...variables].sort())
  })

  it("come from a flag before the environment, and from the environment before the file", () => {
    const file = { COMMERCE_PORT: 1 }
    expect(read({ file }).port).toBe(1)
    expect(read({ file, env: { COMMERCE_PORT: "2" } }).port).toBe(2)
    expect(read({ file, env: { COMMERCE_PORT: "2" }, flags: { port: 3 } }).port).toBe(3)
    expect(read({ file, env: { COMMERCE_PORT: "" } }).port).toBe(1)
  })

  it("do not mind what a stronger source overrides", () => {
    expect(read({ file: { COMMERCE_PORT: "http" }, env: { COMMERCE_PORT: "2" } }).port).toBe(2)
  })

  it("may be written in the file by variable or in short, as texts, numbers, switches and lists", () => {
    const file = {
      host: "::1",
      COMMERCE_TEST_CLOCK: true,
      trustedProxies: ["10.0.0.0/8", "::1"],
      rateLimitPerMinute: "off",
      rateLimitStore: "memory",
      publicUrl: null
    }
    expect(read({ file })).toMatchObject({
      host: "::1",
      testClock: true,
      trustedProxies: ["10.0.0.0/8", "::1"],
      perMinute: "off",
      rateLimitStore: "memory",
      publicUrl: undefined
    })
  })

  it("count rates in Redis where a URL of one is given, unless the store is named", () => {
    const url = "rediss://shop:hunter2@cache.example:6380/2"
    const { rateLimitStore, redisUrl } = read({ env: { COMMERCE_REDIS_URL: url } })
    expect([rateLimitStore, redisUrl === undefined ? "" : Redacted.value(redisUrl)]).toEqual(["redis", url])
    for (const store of ["postgres", "redis", "memory"])
      expect(read({ env: { COMMERCE_REDIS_URL: url, COMMERCE_RATE_LIMIT_STORE: store } }).rateLimitStore).toBe(store)
  })

  it("keep secrets from being printed", () => {
    const env = {
      DATABASE_URL: "postgres://u:p@h/d",
      COMMERCE_SECRET: secret,
      COMMERCE_SMTP_URL: "smtp://u:hunter2@h:25",
      COMMERCE_STRIPE_SECRET_KEY: "sk_live_x",
      COMMERCE_REDIS_URL: "redis://u:hunter2@h"
    }
    const settings = read({ env })
    expect(settings.secret === undefined ? "" : Redacted.value(settings.secret)).toBe(secret)
    expect(JSON.stringify([settings.secret, settings.smtpUrl, settings.stripe, settings.redisUrl])).not.toMatch(
      /hunter2|sk_live|0123/
    )
  })

  it("that will not do what is hoped of them are named: mails that have no sender that anybody takes", () => {
    const notes = (env: Readonly<Record<string, string>>) => settingNotes(read({ env }))
    expect(
      notes({
        COMMERCE_STRIPE_SECRET_KEY: "sk_live_x",
        OTEL_EXPORTER_OTLP_ENDPOINT: "http://otel:4318"
      })
    ).toEqual([])
    const bare = { COMMERCE_SMTP_URL: "smtp://apikey:hunter2@smtp.example" }
    expect(notes(bare)).toEqual([
      "COMMERCE_SMTP_URL: mails come from no-reply@localhost, which mail servers refuse; add ?from=post@your.domain to COMMERCE_SMTP_URL, or set COMMERCE_PUBLIC_URL"
    ])
    expect(notes({ ...bare, COMMERCE_PUBLIC_URL: "https://api.mugs.example" })).toEqual([])
    expect(notes({ COMMERCE_SMTP_URL: "smtp://apikey:hunter2@smtp.example?from=post@mugs.example" })).toEqual([])
    expect(notes({ COMMERCE_SMTP_URL: "smtps://post%40mugs.example:hunter2@smtp.example" })).toEqual([])
    expect(notes({})).toEqual([])
  })

  const postgres = { DATABASE_URL: "postgres://u:hunter2@h/d" }
  it.each<readonly [Given, string]>([
    [
      { env: { DATABASE_URL: "mysql://u:hunter2@h/d" } },
      "DATABASE_URL: must be a URL that begins with postgres:// or postgresql://"
    ],
    [{ env: { DATABASE_URL: "hunter2" } }, "DATABASE_URL: must be a URL that begins with postgres:// or postgresql://"],
    [
      { env: postgres },
      "COMMERCE_SECRET: is required with DATABASE_URL (at least 32 bytes, the same for every process)"
    ],
    [{ env: { ...postgres, COMMERCE_SECRET: secret.slice(1) } }, "COMMERCE_SECRET: must be at least 32 bytes"],
    [
      { env: { COMMERCE_DIRECT_DATABASE_URL: "postgres://h/d" } },
      "COMMERCE_DIRECT_DATABASE_URL: is given without DATABASE_URL"
    ],
    [
      { env: { COMMERCE_READ_DATABASE_URL: "postgres://h/d" } },
      "COMMERCE_READ_DATABASE_URL: is given without DATABASE_URL"
    ],
    [
      { env: { ...postgres, COMMERCE_READ_DATABASE_URL: "http://shop:hidden@h/d" } },
      "COMMERCE_READ_DATABASE_URL: must be a URL that begins with postgres:// or postgresql://"
    ],
    [
      { env: { ...postgres, COMMERCE_READ_MAX_LAG_MS: "1000" } },
      "COMMERCE_READ_MAX_LAG_MS: is given without COMMERCE_READ_DATABASE_URL"
    ],
    [
      { env: { ...postgres, COMMERCE_READ_DATABASE_URL: "postgres://h/d", COMMERCE_READ_MAX_LAG_MS: "60001" } },
      "COMMERCE_READ_MAX_LAG_MS: must be a whole number from 1 to 60000"
    ],
    [
      { env: { ...postgres, COMMERCE_READ_DATABASE_URL: "postgres://h/d", COMMERCE_READ_MAX_LAG_MS: "0" } },
      "COMMERCE_READ_MAX_LAG_MS: must be a whole number from 1 to 60000"
    ],
    [{ env: { COMMERCE_PORT: "65536" } }, "COMMERCE_PORT: must be a whole number from 0 to 65535"],
    [{ env: { COMMERCE_PORT: "4e3" } }, "COMMERCE_PORT: must be a whole number from 0 to 65535"],
    [{ env: { COMMERCE_PORT: " 80" } }, "COMMERCE_PORT: must be a whole number from 0 to 65535"],
    [{ env: { COMMERCE_HOST: "http://x" } }, "COMMERCE_HOST: must be an address or a host name"],
    [
      { env: { COMMERCE_PUBLIC_URL: "shop.example" } },
      "COMMERCE_PUBLIC_URL: must be a URL that begins with http:// or https://"
    ],
    [
      { env: { COMMERCE_RATE_LIMIT_PER_MINUTE: "0" } },
      "COMMERCE_RATE_LIMIT_PER_MINUTE: must be a whole number from 1 to 1000000000, or off"
    ],
    [
      { env: { COMMERCE_RATE_LIMIT_PER_HOUR: "off" } },
      "COMMERCE_RATE_LIMIT_PER_HOUR: must be a whole number from 1 to 1000000000"
    ],
    [{ env: { COMMERCE_RATE_LIMIT_STORE: "paper" } }, "COMMERCE_RATE_LIMIT_STORE: must be postgres or redis or memory"],
    [
      { env: { COMMERCE_RATE_LIMIT_STORE: "redis" } },
      "COMMERCE_REDIS_URL: is required where COMMERCE_RATE_LIMIT_STORE is redis"
    ],
    [
      { env: { COMMERCE_REDIS_URL: "http://:hunter2@cache" } },
      "COMMERCE_REDIS_URL: must be a URL that begins with redis:// or rediss://"
    ],
    [
      { env: { COMMERCE_REDIS_URL: "redis://:hunter2@cache/limits" } },
      "COMMERCE_REDIS_URL: must name its database by a number: redis://host:port/0"
    ],
    [
      { env: { COMMERCE_TRUSTED_PROXIES: "10.0.0.1, 10.0.0.0/33" } },
      "COMMERCE_TRUSTED_PROXIES: 10.0.0.0/33 is neither an address nor a CIDR range"
    ],
    [
      { env: { COMMERCE_MEDIA_URL: "/var/media" } },
      "COMMERCE_MEDIA_URL: must be a URL that begins with file:// or s3://"
    ],
    [
      { env: { COMMERCE_SMTP_URL: "http://u:hunter2@h" } },
      "COMMERCE_SMTP_URL: must be a URL that begins with smtp:// or smtps://"
    ],
    [
      { env: { COMMERCE_SMTP_URL: "smtp:u:hunter2@h" } },
      "COMMERCE_SMTP_URL: must be a URL that begins with smtp:// or smtps://"
    ],
    [
      { env: { COMMERCE_SMTP_URL: "smtp://u:hunter2@" } },
      "COMMERCE_SMTP_URL: must be a URL that begins with smtp:// or smtps://"
    ],
    [
      { env: { COMMERCE_SMTP_URL: "smtp://u:hunter2%@h" } },
      "COMMERCE_SMTP_URL: must have its user and password percent-encoded"
    ],
    [
      { env: { COMMERCE_SMTP_URL: "smtp://u:hunter2@h?from=shop" } },
      "COMMERCE_SMTP_URL: must have one e-mail address as from"
    ],
    [
      { env: { COMMERCE_SMTP_URL: "smtp://u:hunter2@h?tls=none" } },
      "COMMERCE_SMTP_URL: must have one of these as tls: verify, any, off"
    ],
    [
      { env: { COMMERCE_SMTP_URL: "smtp://h?password=hunter2" } },
      "COMMERCE_SMTP_URL: takes from and tls after the question mark, nothing else"
    ],
    [{ env: { COMMERCE_WEBHOOK_ALLOW_PRIVATE: "true" } }, "COMMERCE_WEBHOOK_ALLOW_PRIVATE: must be 1, or absent"],
    [
      { env: { COMMERCE_TEST_CLOCK: "1", COMMERCE_HOST: "0.0.0.0" } },
      "COMMERCE_TEST_CLOCK: is refused when the server listens beyond loopback"
    ],
    [
      { env: { COMMERCE_STRIPE_WEBHOOK_SECRET: "whsec_hunter2" } },
      "COMMERCE_STRIPE_SECRET_KEY: is required with COMMERCE_STRIPE_WEBHOOK_SECRET"
    ],
    [
      { env: { COMMERCE_STRIPE_SECRET_KEY: "pk_live_hunter2" } },
      "COMMERCE_STRIPE_SECRET_KEY: must begin with sk_test_ or sk_live_ or rk_test_ or rk_live_"
    ],
    [
      { env: { COMMERCE_STRIPE_SECRET_KEY: "sk_test_x", COMMERCE_STRIPE_WEBHOOK_SECRET: "hunter2" } },
      "COMMERCE_STRIPE_WEBHOOK_SECRET: must begin with whsec_"
    ],
    [
      { env: { COMMERCE_STRIPE_SECRET_KEY: "sk_live_hunter2", COMMERCE_STRIPE_API_BASE: "http://stripe.example" } },
      "COMMERCE_STRIPE_API_BASE: must begin with https:// where the secret key is one of live mode"
    ],
    [
      { env: { OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" } },
      "OTEL_EXPORTER_OTLP_ENDPOINT: must be a URL that begins with http:// or https://"
    ],
    [
      { env: { OTEL_EXPORTER_OTLP_ENDPOINT: "http://user:hunter2@collector:4318" } },
      "OTEL_EXPORTER_OTLP_ENDPOINT: must have no user and no password"
    ],
    [
      { env: { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318/?token=hunter2" } },
      "OTEL_EXPORTER_OTLP_ENDPOINT: must have no query and no fragment"
    ],
    [{ file: { port: "http" } }, "commerce.config.json: COMMERCE_PORT: must be a whole number from 0 to 65535"],
    [{ file: { prot: 4_000 } }, "commerce.config.json: prot is not a setting"],
    [
      { file: { port: { number: 1 } } },
      "commerce.config.json: port must be a text, a number, true or false, or a list of texts"
    ],
    [{ file: "{ port: 1 }" }, "commerce.config.json: must be readable and valid JSON"],
    [{ file: "[]" }, "commerce.config.json: must be a JSON object of settings"]
  ])("refuse %j in one line that names the setting and shows no password", (given, line) => {
    const error = refusal(given)
    expect(error).toBeInstanceOf(Refused)
    expect(error.message).toBe(line)
    expect(error.message).not.toContain("hunter2")
  })

  it.each<readonly [SettingFlags, string]>([
    [{ port: 65_536 }, "--port: must be a whole number from 0 to 65535"],
    [{ port: -1 }, "--port: must be a whole number from 0 to 65535"],
    [{ host: "" }, "--host: must be an address or a host name"],
    [
      { databaseUrl: "mysql://u:hunter2@h/d" },
      "--database-url: must be a URL that begins with postgres:// or postgresql://"
    ]
  ])("take the flags %j for wrong usage", (flags, line) => {
    const error = refusal({ flags })
    expect(error).toBeInstanceOf(WrongUsage)
    expect(error.message).toBe(line)
  })
})
