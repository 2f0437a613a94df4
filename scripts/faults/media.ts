/** Faults of files: what counts as an image, who may read it, and when it is deleted. */
import type { Fault } from "../plantedFaults.ts"

const core = (path: string) => [`packages/core/test/${path}.test.ts`]
const handler = (path: string) => [`packages/handler/test/media/${path}.pg.test.ts`]

export const mediaFaults: ReadonlyArray<Fault> = [
  {
    id: "media.lying-type",
    breaks: "A file that is declared as another type than it is is taken",
    file: "packages/core/src/image/ImageInspection.ts",
    find: `if (!unsaid.has(declared) && declared !== format.type)`,
    replace: `if (false as boolean)`,
    tests: core("image/ImageInspection"),
    noticedBy: "a PNG declared as JPEG"
  },
  {
    id: "media.megapixels",
    breaks: "A picture of one column more than 40 megapixels is taken",
    file: "packages/core/src/image/ImageInspection.ts",
    find: `if (width * height > maxPixels)`,
    replace: `if (width * height > maxPixels + 5_000)`,
    tests: core("image/ImageInspection"),
    noticedBy: "has 40 megapixels at most, whichever its format"
  },
  {
    id: "media.place",
    breaks: "Where a photo was taken is stored with it",
    file: "packages/core/src/image/internal/jpeg.ts",
    find: `if (isAside(bytes, marker, at)) return after`,
    replace: `if (marker === 0xfe) return after`,
    tests: core("image/ImageInspection"),
    noticedBy: "loses where it was taken"
  },
  {
    id: "media.path",
    breaks: "A key leads out of the folder of the media storage",
    file: "packages/core/src/media/FileObjectStore.ts",
    find: `const pathOf = (key: string): string | undefined => (keyPattern.test(key) ? join(root, key) : undefined)`,
    replace: `const pathOf = (key: string): string | undefined => (key === "" ? undefined : join(root, key))`,
    tests: core("media/ObjectStores"),
    noticedBy: "makes no path of what is no key of ours"
  },
  {
    id: "media.race",
    breaks: "A product that is written while its picture is deleted keeps showing it",
    file: "packages/core/src/media/MediaFileRepository.ts",
    find: `ORDER BY f.id FOR SHARE`,
    replace: `ORDER BY f.id`,
    tests: handler("DeletedFiles"),
    noticedBy: "is never on a product that was written at the same moment"
  },
  {
    id: "media.swept",
    breaks: "An upload that a cart refers to is swept after a day",
    file: "packages/core/src/media/MediaFileRepository.ts",
    find: `THEN greatest(f.purge_at, \${timeOf(until)}::timestamptz) END`,
    replace: `THEN least(f.purge_at, \${timeOf(until)}::timestamptz) END`,
    tests: handler("Uploads"),
    noticedBy: "keeps it: what nobody refers to is gone after a day"
  },
  {
    id: "media.quota",
    breaks: "Uploads that come at once go beyond what a store may keep",
    file: "packages/core/src/media/MediaStorageRepository.ts",
    find: `WHERE s.used_bytes + \${bytes} <= \${limit} RETURNING store_id`,
    replace: `WHERE s.used_bytes <= \${limit} RETURNING store_id`,
    tests: handler("StorageQuota"),
    noticedBy: "do not pass the limit when many come at once"
  },
  {
    id: "media.unclaimed",
    breaks: "What carts name of shoppers' uploads is taken from the merchant's room once for each cart",
    file: "packages/core/src/media/MediaFileRepository.ts",
    find: `FROM before WHERE unclaimed`,
    replace: `FROM before`,
    tests: handler("StorageQuota"),
    noticedBy: "becomes the merchant's once"
  },
  {
    id: "media.scans",
    breaks: "A JPEG whose scans take minutes to decode is taken",
    file: "packages/core/src/image/ImageInspection.ts",
    find: `if (width * height * scans > maxScannedPixels)`,
    replace: `if (width * height > maxScannedPixels)`,
    tests: core("image/ImageInspection"),
    noticedBy: "has 100 scans at most"
  },
  {
    id: "media.killed",
    breaks: "A picture whose decoding does not end holds up all pictures that follow",
    file: "packages/core/src/image/DecodingProcess.ts",
    find: `const late = setTimeout(() => child.kill("SIGKILL"), millis)`,
    replace: `const late = setTimeout(() => child.kill("SIGTERM"), millis)`,
    tests: core("image/DecodingProcess"),
    noticedBy: "is stopped"
  },
  {
    id: "media.turns",
    breaks: "The pictures of one store fill the queue of all",
    file: "packages/core/src/database/FairTurns.ts",
    find: `return line.length < waiting && this.#waiting < waitingInAll`,
    replace: `return this.#waiting < waitingInAll`,
    tests: ["packages/core/test/database/FairTurns.test.ts"],
    noticedBy: "are bounded, for each store and in all"
  },
  {
    id: "media.owner",
    breaks: "A photo that one customer has uploaded goes into the review of another",
    file: "packages/core/src/media/MediaFileRepository.ts",
    find: `AND (f.owner_id IS NULL OR f.owner_id = \${ownerId})`,
    replace: `AND (f.owner_id IS NULL OR \${ownerId}::text IS NOT NULL)`,
    tests: ["packages/handler/test/review/ReviewPhotos.pg.test.ts"],
    noticedBy: "are those of their author"
  },
  {
    id: "media.claimed",
    breaks: "A photo of somebody's review is deleted with a review that names it too",
    file: "packages/core/src/media/MediaFileRepository.ts",
    find: `AND f.purpose = \${purpose} AND f.purge_at IS NOT NULL`,
    replace: `AND f.purpose = \${purpose}`,
    tests: ["packages/handler/test/review/ReviewPhotos.pg.test.ts"],
    noticedBy: "are named by one review alone"
  },
  {
    id: "media.author",
    breaks: "The photos of a customer who is deleted are kept",
    file: "packages/core/src/review/ForgottenReviews.ts",
    find: `yield* release({ id: storeId }, keysOf(photos), now)`,
    replace: `yield* release({ id: storeId }, keysOf(photos.slice(1)), now)`,
    tests: ["packages/handler/test/review/ReviewPhotos.pg.test.ts"],
    noticedBy: "go when their author is deleted"
  },
  {
    id: "media.gallery",
    breaks: "A deleted file takes the other pictures of a gallery with it",
    file: "packages/core/src/metafield/MetafieldPictureRepository.ts",
    find: `WHERE strpos(e.value #>> '{}', \${mark}) = 0) END`,
    replace: `WHERE false) END`,
    tests: handler("DeletedFiles"),
    noticedBy: "leaves options, modifiers and metafields"
  },
  {
    id: "media.value",
    breaks: "A metafield is given a file that was deleted",
    file: "packages/core/src/metafield/ValueWrites.ts",
    find: `pictures[i]?.some((picture) => missing.has(picture)) === true ?`,
    replace: `pictures[i]?.every((picture) => missing.has(picture)) === undefined ?`,
    tests: handler("DeletedFiles"),
    noticedBy: "is taken up by nothing any more"
  }
]
