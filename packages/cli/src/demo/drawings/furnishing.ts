/** Drawings of bedding and storage. */
import { cloth, type Drawings, e, lying, moved, p, r, s, standing, times } from "./pen.ts"

/** A stack of folded layers on the floor, the fold to the front. */
const stack = (layers: number, pattern: string, height = 34): string =>
  times(layers, (i) => {
    const y = 330 - (i + 1) * height
    const d = `M${70 + i * 3} ${y}H${318 - i * 2}Q${340 - i * 2} ${y} ${340 - i * 2} ${y + height / 2}T${318 - i * 2} ${y + height}H${70 + i * 3}Q${60 + i * 3} ${y + height / 2} ${70 + i * 3} ${y}Z`
    return (
      cloth(d, pattern) +
      s("#000000", 2, `M${78 + i * 3} ${y + height / 2}H${322 - i * 2}`, 0.16) +
      s("#ffffff", 2, `M${76 + i * 3} ${y + 3}H${312 - i * 2}`, 0.35)
    )
  })

const bed = (pattern: string, pillow: string): string =>
  r("wood", [40, 92, 320, 90, 14]) +
  r("wood", [52, 308, 16, 30, 3]) +
  r("wood", [332, 308, 16, 30, 3]) +
  r("white", [50, 190, 300, 120, 18]) +
  p(pillow, "M78 142Q130 128 188 142Q196 172 188 198Q130 206 78 198Q70 170 78 142Z") +
  p(pillow, "M212 142Q270 128 322 142Q330 170 322 198Q270 206 212 198Q204 172 212 142Z") +
  s("#000000", 1.6, "M88 150Q130 142 180 150M222 150Q270 142 312 150", 0.12) +
  cloth("M44 204Q200 184 356 204L366 300Q366 320 346 322Q200 330 54 322Q34 320 34 300Z", pattern) +
  p("ml", "M44 204Q200 184 356 204L358 232Q200 212 42 232Z") +
  s("#000000", 3, "M120 240Q112 280 122 318M220 234Q232 280 222 322M300 240Q308 280 298 316", 0.08)

const blanket = (pattern: string): string =>
  moved(
    cloth("M86 70H314V300H86Z", pattern) +
      times(29, (i) => s("m", 3, `M${90 + i * 7.8} 300l${i % 2 ? 2 : -2} 22`)) +
      s("#ffffff", 7, "M86 104H314M86 268H314", 0.42) +
      p("#000000", "M86 70H200V300H86Z", 0.06),
    [0, 0, -9]
  )

const curtain = (pattern: string, rings: boolean): string =>
  r(rings ? "steel" : "brass", [40, 56, 320, 11, 5]) +
  e(rings ? "steel" : "brass", [40, 61, 12]) +
  e(rings ? "steel" : "brass", [360, 61, 12]) +
  times(8, (i) => {
    const x = 66 + i * 34
    return (
      cloth(`M${x} 74Q${x + 17} 66 ${x + 34} 74L${x + 36} 336Q${x + 17} 346 ${x - 2} 336Z`, pattern) +
      p("#000000", `M${x + 22} 70L${x + 34} 74L${x + 36} 336L${x + 25} 341Z`, 0.14) +
      p("#ffffff", `M${x + 5} 74L${x + 11} 72L${x + 10} 340L${x + 3} 338Z`, 0.2) +
      e("none", [x + 17, 62, 0, 0]) +
      s(rings ? "#7f8b92" : "#a37c2b", 3, `M${x + 17} 74V58`)
    )
  })

