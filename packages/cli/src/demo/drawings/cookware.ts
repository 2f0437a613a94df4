/** Drawings of cookware. */
import { type Drawings, e, lying, moved, p, r, s, standing, times } from "./pen.ts"

/** From above, the handle to the upper right. */
const pan = (radius: number, inside: string, metal = "dark"): string =>
  moved(
    r(metal, [185 + radius - 30, 188, 165, 24, 12]) +
      e("#00000030", [185 + radius + 118, 200, 7, 5]) +
      e(metal, [185, 200, radius]) +
      e("#00000026", [185, 200, radius - 7]) +
      e(metal, [185, 203, radius - 14]) +
      inside +
      s(
        "#ffffff",
        5,
        `M${185 - radius * 0.62} ${200 - radius * 0.4}A${radius * 0.74} ${radius * 0.74} 0 0 1 ${185 - radius * 0.1} ${200 - radius * 0.73}`,
        0.28
      ),
    [-45, 28, -32]
  )

const ridges = (from: number, to: number, x: readonly [number, number]): string =>
  times(Math.floor((to - from) / 18) + 1, (i) => s("#000000", 5, `M${x[0]} ${from + i * 18}H${x[1]}`, 0.28))

interface Pot {
  readonly w: number
  readonly h: number
  readonly metal?: string
  readonly long?: boolean
  readonly lid?: boolean
  readonly spout?: boolean
}

/** From the side, on the floor. */
const pot = ({ w, h, metal = "steel", long = false, lid = false, spout = false }: Pot): string => {
  const [x, y] = [(long ? 165 : 200) - w / 2, 330 - h]
  const ears = (side: number) =>
    p(
      metal,
      `M${side} ${y + 26}h${side < 200 ? -26 : 26}q${side < 200 ? -10 : 10} 0 ${side < 200 ? -10 : 10} 9t${side < 200 ? 10 : -10} 9h${side < 200 ? 26 : -26}z`
    )
  return (
    (long ? r("dark", [x + w - 4, y + 16, 150, 15, 7]) : ears(x) + ears(x + w)) +
    (spout ? p(metal, `M${x + 2} ${y + 2}l-20 -4q4 22 20 30z`) : "") +
    p(metal, `M${x} ${y}H${x + w}V${330 - 18}Q${x + w} 330 ${x + w - 20} 330H${x + 20}Q${x} 330 ${x} ${330 - 18}Z`) +
    r("#000000", [x, y, w, 7], 0.14) +
    r("#ffffff", [x + w * 0.12, y + 16, w * 0.06, h - 40, w * 0.03], 0.42) +
    (lid
      ? p(metal, `M${x - 7} ${y}Q${x + w / 2} ${y - 46} ${x + w + 7} ${y}Z`) +
        s("#ffffff", 4, `M${x + 26} ${y - 9}Q${x + w * 0.35} ${y - 21} ${x + w / 2} ${y - 22}`, 0.4) +
        r("dark", [x + w / 2 - 17, y - 41, 34, 15, 7])
      : e("#000000", [x + w / 2, y, w / 2, 6], 0.22))
  )
}

const dish = ([w, h]: readonly [number, number], inside = "md"): string =>
  r("m", [200 - w / 2 - 22, 182, w + 44, 36, 16]) +
  r("m", [200 - w / 2, 200 - h / 2, w, h, 30]) +
  r(inside, [200 - w / 2 + 15, 200 - h / 2 + 15, w - 30, h - 30, 20]) +
  r("m", [200 - w / 2 + 24, 200 - h / 2 + 26, w - 48, h - 48, 16], 0.75)

const cup = (x: number, y: number): string =>
  p("m", `M${x - 44} ${y}H${x + 44}L${x + 38} ${y + 52}Q${x} ${y + 60} ${x - 38} ${y + 52}Z`) +
  times(8, (i) => s("md", 2, `M${x - 36 + i * 10.3} ${y + 8}V${y + 50}`, 0.4)) +
  e("ml", [x, y, 44, 9]) +
  e("md", [x, y + 2, 36, 6])

const casserole = (w: number, h: number) =>
  standing(pot({ w, h, metal: "m", lid: true }), "#a8402f", w * 0.6, { detail: [200, 210] })

