/**
 * The demo store's pictures, drawn by code: one for each department, of a few flat shapes. The same department gives
 * the same bytes.
 */
import { type Drawing, pngOf } from "./png.ts"

/** Pixels of a side; shapes are measured in hundredths of it. */
const side = 480

/** From `x`, `y`, in hundredths. `ink` is the place of its colour in the palette. */
type Shape =
  | { readonly kind: "box"; readonly ink: number; readonly at: readonly [x: number, y: number, w: number, h: number] }
  | {
      readonly kind: "disc"
      readonly ink: number
      readonly at: readonly [x: number, y: number, rx: number, ry: number]
    }
  | { readonly kind: "tent"; readonly ink: number; readonly at: readonly [x: number, y: number, w: number, h: number] }

const box = (ink: number, x: number, y: number, w: number, h: number): Shape => ({ kind: "box", ink, at: [x, y, w, h] })
const disc = (ink: number, x: number, y: number, rx: number, ry = rx): Shape => ({
  kind: "disc",
  ink,
  at: [x, y, rx, ry]
})
/** A triangle with its point above the middle. */
const tent = (ink: number, x: number, y: number, w: number, h: number): Shape => ({
  kind: "tent",
  ink,
  at: [x, y, w, h]
})

const covers = ({ kind, at: [x, y, w, h] }: Shape, px: number, py: number): boolean => {
  if (kind === "disc") return ((px - x) / w) ** 2 + ((py - y) / h) ** 2 <= 1
  if (px < x || px > x + w || py < y || py > y + h) return false
  return kind === "box" || Math.abs(px - x - w / 2) <= ((py - y) / h) * (w / 2)
}

interface Sketch {
  /** What it shows, for those who cannot see it. */
  readonly shows: string
  /** The ground first. */
  readonly palette: ReadonlyArray<string>
  readonly shapes: ReadonlyArray<Shape>
}