const crate = (scale: number, inside = ""): string => {
  const [w, h] = [250 * scale, 170 * scale]
  const [x, y] = [200 - w / 2, 330 - h]
  return (
    inside +
    times(
      3,
      (i) => r("wood", [x, y + (i * h) / 3, w, h / 3 - 4, 3]) + r("grain", [x, y + (i * h) / 3, w, h / 3 - 4, 3])
    ) +
    r("wood", [x - 6, y - 4, 26 * scale, h + 4, 4]) +
    r("wood", [x + w + 6 - 26 * scale, y - 4, 26 * scale, h + 4, 4]) +
    times(
      3,
      (i) =>
        e("#00000055", [x + 6 * scale, y + (i + 0.45) * (h / 3), 2.6]) +
        e("#00000055", [x + w - 6 * scale, y + (i + 0.45) * (h / 3), 2.6])
    ) +
    r("#3a2a18", [200 - 34 * scale, y + 12 * scale, 68 * scale, 22 * scale, 11 * scale], 0.75)
  )
}

const woven = (d: string, rim: string): string => p("willow", d) + p("wicker", d) + rim

const basket = (square: boolean): string =>
  s("#9d7d4b", 12, "M100 206Q74 150 128 150M300 206Q326 150 272 150") +
  woven(
    square ? "M74 180H326L314 330H86Z" : "M70 190H330Q336 330 250 330H150Q64 330 70 190Z",
    square
      ? r("willow", [66, 168, 268, 24, 8]) + r("wicker", [66, 168, 268, 24, 8])
      : e("willow", [200, 190, 132, 22]) + e("#5f4a2a", [200, 192, 116, 15], 0.55)
  )

const shelf = (w: number, things: string): string =>
  things +
  r("wood", [200 - w / 2, 232, w, 22, 3]) +
  r("grain", [200 - w / 2, 232, w, 22, 3]) +
  p("#000000", `M${200 - w / 2} 254H${200 + w / 2}L${200 + w / 2 - 12} 276H${200 - w / 2 + 12}Z`, 0.1)

const book = (x: number, [w, h]: readonly [number, number], fill: string): string =>
  r(fill, [x, 232 - h, w, h, 2]) + r("#ffffff", [x, 232 - h + 16, w, 5], 0.4)

const plant = (x: number): string =>
  p(
    "leaf",
    `M${x} 196Q${x - 44} 176 ${x - 34} 128Q${x - 4} 150 ${x} 196Q${x + 4} 140 ${x + 38} 126Q${x + 44} 178 ${x} 196Z`
  ) +
  p("leaf", `M${x} 196Q${x - 14} 140 ${x + 2} 104Q${x + 18} 142 ${x} 196Z`) +
  p("clay", `M${x - 26} 188H${x + 26}L${x + 20} 232H${x - 20}Z`)

const pegs = (count: number): string => {
  const w = count * 38 + 50
  const x = 200 - w / 2
  return (
    r("wood", [x, 168, w, 50, 8]) +
    r("grain", [x, 168, w, 50, 8]) +
    times(count, (i) => {
      const at = x + 44 + i * ((w - 88) / (count - 1))
      return (
        e("#000000", [at + 5, 203, 13, 15], 0.18) +
        e("wood", [at, 195, 13]) +
        e("#ffffff", [at - 4, 190, 4], 0.5) +
        s("#8a6437", 2, `M${at - 13} 195a13 13 0 1 0 26 0a13 13 0 1 0 -26 0`, 0.6)
      )
    })
  )
}

const canister = (x: number, [w, h]: readonly [number, number]): string =>
  r("m", [x, 330 - h, w, h, 9]) +
  e("md", [x + w / 2, 330 - h + 3, w / 2, 7]) +
  r("wood", [x + 2, 330 - h - 16, w - 4, 20, 7]) +
  r("#ffffff", [x + 11, 330 - h + 20, 8, h - 44, 4], 0.4) +
  r("paper", [x + w * 0.28, 330 - h * 0.62, w * 0.5, h * 0.26, 3])

