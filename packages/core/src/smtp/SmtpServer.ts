/**
 * The mail server of a URL: `smtp(s)://user:pass@host:port`. `?from=address` is the sender if the user is not an
 * address, `?tls=` sets the requirements for TLS. Errors do not repeat the URL: it may hold a password.
 */
import { Redacted, Result } from "effect"
import { isEmail } from "../kernel/Address.ts"

export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** TLS from the first byte, as `smtps:` says; otherwise by STARTTLS. */
  readonly isSecure: boolean
  /**
   * `verify`: TLS with a valid certificate, or no mail. `any`: TLS if it is offered, with any certificate. `off`: none.
   */
  readonly tls: "verify" | "any" | "off"
  readonly user: string
  readonly password: Redacted.Redacted
  /** The address mails come from; null if the URL has none. */
  readonly from: string | null
}

const isLoopback = (host: string): boolean => host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host)

const tlsModes = ["verify", "any", "off"] as const

/**
 * Without a password, mail goes over TLS if the server offers it, with any certificate: the alternative would be no TLS
 * at all (RFC 7435). A password, or `smtps:`, needs a valid certificate, except on this machine.
 */
const tlsOf = (url: URL, host: string): SmtpServer["tls"] | undefined => {
  const asked = url.searchParams.get("tls")
  if (asked !== null) return tlsModes.find((mode) => mode === asked)
  return !isLoopback(host) && (url.password !== "" || url.protocol === "smtps:") ? "verify" : "any"
}

const plain = (text: string): string | undefined => {
  try {
    const decoded = decodeURIComponent(text)
    return /\p{Cc}/u.test(decoded) ? undefined : decoded
  } catch {
    return undefined
  }
}

/** The problem of a URL that URL parsing does not find. */
const problemOf = (url: URL, from: string | null): string | undefined => {
  if (url.hostname === "") return "must name a host: smtp://host:port"
  const unknown = [...url.searchParams.keys()].find((name) => name !== "from" && name !== "tls")
  if (unknown !== undefined) return "takes from and tls after the question mark, nothing else"
  if (from !== null && !isEmail(from)) return "must have one e-mail address as from"
  return undefined
}

/** The server, or the problem of the URL. */
export const smtpServerOf = (text: string): Result.Result<SmtpServer, string> => {
  const url = URL.parse(text)
  if (url === null || !/^smtps?:\/\//i.test(text.trim()))
    return Result.fail("must be a URL that begins with smtp:// or smtps://")
  const given = url.searchParams.get("from")
  const problem = problemOf(url, given)
  if (problem !== undefined) return Result.fail(problem)
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1").toLowerCase()
  const isSecure = url.protocol === "smtps:"
  const [user, password, tls] = [plain(url.username), plain(url.password), tlsOf(url, host)]
  if (user === undefined || password === undefined)
    return Result.fail("must have its user and password percent-encoded")
  if (tls === undefined) return Result.fail(`must have one of these as tls: ${tlsModes.join(", ")}`)
  const from = given ?? (isEmail(user) ? user : null)
  const port = url.port === "" ? (isSecure ? 465 : 587) : Number(url.port)
  return Result.succeed({ host, port, isSecure, tls, user, password: Redacted.make(password), from })
}
