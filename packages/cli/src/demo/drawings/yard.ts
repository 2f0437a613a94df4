/** Drawings for the garden and the bathroom. */
import { cloth, type Drawings, e, lying, moved, p, r, s, standing, times } from "./pen.ts"

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

const towelStack = (layers: number, band: number): string =>
  times(layers, (i) => {
    const y = 330 - (i + 1) * 48
    const d = `M${84 + i * 4} ${y}H${304 - i * 3}Q${332 - i * 3} ${y} ${332 - i * 3} ${y + 24}T${304 - i * 3} ${y + 48}H${84 + i * 4}Q${70 + i * 4} ${y + 24} ${84 + i * 4} ${y}Z`
    return (
      cloth(d, "terry") +
      s("#000000", 2.5, `M${92 + i * 4} ${y + 24}H${310 - i * 3}`, 0.18) +
      (i % 2 === band ? r("md", [236, y + 1, 18, 46], 0.55) : "")
    )
  })
const hung = (top: number, w: number, bottom: number): string =>
  r("brass", [40, top - 6, 320, 12, 6]) +
  cloth(`M${200 - w / 2} ${top - 8}H${200 + w / 2}V${bottom}H${200 - w / 2}Z`, "terry") +
  r("md", [200 - w / 2, bottom - 58, w, 16], 0.5) +
  r("md", [200 - w / 2, bottom - 34, w, 6], 0.5) +
  p("#000000", `M${200 - w / 2} ${top - 8}H${200 - w / 2 + w * 0.38}V${bottom - 26}H${200 - w / 2}Z`, 0.07) +
  r("#ffffff", [200 - w / 2, top - 8, w, 9], 0.4)
const soap = (extra: string): string =>
  moved(
    r("m", [86, 130, 228, 140, 54]) +
      r("md", [112, 152, 176, 96, 40], 0.4) +
      r("m", [116, 157, 170, 88, 38]) +
      s("#ffffff", 9, "M108 176Q114 146 150 144", 0.6) +
      extra,
    [0, 0, -12]
  )
const bristles = (x: number, y: number, [count, step, h]: readonly [number, number, number]): string =>
  times(count, (i) => s(i % 2 ? "#e8d9b8" : "#cdb98c", 6, `M${x + i * step} ${y}v${h}`))
const hamper = (d: string, legs: string, rest: string): string =>
  legs + p("willow", d) + p("wicker", d) + p("#000000", d, 0.03) + rest

