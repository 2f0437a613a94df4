/**
 * Settings of an installation: flags win over environment, environment over `commerce.config.json`. They are read and
 * checked before anything connects; the error of a wrong one is a line that names it and never shows a password.
 */
import type { RateStore } from "@effect-commerce/core/guard/RateLimits"
import { redisServerOf } from "@effect-commerce/core/guard/RedisServer"
import { mediaPlaceOf } from "@effect-commerce/core/media/MediaOptions"
import { mostLag } from "@effect-commerce/core/replica/ReadReplica"
import { endpointProblem } from "@effect-commerce/handler/system/telemetry/OtlpEndpoint"
import { Redacted, Result } from "effect"
import { Refused, WrongUsage } from "./Refused.ts"
import {
  addressRanges,
  atLeastBytes,
  beginsWith,
  type Check,
  hostName,
  isLoopback,
  numberOrOff,
  onOrOff,
  oneOf,
  smtpUrl,
  urlOf,
  wholeNumber
} from "./settingChecks.ts"
import { readConfigFile, type SettingSources, settingOf, type Texts } from "./settingSources.ts"

export interface Settings {
  /** undefined: the embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl: string | undefined
  readonly directDatabaseUrl: string | undefined
  /** undefined: there is no read replica. */
  readonly readDatabaseUrl: string | undefined
  /** undefined: the server's own default. */
  readonly readMaxLagMillis: number | undefined
  readonly dataDir: string
  /** undefined: the one kept in the data directory. */
  readonly secret: Redacted.Redacted | undefined
  readonly host: string
  readonly port: number
  /** undefined: the server's own default. */
  readonly httpMaxConnections: number | undefined
  readonly publicUrl: string | undefined
  readonly trustedProxies: ReadonlyArray<string>
  readonly perMinute: number | "off"
  readonly perHour: number
  /** Whether only this machine can reach the server, judging by the settings. */
  readonly isAlone: boolean
  /** A demo that only this machine can reach has no limits per address; limits of single routes and of keys stay. */
  readonly demoLimits: boolean
  readonly rateLimitStore: RateStore
  /** undefined: rates are not counted in Redis. */
  readonly redisUrl: Redacted.Redacted | undefined
  /** undefined: a folder of the data directory. */
  readonly mediaUrl: Redacted.Redacted | undefined
  /** For a bucket whose URL has none. */
  readonly mediaCredentials: { readonly accessKeyId: string; readonly secretAccessKey: Redacted.Redacted } | undefined
  readonly smtpUrl: Redacted.Redacted | undefined
  readonly webhookAllowPrivate: boolean
  readonly testClock: boolean
  readonly stripe: {
    /** undefined: only stores that bring an account of their own use Stripe. */
    readonly secretKey: Redacted.Redacted | undefined
    readonly webhookSecret: Redacted.Redacted | undefined
    readonly apiBase: string | undefined
  }
  readonly otlpEndpoint: string | undefined
  readonly logFormat: "pretty" | "json"
}

export interface SettingFlags {
  readonly databaseUrl?: string | undefined
  readonly dataDir?: string | undefined
  readonly host?: string | undefined
  readonly port?: number | undefined
  /** `serve --demo` */
  readonly demo?: boolean | undefined
}

/** The names are explained in docs/guides/configuration.md. */
export const variables = [
  "DATABASE_URL",
  "COMMERCE_DIRECT_DATABASE_URL",
  "COMMERCE_READ_DATABASE_URL",
  "COMMERCE_READ_MAX_LAG_MS",
  "COMMERCE_SECRET",
  "COMMERCE_HOST",
  "COMMERCE_PORT",
  "COMMERCE_HTTP_MAX_CONNECTIONS",
  "COMMERCE_PUBLIC_URL",
  "COMMERCE_TRUSTED_PROXIES",
  "COMMERCE_RATE_LIMIT_PER_MINUTE",
  "COMMERCE_RATE_LIMIT_PER_HOUR",
  "COMMERCE_RATE_LIMIT_STORE",
  "COMMERCE_REDIS_URL",
  "COMMERCE_MEDIA_URL",
  "AWS_ACCESS_KEY_ID",
  "AWS_SECRET_ACCESS_KEY",
  "COMMERCE_SMTP_URL",
  "COMMERCE_WEBHOOK_ALLOW_PRIVATE",
  "COMMERCE_TEST_CLOCK",
  "COMMERCE_STRIPE_SECRET_KEY",
  "COMMERCE_STRIPE_WEBHOOK_SECRET",
  "COMMERCE_STRIPE_API_BASE",
  "OTEL_EXPORTER_OTLP_ENDPOINT",
  "COMMERCE_LOG_FORMAT"
] as const
type Variable = (typeof variables)[number]

