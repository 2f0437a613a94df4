/**
 * Downloadable files of a product or a variant. A body gives each file's location as `url` or `storageKey`, which only
 * merchants can read again. `downloadExpiry` is in days; a body may call it `expiryDays`.
 */
import { Schema } from "effect"
import {
  arrayOf,
  clearable,
  described,
  named,
  nullableNumber,
  nullableString,
  string,
  text,
  nullableFileUrl
} from "../kernel/Fields.ts"
import { maxInt4 } from "../kernel/FieldErrors.ts"
import { makeId } from "../kernel/Ids.ts"
import { fileAddress } from "../kernel/FileAddress.ts"

export interface DownloadFile {
  readonly id: string
  readonly name: string
  readonly url: string | null
  readonly storageKey: string | null
  /** Bytes. */
  readonly size: number | null
  readonly mimeType: string | null
}

export interface DownloadData {
  readonly files: ReadonlyArray<DownloadFile>
  /** How often each file may be downloaded. */
  readonly downloadLimit: number | null
  /** Days after the purchase. */
  readonly downloadExpiry: number | null
}

const maxFiles = 50
const maxExpiryDays = 36_500

const filled = (max: number) => Schema.String.pipe(Schema.check(Schema.isMinLength(1), Schema.isMaxLength(max)))
const whole = (minimum: number, maximum: number) =>
  Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum, maximum })))

const FileInput = named(
  "DownloadFileInput",
  "A file that comes with a product, and where it lies.",
  Schema.Struct({
    id: clearable(text(100), "Id of a file that is there: it stays that file."),
    name: described(filled(255), "Name of the file for the buyer.", "manual.pdf"),
    url: clearable(fileAddress, "Address of the file. Give this or `storageKey`."),
    storageKey: clearable(filled(500), "Key in the store's object storage. Give this or `url`."),
    size: clearable(whole(0, Number.MAX_SAFE_INTEGER), "Size in bytes.", 20480),
    mimeType: clearable(filled(127), "Media type.", "application/pdf")
  }).pipe(
    Schema.check(
      Schema.makeFilter((file) => (file.url ?? file.storageKey ?? null) !== null || "needs a url or a storageKey")
    )
  )
)

export const DownloadInput = named(
  "DownloadsInput",
  "The files that come with a product or a variant.",
  Schema.Struct({
    files: described(
      Schema.Array(FileInput).pipe(Schema.check(Schema.isMaxLength(maxFiles))),
      "The files. They replace those that are there, but for the ones that are named by `id`."
    ),
    downloadLimit: clearable(whole(1, maxInt4), "How often each file can be fetched. Without limit by default.", 5),
    expiryDays: clearable(whole(1, maxExpiryDays), "Days after the purchase until which files can be fetched.", 30),
    downloadExpiry: clearable(
      whole(1, maxExpiryDays),
      "The same as `expiryDays`, by its name in responses. Give one of them."
    )
  }).pipe(
    Schema.check(
      Schema.makeFilter(
        ({ expiryDays = null, downloadExpiry = null }) =>
          expiryDays === null ||
          downloadExpiry === null ||
          expiryDays === downloadExpiry ||
          "expiryDays and downloadExpiry are one thing: give one of them"
      )
    )
  )
)
export type DownloadInput = typeof DownloadInput.Type

/** The downloads after a body: absent leaves them unchanged, null clears them, anything else replaces them all. */
export const downloadsOf = (
  given: DownloadInput | null | undefined,
  current: DownloadData | null,
  now: number
): DownloadData | null => {
  if (given === undefined) return current
  if (given === null) return null
  const known = new Set(keptDownloads(current)?.files.map((file) => file.id))
  const files = given.files.map(({ id, name, url, storageKey, size, mimeType }): DownloadFile => {
    const isKept = typeof id === "string" && known.delete(id)
    return {
      id: isKept ? id : makeId("file", now),
      name,
      url: url ?? null,
      storageKey: storageKey ?? null,
      size: size ?? null,
      mimeType: mimeType ?? null
    }
  })
  return {
    files,
    downloadLimit: given.downloadLimit ?? null,
    downloadExpiry: given.downloadExpiry ?? given.expiryDays ?? null
  }
}

const textOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null)
const numberOrNull = (value: unknown): number | null => (typeof value === "number" ? value : null)

/** Normalizes what is stored: rows from before these limits hold whatever the merchant sent. */
const keptDownloads = (stored: unknown): DownloadData | null => {
  if (typeof stored !== "object" || stored === null) return null
  const { files, downloadLimit, downloadExpiry } = stored as Record<string, unknown>
  const listed = (Array.isArray(files) ? files : []).filter(
    (file): file is Record<string, unknown> => typeof file === "object" && file !== null
  )
  return {
    files: listed.slice(0, maxFiles).map((file) => ({
      id: textOrNull(file["id"]) ?? "",
      name: textOrNull(file["name"]) ?? "",
      url: textOrNull(file["url"]),
      storageKey: textOrNull(file["storageKey"]),
      size: numberOrNull(file["size"]),
      mimeType: textOrNull(file["mimeType"])
    })),
    downloadLimit: numberOrNull(downloadLimit),
    downloadExpiry: numberOrNull(downloadExpiry)
  }
}

const file = {
  id: string("Id of the file."),
  name: string("Name of the file for the buyer.", "manual.pdf"),
  size: nullableNumber("Size in bytes; null where unknown.", 20480),
  mimeType: nullableString("Media type; null where unknown.", "application/pdf")
}
const places = {
  url: Schema.optionalKey(nullableFileUrl("Address of the file; null where `storageKey` names its place.")),
  storageKey: Schema.optionalKey(nullableString("Key in the store's object storage; null where `url` names its place."))
}
const limits = {
  downloadLimit: nullableNumber("How often each file can be fetched; null is without limit.", 5),
  downloadExpiry: nullableNumber("Days after the purchase until which files can be fetched; null is for ever.", 30)
}

/** On the wire; only merchants get the locations. */
export const DownloadView = Schema.Struct({
  files: arrayOf(
    Schema.Struct({ ...file, ...places }).annotate({
      identifier: "AdminDownloadFile",
      description: "A file that comes with a product, and where it lies."
    }),
    "The files."
  ),
  ...limits
}).annotate({ identifier: "AdminDownloads", description: "The files that come with a product or a variant." })
export type DownloadView = typeof DownloadView.Type
/** As shoppers and subscribers see the files: a location is only given out as a signed URL, one file at a time. */
export const PublicDownloadView = Schema.Struct({
  files: arrayOf(
    Schema.Struct(file).annotate({ identifier: "DownloadFile", description: "A file that comes with a product." }),
    "The files."
  ),
  ...limits
}).annotate({ identifier: "Downloads", description: "The files that come with a product or a variant." })

export const downloadView = (stored: DownloadData | null, withPlaces: boolean): DownloadView | null => {
  const data = keptDownloads(stored)
  if (data === null || withPlaces) return data
  return { ...data, files: data.files.map(({ id, name, size, mimeType }) => ({ id, name, size, mimeType })) }
}
