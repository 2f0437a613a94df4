/** Drawings of lamps. */
import { type Drawings, e, lying, moved, p, r, s, standing } from "./pen.ts"

const bulb = (x: number, y: number): string => e("#fff6cf", [x, y, 120, 110], 0.13) + e("#fff6cf", [x, y, 76, 70], 0.2)

const shade = (x: number, y: number, [top, bottom, h]: readonly [number, number, number]): string =>
  p("m", `M${x - top} ${y}H${x + top}L${x + bottom} ${y + h}H${x - bottom}Z`) +
  p("#ffffff", `M${x - top * 0.6} ${y}H${x - top * 0.25}L${x - bottom * 0.3} ${y + h}H${x - bottom * 0.72}Z`, 0.22) +
  e("#fff1bd", [x, y + h, bottom, bottom * 0.09]) +
  e("md", [x, y, top, top * 0.08])

const pendant = (size: number): string => {
  const y = 150 + (1 - size) * 20
  return (
    s("#3b3d40", 4, `M200 0V${y - 60 * size}`) +
    bulb(200, y + 110 * size) +
    r("brass", [190, y - 66 * size, 20, 24, 5]) +
    p(
      "m",
      `M${200 - 22 * size} ${y - 44 * size}H${200 + 22 * size}Q${200 + 128 * size} ${y - 30 * size} ${200 + 140 * size} ${y + 90 * size}H${200 - 140 * size}Q${200 - 128 * size} ${y - 30 * size} ${200 - 22 * size} ${y - 44 * size}Z`
    ) +
    s(
      "#ffffff",
      8 * size,
      `M${200 - 112 * size} ${y + 66 * size}Q${200 - 100 * size} ${y} ${200 - 46 * size} ${y - 18 * size}`,
      0.35
    ) +
    e("#fff1bd", [200, y + 90 * size, 140 * size, 15 * size]) +
    e("#ffffff", [200, y + 92 * size, 50 * size, 7 * size], 0.8)
  )
}

const deskLamp = (foot: string): string =>
  bulb(108, 190) +
  foot +
  s("#2c2e33", 9, "M262 318L300 196L176 104") +
  e("brass", [300, 196, 12]) +
  e("brass", [176, 104, 9]) +
  moved(
    p("m", "M168 120H232L262 200H138Z") + r("md", [184, 92, 32, 30, 10]) + e("#fff1bd", [200, 200, 62, 10]),
    [-64, -40, 32, 0.95]
  )

const ceramicLamp =
  bulb(200, 150) +
  p(
    "m",
    "M176 214H224Q226 236 250 256Q276 286 246 322Q240 330 226 330H174Q160 330 154 322Q124 286 150 256Q174 236 176 214Z"
  ) +
  p(
    "speckle",
    "M176 214H224Q226 236 250 256Q276 286 246 322Q240 330 226 330H174Q160 330 154 322Q124 286 150 256Q174 236 176 214Z"
  ) +
  s("#ffffff", 8, "M158 274Q150 292 164 310", 0.45) +
  r("brass", [188, 186, 24, 30, 4])

const lantern = (frame: string, light: string): string =>
  s(frame === "brass" ? "#b48a35" : "#3b3e42", 6, "M160 108Q160 46 200 46T240 108") +
  r(frame, [150, 104, 100, 20, 8]) +
  p(frame, "M168 104L182 84H218L232 104Z") +
  bulb(200, 220) +
  p("glass", "M146 124H254Q276 210 254 296H146Q124 210 146 124Z") +
  light +
  s(frame === "brass" ? "#b48a35" : "#3b3e42", 4, "M146 124Q124 210 146 296M254 124Q276 210 254 296") +
  r(frame, [134, 294, 132, 36, 10]) +
  p("#ffffff", "M158 138H168Q152 210 166 284H156Q142 210 158 138Z", 0.5)

