/** Drawings of the garden. */
import { type Drawings, e, lying, moved, p, r, s, standing, times } from "./pen.ts"

const shaft = (from: number, to: number): string =>
  r("wood", [191, from, 18, to - from, 8]) + r("grain", [191, from, 18, to - from, 8])

const grip = p("wood", "M168 40H232L222 62H210V86H190V62H178Z")

const tines = (count: number, [x, y, w, h]: readonly [number, number, number, number]): string =>
  times(count, (i) => p("steel", `M${x + (i * w) / (count - 1) - 5} ${y}h10V${y + h - 14}l-5 14l-5 -14z`)) +
  r("steel", [x - 8, y - 8, w + 16, 16, 8])

const trowelBlade =
  p("steel", "M168 200Q164 180 184 176H216Q236 180 232 200L226 318Q200 372 174 318Z") +
  s("#000000", 3, "M200 190V330", 0.14) +
  times(6, (i) => s("#3b3e42", 2, `M176 ${216 + i * 18}H${i % 2 ? 186 : 192}`, 0.7)) +
  s("#ffffff", 4, "M180 200L184 300", 0.6)

const handle =
  r("m", [182, 42, 36, 96, 16]) + r("steel", [192, 132, 16, 50, 4]) + r("#ffffff", [189, 52, 6, 76, 3], 0.4)

const blades = (size: number): string =>
  p("steel", `M196 190Q${150 - size * 10} 120 ${186 - size * 4} ${70 - size * 40}Q216 110 212 190Z`) +
  p("steel", `M204 190Q${250 + size * 10} 130 ${222 + size * 4} ${84 - size * 40}Q190 120 188 190Z`) +
  p("#000000", `M204 190Q${250 + size * 10} 130 ${222 + size * 4} ${84 - size * 40}Q214 130 204 190Z`, 0.12) +
  e("dark", [200, 190, 14]) +
  e("brass", [200, 190, 5])

const can = (scale: number): string =>
  moved(
    s("md", 13, "M128 190Q150 84 262 180M112 300Q30 290 104 204") +
      p("m", "M272 290L364 152L376 160L300 310Z") +
      p("brass", "M344 138L388 162L384 176L338 148Z") +
      times(3, (i) => e("#5b4314", [352 + i * 11, 150 + i * 6, 2.4])) +
      p("m", "M110 184H290L300 316Q300 330 284 330H116Q100 330 100 316Z") +
      e("mx", [200, 184, 90, 15]) +
      p("m", "M110 184Q150 150 220 168L214 198Q150 204 110 184Z") +
      r("md", [102, 280, 196, 8]) +
      r("#ffffff", [124, 206, 11, 106, 5], 0.4),
    [-14, (1 - scale) * 130, 0, scale]
  )

const clayPot = (scale: number, planted: string): string =>
  moved(
    planted +
      p("clay", "M112 196H288L266 318Q264 330 250 330H150Q136 330 134 318Z") +
      r("clay", [98, 164, 204, 40, 8]) +
      r("#000000", [104, 202, 192, 7], 0.16) +
      s("#ffffff", 9, "M132 226L144 306", 0.28) +
      s("#ffffff", 6, "M112 176H190", 0.3),
    [0, (1 - scale) * 130, 0, scale]
  )

const lemonTree =
  s("#7d5a35", 11, "M200 180V100") +
  times(9, (i) =>
    e(i % 2 ? "leaf" : "#5d9152", [
      200 + Math.round(Math.cos(i * 0.7) * 62),
      74 + Math.round(Math.sin(i * 0.7) * 40),
      44,
      36
    ])
  ) +
  e("leaf", [200, 70, 60, 48]) +
  times(
    6,
    (i) =>
      e("#f0cb3a", [146 + ((i * 53) % 116), 44 + ((i * 31) % 74), 12, 10]) +
      e("#ffffff", [143 + ((i * 53) % 116), 40 + ((i * 31) % 74), 3], 0.7)
  )

const sprout =
  p("leaf", "M200 172Q150 160 140 110Q190 112 200 160Q212 108 262 100Q256 156 200 172Z") +
  p("leaf", "M200 172Q184 120 202 76Q220 122 200 172Z")

const tin = (label: string): string =>
  r("m", [92, 150, 216, 180, 14]) +
  r("ml", [84, 126, 232, 42, 12]) +
  r("#000000", [92, 168, 216, 5], 0.2) +
  r("paper", [120, 190, 160, 116, 6]) +
  label +
  r("#ffffff", [100, 182, 8, 132, 4], 0.4) +
  s("#ffffff", 4, "M98 138H200", 0.5)

const flower = (x: number, y: number, fill: string): string =>
  s("#568a4d", 4, `M${x} ${y}V292`) +
  times(6, (i) => moved(e(fill, [200, 184, 7, 12]), [x - 200, y - 200, i * 60])) +
  e("#f0cb3a", [x, y, 7])

