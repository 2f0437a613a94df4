/**
 * Detects a proxy that is missing in `trustedProxies`. Behind it all requests come from its address, so that all
 * clients share the limits of one. The evidence is what a proxy does and a developer's curl does not: fifty requests
 * with X-Forwarded-For, all from one address that is not trusted, for at least two different clients. The warning is
 * logged once; after that, or once such requests come from a second address, nothing is checked any more.
 */
import { Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import { clientAddress, isForwarded } from "./ClientAddress.ts"

/** Requests before the warning. */
export const enoughRequests = 50

const warning = (peer: string): string =>
  `${enoughRequests} requests with X-Forwarded-For came from ${peer}, which is not a trusted proxy: all clients ` +
  "behind it share the limits of one. If it is your proxy, name it in COMMERCE_TRUSTED_PROXIES (`trustedProxies` of " +
  "createCommerce)"

type Watch = (request: HttpServerRequest.HttpServerRequest, peer: string | undefined) => string | undefined

/** The warning, at the request that completes the evidence. */
export const makeProxyWatch = (trusted: ReadonlyArray<string>): Watch => {
  let isDecided = false
  let only: string | undefined
  let first: string | undefined
  let count = 0
  let isForSeveral = false

  const decided = (words?: string): string | undefined => {
    isDecided = true
    return words
  }

  return (request, given) => {
    if (isDecided || request.headers["x-forwarded-for"] === undefined || isForwarded(request, given, trusted))
      return undefined
    const peer = given ?? Option.getOrUndefined(request.remoteAddress)
    if (peer === undefined) return undefined
    only ??= peer
    if (peer !== only) return decided()
    // The client that limits would count if the proxy were trusted.
    const client = clientAddress(request, peer, [peer])
    first ??= client
    isForSeveral ||= client !== first
    count += 1
    return isForSeveral && count >= enoughRequests ? decided(warning(peer)) : undefined
  }
}
