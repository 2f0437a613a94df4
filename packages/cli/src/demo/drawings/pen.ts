/**
 * What the demo store's drawings are made of: paths, boxes and ellipses in SVG, on a sheet of 400 by 400. A fill is a
 * paint or a pattern of paints.ts by its name, or a colour.
 */
import { isPaint } from "./paints.ts"

export interface Drawing {
  readonly art: string
  /** The colour that the paints `m`, `ml`, `md` and `mx` are made of. */
  readonly colour: string
  /** Where it stands on the floor: the middle of its shadow, and half the width. Without it lies flat. */
  readonly stands?: readonly [x: number, y: number, width: number]
  /** What a picture from nearby shows the middle of. */
  readonly detail?: readonly [x: number, y: number]
}

/** By the names of products. */
export type Drawings = Readonly<Record<string, Drawing>>

const ink = (fill: string): string => (isPaint(fill) ? `url(#${fill})` : fill)
const faded = (opacity: number): string => (opacity === 1 ? "" : ` opacity="${opacity}"`)

/** A filled path. */
export const p = (fill: string, d: string, opacity = 1): string =>
  `<path fill="${ink(fill)}" d="${d}"${faded(opacity)}/>`

/** A stroked path. */
export const s = (fill: string, width: number, d: string, opacity = 1): string =>
  `<path fill="none" stroke="${ink(fill)}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round" d="${d}"${faded(opacity)}/>`

/** A box of x, y, width, height and radius of the corners. */
export const r = (fill: string, [x, y, w, h, rx = 0]: ReadonlyArray<number>, opacity = 1): string =>
  `<rect fill="${ink(fill)}" x="${x}" y="${y}" width="${w}" height="${h}" rx="${rx}"${faded(opacity)}/>`

/** An ellipse of its middle and its radii. */
export const e = (fill: string, [x, y, rx = 0, ry = rx]: ReadonlyArray<number>, opacity = 1): string =>
  `<ellipse fill="${ink(fill)}" cx="${x}" cy="${y}" rx="${rx}" ry="${ry}"${faded(opacity)}/>`

/** Moved, turned by degrees and scaled about the middle of the sheet. */
export const moved = (art: string, [x, y, turn = 0, scale = 1]: ReadonlyArray<number>): string =>
  `<g transform="translate(${200 + (x ?? 0)} ${200 + (y ?? 0)}) rotate(${turn}) scale(${scale}) translate(-200 -200)">${art}</g>`

export const times = (count: number, draw: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => draw(i)).join("")

/** The same path in a paint, and again in a pattern above it. */
export const cloth = (d: string, pattern: string, fill = "m"): string => p(fill, d) + p(pattern, d)

export const lying = (art: string, colour = "#b9b1a3", detail?: readonly [number, number]): Drawing =>
  detail === undefined ? { art, colour } : { art, colour, detail }

/** On the floor of a scene, with a shadow of this half width below. */
export const standing = (
  art: string,
  colour: string,
  width: number,
  rest: { readonly x?: number; readonly y?: number; readonly detail?: readonly [number, number] } = {}
): Drawing => ({
  art,
  colour,
  stands: [rest.x ?? 200, rest.y ?? 330, width],
  ...(rest.detail === undefined ? {} : { detail: rest.detail })
})
