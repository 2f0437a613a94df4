/**
 * Port. Decides the small picture that is shown for an image in lists: a WebP of at most 400 pixels a side, of the
 * first frame, the right way up; or none. Called for images that have passed ImageInspection, outside of any
 * transaction. Default: sharp, where it is installed, one image at a time in a process; where it is not, there are no
 * thumbnails. A file that sharp cannot read has none either. It is loaded with the first image and never before.
 */
import type sharpType from "sharp"
import { Context, Effect, Layer, Semaphore } from "effect"
import { maxPixels } from "./ImageInspection.ts"

export interface ThumbnailsMethods {
  /** The bytes of a WebP image, or undefined. */
  readonly make: (bytes: Uint8Array) => Effect.Effect<Uint8Array | undefined>
}

export const thumbnailSide = 400

type Sharp = typeof sharpType

/** Loaders of libvips that read the four formats; the others, such as those of SVG and PDF, stay shut. */
const loaders = ["Jpeg", "Png", "Webp", "Nsgif"].map((format) => `VipsForeignLoad${format}`)

const loadSharp = async (): Promise<Sharp | undefined> => {
  try {
    const { default: sharp } = await import("sharp")
    sharp.concurrency(1)
    sharp.cache(false)
    sharp.block({ operation: ["VipsForeignLoad"] })
    sharp.unblock({ operation: loaders })
    return sharp
  } catch {
    return undefined
  }
}

export class Thumbnails extends Context.Service<Thumbnails, ThumbnailsMethods>()(
  "@effect-commerce/core/media/Thumbnails"
) {
  static readonly layer = Layer.effect(
    Thumbnails,
    Effect.gen(function* () {
      const loaded = yield* Effect.cached(Effect.promise(loadSharp))
      const oneAtATime = yield* Semaphore.make(1)
      const make = Effect.fn("Thumbnails.make")(function* (bytes: Uint8Array) {
        const sharp = yield* loaded
        if (sharp === undefined) return undefined
        const side = { width: thumbnailSide, height: thumbnailSide, fit: "inside", withoutEnlargement: true } as const
        const made = Effect.tryPromise(() =>
          sharp(bytes, { limitInputPixels: maxPixels, pages: 1, failOn: "error", sequentialRead: true })
            .rotate()
            .resize(side)
            .webp({ quality: 80 })
            .timeout({ seconds: 10 })
            .toBuffer()
        )
        return yield* oneAtATime
          .withPermits(1)(made)
          .pipe(
            Effect.map((buffer): Uint8Array | undefined => buffer),
            Effect.catch((error) => Effect.as(Effect.logDebug("An image has no thumbnail", error), undefined))
          )
      })
      return Thumbnails.of({ make })
    })
  )
}
