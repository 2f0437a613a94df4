/**
 * Pictures in the bodies of products and variants: which of them are files of the media library, and what is stored of
 * those. Files are locked before any product, so that no product refers to a file after its deletion.
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

/** An image of a body, with the library file that it names, if any. */
type HeldImage = typeof ImageInput.Type & { readonly asset?: MediaAsset | undefined }

interface Pictured {
  readonly image?: string | null | undefined
  readonly images?: ReadonlyArray<HeldImage> | undefined
  readonly variants?: ReadonlyArray<{ readonly image?: string | null | undefined }> | undefined
  /** Metafields whose values are pictures are checked when they are written. */
  readonly metafields?: Readonly<Record<string, unknown>> | undefined
}

/** The key if there is one, else the URL. */
const named = ({ key, url }: HeldImage): string => key ?? url ?? ""

const namedIn = ({ image, images, variants, metafields }: Pictured): ReadonlyArray<string> =>
  [
    image,
    ...(images ?? []).map(named),
    ...(variants ?? []).map((variant) => variant.image),
    ...Object.values(metafields ?? {}).flatMap(textsIn)
  ].flatMap((text) => text ?? [])

/** Looks up the pictures of products, variants or patches in the library, and locks them: at most one statement. */
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

/** The same for one body. */
export const makeHeldPictures = (files: LibraryFiles["Service"]) => {
  const holdAll = makeAllHeldPictures(files)
  return <Body extends Pictured>(store: StoreContext, body: Body): Effect.Effect<Body> =>
    Effect.map(holdAll(store, [body]), ([held = body]) => held)
}

/** What a product copies of a file: it never changes, except for a late thumbnail, which is added later. */
const fileFacts = (
  file: Pick<ProductImage, "key" | "url" | "thumbnailUrl" | "width" | "height" | "size" | "mimeType">
) => Struct.pick(file, ["key", "url", "thumbnailUrl", "width", "height", "size", "mimeType"])

/** Whether an image that is not yet on the product may be added to the existing ones. */
const checkNew = (image: HeldImage, i: number, { length }: ReadonlyArray<ProductImage>) => {
  if (image.id !== undefined && length > 0)
    return FieldRejected.at(`images.${i}.id`, "is not an image of this product, or is named twice")
  return named(image) === "" ? FieldRejected.at(`images.${i}`, "needs a url or a key") : Effect.void
}

/**
 * The images of a product after a body. One is the main image: the first that is marked so, else the first. An existing
 * image keeps its id, its creation time and, under the same key or where only its id is given, its known facts. A key
 * that names no file of the library is rejected, and so is an unknown image id on a product that has images; a product
 * without any, such as a new one, may be given a copy of another product's images.
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
 * Where an image is stored: in the library, where it was under the same key before, or elsewhere; undefined where the
 * key is unknown.
 */
const placeOf = ({ asset, key = null, url }: HeldImage, before: ProductImage | undefined) => {
  if (asset !== undefined) return fileFacts(asset)
  if (key === null && before !== undefined && (url ?? "") === "") return fileFacts(before)
  if (key === null) return { url: url ?? "", key }
  if (before?.key === key) return fileFacts(before)
  // A key of another system's storage means nothing here; the URL beside it is used.
  return typeof url === "string" && url !== "" && referenceOf(key) === undefined ? { url, key } : undefined
}

/**
 * Images without those of a deleted file, identified by `mark`. If the main image is removed, the first of the others
 * becomes the main one.
 */
export const withoutFile = (images: ReadonlyArray<ProductImage>, mark: string): ReadonlyArray<ProductImage> => {
  const left = images.filter((image) => !`${image.key} ${image.url}`.includes(mark))
  if (left.length === images.length || left.some(({ isMain }) => isMain)) return left
  const [first] = [...left].sort((a, b) => a.position - b.position)
  return left.map((image) => ({ ...image, isMain: image === first }))
}

/** Images with the thumbnail of the file with this key, which was generated after they began to use the file. */
export const withThumbnail = (images: ReadonlyArray<ProductImage>, key: string): ReadonlyArray<ProductImage> =>
  images.map((image) =>
    image.key === key ? { ...image, thumbnailUrl: image.url.replace(key, thumbnailKeyOf(key)) } : image
  )
