/**
 * What OpenID Connect issuers publish, kept in this process: their metadata for an hour, their keys for as long, and
 * asked for anew where an ID token names a key that is not among them, at most once a minute. Each store has a share of
 * its own, so that no store pushes out what another needs.
 */
import { Clock, Effect } from "effect"
import type { AuthorizationServer } from "oauth4webapi"
import type { JSONWebKeySet } from "jose"
import { loginProviderBound } from "./LoginProvider.ts"
import { type Calling, objectOf, OddAnswer, type ProviderCalls } from "./ProviderCalls.ts"

/** Milliseconds of the instance's clock. */
const keptMillis = 3_600_000
const leastBetweenKeys = 60_000
const mostStores = 1_000
const mostKeys = 100

export interface Issuer {
  readonly server: AuthorizationServer & {
    readonly authorization_endpoint: string
    readonly token_endpoint: string
    readonly jwks_uri: string
  }
  readonly keys: JSONWebKeySet
  /** When the keys were asked for. */
  readonly keysAt: number
  readonly until: number
}

export const makeIssuers = (calls: ProviderCalls) => {
  const shares = new Map<string, Map<string, Issuer>>()

  const kept = (storeId: string, name: string, now: number): Issuer | undefined => {
    const issuer = shares.get(storeId)?.get(name)
    return issuer !== undefined && now < issuer.until && issuer.until - now <= keptMillis ? issuer : undefined
  }

  const keep = (storeId: string, name: string, issuer: Issuer): void => {
    const share = shares.get(storeId) ?? new Map<string, Issuer>()
    share.delete(name)
    share.set(name, issuer)
    dropOldest(share, loginProviderBound.most)
    shares.delete(storeId)
    shares.set(storeId, share)
    dropOldest(shares, mostStores)
  }

  /** The metadata and keys of an issuer, kept or asked for. `name` is the issuer as the store writes it. */
  const of = Effect.fnUntraced(function* (storeId: string, provider: string, name: string) {
    const now = yield* Clock.currentTimeMillis
    const known = kept(storeId, name, now)
    if (known !== undefined) return known
    const issuer = yield* calls.exchange(provider, async (calling) => {
      const server = await discovered(calling, name)
      return { server, keys: await keysOf(calling, server.jwks_uri), keysAt: now, until: now + keptMillis }
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
    const keys = yield* calls.exchange(provider, (calling) => keysOf(calling, known.server.jwks_uri))
    const issuer = { ...known, keys, keysAt: now }
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
  const { authorization_endpoint: authorize, token_endpoint: token, jwks_uri: keys } = server
  const isSafe = authorize !== undefined && mayBeOpened(authorize, issuer)
  if (!isSafe || token === undefined || keys === undefined) throw new OddAnswer("its metadata is not complete")
  return { ...server, authorization_endpoint: authorize, token_endpoint: token, jwks_uri: keys }
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
  return { keys: keys.filter((key) => typeof key === "object" && key !== null) }
}

export type Issuers = ReturnType<typeof makeIssuers>
