/** The media library, uploads of shoppers, and the files themselves. */
import { AnyJson, described, string } from "@effect-commerce/core/kernel/Fields"
import { listEnvelope, pageQuery } from "@effect-commerce/core/kernel/Pagination"
import {
  MediaAsset,
  MediaAssetPatch,
  MediaIngest,
  MediaSourceUrl,
  MediaTexts
} from "@effect-commerce/core/media/MediaAsset"
import {
  ImageRejected,
  ImageTooLarge,
  MediaNotFound,
  MediaUploadFailed,
  SourceRejected,
  StorageFull,
  StorageLimitReached
} from "@effect-commerce/core/media/MediaErrors"
import { UploadedFile } from "@effect-commerce/core/media/MediaFile"
import { ProductNotFound } from "@effect-commerce/core/taxonomy/TaxonomyErrors"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { searchOf } from "../middleware/SearchQuery.ts"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { adminRoute, channelRoute, customerRoute, openRoute } from "../middleware/Policy.ts"
import { RateLimited, RequestInvalid } from "../middleware/Refusals.ts"
import { row } from "../middleware/Versioned.ts"
import { Success } from "../middleware/Responses.ts"
import { mediaErrors } from "./mediaErrors.ts"
import { taxonomyErrors } from "../taxonomy/taxonomyErrors.ts"

const fails = failsBy(mediaErrors, taxonomyErrors)

const megabyte = 1_048_576
/** Bytes of a form besides the file: boundaries, headers, other fields. */
const aroundFile = 65_536
const mediaBody = 10 * megabyte + aroundFile
const uploadBody = 5 * megabyte + aroundFile

/**
 * Bytes of a form's part; they are read from the stream, and never decoded as text. In OpenAPI 3.1 such a part has a
 * media type and no JSON type, so that generated clients send a Blob.
 */
const binary = (description: string) =>
  described(
    AnyJson.pipe(
      Schema.check(
        Schema.makeFilter(() => true, { toJsonSchema: () => ({ contentMediaType: "application/octet-stream" }) })
      )
    ),
    description
  )

const formLimits = { maxParts: 20, maxFieldSize: 16_384 }

const MediaUpload = Schema.Struct({
  file: Schema.optionalKey(binary("A JPEG, PNG, WebP or GIF image of at most 10 MB. Send this or `sourceUrl`.")),
  sourceUrl: Schema.optionalKey(MediaSourceUrl),
  ...MediaTexts.fields
})
  .annotate({ identifier: "UploadMedia", description: "An image, or the address of one." })
  .pipe(HttpApiSchema.asMultipartStream(formLimits))

const ShopperUpload = Schema.Struct({
  file: binary("One JPEG, PNG, WebP or GIF image of at most 5 MB and 40 megapixels.")
})
  .annotate({ identifier: "UploadImage", description: "One image." })
  .pipe(HttpApiSchema.asMultipartStream(formLimits))

const id = { id: string("Id of the file.") }
const channel = { salesChannelId: string("The sales channel of the storefront.") }
const refusals = [
  RequestInvalid,
  ImageRejected,
  ImageTooLarge,
  MediaUploadFailed,
  StorageLimitReached,
  StorageFull
] as const

const acceptedImages =
  "JPEG, PNG, WebP and GIF are accepted, of at most 40 megapixels, 500 frames and, of a progressive JPEG, 100 scans " +
  "(pixels times scans are at most 1,000 million). The declared type must be the type that the content has. Where " +
  "and when a photo was taken, and what programs have written into it, is not stored."

