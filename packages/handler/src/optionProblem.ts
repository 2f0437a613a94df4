/**
 * What is wrong with the options of `createCommerce`, in the terms of the options. An unknown name is an error that
 * suggests the option it resembles: a misspelt `rateLimit` is found at startup and not on the first busy day.
 */
import { nearestName } from "@effect-commerce/core/body/NearestName"
import type { ConnectionOptions } from "@effect-commerce/core/database/ConnectionOptions"
import { redisServerOf } from "@effect-commerce/core/guard/RedisServer"
import { mostLag } from "@effect-commerce/core/replica/ReadReplica"
import { readText, textProblem } from "@effect-commerce/core/kernel/OneEffect"
import { providersProblem } from "@effect-commerce/core/payment/InstalledProviders"
import { Result } from "effect"
import type { CommerceOptions, HostPoolChoice } from "./CommerceOptions.ts"
import { rangeProblem } from "./middleware/ClientAddress.ts"
import { endpointProblem } from "./system/telemetry/OtlpEndpoint.ts"
import { isBasePath } from "./middleware/RequestTarget.ts"

/** Every name of a type, so that a new option is known here or does not compile. */
type NamesOf<T> = Readonly<Record<keyof Required<T>, true>>

const options: NamesOf<CommerceOptions> = {
  database: true,
  secret: true,
  rateLimit: true,
  trustedProxies: true,
  basePath: true,
  compress: true,
  storeTurns: true,
  testClock: true,
  role: true,
  mail: true,
  outbound: true,
  login: true,
  media: true,
  payments: true,
  tax: true,
  addresses: true,
  logger: true,
  telemetry: true,
  ready: true,
  referenceValues: true,
  maxConnections: true,
  statementLog: true
}
const rateLimit: NamesOf<NonNullable<CommerceOptions["rateLimit"]>> = {
  perMinute: true,
  perHour: true,
  store: true,
  redisUrl: true
}
const telemetry: NamesOf<NonNullable<CommerceOptions["telemetry"]>> = {
  otlpEndpoint: true,
  serviceName: true,
  tracer: true
}
const mail: NamesOf<NonNullable<CommerceOptions["mail"]>> = {
  smtpUrl: true,
  transport: true,
  publicUrl: true,
  dnsServers: true
}
const outbound: NamesOf<NonNullable<CommerceOptions["outbound"]>> = {
  allowPrivate: true,
  allowCidrs: true,
  resolver: true
}
const payments: NamesOf<NonNullable<CommerceOptions["payments"]>> = { providers: true, stripe: true }
const tax: NamesOf<NonNullable<CommerceOptions["tax"]>> = { calculator: true }
const addresses: NamesOf<NonNullable<CommerceOptions["addresses"]>> = { provider: true, timeout: true }
const stripe: NamesOf<NonNullable<NonNullable<CommerceOptions["payments"]>["stripe"]>> = {
  secretKey: true,
  webhookSecret: true,
  apiBase: true,
  captureMethod: true,
  fetch: true,
  timeout: true
}
const media: NamesOf<NonNullable<CommerceOptions["media"]>> = {
  url: true,
  store: true,
  publicUrl: true,
  credentials: true,
  limits: true
}
const pool: NamesOf<HostPoolChoice> = { pool: true, schema: true, prepare: true, directUrl: true, migrate: true }
const connection: NamesOf<ConnectionOptions> = {
  url: true,
  path: true,
  host: true,
  port: true,
  username: true,
  password: true,
  database: true,
  applicationName: true
}

/** By the option that selects the way to the database. */
const databases: Readonly<Record<string, Readonly<Record<string, true>>>> = {
  url: { url: true, directUrl: true, readUrl: true, readMaxLag: true },
  dataDir: { dataDir: true },
  pool,
  connection: { connection: true, direct: true, replica: true }
}

/** A name that begins with the other is near it: `hostname` and `host`. */
const resembling = (name: string, known: ReadonlyArray<string>): string | undefined =>
  known.find((one) => name.startsWith(one) || one.startsWith(name)) ?? nearestName(name, known)

