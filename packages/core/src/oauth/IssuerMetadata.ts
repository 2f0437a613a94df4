/**
 * What OpenID Connect issuers publish, kept in this process: their metadata for an hour, their keys for as long, and
 * asked for anew where an ID token names a key that is not among them, at most once a minute. Of what they publish only
 * the fields that are used are kept, of bounded size. Each store has a share of its own, so that no store pushes out
 * what another needs.
 */
import { Clock, Effect } from "effect"
import type { AuthorizationServer } from "oauth4webapi"
import type { JSONWebKeySet, JWK } from "jose"
import { loginProviderBound } from "./LoginProvider.ts"
import { type Calling, objectOf, OddAnswer, type ProviderCalls } from "./ProviderCalls.ts"

/** Milliseconds of the instance's clock. */
const keptMillis = 3_600_000
const leastBetweenKeys = 60_000
const mostStores = 1_000
const mostKeys = 100
/** In UTF-16 code units: an address, a part of a key (the modulus of 16,384 bits), an issuer, and all that are kept. */
const longestAddress = 2_000
const longestKeyPart = 3_000
const mostOfIssuer = 65_536
const mostOfAll = 16_777_216

export const idTokenAlgorithms = [
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
  ...["ES256", "ES384", "ES512", "EdDSA", "Ed25519"]
]
const clientAuthentications = ["client_secret_basic", "client_secret_post"]

export interface Published {
  readonly server: AuthorizationServer & {
    readonly authorization_endpoint: string
    readonly token_endpoint: string
    readonly jwks_uri: string
  }
  readonly keys: JSONWebKeySet
}

export interface Issuer extends Published {
  /** When the keys were asked for. */
  readonly keysAt: number
  readonly size: number
  readonly until: number
}

export const makeIssuers = (calls: ProviderCalls) => {
  const shares = new Map<string, Map<string, Issuer>>()

  const kept = (storeId: string, name: string, now: number): Issuer | undefined => {
    const issuer = shares.get(storeId)?.get(name)
    return issuer !== undefined && now < issuer.until && issuer.until - now <= keptMillis ? issuer : undefined
  }

  const sizeOfAll = (): number => {
    let size = 0
    for (const share of shares.values()) for (const issuer of share.values()) size += issuer.size
    return size
  }

  const keep = (storeId: string, name: string, issuer: Issuer): void => {
    const share = shares.get(storeId) ?? new Map<string, Issuer>()
    share.delete(name)
    share.set(name, issuer)
    dropOldest(share, loginProviderBound.most)
    shares.delete(storeId)
    shares.set(storeId, share)
    dropOldest(shares, mostStores)
    while (shares.size > 1 && sizeOfAll() > mostOfAll) dropOldest(shares, shares.size - 1)
  }

  /** The metadata and keys of an issuer, kept or asked for. `name` is the issuer as the store writes it. */
  const of = Effect.fnUntraced(function* (storeId: string, provider: string, name: string) {
    const now = yield* Clock.currentTimeMillis
    const known = kept(storeId, name, now)
    if (known !== undefined) return known
    const issuer = yield* calls.exchange(provider, async (calling) => {
      const server = await discovered(calling, name)
      const published = { server, keys: await keysOf(calling, server.jwks_uri) }
      return { ...published, size: sizeOf(published), keysAt: now, until: now + keptMillis }
    })
    keep(storeId, name, issuer)
    return issuer
  })

  /** The same with keys that were asked for again, unless that was done a moment ago. */
  const withNewKeys = Effect.fnUntraced(function* (storeId: string, provider: string, name: string, before: Issuer) {
    const now = yield* Clock.currentTimeMillis
    const known = kept(storeId, name, now) ?? before
    if (known.keysAt !== before.keysAt) return known
    if (now - known.keysAt < leastBetweenKeys && now >= known.keysAt) return known
    const issuer = yield* calls.exchange(provider, async (calling) => {
      const keys = await keysOf(calling, known.server.jwks_uri)
      return { ...known, keys, size: sizeOf({ server: known.server, keys }), keysAt: now }
    })
    keep(storeId, name, issuer)
    return issuer
  })

  return { of, withNewKeys }
}

