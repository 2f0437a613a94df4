/**
 * Objects in a bucket of S3, or of any service that speaks its protocol (R2, MinIO, Spaces, Ceph). The address of the
 * service is the operator's own setting, so its calls do not go through the guarded fetch.
 */
import { Effect, Redacted, Stream } from "effect"
import { S3mini } from "s3mini"
import { attempt, type ByteRange, ObjectMissing, ObjectStoreFailed, type ObjectStoreMethods } from "./ObjectStore.ts"

export interface S3Place {
  readonly bucket: string
  /** `https://s3.eu-central-1.amazonaws.com`; the bucket is a part of the path. */
  readonly endpoint: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: Redacted.Redacted
}

/** Milliseconds for one call, its body included. */
const patience = 60_000

export const s3ObjectStore = ({ bucket, endpoint, ...place }: S3Place): ObjectStoreMethods => {
  const client = new S3mini({
    endpoint: `${endpoint.replace(/\/+$/, "")}/${bucket}`,
    region: place.region,
    accessKeyId: place.accessKeyId,
    secretAccessKey: Redacted.value(place.secretAccessKey),
    requestAbortTimeout: patience
  })

  const sizeOf = async (key: string): Promise<{ readonly size: number } | undefined> => {
    try {
      return { size: await client.getContentLength(key) }
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  }

  const answerOf = (key: string, range: Parameters<ObjectStoreMethods["get"]>[1]) =>
    range === undefined
      ? client.getObjectRaw(key)
      : // The end of a range is the first byte that is not wanted.
        client.getObjectRaw(key, false, range.first, range.last + 1)

  return {
    put: ({ key, bytes, contentType }) =>
      Effect.asVoid(
        attempt("put", () =>
          client.putObject(key, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), contentType)
        )
      ),
    get: (key, range) =>
      attempt("get", () => answerOf(key, range)).pipe(
        Effect.map(({ body, headers }) => {
          if (body === null) return Stream.empty
          const content = Stream.fromReadableStream<Uint8Array, ObjectStoreFailed>({
            evaluate: () => body,
            onError: (cause) => new ObjectStoreFailed({ operation: "get", cause })
          })
          return range === undefined ? content : partOf(content, range, startOf(headers))
        }),
        Effect.catchIf(
          ({ cause }) => isMissing(cause),
          () => Effect.fail(new ObjectMissing({ key }))
        )
      ),
    head: (key) => attempt("head", () => sizeOf(key)),
    remove: (key) =>
      attempt("remove", async () => {
        try {
          await client.deleteObject(key)
        } catch (error) {
          if (!isMissing(error)) throw error
        }
      })
  }
}

/** The position in the object at which a response begins. */
const startOf = (headers: Headers): number => Number(/^bytes (\d+)-/.exec(headers.get("content-range") ?? "")?.[1] ?? 0)

/** Cuts the response to the range: services differ in their support and may return more than requested. */
const partOf = <E>(
  content: Stream.Stream<Uint8Array, E>,
  { first, last }: ByteRange,
  start: number
): Stream.Stream<Uint8Array, E> =>
  Stream.suspend(() => {
    let at = start
    return Stream.map(content, (bytes) => {
      const part = bytes.subarray(Math.max(0, first - at), Math.max(0, last + 1 - at))
      at += bytes.length
      return part
    })
  })

/** The library reports it by the status of the response, in the error or in its cause. */
const isMissing = (error: unknown): boolean => {
  if (typeof error !== "object" || error === null) return false
  if ("status" in error && error.status === 404) return true
  return "cause" in error && isMissing(error.cause)
}