const anyText: Check<string> = (text) => Result.succeed(text)
const postgresUrl = urlOf("postgres:", "postgresql:")
const httpUrl = urlOf("http:", "https:")
const collectorUrl: Check<string> = (text) => {
  const problem = endpointProblem(text)
  return problem === undefined ? Result.succeed(text) : Result.fail(problem)
}
const redisUrlCheck: Check<string> = (text) => Result.map(redisServerOf(text), () => text)
const unreached = 1_000_000_000
const mostRequests = wholeNumber(1, unreached)

const hidden = (text: string | undefined): Redacted.Redacted | undefined =>
  text === undefined ? undefined : Redacted.make(text)

export const readSettings = (
  flags: SettingFlags = {},
  environment: Texts = process.env,
  folder: string = process.cwd()
): Settings => {
  const sources: SettingSources = {
    flags: {
      "--database-url": flags.databaseUrl,
      "--data-dir": flags.dataDir,
      "--host": flags.host,
      "--port": flags.port === undefined ? undefined : String(flags.port)
    },
    environment,
    file: readConfigFile(folder, variables)
  }
  const of: Reader = (variable, check, flag) => settingOf(sources, variable, check, flag)
  const settings: Settings = {
    databaseUrl: of("DATABASE_URL", postgresUrl, "--database-url"),
    directDatabaseUrl: of("COMMERCE_DIRECT_DATABASE_URL", postgresUrl),
    ...replicaOf(of),
    dataDir: dataDirOf(flags.dataDir),
    secret: hidden(of("COMMERCE_SECRET", atLeastBytes(32))),
    port: of("COMMERCE_PORT", wholeNumber(0, 65_535), "--port") ?? 4_000,
    httpMaxConnections: of("COMMERCE_HTTP_MAX_CONNECTIONS", wholeNumber(1, 1_000_000)),
    ...reachOf(of, flags.demo === true),
    ...rateStoreOf(of),
    ...mediaOf(of),
    smtpUrl: hidden(of("COMMERCE_SMTP_URL", smtpUrl)),
    webhookAllowPrivate: of("COMMERCE_WEBHOOK_ALLOW_PRIVATE", onOrOff) ?? false,
    testClock: of("COMMERCE_TEST_CLOCK", onOrOff) ?? false,
    stripe: stripeOf(of),
    otlpEndpoint: of("OTEL_EXPORTER_OTLP_ENDPOINT", collectorUrl),
    logFormat: of("COMMERCE_LOG_FORMAT", oneOf("pretty", "json")) ?? (process.stdout.isTTY ? "pretty" : "json")
  }
  refuseContradictions(settings)
  return settings
}

type Reader = <A>(variable: Variable, check: Check<A>, flag?: string) => A | undefined

/** The credentials are those that every tool for S3 reads; they are only read if there is a bucket. */
const mediaOf = (of: Reader) => {
  const accessKeyId = of("AWS_ACCESS_KEY_ID", anyText)
  const secret = of("AWS_SECRET_ACCESS_KEY", anyText)
  const mediaCredentials =
    accessKeyId === undefined || secret === undefined
      ? undefined
      : { accessKeyId, secretAccessKey: Redacted.make(secret) }
  const isPlace: Check<string> = (text) => Result.map(mediaPlaceOf(text, mediaCredentials), () => text)
  return { mediaUrl: hidden(of("COMMERCE_MEDIA_URL", isPlace)), mediaCredentials }
}

/**
 * Who may call, and how often. A demo has no limits per address only if no other machine can reach it and no limit is
 * set.
 */
