import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { memoryObjectStore } from "@effect-commerce/core/testing/MemoryObjectStore"
import { objectStoreChecks } from "@effect-commerce/core/testing/ObjectStoreConformance"
import { Effect, Exit, Redacted, Result } from "effect"
import S3rver from "s3rver"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { fileObjectStore, freeBytesAt } from "../../src/media/FileObjectStore.ts"
import { mediaLimits } from "../../src/media/MediaLimits.ts"
import { mediaPlaceOf } from "../../src/media/MediaOptions.ts"
import type { ObjectStoreMethods } from "../../src/media/ObjectStore.ts"
import { s3ObjectStore } from "../../src/media/S3ObjectStore.ts"

const folder = mkdtempSync(join(tmpdir(), "commerce-media-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe("objects in memory", () => {
  it.each(objectStoreChecks(memoryObjectStore()))("$name", ({ run }) => Effect.runPromise(run))
})

describe("objects in a folder", () => {
  const root = join(folder, "files")
  const store = fileObjectStore(root)
  it.each(objectStoreChecks(store))("$name", ({ run }) => Effect.runPromise(run))

  it("leaves nothing unfinished behind", () => {
    const names = readdirSync(root, { recursive: true }).map(String)
    expect(names.length).toBeGreaterThan(30)
    expect(names.filter((name) => name.endsWith(".part"))).toEqual([])
  })

  it("shows nothing of what a crash has left, writes over it, and removes it with the key", async () => {
    const key = "store_crashed/left.png"
    const left = join(root, `${key}.part`)
    mkdirSync(join(root, "store_crashed"))
    writeFileSync(left, "half of")
    expect(await Effect.runPromise(store.head(key))).toBeUndefined()
    await Effect.runPromise(store.put({ key, bytes: Buffer.from("whole"), contentType: "image/png" }))
    expect([readFileSync(join(root, key), "utf8"), existsSync(left)]).toEqual(["whole", false])
    writeFileSync(left, "half of")
    await Effect.runPromise(store.remove(key))
    expect(readdirSync(join(root, "store_crashed"))).toEqual([])
  })

  it("has room as long as the disk has more than a gibibyte free, also where it is not made yet", async () => {
    expect(mediaLimits.freeBytes).toBe(1_073_741_824)
    const free = await freeBytesAt(root)
    expect(free).toBeGreaterThan(0)
    const hasRoom = (path: string, bytes: number) => Effect.runPromise(fileObjectStore(path, bytes).hasRoom)
    expect(await hasRoom(join(root, "not", "there"), 1)).toBe(true)
    expect(await hasRoom(join(root, "not", "there"), free * 1_000)).toBe(false)
  })

  it("makes no path of what is no key of ours", async () => {
    writeFileSync(join(folder, "secret.png"), "secret")
    const keys = [
      "../secret.png",
      "store_a/../../secret.png",
      "/etc/passwd",
      "store_a/.hidden",
      "store_a/a/b.png",
      ".",
      ""
    ]
    for (const key of keys) {
      const put = await Effect.runPromiseExit(store.put({ key, bytes: Buffer.from("x"), contentType: "image/png" }))
      expect([key, Exit.isFailure(put)]).toEqual([key, true])
      const got = await Effect.runPromiseExit(store.get(key))
      expect([key, Exit.isFailure(got)]).toEqual([key, true])
      expect(await Effect.runPromise(store.head(key))).toBeUndefined()
      await Effect.runPromise(store.remove(key))
    }
    expect(readdirSync(folder).sort()).toEqual(["files", "secret.png"])
  })

  it("says that it failed where the folder cannot be written", async () => {
    writeFileSync(join(folder, "a-file"), "")
    const broken = fileObjectStore(join(folder, "a-file"))
    const put = Effect.flip(broken.put({ key: "store_a/a.png", bytes: Buffer.from("x"), contentType: "image/png" }))
    expect((await Effect.runPromise(put))._tag).toBe("ObjectStoreFailed")
    rmSync(join(folder, "a-file"))
  })
})

