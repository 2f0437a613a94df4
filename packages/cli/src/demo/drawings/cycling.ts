/** Drawings of what belongs to a bicycle. */
import { cloth, type Drawings, e, lying, moved, p, r, s, standing, times } from "./pen.ts"

const lamp = (x: number, lens: string, colour: string): string =>
  r("dark", [x - 46, 140, 92, 130, 30]) +
  r("#000000", [x - 30, 270, 60, 46, 8], 0.85) +
  r("dark", [x - 40, 300, 80, 24, 12]) +
  e(colour, [x, 194, 60], 0.18) +
  e("steel", [x, 194, 38]) +
  e(lens, [x, 194, 31]) +
  e("#ffffff", [x - 9, 184, 10], 0.7) +
  r("#e8b93d", [x - 12, 250, 24, 6, 3])

const wheelBag = (roll: boolean): string =>
  cloth(
    roll
      ? "M100 128H300L316 304Q316 330 290 330H110Q84 330 84 304Z"
      : "M92 140Q92 120 112 120H288Q308 120 308 140V306Q308 330 284 330H116Q92 330 92 306Z",
    "weave"
  ) +
  (roll
    ? p("md", "M92 84Q92 70 108 70H292Q308 70 308 84V122Q200 138 92 122Z") +
      s("#000000", 2, "M96 90Q200 104 304 90M96 106Q200 120 304 106", 0.3)
    : p("md", "M92 140Q92 120 112 120H288Q308 120 308 140V208Q200 226 92 208Z")) +
  r("#25272b", [140, 74, 12, 140, 3]) +
  r("#25272b", [248, 74, 12, 140, 3]) +
  r("steel", [136, 200, 20, 22, 3]) +
  r("steel", [244, 200, 20, 22, 3]) +
  r("#f4f6f7", [168, 262, 64, 22, 4]) +
  s("#ffffff", 4, "M108 230L102 300", 0.3)

const lever = (x: number, turn: number): string =>
  moved(
    p("m", `M${x - 13} 80Q${x} 56 ${x + 13} 80L${x + 9} 320Q${x} 336 ${x - 9} 320Z`) +
      e("#00000040", [x, 300, 5]) +
      r("#ffffff", [x - 8, 90, 4, 190, 2], 0.4),
    [0, 0, turn]
  )

export const cycling: Drawings = {
  "Spoke front light": standing(lamp(200, "#fff6cf", "#fff1bd"), "#333333", 60, { detail: [200, 194] }),
  "Spoke rear light": standing(lamp(200, "#d8352c", "#ff6a5c"), "#333333", 60),
  "Spoke light set": standing(
    lamp(130, "#fff6cf", "#fff1bd") + lamp(270, "#d8352c", "#ff6a5c") + s("#25272b", 5, "M130 320Q200 372 270 320"),
    "#333333",
    130
  ),
  "Dynamo bell": standing(
    r("dark", [168, 282, 64, 40, 10]) +
      p("brass", "M84 268Q84 118 200 118T316 268Q200 306 84 268Z") +
      e("#00000030", [200, 268, 116, 20]) +
      e("brass", [200, 128, 16, 10]) +
      s("#ffffff", 10, "M112 230Q120 164 170 146", 0.6) +
      s("#87919a", 9, "M300 262L346 242"),
    "#d0a94e",
    90,
    { detail: [200, 160] }
  ),
  "Dynamo mirror": lying(
    moved(
      s("#3b3e42", 13, "M120 340Q120 260 190 226") +
        r("dark", [92, 320, 56, 30, 8]) +
        r("dark", [150, 60, 176, 176, 80]) +
        r("steel", [164, 74, 148, 148, 66]) +
        p("#d5e6ea", "M172 190Q230 110 304 120Q312 76 240 76T166 150Z", 0.8) +
        p("#ffffff", "M190 130L230 92L244 92L186 148Z", 0.8),
      [0, 0]
    )
  ),
  "Pannier roll 20 l": standing(wheelBag(true), "#d9a32e", 124, { detail: [200, 130] }),
  "Pannier commuter": standing(wheelBag(false), "#4a5560", 120),
  "Saddle tool roll": lying(
    moved(
      cloth("M50 120H350V280H50Z", "weave") +
        times(
          6,
          (i) =>
            r("md", [66 + i * 46, 190, 40, 80, 4]) +
            r(["steel", "wood", "dark"][i % 3] ?? "steel", [78 + i * 46, 140, 14, 110, 6])
        ) +
        s("#000000", 2, "M58 190H342", 0.3) +
        s("#91603c", 10, "M350 200H388"),
      [-10, 0, -10, 0.94]
    ),
    "#7a6a44"
  ),
  "Saddle multitool": lying(
    moved(
      times(5, (i) => moved(r("steel", [194, 60, 12, 130, 3]), [0, 0, -64 + i * 32])) +
        r("m", [110, 180, 180, 56, 24]) +
        e("steel", [134, 208, 12]) +
        e("steel", [266, 208, 12]) +
        r("#ffffff", [150, 192, 100, 6, 3], 0.45),
      [0, 20, 0, 1.05]
    ),
    "#c8442f"
  ),
  "Saddle pump": lying(
    moved(
      r("steel", [188, 40, 24, 120, 8]) +
        r("m", [176, 130, 48, 200, 12]) +
        r("dark", [166, 28, 68, 26, 12]) +
        r("dark", [182, 326, 36, 34, 8]) +
        r("#ffffff", [184, 144, 8, 170, 4], 0.5),
      [0, 0, 38]
    )
  ),
  "Saddle tyre levers": lying(lever(200, -24) + lever(200, 0) + lever(200, 24), "#3f7fae"),
  "Velo lock plus": standing(
    s("#3b3e42", 34, "M122 240V130Q122 60 200 60T278 130V240") +
      s("#87919a", 8, "M114 236V130Q116 54 200 52", 0.8) +
      r("m", [76, 222, 248, 82, 34]) +
      e("#00000060", [200, 262, 17]) +
      r("brass", [196, 252, 8, 20, 3]) +
      r("#ffffff", [104, 236, 120, 8, 4], 0.35),
    "#d9723a",
    120,
    { y: 308, detail: [200, 250] }
  ),
  "Velo cable": lying(
    s("#25272b", 17, "M150 300Q40 240 90 130T270 80T330 240T200 310T110 220T220 130T290 210") +
      s("#ffffff", 3, "M146 294Q46 240 96 132T270 84", 0.35) +
      r("m", [130, 280, 90, 52, 20]) +
      e("brass", [176, 306, 10])
  ),
  "Velo bottle cage": lying(
    moved(
      s(
        "#3b3e42",
        12,
        "M150 70Q110 90 120 180L140 320Q200 350 260 320L280 180Q290 90 250 70M124 190Q200 230 276 190M150 70H250"
      ) +
        r("dark", [186, 66, 28, 250, 8]) +
        e("#c4c9cd", [200, 120, 7]) +
        e("#c4c9cd", [200, 230, 7]),
      [0, 0, -14]
    )
  )
}