const reachOf = (of: Reader, demo: boolean) => {
  const host = of("COMMERCE_HOST", hostName, "--host") ?? "127.0.0.1"
  const publicUrl = of("COMMERCE_PUBLIC_URL", httpUrl)
  const trustedProxies = of("COMMERCE_TRUSTED_PROXIES", addressRanges) ?? []
  const perMinute = of("COMMERCE_RATE_LIMIT_PER_MINUTE", numberOrOff(mostRequests))
  const perHour = of("COMMERCE_RATE_LIMIT_PER_HOUR", mostRequests)
  const isAlone = isLoopback(host) && publicUrl === undefined && trustedProxies.length === 0
  const demoLimits = demo && isAlone && perMinute === undefined && perHour === undefined
  const [minute, hour] = demoLimits ? [unreached, unreached] : [60, 1_000]
  return {
    host,
    publicUrl,
    trustedProxies,
    perMinute: perMinute ?? minute,
    perHour: perHour ?? hour,
    isAlone,
    demoLimits
  }
}

/** An empty one, as an unset shell variable gives, would mean the working directory. */
const dataDirOf = (flag: string | undefined): string => {
  if (flag === "") throw new WrongUsage("--data-dir: must not be empty")
  return flag ?? ".commerce"
}

const rateStoreOf = (of: Reader) => {
  const redisUrl = of("COMMERCE_REDIS_URL", redisUrlCheck)
  const rateLimitStore =
    of("COMMERCE_RATE_LIMIT_STORE", oneOf("postgres", "redis", "memory")) ??
    (redisUrl === undefined ? "postgres" : "redis")
  if (rateLimitStore === "redis" && redisUrl === undefined)
    throw new Refused("COMMERCE_REDIS_URL: is required where COMMERCE_RATE_LIMIT_STORE is redis")
  return { rateLimitStore, redisUrl: hidden(redisUrl) }
}

const replicaOf = (of: Reader) => {
  const readDatabaseUrl = of("COMMERCE_READ_DATABASE_URL", postgresUrl)
  const readMaxLagMillis = of("COMMERCE_READ_MAX_LAG_MS", wholeNumber(1, mostLag))
  if (readMaxLagMillis !== undefined && readDatabaseUrl === undefined)
    throw new Refused("COMMERCE_READ_MAX_LAG_MS: is given without COMMERCE_READ_DATABASE_URL")
  return { readDatabaseUrl, readMaxLagMillis }
}

const stripeOf = (of: Reader): Settings["stripe"] => {
  const secretKey = of("COMMERCE_STRIPE_SECRET_KEY", beginsWith("sk_test_", "sk_live_", "rk_test_", "rk_live_"))
  const webhookSecret = of("COMMERCE_STRIPE_WEBHOOK_SECRET", beginsWith("whsec_"))
  const apiBase = of("COMMERCE_STRIPE_API_BASE", httpUrl)
  if (secretKey === undefined && webhookSecret !== undefined)
    throw new Refused("COMMERCE_STRIPE_SECRET_KEY: is required with COMMERCE_STRIPE_WEBHOOK_SECRET")
  if (secretKey?.includes("_live_") === true && apiBase?.startsWith("http:") === true)
    throw new Refused("COMMERCE_STRIPE_API_BASE: must begin with https:// where the secret key is one of live mode")
  return { secretKey: hidden(secretKey), webhookSecret: hidden(webhookSecret), apiBase }
}

const refuseContradictions = (settings: Settings): void => {
  const { databaseUrl, directDatabaseUrl, readDatabaseUrl, secret, testClock, host } = settings
  if (databaseUrl !== undefined && secret === undefined) {
    throw new Refused("COMMERCE_SECRET: is required with DATABASE_URL (at least 32 bytes, the same for every process)")
  }
  if (directDatabaseUrl !== undefined && databaseUrl === undefined)
    throw new Refused("COMMERCE_DIRECT_DATABASE_URL: is given without DATABASE_URL")
  if (readDatabaseUrl !== undefined && databaseUrl === undefined)
    throw new Refused("COMMERCE_READ_DATABASE_URL: is given without DATABASE_URL")
  if (testClock && !isLoopback(host))
    throw new Refused("COMMERCE_TEST_CLOCK: is refused when the server listens beyond loopback")
}
