/**
 * A stored image and its key. A key is `{store}/{hash}-{file}.{ext}`: the hash of its content, which therefore never
 * changes under that key, and the unique part of its id. The id can be read from the key, so a file is found by its
 * primary key by either of them.
 */
import { Schema } from "effect"
import type { ImageType } from "../image/ImageType.ts"
import { fileUrl, integer, string } from "../kernel/Fields.ts"

export const filePurposes = ["library", "customization", "review_photo"] as const
/** The purpose of a file: a merchant's media library, or a shopper's customization or review. */
export type FilePurpose = (typeof filePurposes)[number]

/** As the repository reads it. Sizes are bytes, width and height pixels as the image is shown. */
export interface MediaFileState {
  readonly id: string
  readonly purpose: FilePurpose
  readonly key: string
  readonly thumbnailKey: string | null
  readonly mimeType: ImageType
  readonly size: number
  readonly width: number
  readonly height: number
  readonly name: string
  readonly alt: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** The file as the storefront's responses have it, and as carts, orders and reviews store it. */
export const UploadedFile = Schema.Struct({
  url: fileUrl("Address of the image.", "https://shop.example/api/media/store_01k/9f86-01k.jpg"),
  key: string("Names the image where it is used."),
  width: integer("Pixels, as the image is shown.", 1_200),
  height: integer("Pixels, as the image is shown.", 800)
}).annotate({ identifier: "UploadedImage", description: "An image that a shopper has uploaded." })
export type UploadedFile = typeof UploadedFile.Type

const extensions: Readonly<Record<ImageType, string>> = {
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/webp": "webp",
  "image/gif": "gif"
}

export const idPrefix = "media"

export const keyOf = (storeId: string, id: string, contentHash: string, type: ImageType): string =>
  `${storeId}/${contentHash.slice(0, 32)}-${id.slice(idPrefix.length + 1)}.${extensions[type]}`

/**
 * The part of a key that only a file and its thumbnail share: a text that contains it refers to the file.
 */
export const markOf = (key: string): string => key.replace(/(?:-thumb)?\.[a-z]+$/, "")

/** The key of the thumbnail of the file with this key, if it has one. */
export const thumbnailKeyOf = (key: string): string => `${markOf(key)}-thumb.webp`

const namePattern = /^[0-9a-f]{32}-([0-9a-z]{26})(?:-thumb)?\.(?:jpg|png|webp|gif)$/
const keyPattern = /([\w-]{1,100})\/([0-9a-f]{32}-[0-9a-z]{26}(?:-thumb)?\.(?:jpg|png|webp|gif))$/

/** The id of the file with this name, the part of the key after the store's id; undefined for an invalid name. */
export const idOfName = (name: string): string | undefined => {
  const tail = namePattern.exec(name)?.[1]
  return tail === undefined ? undefined : `${idPrefix}_${tail}`
}

export interface FileReference {
  readonly storeId: string
  readonly key: string
  readonly id: string
}

/** The file that a key, or an address that ends with one, refers to; the file need not exist. */
export const referenceOf = (keyOrUrl: string): FileReference | undefined => {
  if (keyOrUrl.length > 2_000) return undefined
  const [key, storeId, name] = keyPattern.exec(keyOrUrl) ?? []
  const id = idOfName(name ?? "")
  return key === undefined || storeId === undefined || id === undefined ? undefined : { storeId, key, id }
}
