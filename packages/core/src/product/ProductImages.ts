/**
 * Pictures in the bodies of products and variants: which of them are files of the media library, and what is stored of
 * those. Files are held before any product is locked, so that a file that is being deleted is never referred to
 * afterwards.
 */
import { Effect, Struct } from "effect"
import { checkEach, FieldRejected } from "../kernel/FieldRejected.ts"
import { makeId } from "../kernel/Ids.ts"
import { referenceOf, thumbnailKeyOf } from "../media/MediaFile.ts"
import type { LibraryFiles } from "../media/LibraryFiles.ts"
import type { MediaAsset } from "../media/MediaAsset.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import type { ProductImage } from "./Product.ts"
import type { ImageInput } from "./ProductInput.ts"
import { notInLibrary, textsIn } from "../taxonomy/LibraryReferences.ts"

/** An image of a body, with the file of the library that it names, if it does. */
type HeldImage = typeof ImageInput.Type & { readonly asset?: MediaAsset | undefined }

interface Pictured {
  readonly image?: string | null | undefined
  readonly images?: ReadonlyArray<HeldImage> | undefined
  readonly variants?: ReadonlyArray<{ readonly image?: string | null | undefined }> | undefined
  /** Those whose values are pictures are judged when they are written. */
  readonly metafields?: Readonly<Record<string, unknown>> | undefined
}

/** The key where there is one, else the address. */
const named = ({ key, url }: HeldImage): string => key ?? url ?? ""

const namedIn = ({ image, images, variants, metafields }: Pictured): ReadonlyArray<string> =>
  [
    image,
    ...(images ?? []).map(named),
    ...(variants ?? []).map((variant) => variant.image),
    ...Object.values(metafields ?? {}).flatMap(textsIn)
  ].flatMap((text) => text ?? [])

/** Products, variants or patches, whose pictures are known: one statement where they have any of the library. */
export const makeAllHeldPictures =
  ({ hold }: LibraryFiles["Service"]) =>
  <Body extends Pictured>(store: StoreContext, bodies: ReadonlyArray<Body>): Effect.Effect<ReadonlyArray<Body>> => {
    const asked = bodies.flatMap(namedIn)
    if (asked.length === 0) return Effect.succeed(bodies)
    return Effect.map(hold(store, asked), (files) => bodies.map((body) => pictured(body, files)))
  }

const pictured = <Body extends Pictured>(body: Body, files: ReadonlyMap<string, MediaAsset>): Body => {
  const withAddress = <P extends Pictured>(part: P): P => {
    const file = files.get(part.image ?? "")
    return file === undefined ? part : { ...part, image: file.url }
  }
  const { images, variants } = body
  return withAddress({
    ...body,
    ...(images === undefined ? {} : { images: images.map((one) => ({ ...one, asset: files.get(named(one)) })) }),
    ...(variants === undefined ? {} : { variants: variants.map(withAddress) })
  })
}

/** The same of one body. */
export const makeHeldPictures = (files: LibraryFiles["Service"]) => {
  const holdAll = makeAllHeldPictures(files)
  return <Body extends Pictured>(store: StoreContext, body: Body): Effect.Effect<Body> =>
    Effect.map(holdAll(store, [body]), ([held = body]) => held)
}

/** What of a file a product keeps: it never changes (a thumbnail that comes late is brought), so it is copied. */
const fileFacts = (
  file: Pick<ProductImage, "key" | "url" | "thumbnailUrl" | "width" | "height" | "size" | "mimeType">
) => Struct.pick(file, ["key", "url", "thumbnailUrl", "width", "height", "size", "mimeType"])

/** Whether an image that is none of the product's own may be added to those there are. */
const checkNew = (image: HeldImage, i: number, { length }: ReadonlyArray<ProductImage>) => {
  if (image.id !== undefined && length > 0)
    return FieldRejected.at(`images.${i}.id`, "is not an image of this product, or is named twice")
  return named(image) === "" ? FieldRejected.at(`images.${i}`, "needs a url or a key") : Effect.void
}

/**
 * The images of a product after a body. One is the main one: the first that says so, else the first. An image that was
 * there keeps its id, its age and, under the same key or where only its id is given, what is known of it. A key that
 * names no file of the library is refused, and so is an id of no image of a product that has some; a product without
 * any, such as a new one, may be given a copy of those of another.
 */
export const imagesOf = Effect.fnUntraced(function* (
  given: ReadonlyArray<HeldImage> | undefined,
  current: ReadonlyArray<ProductImage>,
  now: number
) {
  if (given === undefined) return current
  const known = new Map(current.map((image) => [image.id, image]))
  const main = Math.max(
    0,
    given.findIndex((image) => image.isMain === true)
  )
  const read = Effect.fnUntraced(function* (image: HeldImage, i: number) {
    const before = known.get(image.id ?? "")
    known.delete(image.id ?? "")
    if (before === undefined) yield* checkNew(image, i, current)
    const place = placeOf(image, before)
    if (place === undefined) return yield* FieldRejected.at(`images.${i}.key`, notInLibrary)
    const made: ProductImage = {
      ...place,
      id: before?.id ?? makeId("img", now),
      alt: image.alt ?? image.asset?.alt ?? null,
      position: image.position ?? i,
      isMain: i === main,
      createdAt: before?.createdAt ?? new Date(now).toISOString()
    }
    return made
  })
  return yield* checkEach(given, read)
})

/**
 * Where an image lies: in the library, where it was under the same key before, or elsewhere; undefined where a key
 * names nothing.
 */
const placeOf = ({ asset, key = null, url }: HeldImage, before: ProductImage | undefined) => {
  if (asset !== undefined) return fileFacts(asset)
  if (key === null && before !== undefined && (url ?? "") === "") return fileFacts(before)
  if (key === null) return { url: url ?? "", key }
  if (before?.key === key) return fileFacts(before)
  // A key of somebody else's storage says nothing to us; the address beside it does.
  return typeof url === "string" && url !== "" && referenceOf(key) === undefined ? { url, key } : undefined
}

/**
 * Images without those of a deleted file, which `mark` tells. Where the main one goes, the first of the others takes
 * its place.
 */
export const withoutFile = (images: ReadonlyArray<ProductImage>, mark: string): ReadonlyArray<ProductImage> => {
  const left = images.filter((image) => !`${image.key} ${image.url}`.includes(mark))
  if (left.length === images.length || left.some(({ isMain }) => isMain)) return left
  const [first] = [...left].sort((a, b) => a.position - b.position)
  return left.map((image) => ({ ...image, isMain: image === first }))
}

/** Images with the thumbnail of the file with this key, which it has had since they took it up. */
export const withThumbnail = (images: ReadonlyArray<ProductImage>, key: string): ReadonlyArray<ProductImage> =>
  images.map((image) =>
    image.key === key ? { ...image, thumbnailUrl: image.url.replace(key, thumbnailKeyOf(key)) } : image
  )
