/**
 * Notices a proxy that nobody has named. Behind one all requests come from its address, so that all clients share the
 * limits of one. The evidence is only in what a proxy does and a developer's curl does not: fifty requests with
 * X-Forwarded-For, all of one address that is not trusted, for at least two different clients. It is said once; after
 * that, and once such requests come from a second address, nothing is looked at any more.
 */
import { Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import { clientAddress, isForwarded } from "./ClientAddress.ts"

/** Requests before anything is said. */
export const enoughRequests = 50

const warning = (peer: string): string =>
  `${enoughRequests} requests with X-Forwarded-For came from ${peer}, which is not a trusted proxy: all clients ` +
  "behind it share the limits of one. If it is your proxy, name it in COMMERCE_TRUSTED_PROXIES (`trustedProxies` of " +
  "createCommerce)"

type Watch = (request: HttpServerRequest.HttpServerRequest, peer: string | undefined) => string | undefined

/** The warning, from the request at which it is clear. */
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
    // Whom the limits would count, were it trusted.
    const client = clientAddress(request, peer, [peer])
    first ??= client
    isForSeveral ||= client !== first
    count += 1
    return isForSeveral && count >= enoughRequests ? decided(warning(peer)) : undefined
  }
}
