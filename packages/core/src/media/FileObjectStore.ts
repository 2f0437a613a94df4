/**
 * Objects as files of one folder, with a folder for each store below it. A file is written beside its place, flushed,
 * and renamed into it: it is there whole or not at all, also after a crash, and what a crash has left goes when the key
 * is removed. Only keys of the shape this project makes become paths.
 */
import { createReadStream } from "node:fs"
import { mkdir, open, rename, rm, stat, statfs } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { Effect, Stream } from "effect"
import { mediaLimits } from "./MediaLimits.ts"
import { attempt, type ByteRange, ObjectMissing, ObjectStoreFailed, type ObjectStoreMethods } from "./ObjectStore.ts"

const keyPattern = /^[\w-]{1,100}\/[\w-]{1,120}\.[a-z0-9]{1,8}$/

/** Where a file is being written: no object has such a name. */
const besideOf = (path: string): string => `${path}.part`

/** Milliseconds for which it is remembered whether the disk has room. */
const roomMillis = 1_000

/** Bytes that may still be written where the folder lies, or will be made. */
export const freeBytesAt = async (folder: string): Promise<number> => {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch (error) {
    if (isMissing(error) && dirname(folder) !== folder) return freeBytesAt(dirname(folder))
    throw error
  }
}

/** `freeBytes`: with less free disk space than this it stores nothing more. */
export const fileObjectStore = (
  folder: string,
  freeBytes = mediaLimits.freeBytes
): ObjectStoreMethods & { readonly hasRoom: Effect.Effect<boolean> } => {
  const root = resolve(folder)
  let known: { readonly at: number; readonly hasRoom: Promise<boolean> } | undefined

  const hasRoom = (): Promise<boolean> => {
    const at = performance.now()
    if (known === undefined || at - known.at > roomMillis)
      // A system that does not say how full a disk is is no reason to refuse.
      known = {
        at,
        hasRoom: freeBytesAt(root).then(
          (free) => free >= freeBytes,
          () => true
        )
      }
    return known.hasRoom
  }

  /** A key that is none of ours names no file. */
  const pathOf = (key: string): string | undefined => (keyPattern.test(key) ? join(root, key) : undefined)

  const sizeAt = async (path: string | undefined): Promise<{ readonly size: number } | undefined> => {
    if (path === undefined) return undefined
    try {
      const found = await stat(path)
      return found.isFile() ? { size: found.size } : undefined
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  }

  const contentOf = (path: string, range: ByteRange | undefined): Stream.Stream<Uint8Array, ObjectStoreFailed> =>
    Stream.suspend(() =>
      Stream.fromAsyncIterable<Uint8Array, ObjectStoreFailed>(
        createReadStream(path, range === undefined ? {} : { start: range.first, end: range.last }),
        (cause) => new ObjectStoreFailed({ operation: "get", cause })
      )
    )

  return {
    hasRoom: Effect.promise(hasRoom),
    put: ({ key, bytes }) =>
      attempt("put", async () => {
        const path = pathOf(key)
        if (path === undefined) throw new Error("not a key of the media storage")
        await mkdir(dirname(path), { recursive: true })
        await writeWhole(path, bytes)
      }),
    get: (key, range) =>
      Effect.flatMap(
        attempt("get", () => sizeAt(pathOf(key))),
        (found) => {
          const path = pathOf(key)
          return found === undefined || path === undefined
            ? Effect.fail(new ObjectMissing({ key }))
            : Effect.succeed(contentOf(path, range))
        }
      ),
    head: (key) => attempt("head", () => sizeAt(pathOf(key))),
    remove: (key) =>
      attempt("remove", async () => {
        const path = pathOf(key)
        if (path === undefined) return
        await rm(path, { force: true })
        await rm(besideOf(path), { force: true })
      })
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")

const writeWhole = async (path: string, bytes: Uint8Array): Promise<void> => {
  const beside = besideOf(path)
  try {
    const file = await open(beside, "w", 0o640)
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(beside, path)
    await syncFolder(dirname(path))
  } catch (error) {
    await rm(beside, { force: true })
    throw error
  }
}

/** The new name survives a crash too. Systems that cannot flush a folder refuse to open one. */
const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, "r").catch(() => undefined)
  if (handle === undefined) return
  try {
    await handle.sync()
  } catch {
    // A file system that does not know it keeps names in its own way.
  } finally {
    await handle.close()
  }
}
