/** Checks whether files can be stored as configured. Changes nothing. */
import { access, constants } from "node:fs/promises"
import { dirname } from "node:path"
import { Effect, Result } from "effect"
import type { Examined } from "../migration/Diagnosis.ts"
import { readText } from "../kernel/OneEffect.ts"
import { fileObjectStore } from "./FileObjectStore.ts"
import { mediaLimits } from "./MediaLimits.ts"
import { type MediaOptions, mediaPlaceOf } from "./MediaOptions.ts"

const check = "media.storage"
const well = (says: string): Examined => ({ check, says, remedy: null })
const remedy = "mend COMMERCE_MEDIA_URL, or what it names: until then nothing can be uploaded, and no file is served"

const full = (path: string): Examined => ({
  check,
  says: `the disk of ${path} has less than ${mediaLimits.freeBytes / 1_073_741_824} GiB free: uploads are refused`,
  remedy: "make room on the disk; everything but uploads goes on until it is full"
})

/** A missing folder is created with the first file, so its nearest existing parent must be writable. */
const mayWrite = async (folder: string): Promise<boolean> => {
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return true
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT"
    return isMissing && dirname(folder) !== folder ? mayWrite(dirname(folder)) : false
  }
}

export const examineStorage = Effect.fnUntraced(function* ({ url, credentials }: MediaOptions) {
  if (url === undefined) return well("no storage for files is set up")
  const found = mediaPlaceOf(readText("the URL of the media storage", url), credentials)
  if (Result.isFailure(found)) return { check, says: `COMMERCE_MEDIA_URL ${found.failure}`, remedy } satisfies Examined
  const place = found.success
  if (place._tag === "Folder") {
    const isGood = yield* Effect.promise(() => mayWrite(place.path))
    if (!isGood) return { check, says: `files cannot be written to ${place.path}`, remedy } satisfies Examined
    const hasRoom = yield* fileObjectStore(place.path).hasRoom
    return hasRoom ? well(`files are kept in ${place.path}`) : full(place.path)
  }
  const { s3ObjectStore } = yield* Effect.promise(() => import("./S3ObjectStore.ts"))
  return yield* Effect.match(s3ObjectStore(place.place).head("doctor/nothing.png"), {
    onSuccess: () => well(`files are kept in the bucket ${place.place.bucket}`),
    onFailure: (): Examined => ({ check, says: `the bucket ${place.place.bucket} cannot be read`, remedy })
  })
})