export const yard: Drawings = {
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
  ),
  "Cove hand towel": lying(hung(70, 150, 270), "#f7f5ef"),
  "Cove bath towel": lying(hung(60, 220, 334), "#8fa98f", [240, 280]),
  "Cove bath sheet": standing(towelStack(4, 0), "#5f8fa0", 150),
  "Cove bath mat": lying(
    moved(
      cloth("M60 110H340V290H60Z", "terry") +
        r("ml", [78, 128, 244, 144]) +
        r("waffle", [78, 128, 244, 144]) +
        times(29, (i) => s("m", 3, `M60 ${114 + i * 6}h-10M340 ${114 + i * 6}h10`)),
      [0, 0, -10]
    ),
    "#8a97a0"
  ),
  "Pumice soap bar": lying(soap(r("speckle", [86, 130, 228, 140, 54])), "#a3a88f"),
  "Lather soap bar": lying(
    soap(
      times(5, (i) => e("#ffffff", [290 + (i % 3) * 18, 110 + i * 20, 10 + (i % 3) * 6], 0.6)) +
        times(9, (i) => e("#b98a4a", [140 + ((i * 47) % 130), 164 + ((i * 29) % 70), 5, 2.6], 0.6))
    ),
    "#e3c99a"
  ),
  "Lather soap dish": standing(
    p("m", "M60 268H340Q330 330 270 330H130Q70 330 60 268Z") +
      e("md", [200, 268, 140, 22]) +
      r("#e3c99a", [120, 222, 160, 48, 22]) +
      r("#ffffff", [138, 230, 90, 8, 4], 0.6) +
      p("speckle", "M60 268H340Q330 330 270 330H130Q70 330 60 268Z") +
      s("#ffffff", 6, "M84 288Q92 308 120 316", 0.5),
    "#d8d2c4",
    140
  ),
  "Tide shower curtain": lying(
    r("steel", [40, 54, 320, 12, 6]) +
      times(
        8,
        (i) =>
          cloth(
            `M${62 + i * 35} 78Q${80 + i * 35} 68 ${97 + i * 35} 78L${99 + i * 35} 340Q${80 + i * 35} 350 ${60 + i * 35} 340Z`,
            "weave"
          ) +
          p("#000000", `M${86 + i * 35} 74L${97 + i * 35} 78L${99 + i * 35} 340L${88 + i * 35} 344Z`, 0.1) +
          s("#7f8b92", 4, `M${80 + i * 35} 78a9 12 0 1 1 1 0`)
      ) +
      p("md", "M60 306H342V322Q200 334 60 322Z", 0.4),
    "#cfd8c8",
    [140, 100]
  ),
  "Tide curtain rings": lying(
    times(12, (i) =>
      moved(
        s("#c39c45", 13, "M200 152a48 48 0 1 1 -1 0") +
          s("#f3d992", 4, "M168 172a44 44 0 0 1 40 -20") +
          e("#8a6a22", [200, 152, 6]),
        [-108 + (i % 4) * 72, -88 + Math.floor(i / 4) * 88, i * 40, 0.6]
      )
    )
  ),
  "Basin tumbler": standing(
    p("m", "M126 130H274L262 316Q260 330 246 330H154Q140 330 138 316Z") +
      p("speckle", "M126 130H274L262 316Q260 330 246 330H154Q140 330 138 316Z") +
      e("mx", [200, 130, 74, 12]) +
      p("ml", "M126 130H274L272 168Q240 190 200 168T128 168Z", 0.7) +
      r("#ffffff", [148, 190, 10, 110, 5], 0.4) +
      e("md", [200, 132, 66, 9]),
    "#7d99a3",
    72
  ),
  "Basin toothbrush stand": standing(
    times(3, (i) =>
      moved(
        r(["#5f9ea0", "#d9723a", "#8a7fae"][i] ?? "#333333", [194, 110, 12, 190, 6]) +
          r("#ffffff", [188, 84, 24, 34, 6]) +
          r("#dfe7ea", [188, 84, 8, 34, 3]),
        [-46 + i * 46, 0, -14 + i * 14]
      )
    ) +
      p("m", "M112 226H288L280 316Q278 330 264 330H136Q122 330 120 316Z") +
      p("speckle", "M112 226H288L280 316Q278 330 264 330H136Q122 330 120 316Z") +
      e("ml", [200, 226, 88, 14]) +
      times(4, (i) => e("#00000066", [146 + i * 36, 226, 12, 5])),
    "#b8a890",
    90
  ),
  "Basin soap pump": standing(
    r("dark", [192, 70, 16, 70, 4]) +
      p("dark", "M130 62Q130 52 142 52H214Q226 52 226 66V84H196V74H144V92H130Z") +
      r("dark", [170, 124, 60, 34, 8]) +
      p("glass", "M150 156H250Q276 176 276 210V310Q276 330 256 330H144Q124 330 124 310V210Q124 176 150 156Z") +
      p("#d9a860", "M130 222H270V310Q270 324 256 324H144Q130 324 130 310Z", 0.75) +
      e("#ffffff", [200, 222, 70, 8], 0.4) +
      r("#ffffff", [140, 190, 11, 122, 5], 0.6),
    "#999999",
    80,
    { detail: [200, 110] }
  ),
  "Bristle back brush": lying(
    moved(
      bristles(150, 92, [18, 6, 0]) +
        r("wood", [190, 160, 22, 210, 11]) +
        e("wood", [200, 106, 66, 88]) +
        e("grain", [200, 106, 66, 88]) +
        times(35, (i) => e("#efe0c0", [164 + (i % 5) * 18, 52 + Math.floor(i / 5) * 18, 5])),
      [0, -4, 34, 0.96]
    ),
    undefined
  ),
  "Bristle nail brush": lying(
    moved(
      bristles(96, 236, [27, 8, 40]) +
        bristles(108, 164, [24, 8, -26]) +
        r("wood", [74, 160, 252, 82, 30]) +
        r("grain", [74, 160, 252, 82, 30]) +
        r("#ffffff", [104, 174, 150, 8, 4], 0.4),
      [0, 0, -12]
    )
  ),
  "Reed hamper": standing(
    hamper(
      "M86 142H314L300 300H100Z",
      r("wood", [108, 290, 18, 42, 5]) + r("wood", [274, 290, 18, 42, 5]),
      p("willow", "M76 112H324V146H76Z") +
        p("wicker", "M76 112H324V146H76Z") +
        r("#000000", [86, 146, 228, 6], 0.2) +
        r("leather", [184, 128, 32, 52, 6]) +
        e("brass", [200, 166, 6])
    ),
    "#c4a16a",
    120,
    { detail: [200, 160] }
  ),
  "Reed waste basket": standing(
    hamper(
      "M104 120H296L272 330H128Z",
      "",
      e("willow", [200, 120, 98, 18]) + e("#5f4a2a", [200, 122, 84, 12], 0.6) + r("willow", [122, 300, 156, 14, 6])
    ),
    "#c4a16a",
    84
  )
}
