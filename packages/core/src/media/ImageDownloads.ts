/**
 * Fetches an image from another server. Every step goes through the guarded fetch: a private address, also after a
 * redirect, is not called. Redirects, bytes and time are limited.
 */
import { Context, Effect, Layer } from "effect"
import { FairTurns } from "../database/FairTurns.ts"
import { callBounds } from "../outbound/callBounds.ts"
import { GuardedFetch, type OutboundResponse } from "../outbound/GuardedFetch.ts"
import { SourceRejected } from "./MediaErrors.ts"

export interface DownloadedImage {
  readonly bytes: Uint8Array
  readonly contentType: string
  /** The last segment of the address's path; empty if there is none. */
  readonly name: string
}

const maxRedirects = 5
/** Milliseconds of real time for all steps together. */
const downloadMillis = 15_000

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const headers = { accept: "image/jpeg, image/png, image/webp, image/gif", "accept-encoding": "identity" }

const headerOf = ({ headers: given }: OutboundResponse, name: string): string => {
  const value = given[name]
  return typeof value === "string" ? value : (value?.[0] ?? "")
}

const refuse = (reason: string) => Effect.fail(new SourceRejected({ reason }))

/** The target of a redirect; undefined if it cannot be followed. */
const targetOf = (response: OutboundResponse, from: string): string | undefined => {
  const location = headerOf(response, "location")
  return location !== "" && URL.canParse(location, from) ? new URL(location, from).href : undefined
}

const nameOf = (url: string): string => {
  const last = new URL(url).pathname.split("/").at(-1) ?? ""
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}

export class ImageDownloads extends Context.Service<ImageDownloads>()("@effect-commerce/core/media/ImageDownloads", {
  make: Effect.gen(function* () {
    const { request } = yield* GuardedFetch
    const turns = new FairTurns(callBounds)

    const ask = (url: string, maxBytes: number, timeoutMs: number) =>
      request({ method: "GET", url, headers, maxBytes, timeoutMs, plainHttp: true }).pipe(
        Effect.catchTags({
          OutboundBlocked: ({ reason }) => refuse(reason),
          OutboundFailed: ({ reason }) => refuse(`could not be fetched: ${reason}`)
        })
      )

    const follow = Effect.fnUntraced(function* (from: string, maxBytes: number) {
      const until = performance.now() + downloadMillis
      let url = from
      for (let steps = 0; steps <= maxRedirects; steps++) {
        const response = yield* ask(url, maxBytes, Math.max(1, until - performance.now()))
        if (redirects.has(response.status)) {
          const next = targetOf(response, url)
          if (next === undefined) return yield* refuse("redirects to nowhere")
          url = next
          continue
        }
        if (response.status !== 200) return yield* refuse(`answers ${response.status}`)
        if (!response.complete) return yield* refuse(`is larger than ${maxBytes} bytes, or was cut off`)
        const contentType = headerOf(response, "content-type")
        const image: DownloadedImage = { bytes: response.body, contentType, name: nameOf(url) }
        return image
      }
      return yield* refuse(`redirects more than ${maxRedirects} times`)
    })

    return {
      fetch: Effect.fn("ImageDownloads.fetch")((storeId: string, from: string, maxBytes: number) =>
        turns.run(storeId)(follow(from, maxBytes))
      )
    }
  })
}) {
  static readonly layer = Layer.effect(ImageDownloads, ImageDownloads.make)
}