/** The first unknown name in `value`, with its path below `place`; or that `value` is not an object. */
const strangerIn = (value: unknown, names: Readonly<Record<string, true>>, place = ""): string | undefined => {
  if (value === undefined) return undefined
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return `${place === "" ? "the options" : place} must be an object`
  const stranger = Object.keys(value).find((key) => !Object.hasOwn(names, key))
  if (stranger === undefined) return undefined
  const known = Object.keys(names)
  const meant = resembling(stranger, known)
  const path = place === "" ? stranger : `${place}.${stranger}`
  return `${path} is no option${meant === undefined ? `; there are ${known.join(", ")}` : `: did you mean ${meant}?`}`
}

const databaseProblem = (database: unknown): string | undefined => {
  const choices = Object.keys(databases)
  const oneOf = `database takes one of ${choices.join(", ")}`
  if (typeof database !== "object" || database === null) return oneOf
  const given = Object.keys(databases).filter((name) => (database as Record<string, unknown>)[name] !== undefined)
  const [chosen] = given
  if (given.length > 1) return `${oneOf}, not ${given.join(" and ")}`
  const all = Object.assign({}, ...Object.values(databases)) as Readonly<Record<string, true>>
  if (chosen === undefined) return strangerIn(database, all, "database") ?? oneOf
  return strangerIn(database, databases[chosen] ?? all, "database") ?? connectionProblem(database)
}

const connectionProblem = (database: object): string | undefined =>
  "connection" in database ? strangerIn(database.connection, connection, "database.connection") : undefined

/** Checks the secret texts, by the option each was given under. Absent ones are fine. */
const hiddenTextProblem = ({
  secret,
  database,
  rateLimit: limits,
  mail: way,
  media: files,
  payments: paid
}: CommerceOptions): string | undefined => {
  const { url, password } = "connection" in database ? database.connection : {}
  const given = {
    secret,
    "rateLimit.redisUrl": limits?.redisUrl,
    "mail.smtpUrl": way?.smtpUrl,
    "media.url": files?.url,
    "media.credentials.secretAccessKey": files?.credentials?.secretAccessKey,
    "payments.stripe.secretKey": paid?.stripe?.secretKey,
    "payments.stripe.webhookSecret": paid?.stripe?.webhookSecret,
    "database.connection.url": url,
    "database.connection.password": password
  }
  const problems = Object.entries(given).map(
    ([name, value]) => [name, value === undefined ? undefined : textProblem(value)] as const
  )
  const [name, problem] = problems.find(([, found]) => found !== undefined) ?? []
  return problem === undefined ? undefined : `${name} ${problem}`
}

const isDatabaseUrl = (text: string): boolean => URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol)

/** What the driver says of a URL that is none shows it whole, with its password. */
const databaseUrlProblem = ({ database }: CommerceOptions): string | undefined => {
  const given = {
    "database.url": "url" in database ? database.url : undefined,
    "database.directUrl": "url" in database ? database.directUrl : undefined,
    "database.readUrl": "url" in database ? database.readUrl : undefined,
    "database.connection.url": "connection" in database ? database.connection.url : undefined
  }
  const [name] =
    Object.entries(given).find(([name, url]) => url !== undefined && !isDatabaseUrl(readText(name, url))) ?? []
  return name === undefined ? undefined : `${name} must be a URL that begins with postgres:// or postgresql://`
}

const replicaProblem = ({ database }: CommerceOptions): string | undefined => {
  if (!("url" in database)) return undefined
  return database.readMaxLag !== undefined && database.readUrl === undefined
    ? "database.readMaxLag is given without database.readUrl"
    : wholeProblem("database.readMaxLag", database.readMaxLag, mostLag)
}

/** The most that a limit's counter can hold. */
const mostRequests = 2_147_483_647

const choiceProblem = (name: string, value: unknown, choices: ReadonlyArray<string>): string | undefined =>
  value === undefined || choices.includes(String(value)) ? undefined : `${name} must be one of ${choices.join(", ")}`

const wholeProblem = (name: string, value: unknown, most: number): string | undefined =>
  value === undefined || (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most)
    ? undefined
    : `${name} must be a whole number from 1 to ${most}`

const limitProblem = ({ rateLimit: limits }: CommerceOptions): string | undefined => {
  const perMinute = limits?.perMinute === "off" ? undefined : limits?.perMinute
  return (
    wholeProblem("rateLimit.perMinute", perMinute, mostRequests) ??
    wholeProblem("rateLimit.perHour", limits?.perHour, mostRequests) ??
    redisProblem(limits)
  )
}

