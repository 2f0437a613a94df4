/**
 * Checks of a URL before its name is resolved: scheme, port, user part, an address in it, a name that is never public.
 * The WHATWG parser has by then turned every spelling of an IPv4 address (decimal, octal, hexadecimal, short,
 * full-width) into four decimal numbers.
 */
import { Result } from "effect"
import { type AddressPolicy, mayReach, parseAddress } from "./AddressRules.ts"

/** Ports of other protocols (WHATWG Fetch, section 2.9, "bad port"), 0, and those of Redis and memcached. */
const badPorts: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080, 11211
])

/**
 * Top-level names that only mean something inside of a network (RFC 6761, 6762, 8375, 9476; ICANN's list of names that
 * collide).
 */
const privateSuffixes: ReadonlyArray<string> = [
  "localhost",
  "local",
  "localdomain",
  "internal",
  "intranet",
  "private",
  "corp",
  "home",
  "lan",
  "home.arpa"
]

const maxLength = 2_048

/** The host of a URL, without the brackets of IPv6 and without the dot that ends a full name. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "")

const isPrivateName = (host: string): boolean =>
  !host.includes(".") || privateSuffixes.some((suffix) => host === suffix || host.endsWith(`.${suffix}`))

const hostProblem = (host: string, policy: AddressPolicy): string | undefined => {
  if (host === "") return "must name a host"
  if (parseAddress(host) !== undefined)
    return mayReach(host, policy) ? undefined : "must not be a private, local or reserved address"
  return isPrivateName(host) && !policy.allowPrivate
    ? "must be reachable from the internet: this name is local to a network"
    : undefined
}

/** The URL, or why it can never be called, as a sentence about the field that held it. */
export const readTarget = (
  text: string,
  policy: AddressPolicy,
  { plainHttp = policy.allowPrivate }: { readonly plainHttp?: boolean } = {}
): Result.Result<URL, string> => {
  if (text.length > maxLength) return Result.fail(`must be at most ${maxLength} characters`)
  // URL parsers disagree about these characters, so a URL must not have them.
  if (/[\\\s\p{Cc}]/u.test(text)) return Result.fail("must not contain white space or a backslash")
  if (!URL.canParse(text)) return Result.fail("must be an absolute URL")
  const url = new URL(text)
  const schemes = plainHttp ? ["https:", "http:"] : ["https:"]
  if (!schemes.includes(url.protocol))
    return Result.fail(`must begin with ${schemes.map((scheme) => `${scheme}//`).join(" or ")}`)
  if (url.username !== "" || url.password !== "") return Result.fail("must not carry a user name or a password")
  if (url.port !== "" && badPorts.has(Number(url.port))) return Result.fail("must not name a port of another protocol")
  const problem = hostProblem(hostOf(url), policy)
  return problem === undefined ? Result.succeed(url) : Result.fail(problem)
}
