/**
 * Settings of an installation (operations.md, Configuration): flags win over environment, environment over `commerce.config.json`. They are read and
 * judged before anything connects; a wrong one is a line that names it, and no password is ever in that line.
 */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import ipaddr from "ipaddr.js"
import { Refused } from "./Refused.ts"

export interface Settings {
  readonly databaseUrl: string | undefined
  readonly directDatabaseUrl: string | undefined
  readonly dataDir: string
  readonly host: string
  readonly port: number
  readonly trustedProxies: ReadonlyArray<string>
  readonly perMinute: number | "off"
  readonly perHour: number
  readonly rateLimitStore: "postgres" | "memory"
  readonly testClock: boolean
}

export interface SettingFlags {
  readonly databaseUrl?: string | undefined
  readonly dataDir?: string | undefined
  readonly host?: string | undefined
  readonly port?: number | undefined
}

type Source = Readonly<Record<string, string | undefined>>

const configFile = (folder: string): Source => {
  const path = join(folder, "commerce.config.json")
  if (!existsSync(path)) return {}
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"))
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error("not an object")
    return Object.fromEntries(Object.entries(value).map(([name, setting]) => [name, setting === null ? undefined : String(setting)]))
  } catch {
    throw new Refused("commerce.config.json: must be a JSON object of settings")
  }
}

const wholeNumber = (name: string, text: string, minimum: number, maximum: number): number => {
  const value = Number(text)
  if (!/^[0-9]+$/.test(text) || value < minimum || value > maximum) throw new Refused(`${name}: must be a whole number from ${minimum} to ${maximum}`)
  return value
}

const postgresUrl = (name: string, text: string | undefined): string | undefined => {
  if (text === undefined || text === "") return undefined
  const scheme = /^([a-z]+):\/\//.exec(text)?.[1]
  if ((scheme !== "postgres" && scheme !== "postgresql") || !URL.canParse(text)) throw new Refused(`${name}: must be a postgres:// URL`)
  return text
}

const switchOf = (name: string, text: string | undefined): boolean => {
  if (text === undefined || text === "" || text === "0") return false
  if (text === "1") return true
  throw new Refused(`${name}: must be 1 or absent`)
}

const proxies = (text: string | undefined): ReadonlyArray<string> => {
  const ranges = (text ?? "").split(",").map((part) => part.trim()).filter((part) => part !== "")
  for (const range of ranges) {
    const valid = range.includes("/") ? ipaddr.isValidCIDR(range) : ipaddr.isValid(range)
    if (!valid) throw new Refused(`COMMERCE_TRUSTED_PROXIES: ${range} is neither an address nor a CIDR range`)
  }
  return ranges
}

const storeOf = (text: string | undefined): "postgres" | "memory" => {
  if (text === undefined || text === "" || text === "postgres") return "postgres"
  if (text === "memory") return "memory"
  throw new Refused("COMMERCE_RATE_LIMIT_STORE: must be postgres or memory")
}

const loopback = new Set(["127.0.0.1", "localhost", "::1"])

export const readSettings = (flags: SettingFlags, environment: Source = process.env, folder: string = process.cwd()): Settings => {
  const file = configFile(folder)
  const of = (name: string): string | undefined => environment[name] ?? file[name]
  const perMinute = of("COMMERCE_RATE_LIMIT_PER_MINUTE") ?? "60"
  const settings: Settings = {
    databaseUrl: postgresUrl("DATABASE_URL", flags.databaseUrl ?? of("DATABASE_URL")),
    directDatabaseUrl: postgresUrl("COMMERCE_DIRECT_DATABASE_URL", of("COMMERCE_DIRECT_DATABASE_URL")),
    dataDir: flags.dataDir ?? of("COMMERCE_DATA_DIR") ?? ".commerce",
    host: flags.host ?? of("COMMERCE_HOST") ?? "127.0.0.1",
    port: flags.port === undefined ? wholeNumber("COMMERCE_PORT", of("COMMERCE_PORT") ?? "4000", 0, 65_535) : wholeNumber("--port", String(flags.port), 0, 65_535),
    trustedProxies: proxies(of("COMMERCE_TRUSTED_PROXIES")),
    perMinute: perMinute === "off" ? "off" : wholeNumber("COMMERCE_RATE_LIMIT_PER_MINUTE", perMinute, 1, 1_000_000_000),
    perHour: wholeNumber("COMMERCE_RATE_LIMIT_PER_HOUR", of("COMMERCE_RATE_LIMIT_PER_HOUR") ?? "1000", 1, 1_000_000_000),
    rateLimitStore: storeOf(of("COMMERCE_RATE_LIMIT_STORE")),
    testClock: switchOf("COMMERCE_TEST_CLOCK", of("COMMERCE_TEST_CLOCK"))
  }
  const secret = of("COMMERCE_SECRET")
  if (secret !== undefined && Buffer.byteLength(secret) < 32) throw new Refused("COMMERCE_SECRET: must be at least 32 bytes")
  if (settings.databaseUrl !== undefined && secret === undefined) {
    throw new Refused("COMMERCE_SECRET: is required with DATABASE_URL (at least 32 bytes, the same for every process)")
  }
  if (settings.testClock && !loopback.has(settings.host)) throw new Refused("COMMERCE_TEST_CLOCK: is refused when the server listens beyond loopback")
  return settings
}