describe("objects in a bucket", () => {
  let emulator: S3rver
  let endpoint: string
  // Its checks are listed before it runs.
  let store: ObjectStoreMethods
  const later: ObjectStoreMethods = {
    put: (object) => Effect.suspend(() => store.put(object)),
    get: (key, range) => Effect.suspend(() => (range === undefined ? store.get(key) : store.get(key, range))),
    head: (key) => Effect.suspend(() => store.head(key)),
    remove: (key) => Effect.suspend(() => store.remove(key))
  }
  const place = () => ({
    bucket: "shop-media",
    endpoint,
    region: "us-east-1",
    accessKeyId: "S3RVER",
    secretAccessKey: Redacted.make("S3RVER")
  })

  beforeAll(async () => {
    emulator = new S3rver({
      address: "127.0.0.1",
      port: 0,
      silent: true,
      directory: join(folder, "s3"),
      configureBuckets: [{ name: "shop-media", configs: [] }]
    })
    const server = (await emulator.run()) as unknown as AddressInfo
    endpoint = `http://127.0.0.1:${server.port}`
    store = s3ObjectStore(place())
  })
  afterAll(() => emulator.close())

  it.each(objectStoreChecks(later))("$name", ({ run }) => Effect.runPromise(run))

  it("says that it failed where the bucket is not there, the key is wrong, or nobody answers", async () => {
    const tagOf = async (broken: ObjectStoreMethods) =>
      await Effect.runPromise(
        Effect.match(broken.put({ key: "store_a/a.png", bytes: Buffer.from("x"), contentType: "image/png" }), {
          onFailure: ({ _tag }) => _tag,
          onSuccess: () => "stored"
        })
      )
    expect(await tagOf(s3ObjectStore({ ...place(), bucket: "no-such-bucket" }))).toBe("ObjectStoreFailed")
    expect(await tagOf(s3ObjectStore({ ...place(), accessKeyId: "nobody" }))).toBe("ObjectStoreFailed")
    expect(await tagOf(s3ObjectStore({ ...place(), endpoint: "http://127.0.0.1:9" }))).toBe("ObjectStoreFailed")
  })
})

describe("the URL of a storage", () => {
  const read = (text: string) => {
    const place = mediaPlaceOf(text, { accessKeyId: "ID", secretAccessKey: "SECRET" })
    return Result.isFailure(place) ? place.failure : place.success
  }
  it("names a folder", () => {
    expect(read("file:///var/lib/shop%20media")).toEqual({ _tag: "Folder", path: "/var/lib/shop media" })
    expect(read("file://server/share")).toBe("must be a path of this machine: file:///…")
  })
  it("names a bucket, with credentials of its own or those beside it", () => {
    const own = read("s3://ME:s%2Fecret@pics?endpoint=https://r2.example&region=auto&public=https://cdn.example")
    expect(own).toMatchObject({
      _tag: "Bucket",
      publicUrl: "https://cdn.example",
      place: { bucket: "pics", endpoint: "https://r2.example", region: "auto", accessKeyId: "ME" }
    })
    if (typeof own === "string" || own._tag !== "Bucket") throw new Error("no bucket")
    expect(Redacted.value(own.place.secretAccessKey)).toBe("s/ecret")
    expect(read("s3://pics?region=eu-central-1")).toMatchObject({
      publicUrl: undefined,
      place: { endpoint: "https://s3.eu-central-1.amazonaws.com", accessKeyId: "ID" }
    })
  })
  it.each([
    ["https://example.com", "must be a URL that begins with file:// or s3://"],
    ["nonsense", "must be a URL that begins with file:// or s3://"],
    ["s3://pics/below", "must name a bucket and nothing below it: s3://bucket?endpoint=…&region=…"],
    ["s3://pics?endpoint=ftp://x", "must have an endpoint that begins with https:// or http://"],
    ["s3://pics?public=cdn", "must have a public address that begins with https:// or http://"],
    ["s3://pics?secret=x", "takes endpoint, region, public, and no secret"]
  ])("%s is refused", (text, why) => expect(read(text)).toBe(why))
  it("of a bucket needs credentials", () => {
    const place = mediaPlaceOf("s3://pics")
    expect(Result.isFailure(place) && place.failure).toContain("needs credentials")
  })
})
