/**
 * Puts drawings into a picture as a shop's photographer would: on a tinted ground that is lit from the upper left, with
 * a soft shadow below. The same drawings give the same text.
 */
import { mixed, paintsOf, patternNames } from "./paints.ts"
import type { Drawing } from "./pen.ts"

/** Grounds of pictures: those of neighbours differ. */
export const tints: ReadonlyArray<string> = [
  "#e8ddd0",
  "#d6e2dd",
  "#e6dbe3",
  "#d7e1ea",
  "#f0dfd2",
  "#e3e4d2",
  "#dcdfe4",
  "#ecd8d6",
  "#d2e3e4",
  "#e9e2c9"
]

/** Pixels of a side. */
const side = 640

/** A drawing at its place: moved from the middle, turned by degrees and scaled. */
export interface Placed {
  readonly drawing: Drawing
  readonly at?: readonly [x: number, y: number, turn?: number, scale?: number]
}

/** Parts that say nothing of an outline: what is see-through, the light of lamps, patterns above a paint. */
const inner = new RegExp(
  `<(path|rect|ellipse)[^>]*(opacity="|#fff6cf|#fff1bd|(${patternNames.join("|")})\\))[^>]*>`,
  "g"
)

/** The outline, in one ink. */
const silhouette = (art: string, ink: string): string =>
  art.replace(inner, "").replace(/(fill|stroke)="(?!none)[^"]*"/g, `$1="${ink}"`)

/** A mark: the outline of a drawing on a disc. */
export const emblemOf = ({ art }: Drawing, colour: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="0 0 400 400"><rect width="400" height="400" fill="#ffffff"/><circle cx="200" cy="200" r="176" fill="${colour}"/><circle cx="200" cy="200" r="160" fill="none" stroke="#ffffff" stroke-width="3"/><g transform="translate(200 200) scale(.62) translate(-200 -210)">${silhouette(art, "#ffffff")}</g></svg>`

const shadowOf = ({ art, stands }: Drawing): string => {
  if (stands === undefined)
    return [0.06, 0.07]
      .map((opacity, i) => {
        const [x, y] = [11 - i * 5, 16 - i * 7]
        return `<g transform="translate(${x} ${y})">${silhouette(art, `rgba(29,28,38,${opacity})`)}</g>`
      })
      .join("")
  const [x, y, width] = stands
  return `<ellipse cx="${x + 14}" cy="${y + 2}" rx="${width * 1.22}" ry="${width * 0.15 + 6}" fill="url(#floor)"/>`
}

const placed = ({ drawing, at: [x, y, turn = 0, scale = 1] = [0, 0] }: Placed, prefix: string): string => {
  const art = drawing.art.replaceAll("url(#", `url(#${prefix}`)
  return `<g transform="translate(${200 + x} ${200 + y}) rotate(${turn}) scale(${scale}) translate(-200 -200)">${shadowOf({ ...drawing, art })}${art}</g>`
}

/** The ground, and for what stands a floor with a horizon. */
const ground = (tint: string, isRoom: boolean): string =>
  `<rect width="400" height="400" fill="url(#wall)"/>${
    isRoom
      ? `<rect y="282" width="400" height="118" fill="${mixed(tint, "#2a2430", 0.075)}"/><rect y="282" width="400" height="30" fill="url(#edge)"/>`
      : ""
  }`

const light = (tint: string): string =>
  `<linearGradient id="wall" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="${mixed(tint, "#ffffff", 0.42)}"/><stop offset="1" stop-color="${mixed(tint, "#3a3040", 0.05)}"/></linearGradient>` +
  `<linearGradient id="edge" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${mixed(tint, "#2a2430", 0.1)}" stop-opacity=".6"/><stop offset="1" stop-color="${mixed(tint, "#2a2430", 0.075)}" stop-opacity="0"/></linearGradient>` +
  `<radialGradient id="floor"><stop offset="0" stop-color="#1d1c26" stop-opacity=".42"/><stop offset=".6" stop-color="#1d1c26" stop-opacity=".2"/><stop offset="1" stop-color="#1d1c26" stop-opacity="0"/></radialGradient>`

/** A picture as SVG. `near` shows what is around a point from nearby. */
export const sceneOf = (
  drawings: ReadonlyArray<Placed>,
  { tint, near }: { readonly tint: string; readonly near?: readonly [x: number, y: number] }
): string => {
  const zoom = near === undefined ? "" : ` transform="translate(200 200) scale(2) translate(${-near[0]} ${-near[1]})"`
  const paints = drawings.map(({ drawing: { art, colour } }, i) => paintsOf(art, colour, `d${i}`)).join("")
  const isRoom = near === undefined && drawings.length === 1 && (drawings[0]?.drawing.stands?.[2] ?? 0) > 1
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="0 0 400 400"><defs>${light(tint)}${paints}</defs>${ground(tint, isRoom)}<g${zoom}>${drawings.map((each, i) => placed(each, `d${i}`)).join("")}</g></svg>`
}