const sketches: Readonly<Record<string, Sketch>> = {
  cookware: {
    shows: "a pan seen from above",
    palette: ["#f3e6d8", "#3b3d40", "#5b5e63"],
    shapes: [box(1, 66, 46, 30, 8), disc(1, 42, 50, 30), disc(2, 42, 50, 25)]
  },
  tableware: {
    shows: "a plate between fork and knife",
    palette: ["#dfe7ea", "#ffffff", "#c9d3d8", "#7f8b92"],
    shapes: [
      disc(1, 50, 50, 28),
      disc(2, 50, 50, 19),
      disc(1, 50, 50, 18),
      box(3, 11, 25, 3, 50),
      box(3, 86, 25, 3, 50)
    ]
  },
  bedding: {
    shows: "a made bed",
    palette: ["#e9e4f0", "#6f6390", "#ffffff", "#8b7fae"],
    shapes: [box(1, 15, 20, 70, 10), box(2, 20, 32, 26, 14), box(2, 54, 32, 26, 14), box(3, 15, 48, 70, 32)]
  },
  lighting: {
    shows: "a lamp that is lit",
    palette: ["#2f3450", "#f2c14e", "#8a6d3b", "#fbe7b0"],
    shapes: [disc(3, 50, 40, 34, 30), tent(1, 28, 16, 44, 30), box(2, 48, 46, 4, 34), box(2, 36, 80, 28, 5)]
  },
  storage: {
    shows: "crates on a shelf",
    palette: ["#efe9dd", "#b58b5a", "#8a6840"],
    shapes: [
      box(2, 8, 76, 84, 4),
      box(1, 14, 46, 32, 30),
      box(1, 54, 46, 32, 30),
      box(2, 24, 54, 12, 4),
      box(2, 64, 54, 12, 4)
    ]
  },
  camping: {
    shows: "a tent below the moon",
    palette: ["#22384a", "#f4efd9", "#d9723a", "#7a3c1d", "#2f5140"],
    shapes: [disc(1, 78, 22, 8), box(4, 0, 78, 100, 22), tent(2, 18, 32, 64, 48), tent(3, 42, 52, 16, 28)]
  },
  hiking: {
    shows: "two mountains and the sun",
    palette: ["#cfe3ea", "#f2b63c", "#4d6a5b", "#6f8f7c"],
    shapes: [disc(1, 72, 26, 10), tent(3, 38, 34, 58, 52), tent(2, 6, 24, 62, 62)]
  },
  cycling: {
    shows: "the wheels of a bicycle",
    palette: ["#e4ecd8", "#2b2d31", "#e4ecd8", "#b5412f"],
    shapes: [
      disc(1, 27, 60, 21),
      disc(2, 27, 60, 18),
      disc(1, 73, 60, 21),
      disc(2, 73, 60, 18),
      box(3, 27, 42, 46, 4),
      box(3, 46, 42, 4, 20)
    ]
  },
  shirts: {
    shows: "a shirt with buttons",
    palette: ["#dbe4f0", "#31527b", "#ffffff"],
    shapes: [
      box(1, 12, 24, 76, 18),
      box(1, 30, 24, 40, 58),
      tent(2, 42, 16, 16, 12),
      disc(2, 50, 42, 2),
      disc(2, 50, 54, 2),
      disc(2, 50, 66, 2)
    ]
  },
  knitwear: {
    shows: "a striped jumper",
    palette: ["#f1e5df", "#7a4a3a", "#d9b9a0"],
    shapes: [
      box(1, 12, 26, 76, 20),
      box(1, 28, 26, 44, 56),
      box(2, 28, 50, 44, 6),
      box(2, 28, 64, 44, 6),
      disc(0, 50, 24, 11, 7)
    ]
  },
  trousers: {
    shows: "a pair of trousers",
    palette: ["#ece7dc", "#4a4f63", "#353a4c"],
    shapes: [box(1, 30, 16, 18, 70), box(1, 52, 16, 18, 70), box(1, 30, 16, 40, 18), box(2, 30, 16, 40, 5)]
  },
  accessories: {
    shows: "a bag with a handle",
    palette: ["#f3e2e0", "#8a3b32", "#f3e2e0", "#d8a94a"],
    shapes: [disc(1, 50, 40, 20, 22), disc(2, 50, 40, 15, 17), box(1, 20, 40, 60, 42), disc(3, 50, 58, 4)]
  },
  stationery: {
    shows: "a notebook and a pen",
    palette: ["#e6ead9", "#2b3a67", "#f7f5ef", "#d9723a"],
    shapes: [box(1, 20, 18, 46, 64), box(2, 26, 26, 34, 12), box(3, 76, 30, 5, 52), tent(3, 76, 18, 5, 12)]
  },
  garden: {
    shows: "a plant in a pot",
    palette: ["#e3efe0", "#b5623f", "#3f7a4c", "#8f4a2e"],
    shapes: [
      box(2, 48, 28, 4, 30),
      disc(2, 38, 34, 13, 9),
      disc(2, 62, 26, 13, 9),
      box(3, 28, 54, 44, 8),
      box(1, 32, 62, 36, 24)
    ]
  },
  bathroom: {
    shows: "towels on a rail",
    palette: ["#d9ecec", "#7f8b92", "#ffffff", "#5f9ea0"],
    shapes: [
      box(1, 10, 22, 80, 3),
      box(2, 18, 22, 28, 52),
      box(3, 54, 22, 28, 44),
      box(3, 18, 64, 28, 4),
      box(2, 54, 56, 28, 4)
    ]
  },
  leisure: {
    shows: "two dice",
    palette: ["#efe3ef", "#ffffff", "#5b3b6b", "#7d5a90"],
    shapes: [
      box(3, 14, 36, 36, 36),
      box(1, 50, 26, 36, 36),
      disc(1, 32, 54, 4),
      disc(2, 59, 35, 4),
      disc(2, 68, 44, 4),
      disc(2, 77, 53, 4)
    ]
  }
}

const drawingOf = ({ palette, shapes }: Sketch): Drawing => {
  const pixels = new Uint8Array(side * side)
  const scale = 100 / side
  for (const shape of shapes)
    for (let at = 0; at < pixels.length; at += 1) {
      const [x, y] = [(at % side) + 0.5, Math.floor(at / side) + 0.5]
      if (covers(shape, x * scale, y * scale)) pixels[at] = shape.ink
    }
  return { width: side, height: side, palette, pixels }
}

export interface DemoPicture {
  readonly department: string
  /** Name of its file in the media library. */
  readonly name: string
  readonly shows: string
  readonly draw: () => Uint8Array
}

export const demoPictures: ReadonlyArray<DemoPicture> = Object.entries(sketches).map(([department, sketch]) => ({
  department,
  name: `demo-${department}.png`,
  shows: sketch.shows,
  draw: () => pngOf(drawingOf(sketch))
}))