const dropOldest = (map: Map<string, unknown>, most: number): void => {
  const [oldest] = map.keys()
  if (map.size > most && oldest !== undefined) map.delete(oldest)
}

/** Requests to http:// are allowed here because the room `outbound` decides about them. */
const discovered = async ({ oauth, fetch }: Calling, name: string): Promise<Issuer["server"]> => {
  const issuer = new URL(name)
  const response = await oauth.discoveryRequest(issuer, {
    [oauth.customFetch]: fetch,
    [oauth.allowInsecureRequests]: true
  })
  const server = await oauth.processDiscoveryResponse(issuer, response)
  const [authorize, token, keys] = [server.authorization_endpoint, server.token_endpoint, server.jwks_uri].map(address)
  const isSafe = authorize !== undefined && mayBeOpened(authorize, issuer)
  if (!isSafe || token === undefined || keys === undefined) throw new OddAnswer("its metadata is not complete")
  const userinfo = address(server.userinfo_endpoint)
  return {
    issuer: server.issuer,
    authorization_endpoint: authorize,
    token_endpoint: token,
    jwks_uri: keys,
    ...(userinfo === undefined ? {} : { userinfo_endpoint: userinfo }),
    ...among("token_endpoint_auth_methods_supported", server, clientAuthentications),
    ...among("id_token_signing_alg_values_supported", server, idTokenAlgorithms),
    ...among("userinfo_signing_alg_values_supported", server, idTokenAlgorithms),
    authorization_response_iss_parameter_supported: server.authorization_response_iss_parameter_supported === true
  }
}

const address = (given: unknown): string | undefined =>
  typeof given === "string" && given.length <= longestAddress ? given : undefined

type ListField =
  | "token_endpoint_auth_methods_supported"
  | "id_token_signing_alg_values_supported"
  | "userinfo_signing_alg_values_supported"

/** What of a list we know; without the field the protocol's default holds. */
const among = (field: ListField, server: AuthorizationServer, known: ReadonlyArray<string>) => {
  const given: unknown = server[field]
  return Array.isArray(given) ? { [field]: known.filter((one) => given.includes(one)) } : {}
}

/** In UTF-16 code units. */
const sizeOf = (published: Published): number => {
  const size = JSON.stringify(published).length
  if (size > mostOfIssuer) throw new OddAnswer("what it publishes is too long")
  return size
}

/** Whether a browser may be sent there: https, or http for an issuer that is itself served so. */
const mayBeOpened = (address: string, issuer: URL): boolean => {
  if (!URL.canParse(address)) return false
  const { protocol } = new URL(address)
  return protocol === "https:" || (protocol === "http:" && issuer.protocol === "http:")
}

const keysOf = async ({ fetch }: Calling, address: string): Promise<JSONWebKeySet> => {
  const response = await fetch(address, { method: "GET", headers: { accept: "application/json" } })
  if (response.status !== 200) throw new OddAnswer(`its keys were answered with the status ${response.status}`)
  const { keys } = await objectOf(response)
  if (!Array.isArray(keys) || keys.length > mostKeys) throw new OddAnswer("its keys are not a list of keys")
  return { keys: keys.flatMap(keyOf) }
}

/** The parts of a public key, and what it is for. */
const keyParts = ["kty", "kid", "use", "alg", "n", "e", "crv", "x", "y"] as const

/** The key without whatever else it carries, such as certificates; none where a part is too long or no text. */
const keyOf = (given: unknown): ReadonlyArray<JWK> => {
  if (typeof given !== "object" || given === null) return []
  const parts = keyParts.flatMap((name): ReadonlyArray<[string, unknown]> => {
    const part: unknown = (given as Readonly<Record<string, unknown>>)[name]
    return part === undefined ? [] : [[name, part]]
  })
  const isWhole = parts.every(([, part]) => typeof part === "string" && part.length <= longestKeyPart)
  return isWhole ? [Object.fromEntries(parts)] : []
}

export type Issuers = ReturnType<typeof makeIssuers>
