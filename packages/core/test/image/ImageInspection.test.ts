import {
  animatedWebp,
  exif,
  extendedWebp,
  gif,
  jpeg,
  jpegSegment,
  png,
  pngChunk,
  pngSignature,
  scannedJpeg,
  webp,
  webpChunk
} from "@effect-commerce/core/testing/TestImages"
import { Result } from "effect"
import { imageSize } from "image-size"
import { describe, expect, it } from "vitest"
import { inspectImage, maxFrames, maxScannedPixels, maxScans } from "../../src/image/ImageInspection.ts"

const inspected = (bytes: Uint8Array, declared = "") => {
  const result = inspectImage(bytes, declared)
  if (Result.isFailure(result)) throw new Error(result.failure)
  return result.success
}
const reason = (bytes: Uint8Array, declared = ""): string => {
  const result = inspectImage(bytes, declared)
  return Result.isFailure(result) ? result.failure : "taken"
}

const notAnImage = "is not a JPEG, PNG, WebP or GIF image"
const cut = "ends before the image does"

describe("an image that is taken", () => {
  it.each([
    ["image/png", png(31, 17)],
    ["image/jpeg", jpeg(31, 17)],
    ["image/gif", gif(31, 17)],
    ["image/gif", gif(31, 17, { frames: 12 })],
    ["image/webp", webp(31, 17)],
    ["image/webp", animatedWebp(31, 17, 12)]
  ])("%s is told by its bytes, measured, and stored as it is", (mimeType, bytes) => {
    expect(inspected(bytes, mimeType)).toEqual({ mimeType, width: 31, height: 17, bytes })
    const { width, height } = imageSize(bytes)
    expect({ width, height }).toEqual({ width: 31, height: 17 })
  })

  it("may be declared as nothing, as bytes, or under another name of its type", () => {
    for (const declared of ["", "application/octet-stream", "image/jpg", "IMAGE/JPEG; charset=binary"])
      expect(inspected(jpeg(3, 3), declared).mimeType).toBe("image/jpeg")
  })

  it("has 40 megapixels at most, whichever its format", () => {
    for (const make of [jpeg, (w: number, h: number) => gif(w, h), webp, (w: number, h: number) => png(w, h)]) {
      expect(inspected(make(8_000, 5_000))).toMatchObject({ width: 8_000, height: 5_000 })
      expect(reason(make(8_001, 5_000))).toBe("has more than 40 megapixels")
    }
  })

  it("has 500 frames at most", () => {
    expect(maxFrames).toBe(500)
    expect(inspected(gif(2, 2, { frames: 500 })).width).toBe(2)
    expect(reason(gif(2, 2, { frames: 501 }))).toBe("has more than 500 frames")
    expect(inspected(animatedWebp(2, 2, 500)).width).toBe(2)
    expect(reason(animatedWebp(2, 2, 501))).toBe("has more than 500 frames")
    const frames = (count: number) => pngChunk("acTL", Buffer.from([0, 0, count >> 8, count & 255, 0, 0, 0, 0]))
    expect(inspected(png(2, 2, frames(500))).width).toBe(2)
    expect(reason(png(2, 2, frames(501)))).toBe("has more than 500 frames")
  })
})

describe("a progressive JPEG", () => {
  it("has 100 scans at most, of a thousand million pixels together", () => {
    expect([maxScans, maxScannedPixels]).toEqual([100, 1_000_000_000])
    expect(inspected(scannedJpeg(2_000, 5_000, 100))).toMatchObject({ width: 2_000, height: 5_000 })
    expect(reason(scannedJpeg(10, 10, 101))).toBe("has more than 100 scans")
    expect(reason(scannedJpeg(2_001, 5_000, 100))).toBe("has too many scans for its size")
    expect(inspected(scannedJpeg(8_000, 5_000, 25)).width).toBe(8_000)
    expect(reason(scannedJpeg(8_000, 5_000, 26))).toBe("has too many scans for its size")
  })

  it("is refused before anything is decoded, with thousands of scans in 400 KB", () => {
    expect(reason(scannedJpeg(8_000, 5_000, 2_646))).toBe("has more than 100 scans")
  })
})

