/**
 * The Redis of a URL: `redis(s)://user:password@host:port/database`. Errors do not repeat the URL: it may hold a
 * password.
 */
import { Redacted, Result } from "effect"

export interface RedisServer {
  readonly host: string
  readonly port: number
  /** `rediss:`, with a certificate that is verified. */
  readonly isSecure: boolean
  /** undefined: Redis's own `default`. */
  readonly user: string | undefined
  readonly password: Redacted.Redacted | undefined
  readonly database: number
}

const defaultPort = 6_379

/** The decoded text, or undefined where it cannot be decoded. */
const plain = (text: string): string | undefined => {
  try {
    const decoded = decodeURIComponent(text)
    return /\p{Cc}/u.test(decoded) ? undefined : decoded
  } catch {
    return undefined
  }
}

/** `/3` is database 3; none is 0. */
const databaseOf = (path: string): number | undefined => {
  if (path === "" || path === "/") return 0
  return /^\/\d{1,5}$/.test(path) ? Number(path.slice(1)) : undefined
}

/** The server, or the problem of the URL. */
export const redisServerOf = (text: string): Result.Result<RedisServer, string> => {
  const url = URL.parse(text)
  if (url === null || !/^rediss?:\/\//i.test(text.trim()))
    return Result.fail("must be a URL that begins with redis:// or rediss://")
  if (url.hostname === "") return Result.fail("must name a host: redis://host:port")
  if (url.search !== "" || url.hash !== "")
    return Result.fail("takes nothing after its database: redis://host:port/database")
  const [user, password, database] = [plain(url.username), plain(url.password), databaseOf(url.pathname)]
  if (user === undefined || password === undefined)
    return Result.fail("must have its user and password percent-encoded")
  if (user !== "" && password === "") return Result.fail("must have a password where it has a user")
  if (database === undefined) return Result.fail("must name its database by a number: redis://host:port/0")
  return Result.succeed({
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? defaultPort : Number(url.port),
    isSecure: url.protocol === "rediss:",
    user: user === "" ? undefined : user,
    password: password === "" ? undefined : Redacted.make(password),
    database
  })
}

/** How it is called in the log: without user and password. */
export const redisName = ({ host, port }: RedisServer): string => `${host.includes(":") ? `[${host}]` : host}:${port}`