const flame = (x: number, y: number): string =>
  s("#3a3026", 3, `M${x} ${y + 36}V${y + 22}`) +
  p("flame", `M${x} ${y - 22}Q${x + 26} ${y + 8} ${x} ${y + 32}Q${x - 26} ${y + 8} ${x} ${y - 22}Z`)

const candle = (x: number, top: number): string =>
  flame(x, top - 36) +
  r("m", [x - 26, top, 52, 318 - top, 6]) +
  e("ml", [x, top + 2, 26, 6]) +
  r("#ffffff", [x - 17, top + 14, 8, 290 - top, 4], 0.35) +
  p("brass", `M${x - 44} 312H${x + 44}L${x + 36} 330H${x - 36}Z`)

export const lighting: Drawings = {
  "Beacon desk lamp": standing(deskLamp(p("dark", "M196 330Q200 308 262 308T328 330Z")), "#a8402f", 80, {
    x: 262,
    detail: [140, 160]
  }),
  "Beacon clamp lamp": standing(
    deskLamp(r("dark", [240, 302, 44, 60, 6]) + r("wood", [170, 322, 230, 20]) + e("brass", [262, 356, 12])),
    "#3f6b4f",
    1,
    { x: 285, y: 348 }
  ),
  "Glowstone table lamp": standing(ceramicLamp + shade(200, 70, [62, 104, 122]), "#5f8288", 90, { detail: [200, 280] }),
  "Glowstone floor lamp": standing(
    bulb(200, 110) + r("dark", [196, 120, 8, 206]) + e("dark", [200, 326, 64, 10]) + shade(200, 34, [50, 88, 92]),
    "#c9b48f",
    74
  ),
  "Wick lantern": standing(lantern("brass", r("paper", [180, 240, 40, 56, 4]) + flame(200, 204)), "#d0a94e", 90, {
    detail: [200, 220]
  }),
  "Wick candle pair": standing(candle(138, 120) + candle(262, 160), "#e6c47a", 130, { detail: [140, 130] }),
  "Halden pendant small": lying(pendant(0.72), "#d9723a"),
  "Halden pendant large": lying(pendant(1.05), "#31527b", [150, 180]),
  "Murmur night light": standing(
    bulb(200, 236) +
      e("flame", [200, 240, 84, 88], 0.95) +
      e("#ffffff", [176, 206, 26, 30], 0.6) +
      p("wood", "M118 264H282Q276 330 200 330T118 264Z"),
    "#e8c98f",
    84
  ),
  "Murmur bedside lamp": standing(
    bulb(200, 190) +
      p("flame", "M124 132Q124 84 200 84T276 132V252H124Z") +
      p("#ffffff", "M146 128Q146 104 176 98V252H146Z", 0.4) +
      r("wood", [112, 250, 176, 26, 10]) +
      r("wood", [140, 276, 120, 54, 10]) +
      e("brass", [200, 302, 9]),
    "#e8c98f",
    84
  ),
  "Arbor wall lamp": lying(
    r("brass", [60, 130, 26, 140, 13]) +
      r("wood", [78, 190, 190, 17, 8]) +
      bulb(276, 270) +
      moved(shade(200, 150, [38, 80, 92]), [66, 36]),
    "#e9dcc0"
  ),
  "Arbor picture light": lying(
    r("wood", [96, 150, 208, 200, 4]) +
      r("paper", [112, 166, 176, 168]) +
      p("#7fa6b5", "M124 178H276V322H124Z") +
      p("#5f8a6a", "M124 290Q170 240 206 276T276 260V322H124Z") +
      e("#f6dc9a", [240, 212, 17]) +
      p("#fff1bd", "M120 92H280L326 340H74Z", 0.24) +
      s("#a37c2b", 7, "M200 136V92") +
      r("brass", [110, 66, 180, 30, 15]) +
      r("#ffffff", [124, 72, 150, 6, 3], 0.5),
    "#d0a94e"
  )
}