export class MediaGroup extends apiGroup("media", {
  part: "Admin",
  title: "Media",
  description: "Images of a store: uploaded, or fetched from an address, and shown by products, categories and brands."
}).add(
  HttpApiEndpoint.get("list", "/v1/media", {
    query: { ...pageQuery, search: searchOf("name and text") },
    success: listEnvelope(MediaAsset)
  }).pipe(
    adminRoute({
      summary: "List files",
      description: "Returns the files of the media library, newest first, in pages."
    })
  ),
  HttpApiEndpoint.post("create", "/v1/media", {
    payload: [MediaUpload, MediaIngest],
    success: MediaAsset.pipe(HttpApiSchema.status(201)),
    error: fails(...refusals, SourceRejected, RateLimited)
  }).pipe(
    adminRoute({
      maxBody: mediaBody,
      summary: "Upload a file",
      description:
        "Adds an image of at most 10 MB to the media library: send multipart/form-data with the field `file`, such " +
        `as \`curl -F 'file=@lamp.jpg;type=image/jpeg'\`. ${acceptedImages} The response waits a second at most for ` +
        "the thumbnail: where `thumbnailUrl` is null, it may come later, and is then shown by the file and by " +
        "products that show the file. Instead of a file, `sourceUrl` names an image on another server: it is fetched " +
        "over at most five redirects, never from a private address, and at most 20 times in five minutes " +
        "with one key. A key for all stores of an account names the store in the query."
    })
  ),
  HttpApiEndpoint.get("get", "/v1/media/:id", {
    params: id,
    success: MediaAsset,
    error: fails(MediaNotFound)
  }).pipe(adminRoute({ summary: "Get a file", description: "Returns one file of the media library." })),
  HttpApiEndpoint.patch("update", "/v1/media/:id", {
    params: id,
    payload: MediaAssetPatch,
    success: MediaAsset,
    error: fails(MediaNotFound)
  }).pipe(
    adminRoute({
      version: row("mediaFile", "id"),
      oneTransaction: true,
      summary: "Change the name or text of a file",
      description: "Changes the name of a file, or its alternative text. Products keep the text that they have copied."
    })
  ),
  HttpApiEndpoint.delete("remove", "/v1/media/:id", {
    params: id,
    success: Success,
    error: fails(MediaNotFound)
  }).pipe(
    adminRoute({
      version: row("mediaFile", "id"),
      oneTransaction: true,
      summary: "Delete a file",
      description:
        "Deletes a file and, in the same moment, removes it from every product, variant, category, brand and " +
        "modifier that showed it. Its URL is 404 within seconds; orders keep the URL that they were placed with."
    })
  )
) {}

const minute = 60_000

export class UploadsGroup extends apiGroup("uploads", {
  part: "Storefront",
  title: "Uploads",
  description: "Images that shoppers upload, for customizations and for reviews."
}).add(
  HttpApiEndpoint.post("customization", "/vc/:salesChannelId/customization-upload", {
    params: channel,
    payload: ShopperUpload,
    success: UploadedFile,
    error: fails(...refusals)
  }).pipe(
    channelRoute("cart", {
      maxBody: uploadBody,
      cap: { limit: 10, ms: minute },
      summary: "Upload an image for a customization",
      description:
        "Stores an image for a customization: send multipart/form-data with the field `file`. Upload first, then " +
        `add the product to the cart with the \`key\` or the \`url\` of the response. ${acceptedImages} An image ` +
        "that no cart refers to is deleted after a day."
    })
  ),
  HttpApiEndpoint.post("reviewPhoto", "/vc/:salesChannelId/products/:productId/review-photo", {
    params: { ...channel, productId: string("The product that is reviewed.") },
    payload: ShopperUpload,
    success: UploadedFile,
    error: fails(...refusals, ProductNotFound)
  }).pipe(
    customerRoute({
      maxBody: uploadBody,
      cap: { limit: 10, ms: minute },
      summary: "Upload a photo for a review",
      description:
        "Stores a photo for a review of the signed-in customer: send multipart/form-data with the field `file`, " +
        `then name its \`key\` in the review. Reviews of other customers cannot use it. ${acceptedImages} A photo ` +
        "that no review refers to is deleted after a day."
    })
  )
) {}

export class FilesGroup extends apiGroup("files", {
  part: "Public",
  title: "Files",
  description: "The images themselves, for browsers and CDNs."
}).add(
  HttpApiEndpoint.get("read", "/media/:storeId/:name", {
    params: {
      storeId: string("The store that the file belongs to: the first part of its key."),
      name: string("The second part of its key.")
    },
    success: Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "image/*" })),
    error: fails(MediaNotFound)
  }).pipe(
    openRoute({
      summary: "Read a file",
      description:
        "Returns an image or its thumbnail. The file at a URL never changes, so it may be cached for a year. " +
        "Conditional requests (If-None-Match) and ranges of bytes (Range, If-Range) are supported. Requests for " +
        "files do not count towards the rate limits."
    })
  )
) {}

export const mediaGroups = [MediaGroup, UploadsGroup, FilesGroup] as const