const redisProblem = (limits: CommerceOptions["rateLimit"]): string | undefined => {
  if (limits?.redisUrl === undefined)
    return limits?.store === "redis" ? 'rateLimit.redisUrl is required with rateLimit.store "redis"' : undefined
  const server = redisServerOf(readText("rateLimit.redisUrl", limits.redisUrl))
  return Result.isFailure(server) ? `rateLimit.redisUrl ${server.failure}` : undefined
}

const proxyProblem = ({ trustedProxies = [] }: CommerceOptions): string | undefined => {
  const problem = trustedProxies.map(rangeProblem).find((found) => found !== undefined)
  return problem === undefined ? undefined : `trustedProxies: ${problem}`
}

const basePathProblem = ({ basePath }: CommerceOptions): string | undefined =>
  basePath === undefined || isBasePath(basePath)
    ? undefined
    : "basePath must be a path such as /shop/api, without a slash at its end"

const paymentsProblem = ({ payments: given }: CommerceOptions): string | undefined => {
  const { captureMethod, apiBase } = given?.stripe ?? {}
  if (apiBase !== undefined && !URL.canParse(apiBase)) return "payments.stripe.apiBase must be a URL"
  const unknownCapture = choiceProblem("payments.stripe.captureMethod", captureMethod, ["automatic", "manual"])
  if (unknownCapture !== undefined) return unknownCapture
  const providers = given?.providers ?? []
  if (!Array.isArray(providers)) return "payments.providers must be a list of payment providers"
  const problem = providersProblem(providers)
  return problem === undefined ? undefined : `payments.providers: ${problem}`
}

/** A host's own ports have the methods that will be called. */
const portProblem = (place: string, port: unknown, methods: ReadonlyArray<string>): string | undefined => {
  const given = typeof port === "object" && port !== null ? (port as Record<string, unknown>) : {}
  const lacking = methods.find((method) => typeof given[method] !== "function")
  return lacking === undefined ? undefined : `${place} has no method ${lacking}`
}

const portsProblem = ({ tax: taxed, addresses: found }: CommerceOptions): string | undefined =>
  (taxed?.calculator === undefined ? undefined : portProblem("tax.calculator", taxed.calculator, ["calculate"])) ??
  (found === undefined ? undefined : portProblem("addresses.provider", found.provider, ["suggest", "find"])) ??
  wholeProblem("addresses.timeout", found?.timeout, 60_000)

const telemetryProblem = ({ telemetry: watched }: CommerceOptions): string | undefined => {
  const { otlpEndpoint, tracer } = watched ?? {}
  const problem = otlpEndpoint === undefined ? undefined : endpointProblem(otlpEndpoint)
  if (problem !== undefined) return `telemetry.otlpEndpoint ${problem}`
  return tracer === undefined ? undefined : portProblem("telemetry.tracer", tracer, ["span"])
}

/** One sentence without a full stop, or undefined if nothing is wrong. */
export const optionProblem = (given: CommerceOptions): string | undefined => {
  const checks = [
    () => strangerIn(given, options),
    () => databaseProblem(given.database),
    () => strangerIn(given.rateLimit, rateLimit, "rateLimit"),
    () => strangerIn(given.telemetry, telemetry, "telemetry"),
    () => telemetryProblem(given),
    () => strangerIn(given.mail, mail, "mail"),
    () => strangerIn(given.outbound, outbound, "outbound"),
    () => strangerIn(given.media, media, "media"),
    () => strangerIn(given.payments, payments, "payments"),
    () => strangerIn(given.tax, tax, "tax"),
    () => strangerIn(given.addresses, addresses, "addresses"),
    () => strangerIn(given.payments?.stripe, stripe, "payments.stripe"),
    () => paymentsProblem(given),
    () => portsProblem(given),
    () => hiddenTextProblem(given),
    () => databaseUrlProblem(given),
    () => replicaProblem(given),
    () => choiceProblem("role", given.role, ["all", "api", "worker"]),
    () => choiceProblem("rateLimit.store", given.rateLimit?.store, ["postgres", "redis", "memory"]),
    () => limitProblem(given),
    () => wholeProblem("maxConnections", given.maxConnections, 10_000),
    () => proxyProblem(given),
    () => basePathProblem(given)
  ]
  for (const check of checks) {
    const problem = check()
    if (problem !== undefined) return problem
  }
  return undefined
}
