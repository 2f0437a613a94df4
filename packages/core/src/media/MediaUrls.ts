/**
 * The public address of a file: below the public URL of the storage if there is one (a CDN, a public bucket), else
 * below this server's `/api/media`, at the public URL of the installation or, if none is set, at the address that the
 * current request was sent to.
 */
import { Context, Effect, Layer } from "effect"
import { type MediaOptions, publicUrlOf } from "./MediaOptions.ts"

/** The scheme and host that the current request was sent to, such as `https://shop.example`; empty without one. */
export const RequestOrigin = Context.Reference<() => string>("@effect-commerce/core/media/RequestOrigin", {
  defaultValue: () => () => ""
})

export interface MediaUrlOptions {
  readonly media: MediaOptions
  /** COMMERCE_PUBLIC_URL. */
  readonly publicUrl: string | undefined
  /** The base path of this server: `/api` by default. */
  readonly basePath: string
}

export class MediaUrls extends Context.Service<MediaUrls>()("@effect-commerce/core/media/MediaUrls", {
  make: Effect.fnUntraced(function* ({ media, publicUrl, basePath }: MediaUrlOptions) {
    const elsewhere = yield* publicUrlOf(media)
    const at = (base: string) => (key: string) => `${base}/${key}`
    const served = (origin: string) => at(`${withoutSlash(origin)}${basePath}/media`)
    /** The function from keys to addresses, for the current request. */
    const current: Effect.Effect<(key: string) => string> =
      elsewhere !== undefined
        ? Effect.succeed(at(withoutSlash(elsewhere)))
        : publicUrl !== undefined
          ? Effect.succeed(served(publicUrl))
          : Effect.map(RequestOrigin, (origin) => served(origin()))
    return { current }
  })
}) {
  static readonly layer = (options: MediaUrlOptions) => Layer.effect(MediaUrls, MediaUrls.make(options))
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, "")
