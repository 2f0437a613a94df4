/** Drawings of the bathroom. */
import { cloth, type Drawings, e, lying, moved, p, r, s, standing, times } from "./pen.ts"

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

export const bathroom: Drawings = {
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