describe("what is no part of the picture is not stored", () => {
  it("a JPEG keeps how it is turned, and loses where it was taken, texts, and what lies behind its end", () => {
    const comment = jpegSegment(0xfe, Buffer.from("by Ada"))
    const sent = Buffer.concat([jpeg(40, 30, exif(6), comment), Buffer.from("a film")])
    const { bytes, width, height } = inspected(sent)
    expect([width, height]).toEqual([30, 40])
    const kept = Buffer.from(bytes).toString("latin1")
    expect([kept.includes("GPS"), kept.includes("Ada"), kept.includes("film")]).toEqual([false, false, false])
    expect(imageSize(bytes).orientation).toBe(6)
    // What is stored is such a file itself.
    expect(inspected(bytes)).toMatchObject({ width: 30, height: 40 })
  })

  it("a JPEG that is not turned has no Exif left, and keeps its colour profile", () => {
    const profile = jpegSegment(0xe2, Buffer.from("ICC_PROFILE\0..."))
    const { bytes } = inspected(jpeg(4, 4, exif(1), profile))
    expect(Buffer.from(bytes)).toEqual(jpeg(4, 4, profile))
  })

  it("a PNG loses texts, dates and Exif", () => {
    const aside = [
      pngChunk("tEXt", Buffer.from("Author\0Ada")),
      pngChunk("eXIf", Buffer.from("MM")),
      pngChunk("prVt", Buffer.from("x"))
    ]
    const gamma = pngChunk("gAMA", Buffer.from([0, 0, 0xb1, 0x8f]))
    expect(Buffer.from(inspected(png(4, 4, gamma, ...aside)).bytes)).toEqual(png(4, 4, gamma))
    expect(Buffer.from(inspected(Buffer.concat([png(4, 4), Buffer.from("<script>")])).bytes)).toEqual(png(4, 4))
  })

  it("a GIF loses comments and keeps how it is repeated", () => {
    const comment = Buffer.from([0x21, 0xfe, 3, 65, 100, 97, 0])
    const loop = Buffer.concat([
      Buffer.from([0x21, 0xff, 11]),
      Buffer.from("NETSCAPE2.0"),
      Buffer.from([3, 1, 0, 0, 0])
    ])
    const stored = inspected(gif(4, 4, { extra: Buffer.concat([comment, loop]), behind: Buffer.alloc(9) })).bytes
    expect(Buffer.from(stored)).toEqual(gif(4, 4, { extra: loop }))
  })

  it("a WebP loses Exif and XMP, and no longer says that it has them", () => {
    const sent = extendedWebp(4, 4, 0x0c, webpChunk("EXIF", Buffer.from("MM?")), webpChunk("XMP ", Buffer.from("<x/>")))
    expect(Buffer.from(inspected(sent).bytes)).toEqual(extendedWebp(4, 4, 0))
  })
})

