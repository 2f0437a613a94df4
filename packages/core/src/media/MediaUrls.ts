/**
 * The address that a file is read at. It leads to the public address of the storage where there is one (a CDN, a bucket
 * that may be read), else to this server's own `/api/media`: at the public URL of the installation, or, where none is
 * set, at the address that the request under way came to.
 */
import { Context, Effect, Layer } from "effect"
import { type MediaOptions, publicUrlOf } from "./MediaOptions.ts"

/** The scheme and host that the request under way was sent to, such as `https://shop.example`; empty outside of one. */
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
    /** Makes addresses of keys, for the request under way. */
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
