/** The paints of the demo store's drawings: materials as gradients from the light to the shadow, and patterns. */

/** Each from the light side to that in the shadow; with a third figure, see-through. */
const materials: Readonly<Record<string, readonly [light: string, middle: string, dark: string, opacity?: number]>> = {
  steel: ["#f4f6f7", "#bcc4ca", "#87919a"],
  dark: ["#63666c", "#3e4146", "#25272b"],
  wood: ["#e0bd8a", "#c89f68", "#a97f4b"],
  walnut: ["#94673f", "#754d2f", "#583821"],
  brass: ["#f3d992", "#d0a94e", "#a37c2b"],
  glass: ["#ffffff", "#d5e6ea", "#a9c4cc", 0.62],
  paper: ["#fffdf8", "#f7f2e7", "#e9e1d1"],
  white: ["#ffffff", "#f5f3ef", "#d9d6d0"],
  leather: ["#b57c52", "#91603c", "#6d4326"],
  clay: ["#d98a62", "#bd6a45", "#94502f"],
  willow: ["#dfc394", "#c4a16a", "#9d7d4b"],
  leaf: ["#7fae6c", "#568a4d", "#386536"],
  flame: ["#fff3c4", "#fbd36b", "#ef9a3c"],
  water: ["#9cc7d6", "#5f9db4", "#3b7891", 0.7]
}

const line = (d: string, width: number, ink: string): string =>
  `<path d="${d}" fill="none" stroke="${ink}" stroke-width="${width}"/>`
const dark = (opacity: number): string => `rgba(20,20,30,${opacity})`
const light = (opacity: number): string => `rgba(255,255,255,${opacity})`

/**
 * Width, height and what repeats; they darken and lighten whatever they lie on. Where a pattern is scaled by quarters and
 * not turned, even sizes are whole pixels: it is drawn ten times as fast.
 */
const patterns: Readonly<Record<string, readonly [width: number, height: number, art: string]>> = {
  rib: [8, 8, line("M2 0V8", 2.2, dark(0.13)) + line("M6 0V8", 1.6, light(0.13))],
  cord: [10, 10, line("M3 0V10", 3.4, dark(0.14)) + line("M7.5 0V10", 2, light(0.16))],
  weave: [6, 6, line("M0 1H6", 1, dark(0.1)) + line("M1 0V6", 1, light(0.25))],
  twill: [8, 8, line("M-2 6L6 -2M2 10L10 2", 1.3, dark(0.13))],
  check: [
    44,
    44,
    `${line("M11 0V44", 14, dark(0.22))}${line("M0 11H44", 14, dark(0.22))}${line("M33 0V44M0 33H44", 2.4, light(0.5))}`
  ],
  stripes: [400, 60, line("M0 15H400", 30, light(0.82))],
  pin: [14, 14, line("M7 0V14", 1.2, dark(0.2))],
  knit: [10, 8, line("M0 0L5 6L10 0", 2, dark(0.12)) + line("M0 3L5 9L10 3", 1, light(0.14))],
  cable: [36, 40, line("M10 0C30 12 30 28 10 40", 5, dark(0.13)) + line("M26 0C6 12 6 28 26 40", 5, light(0.22))],
  waffle: [14, 14, line("M0 0H14M0 0V14", 3, light(0.28)) + line("M3 3H11V11", 1.4, dark(0.13))],
  quilt: [46, 46, line("M0 0L46 46M46 0L0 46", 1.8, dark(0.14)) + line("M0 2L44 46M46 2L2 46", 1, light(0.4))],
  terry: [
    6,
    6,
    `<circle cx="1.5" cy="1.5" r="1.1" fill="${light(0.4)}"/><circle cx="4.5" cy="4.5" r="1.1" fill="${dark(0.07)}"/>`
  ],
  wicker: [24, 16, `${line("M0 4H11M12 12H23", 6, dark(0.13))}${line("M0 3H11M12 11H23", 1.6, light(0.35))}`],
  speckle: [
    34,
    30,
    `<circle cx="6" cy="8" r="1.1" fill="${dark(0.28)}"/><circle cx="22" cy="4" r=".8" fill="${dark(0.22)}"/><circle cx="15" cy="20" r="1.3" fill="${dark(0.2)}"/><circle cx="29" cy="25" r=".9" fill="${dark(0.28)}"/>`
  ],
  ruled: [14, 14, line("M0 13H14", 1, "rgba(60,90,140,.5)")],
  dotted: [14, 14, `<circle cx="7" cy="7" r="1.3" fill="rgba(60,70,90,.6)"/>`],
  grain: [60, 26, line("M0 6C20 2 40 10 60 6M0 18C18 22 42 14 60 18", 1.2, "rgba(90,55,20,.22)")],
  squares: [48, 48, `<path d="M0 0H24V24H0ZM24 24H48V48H24Z" fill="#4d3322"/>`]
}

export const patternNames: ReadonlyArray<string> = Object.keys(patterns)

const own = ["m", "ml", "md", "mx"]

export const isPaint = (name: string): boolean => own.includes(name) || name in materials || name in patterns

/** `share` of another colour mixed into one, both as #rrggbb. */
export const mixed = (colour: string, other: string, share: number): string => {
  const parts = [1, 3, 5].map((at) => {
    const [from, to] = [Number.parseInt(colour.slice(at, at + 2), 16), Number.parseInt(other.slice(at, at + 2), 16)]
    return Math.round(from + (to - from) * share)
      .toString(16)
      .padStart(2, "0")
  })
  return `#${parts.join("")}`
}

const gradient = (id: string, stops: ReadonlyArray<string>, opacity = 1): string =>
  `<linearGradient id="${id}" x1="0" y1="0" x2="1" y2=".35">${stops
    .map(
      (colour, i) =>
        `<stop offset="${i / Math.max(1, stops.length - 1)}" stop-color="${colour}" stop-opacity="${opacity}"/>`
    )
    .join("")}</linearGradient>`

/** The paints made of a drawing's own colour. Very light colours are shaded towards a cool grey. */
const ofColour: Readonly<Record<string, (colour: string) => ReadonlyArray<string>>> = {
  m: (colour) => [mixed(colour, "#ffffff", 0.2), colour, mixed(colour, "#22242c", 0.17)],
  ml: (colour) => [mixed(colour, "#ffffff", 0.38)],
  md: (colour) => [mixed(colour, "#1c1e28", 0.26)],
  mx: (colour) => [mixed(colour, "#14151c", 0.5)]
}

/** The definitions of the paints that a drawing uses. */
export const paintsOf = (art: string, colour: string, prefix: string): string =>
  [...new Set([...art.matchAll(/url\(#(\w+)\)/g)].map(([, name = ""]) => name))]
    .map((name) => {
      const id = `${prefix}${name}`
      const material = materials[name]
      if (material !== undefined) return gradient(id, material.slice(0, 3) as ReadonlyArray<string>, material[3])
      const [width, height, drawn] = patterns[name] ?? [0, 0, ""]
      if (width > 0)
        return `<pattern id="${id}" width="${width}" height="${height}" patternUnits="userSpaceOnUse">${drawn}</pattern>`
      return gradient(id, ofColour[name]?.(colour) ?? [colour])
    })
    .join("")