/** Every file is refused from its headers, in no more time than reading it takes. */
const bad: ReadonlyArray<readonly [name: string, bytes: Uint8Array, reason: string, declared?: string]> = [
  ["a PNG of 81 megapixels", png(9_000, 9_000), "has more than 40 megapixels"],
  ["a GIF of 50,000 by 50,000", gif(50_000, 50_000), "has more than 40 megapixels"],
  [
    "a GIF whose frame is larger than its screen",
    gif(1, 1, { extra: Buffer.from([0x2c, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 2, 2, 0x44, 1, 0]) }),
    "has more than 40 megapixels"
  ],
  ["a WebP of 1,000 frames", animatedWebp(10, 10, 1_000), "has more than 500 frames"],
  ["a GIF that is a script", Buffer.from("GIF89a=1;alert(document.cookie)//"), "is not a whole GIF image"],
  [
    "a whole GIF with a script behind it",
    gif(4, 4, { behind: Buffer.from("*/=1;alert(1)") }),
    "is not a whole GIF image"
  ],
  [
    "an SVG called PNG",
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>`),
    notAnImage,
    "image/png"
  ],
  ["an SVG", Buffer.from(`<?xml version="1.0"?><svg/>`), notAnImage, "image/svg+xml"],
  ["an HTML page", Buffer.from("<!doctype html><script>alert(1)</script>"), notAnImage, "image/jpeg"],
  ["a PDF", Buffer.from("%PDF-1.7\n"), notAnImage, "application/pdf"],
  ["a zip", Buffer.from("PK\x03\x04"), notAnImage, "image/webp"],
  ["nothing", Buffer.alloc(0), notAnImage, "image/png"],
  ["a PNG declared as JPEG", png(2, 2), "is declared as another type than it is (image/png)", "image/jpeg"],
  ["a JPEG declared as text", jpeg(2, 2), "is declared as another type than it is (image/jpeg)", "text/html"],
  ["half a JPEG", jpeg(200, 200).subarray(0, 60), cut],
  ["a JPEG without its last byte", jpeg(2, 2).subarray(0, -1), cut],
  ["a JPEG without its end", jpeg(2, 2).subarray(0, -2), cut],
  ["the start of a JPEG", Buffer.from([0xff, 0xd8, 0xff]), cut],
  ["a JPEG without pixels", Buffer.from([0xff, 0xd8, 0xff, 0xd9]), "is not a whole JPEG image"],
  ["a JPEG without a size", jpeg(0, 5), "is an image without a size"],
  [
    "a JPEG of very many segments",
    jpeg(2, 2, Buffer.concat(Array.from({ length: 60_000 }, () => jpegSegment(0xfe, Buffer.alloc(0))))),
    "is made of too many parts"
  ],
  ["half a PNG", png(200, 200).subarray(0, 50), cut],
  ["a PNG without its end", png(2, 2).subarray(0, -12), cut],
  ["a PNG whose Exif claims 100 MB", png(2, 2, pngChunk("eXIf", Buffer.alloc(4), 100 * 1_048_576)), cut],
  [
    "a PNG without pixels",
    Buffer.concat([pngSignature, png(2, 2).subarray(8, 33), pngChunk("IEND", Buffer.alloc(0))]),
    "is not a whole PNG image"
  ],
  [
    "a PNG that does not begin with its header",
    Buffer.concat([pngSignature, pngChunk("IDAT", Buffer.alloc(1))]),
    "is not a whole PNG image"
  ],
  [
    "a PNG with a chunk that nobody knows and must",
    png(2, 2, pngChunk("CgBI", Buffer.alloc(4))),
    "is not a whole PNG image"
  ],
  ["half a GIF", gif(20, 20).subarray(0, 26), cut],
  ["a GIF without frames", gif(20, 20, { frames: 0 }), "is not a whole GIF image"],
  ["half a WebP", webp(20, 20).subarray(0, 24), cut],
  ["a WebP of an unknown kind", Buffer.concat([Buffer.from("RIFF\x04\0\0\0WEBP", "latin1")]), cut],
  [
    "a WebP whose pixels are larger than its canvas",
    extendedWebp(2, 2, 0, webp(16_000, 16_000).subarray(12)),
    "has more than 40 megapixels"
  ]
]

describe("a file that is refused", () => {
  it.each(bad.map(([name, bytes, why, declared = ""]) => ({ name, bytes, why, declared })))(
    "$name",
    ({ bytes, why, declared }) => {
      const began = performance.now()
      const given = reason(bytes, declared)
      const took = performance.now() - began
      expect(took).toBeLessThan(200)
      expect(given).toBe(why)
    }
  )

  it("ten megabytes of markers take no longer than other files", () => {
    const took = (bytes: Uint8Array): number => {
      const began = performance.now()
      reason(bytes)
      return performance.now() - began
    }
    const size = 10 * 1_048_576
    expect(took(Buffer.concat([jpeg(2, 2).subarray(0, -2), Buffer.alloc(size, 0xff)]))).toBeLessThan(200)
    expect(took(Buffer.concat([jpeg(2, 2).subarray(0, -2), Buffer.from("ff00".repeat(size / 2), "hex")]))).toBeLessThan(
      200
    )
    expect(
      took(
        Buffer.concat([
          gif(2, 2).subarray(0, -1),
          Buffer.from([0x21, 0xfe]),
          Buffer.from("0100".repeat(size / 2), "hex")
        ])
      )
    ).toBeLessThan(200)
  })
})