export const cookware: Drawings = {
  "Fenwick skillet 20 cm": lying(
    moved(pan(84, e("white", [174, 204, 38, 33]) + e("#f2b632", [176, 202, 16])), [20, -5]),
    "#3b3d40"
  ),
  "Fenwick skillet 28 cm": lying(
    moved(
      pan(112, e("#e8b93d", [170, 205, 26]) + e("#ffffff", [170, 205, 46, 40], 0.95) + e("#f2b632", [172, 203, 20])),
      [0, 0]
    ),
    "#3b3d40",
    [160, 240]
  ),
  "Harrow saucepan 1.5 l": standing(pot({ w: 170, h: 120, long: true, spout: true }), "#888888", 110, {
    x: 180,
    detail: [130, 240]
  }),
  "Harrow stockpot 8 l": standing(pot({ w: 230, h: 190, lid: true }), "#888888", 140, { detail: [290, 160] }),
  "Orchard casserole 4 l": casserole(210, 112),
  "Orchard casserole 6 l": casserole(250, 138),
  "Tidewater steamer basket": lying(
    times(12, (i) =>
      moved(
        p("steel", "M184 130Q200 40 216 130L210 190H190Z") + times(3, (j) => e("#00000055", [200, 96 + j * 20, 3.4])),
        [0, 0, i * 30]
      )
    ) +
      e("steel", [200, 200, 72]) +
      times(12, (i) => moved(e("#00000055", [200, 150, 4]), [0, 0, i * 30])) +
      times(8, (i) => moved(e("#00000055", [200, 174, 4]), [0, 0, i * 45])) +
      e("dark", [200, 200, 9]),
    "#999999",
    [200, 140]
  ),
  "Bellweather grill pan": lying(
    moved(
      r("dark", [270, 188, 130, 24, 12]) +
        r("dark", [80, 95, 210, 210, 34]) +
        r("#00000030", [92, 107, 186, 186, 26]) +
        ridges(124, 276, [106, 264]) +
        s("#ffffff", 4, "M96 130Q96 110 118 108", 0.3),
      [-20, 20, -28]
    ),
    "#3b3d40",
    [170, 200]
  ),
  "Linden roasting tin": lying(
    dish([250, 180], "steel").replaceAll("url(#m)", "url(#steel)") +
      times(11, (i) => s("#777f86", 4, `M${95 + i * 21} 126V274`)) +
      s("#777f86", 5, "M92 140H308M92 260H308"),
    "#999999"
  ),
  "Quarry griddle": lying(
    moved(
      r("dark", [30, 120, 340, 160, 22]) +
        r("#00000030", [44, 134, 312, 132, 14]) +
        ridges(150, 256, [58, 192]) +
        e("#00000066", [46, 200, 7, 22]) +
        e("#00000066", [354, 200, 7, 22]),
      [0, 0, -12]
    ),
    "#3b3d40"
  ),
  "Ambrook milk pan": standing(pot({ w: 130, h: 96, metal: "m", long: true, spout: true }), "#8fb0b5", 90, { x: 180 }),
  "Ambrook egg poacher": lying(
    pan(
      112,
      times(4, (i) =>
        moved(e("white", [185, 146, 31]) + e("#f2b632", [185, 146, 15]), [0, 0, 45 + i * 90])
          .replace("translate(-200 -200)", "translate(-185 -200)")
          .replace("translate(200 200)", "translate(185 200)")
      ),
      "steel"
    ),
    "#999999",
    [150, 230]
  ),
  "Cinder wok 32 cm": standing(
    r("wood", [268, 182, 122, 19, 9]) +
      p("dark", "M46 196H292Q284 330 170 330Q56 330 46 196Z") +
      e("#00000055", [169, 196, 123, 15]) +
      s("#ffffff", 5, "M66 220Q78 278 124 306", 0.22),
    "#333333",
    90,
    { x: 175 }
  ),
  "Cinder wok lid": standing(
    p("steel", "M54 322Q66 190 200 182Q334 190 346 322Z") +
      r("steel", [44, 316, 312, 14, 7]) +
      r("wood", [180, 150, 40, 34, 12]) +
      s("#ffffff", 8, "M96 290Q110 232 168 214", 0.6),
    "#999999",
    165
  ),
  "Hollis lasagne dish": lying(dish([240, 170]), "#6f8f9a", [110, 140]),
  "Hollis ramekin set": standing(
    times(6, (i) => cup(104 + (i % 3) * 96, i < 3 ? 216 : 276)),
    "#d8cfc0",
    150,
    { detail: [200, 250] }
  )
}
