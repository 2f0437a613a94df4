/** A file of the media library, as a merchant sees it. */
import { Schema } from "effect"
import {
  clearable,
  described,
  fileUrl,
  filledText,
  integer,
  nullableFileUrl,
  nullableString,
  oneOf,
  optional,
  string,
  text,
  timestamp
} from "../kernel/Fields.ts"
import { imageTypes } from "../image/ImageType.ts"
import type { MediaFileState } from "./MediaFile.ts"

export const MediaAsset = Schema.Struct({
  id: string("Id of the file.", "media_01kaw7c0x5n1m9q2r8t4v6w3yz"),
  url: fileUrl(
    "Address of the image. What is there never changes.",
    "https://shop.example/api/media/store_01k/9f86.jpg"
  ),
  key: string("Key of the file for fields that accept one: images of products, imageKey, logoKey."),
  thumbnailUrl: nullableFileUrl(
    "Address of a WebP of at most 400 pixels a side. Null until it is made, which may be a minute after the upload, " +
      "and for good where the server makes none or the image cannot be decoded."
  ),
  mimeType: oneOf(imageTypes, "What the file is, as its content says."),
  width: integer("Pixels, as the image is shown, after rotation.", 1_200),
  height: integer("Pixels, as the image is shown.", 800),
  size: integer("Bytes that are stored.", 183_204),
  name: string("Name of the file. It is shown to merchants and found by a search.", "lamp.jpg"),
  alt: nullableString(
    "Text for people who cannot see the image. Product images take it over unless they have their own."
  ),
  createdAt: timestamp("When the file was uploaded."),
  updatedAt: timestamp("When its name or text was last changed. It is the version that If-Match names.")
}).annotate({ identifier: "MediaAsset", description: "An image of the media library." })
export type MediaAsset = typeof MediaAsset.Type

/** Most characters of a file's name and alt text. */
export const mediaTextLength = { name: 255, alt: 1_000 }

export const MediaAssetPatch = Schema.Struct({
  name: optional(filledText(mediaTextLength.name), "Name of the file.", "lamp.jpg"),
  alt: clearable(text(mediaTextLength.alt), "Text for people who cannot see the image.", "A brass lamp on a desk")
}).annotate({
  identifier: "UpdateMediaAsset",
  description: "Changes of a file's name and text. What is left out stays; null clears."
})
export type MediaAssetPatch = typeof MediaAssetPatch.Type

/** Texts that may be sent with a file. */
export const MediaTexts = Schema.Struct({
  name: optional(text(mediaTextLength.name), "Name of the file. By default the one it is sent with."),
  alt: optional(text(mediaTextLength.alt), "Text for people who cannot see the image.")
})
export type MediaTexts = typeof MediaTexts.Type

export const MediaSourceUrl = described(
  Schema.NonEmptyString.pipe(Schema.check(Schema.isMaxLength(2_048))).annotate({ format: "uri" }),
  "Address of an image on another server (http or https), which is fetched and kept.",
  "https://images.example.com/lamp.jpg"
)

export const MediaIngest = Schema.Struct({ sourceUrl: MediaSourceUrl, ...MediaTexts.fields }).annotate({
  identifier: "IngestMedia",
  description: "The address of an image that is fetched and kept."
})
export type MediaIngest = typeof MediaIngest.Type

export const toMediaAsset = (file: MediaFileState, urlOf: (key: string) => string): MediaAsset => ({
  id: file.id,
  url: urlOf(file.key),
  key: file.key,
  thumbnailUrl: file.thumbnailKey === null ? null : urlOf(file.thumbnailKey),
  mimeType: file.mimeType,
  width: file.width,
  height: file.height,
  size: file.size,
  name: file.name,
  alt: file.alt,
  createdAt: file.createdAt.toISOString(),
  updatedAt: file.updatedAt.toISOString()
})