export const garden: Drawings = {
  "Digging spade": lying(
    moved(
      grip +
        shaft(80, 230) +
        p("steel", "M150 226H250V300Q244 362 200 374Q156 362 150 300Z") +
        r("steel", [140, 218, 120, 12, 4]) +
        p("#ffffff", "M164 240H176V310H170Z", 0.6) +
        s("#000000", 3, "M200 236V300", 0.15),
      [0, -6, 28, 0.98]
    ),
    undefined,
    [170, 260]
  ),
  "Border fork": lying(
    moved(grip + shaft(80, 240) + tines(4, [158, 244, 84, 122]) + r("steel", [190, 218, 20, 30, 4]), [0, -6, 28, 0.98])
  ),
  "Hand trowel": lying(moved(handle + trowelBlade, [0, 0, 32]), "#a8402f", [170, 250]),
  "Hand fork": lying(
    moved(handle + r("steel", [194, 176, 12, 34]) + tines(3, [164, 214, 72, 134]), [0, 0, 32]),
    "#a8402f"
  ),
  Dibber: lying(
    moved(
      r("wood", [136, 60, 128, 34, 17]) +
        p("wood", "M184 88H216L212 280H188Z") +
        p("steel", "M187 270H213L200 350Z") +
        times(5, (i) => s("#7d5a35", 2.4, `M187 ${130 + i * 28}H213`)) +
        r("#ffffff", [148, 66, 100, 6, 3], 0.4),
      [0, 0, 26]
    )
  ),
  "Pruning shears": lying(
    moved(
      p("m", "M190 186Q140 240 150 350Q152 366 166 362T178 344Q172 262 208 204Z") +
        p("m", "M210 186Q260 240 250 350Q248 366 234 362T222 344Q228 262 192 204Z") +
        s("#ffffff", 4, "M164 330Q160 262 188 218", 0.5) +
        blades(0) +
        s("#87919a", 5, "M184 222q16 12 32 0M180 236q20 12 40 0"),
      [0, -8, 20]
    ),
    "#b8382f",
    [200, 150]
  ),
  "Hedge shears": lying(
    moved(
      moved(r("wood", [186, 236, 28, 136, 13]) + r("steel", [192, 186, 16, 56, 4]), [-34, 6, 20]) +
        moved(r("wood", [186, 236, 28, 136, 13]) + r("steel", [192, 186, 16, 56, 4]), [34, 6, -20]) +
        blades(1),
      [0, 6, 18, 0.94]
    )
  ),
  "Watering can 5 l": standing(can(0.86), "#6f8f7c", 100, { x: 185 }),
  "Watering can 9 l": standing(can(1.02), "#4a5f78", 116, { x: 185, detail: [330, 170] }),
  "Terracotta pot small": standing(clayPot(0.66, sprout), "#b5623f", 66),
  "Terracotta pot large": standing(clayPot(0.92, lemonTree), "#b5623f", 92, { detail: [200, 110] }),
  "Seed tin wildflowers": standing(
    tin(flower(150, 226, "#d8567a") + flower(200, 212, "#6f8fd0") + flower(250, 230, "#e8873a")),
    "#8fae8a",
    126,
    { detail: [200, 250] }
  ),
  "Seed tin herbs": standing(
    tin(
      s("#386536", 4, "M200 298V206") +
        times(5, (i) =>
          p("leaf", `M200 ${290 - i * 18}q34 -2 40 -28q-34 2 -40 28zM200 ${290 - i * 18}q-34 -2 -40 -28q34 2 40 28z`)
        )
    ),
    "#6b8fa0",
    126
  ),
  "Seed tin salads": standing(
    tin(
      times(7, (i) =>
        moved(p(i % 2 ? "leaf" : "#8fc06f", "M200 250Q160 220 176 188Q200 172 224 188Q240 220 200 250Z"), [
          0,
          6,
          -72 + i * 24,
          1
        ])
      ) + e("#c5e0a0", [200, 256, 16, 12])
    ),
    "#c9a35f",
    126
  ),
  "Kneeling pad": lying(
    moved(
      r("m", [60, 120, 280, 160, 40]) +
        r("quilt", [60, 120, 280, 160, 40]) +
        r("#00000055", [160, 134, 80, 26, 13]) +
        s("#ffffff", 5, "M78 170Q80 138 120 134", 0.5),
      [0, 0, -10]
    ),
    "#4f7f5a"
  ),
  "Bird feeder": standing(
    s("#3b3e42", 4, "M200 20V80") +
      p("m", "M98 150L200 70L302 150Z") +
      p("#ffffff", "M130 138L200 84L206 92L150 138Z", 0.3) +
      r("glass", [134, 150, 132, 132]) +
      p("#c9a35f", "M138 206Q200 186 262 206V278H138Z") +
      times(12, (i) => e("#8a6437", [148 + ((i * 37) % 104), 214 + ((i * 23) % 56), 4, 3])) +
      r("wood", [92, 280, 216, 20, 6]) +
      s("#a97f4b", 8, "M70 270H130M270 270H330") +
      e("#d8674a", [322, 246, 20, 15]) +
      e("#6b5a50", [334, 234, 11]) +
      p("#6b5a50", "M304 244L280 234L302 256Z") +
      p("#e8b93d", "M344 232l11 4l-11 3z"),
    "#3f6b4f",
    1,
    { y: 390, detail: [300, 250] }
  )
}