export const furnishing: Drawings = {
  "Drift percale duvet cover": standing(bed("weave", "ml"), "#f7f5ef", 168, { y: 336, detail: [130, 180] }),
  "Drift percale fitted sheet": standing(stack(4, "weave", 30) + r("willow", [176, 210, 44, 120, 3]), "#f7f5ef", 150),
  "Hush sateen duvet cover": standing(bed("pin", "m"), "#b9b1a3", 168, { y: 336, detail: [250, 220] }),
  "Hush sateen flat sheet": standing(
    stack(3, "pin", 44) + s("#ffffff", 5, "M80 216H320M80 222H320", 0.6),
    "#b9b1a3",
    150
  ),
  "Loft wool blanket": lying(blanket("twill"), "#d9cbb0"),
  "Loft cotton throw": lying(blanket("waffle"), "#f7f5ef"),
  "Nocturne blackout curtain": lying(curtain("weave", false), "#1f2d4d", [140, 110]),
  "Nocturne mattress protector": standing(
    cloth("M34 238Q34 214 58 214H342Q366 214 366 238V306Q366 330 342 330H58Q34 330 34 306Z", "quilt") +
      p("ml", "M58 214Q90 172 130 170H300Q330 176 342 214Z") +
      p("quilt", "M58 214Q90 172 130 170H300Q330 176 342 214Z") +
      s("#ffffff", 4, "M40 236H360M40 308H360", 0.6),
    "#e6e4dd",
    166
  ),
  "Crate small": standing(crate(0.74), "#c89f68", 110),
  "Crate medium": standing(
    crate(
      0.98,
      times(9, (i) =>
        r(["#a8402f", "#31527b", "#d0a94e", "#3f6b4f", "#e7e2d6"][i % 5] ?? "#333333", [
          92 + i * 24,
          124 + (i % 3) * 5,
          21,
          90
        ])
      )
    ),
    "#c89f68",
    140,
    { detail: [200, 180] }
  ),
  "Crate large": standing(crate(1.18), "#c89f68", 168, { detail: [90, 250] }),
  "Rush basket round": standing(basket(false), "#c4a16a", 110, { detail: [250, 240] }),
  "Rush basket square": standing(basket(true), "#c4a16a", 124),
  "Rush laundry basket": standing(
    woven("M96 110H304L288 330H112Z", r("paper", [86, 96, 228, 34, 12]) + r("weave", [86, 96, 228, 34, 12])) +
      s("#7d6136", 9, "M92 190Q66 210 96 236M308 190Q334 210 304 236") +
      p("willow", "M84 96Q90 60 200 56T316 96Z") +
      p("wicker", "M84 96Q90 60 200 56T316 96Z") +
      r("leather", [186, 50, 28, 14, 6]),
    "#c4a16a",
    100
  ),
  "Ledge wall shelf 60": lying(
    shelf(
      230,
      book(116, [22, 84], "#31527b") + book(140, [18, 74], "#a8402f") + book(160, [26, 92], "#e7e2d6") + plant(262)
    )
  ),
  "Ledge wall shelf 90": lying(
    shelf(
      350,
      times(11, (i) =>
        book(
          42 + i * 19,
          [17, 70 + ((i * 37) % 34)],
          ["#3f6b4f", "#d9723a", "#1f2d4d", "#d9cbb0", "#7d5a90"][i % 5] ?? "#333333"
        )
      ) + plant(304)
    ),
    undefined,
    [140, 200]
  ),
  "Peg rail five": lying(pegs(5)),
  "Peg rail eight": lying(pegs(8), undefined, [120, 200]),
  "Tin canister set": standing(
    canister(54, [110, 180]) + canister(172, [96, 140]) + canister(276, [80, 104]),
    "#5f8288",
    160,
    { detail: [120, 220] }
  ),
  "Tin bread bin": standing(
    r("m", [58, 206, 284, 124, 26]) +
      r("wood", [50, 188, 300, 30, 8]) +
      times(9, (i) => s("#8a6437", 3, `M${76 + i * 31} 194V212`, 0.6)) +
      r("#ffffff", [80, 232, 10, 74, 5], 0.4) +
      r("dark", [160, 262, 80, 12, 6]),
    "#d9cbb0",
    150
  )
}
