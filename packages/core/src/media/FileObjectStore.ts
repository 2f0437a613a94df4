/**
 * Objects as files of one folder, with a subfolder for each store. A file is written under a temporary name, flushed,
 * and renamed: it exists completely or not at all, also after a crash, and a temporary file that a crash has left is
 * removed with the key. Only keys of the shape that we make become paths.
 */
import { createReadStream } from "node:fs"
import { mkdir, open, rename, rm, stat, statfs } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { Effect, Stream } from "effect"
import { mediaLimits } from "./MediaLimits.ts"
import { attempt, type ByteRange, ObjectMissing, ObjectStoreFailed, type ObjectStoreMethods } from "./ObjectStore.ts"

const keyPattern = /^[\w-]{1,100}\/[\w-]{1,120}\.[a-z0-9]{1,8}$/

/** The temporary name of a file: no object has such a name. */
const besideOf = (path: string): string => `${path}.part`

/** Milliseconds for which the free disk space is cached. */
const roomMillis = 1_000

/** Free bytes on the disk of the folder, which may not exist yet. */
export const freeBytesAt = async (folder: string): Promise<number> => {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch (error) {
    if (isMissing(error) && dirname(folder) !== folder) return freeBytesAt(dirname(folder))
    throw error
  }
}

/** With less than `freeBytes` of free disk space it rejects uploads. */
export const fileObjectStore = (
  folder: string,
  freeBytes = mediaLimits.freeBytes
): ObjectStoreMethods & { readonly hasRoom: Effect.Effect<boolean> } => {
  const root = resolve(folder)
  let known: { readonly at: number; readonly hasRoom: Promise<boolean> } | undefined

  const hasRoom = (): Promise<boolean> => {
    const at = performance.now()
    if (known === undefined || at - known.at > roomMillis)
      // If the system cannot report free space, uploads are not rejected.
      known = {
        at,
        hasRoom: freeBytesAt(root).then(
          (free) => free >= freeBytes,
          () => true
        )
      }
    return known.hasRoom
  }

  /** The path of a key; undefined for a key that is not of our shape. */
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

/** Flushes the folder, so that the new name survives a crash too. Systems without support fail to open a folder. */
const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, "r").catch(() => undefined)
  if (handle === undefined) return
  try {
    await handle.sync()
  } catch {
    // A file system without support for it persists names in its own way.
  } finally {
    await handle.close()
  }
}
