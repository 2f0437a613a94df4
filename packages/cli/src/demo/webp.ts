/** Makes a WebP file of a drawing, where sharp is installed; it is an optional dependency of the command. */
import { Effect } from "effect"

/** The same drawing gives the same bytes. Undefined where sharp is not installed. */
export const webpDrawer = Effect.gen(function* () {
  const loaded = yield* Effect.promise(() => import("sharp").catch(() => undefined))
  if (loaded === undefined) {
    yield* Effect.logWarning("The demo store stays without pictures: the optional package sharp is not installed")
    return undefined
  }
  const { default: sharp } = loaded
  sharp.concurrency(1)
  sharp.cache(false)
  return (svg: string): Effect.Effect<Uint8Array> =>
    Effect.promise(() => sharp(Buffer.from(svg)).webp({ quality: 72, effort: 0 }).toBuffer())
})
