/**
 * Where an installation stores its files: a folder (`file:///var/lib/shop/media`), a bucket
 * (`s3://KEY:SECRET@bucket?endpoint=https://…&region=…&public=https://…`), or the host's own object store. In the URL
 * of a bucket, `endpoint` may be left out for Amazon S3, and the credentials if they are given separately.
 */
import { fileURLToPath } from "node:url"
import { Effect, Layer, Redacted, Result } from "effect"
import { readText } from "../kernel/OneEffect.ts"
import { fileObjectStore } from "./FileObjectStore.ts"
import { type MediaLimits, mediaLimits } from "./MediaLimits.ts"
import { noObjectStore, ObjectStore, type ObjectStoreMethods } from "./ObjectStore.ts"
import type { S3Place } from "./S3ObjectStore.ts"

export interface MediaOptions {
  /** `file:` or `s3:`. Without it, and without `store`, nothing can be uploaded. */
  readonly url?: string | Redacted.Redacted | undefined
  /** The host's own object store, in place of `url`. */
  readonly store?: ObjectStoreMethods | undefined
  /**
   * The public base URL of files, in place of this server's `/api/media`: a CDN in front of it, or of the bucket. The
   * key of a file follows after a slash.
   */
  readonly publicUrl?: string | undefined
  /** Credentials of a bucket whose URL has none: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. */
  readonly credentials?:
    | { readonly accessKeyId: string; readonly secretAccessKey: string | Redacted.Redacted }
    | undefined
  /** Other limits than those in docs/bounds.md, for tests. */
  readonly limits?: Partial<MediaLimits> | undefined
}

export const limitsOf = ({ limits }: MediaOptions): MediaLimits => ({ ...mediaLimits, ...limits })

/** The storage that a URL names. */
export type MediaPlace =
  | { readonly _tag: "Folder"; readonly path: string }
  | { readonly _tag: "Bucket"; readonly place: S3Place; readonly publicUrl: string | undefined }

const folderOf = (url: URL): Result.Result<MediaPlace, string> => {
  if (url.hostname !== "" && url.hostname !== "localhost")
    return Result.fail("must be a path of this machine: file:///…")
  try {
    return Result.succeed({ _tag: "Folder", path: fileURLToPath(new URL(`file://${url.pathname}`)) })
  } catch {
    return Result.fail("must be an absolute path: file:///…")
  }
}

const isHttp = (text: string): boolean => /^https?:\/\/[^/]/.test(text) && URL.canParse(text)

const bucketParameters = ["endpoint", "region", "public"]

const credentialsOf = (
  { username, password }: URL,
  given: MediaOptions["credentials"]
): Pick<S3Place, "accessKeyId" | "secretAccessKey"> | undefined => {
  if (username !== "" && password !== "")
    return { accessKeyId: decodeURIComponent(username), secretAccessKey: Redacted.make(decodeURIComponent(password)) }
  if (given === undefined) return undefined
  const { accessKeyId, secretAccessKey: secret } = given
  return { accessKeyId, secretAccessKey: typeof secret === "string" ? Redacted.make(secret) : secret }
}

/** The parameters of a bucket's URL, or their problem. */
const queryOf = ({ searchParams }: URL) => {
  const stranger = [...searchParams.keys()].find((name) => !bucketParameters.includes(name))
  if (stranger !== undefined) return Result.fail(`takes ${bucketParameters.join(", ")}, and no ${stranger}`)
  const region = searchParams.get("region") ?? "us-east-1"
  const endpoint = searchParams.get("endpoint") ?? `https://s3.${region}.amazonaws.com`
  const publicUrl = searchParams.get("public") ?? undefined
  if (!isHttp(endpoint)) return Result.fail("must have an endpoint that begins with https:// or http://")
  return publicUrl === undefined || isHttp(publicUrl)
    ? Result.succeed({ region, endpoint, publicUrl })
    : Result.fail("must have a public address that begins with https:// or http://")
}

const bucketOf = (url: URL, given: MediaOptions["credentials"]): Result.Result<MediaPlace, string> => {
  if (url.hostname === "" || (url.pathname !== "" && url.pathname !== "/"))
    return Result.fail("must name a bucket and nothing below it: s3://bucket?endpoint=…&region=…")
  return Result.flatMap(queryOf(url), ({ region, endpoint, publicUrl }): Result.Result<MediaPlace, string> => {
    const credentials = credentialsOf(url, given)
    return credentials === undefined
      ? Result.fail("needs credentials: s3://KEY:SECRET@bucket, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")
      : Result.succeed({ _tag: "Bucket", place: { bucket: url.hostname, endpoint, region, ...credentials }, publicUrl })
  })
}

/** The storage, or the problem of the URL, as the rest of a sentence that begins with the setting's name. */
export const mediaPlaceOf = (
  text: string,
  credentials?: MediaOptions["credentials"]
): Result.Result<MediaPlace, string> => {
  const scheme = URL.canParse(text) ? new URL(text).protocol : ""
  if (scheme === "file:") return folderOf(new URL(text))
  if (scheme === "s3:") return bucketOf(new URL(text), credentials)
  return Result.fail("must be a URL that begins with file:// or s3://")
}

/** The storage that the options name; undefined if they name none. Dies on an invalid URL, a mistake of the host's. */
const placeOf = ({ url, credentials }: MediaOptions): Effect.Effect<MediaPlace | undefined> => {
  if (url === undefined) return Effect.undefined
  const place = mediaPlaceOf(readText("the URL of the media storage", url), credentials)
  return Result.isFailure(place)
    ? Effect.die(new TypeError(`The URL of the media storage ${place.failure}`))
    : Effect.succeed(place.success)
}

export const objectStoreLayer = (options: MediaOptions) =>
  Layer.effect(
    ObjectStore,
    Effect.gen(function* () {
      if (options.store !== undefined) return options.store
      const place = yield* placeOf(options)
      if (place === undefined) return noObjectStore
      if (place._tag === "Folder") return fileObjectStore(place.path, limitsOf(options).freeBytes)
      // Loaded on use: most installations store files in a folder.
      const { s3ObjectStore } = yield* Effect.promise(() => import("./S3ObjectStore.ts"))
      return s3ObjectStore(place.place)
    })
  )

/** The public base URL of files, if they are not read from this server. */
export const publicUrlOf = (options: MediaOptions): Effect.Effect<string | undefined> =>
  options.publicUrl !== undefined
    ? Effect.succeed(options.publicUrl)
    : Effect.map(placeOf(options), (place) => (place?._tag === "Bucket" ? place.publicUrl : undefined))
