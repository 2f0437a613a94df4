/** Drawings of shirts, knitwear and trousers. */
import { cloth, type Drawing, type Drawings, e, lying, moved, p, r, s, times } from "./pen.ts"

const short =
  "M152 84Q200 118 248 84L294 102Q314 110 326 136L352 196L304 220L286 188L288 326Q200 338 112 326L114 188L96 220L48 196L74 136Q86 110 106 102Z"

const long =
  "M152 84Q200 112 248 84L290 100Q314 108 322 136L360 296L320 310L286 196L288 328Q200 340 112 328L114 196L80 310L40 296L78 136Q86 108 110 100Z"

const folds =
  p("#000000", "M286 196L300 250L287 242ZM114 196L100 250L113 242Z", 0.16) +
  s("#000000", 5, "M138 318Q150 240 134 200M262 318Q250 240 266 200", 0.05)

const neck = (d: string, back: string, width = 9): string =>
  p("mx", back) + s("md", width, d) + s("#ffffff", 1.4, d, 0.25)

const round = neck("M150 84Q200 120 250 84", "M150 84Q200 98 250 84Q200 122 150 84Z")

const hem = (d: string): string => s("#000000", 1.6, d, 0.22)

const buttons = (from: number, to: number, step: number, ink = "#ffffff"): string =>
  times(
    Math.floor((to - from) / step) + 1,
    (i) => e(ink, [200, from + i * step, 4.4]) + e("#00000066", [200, from + i * step, 1.3])
  )

const collar =
  p("mx", "M156 82Q200 98 244 82Q200 112 156 82Z") +
  p("ml", "M154 78L200 112L172 142L140 92Z") +
  p("ml", "M246 78L200 112L228 142L260 92Z") +
  s("#000000", 1.5, "M154 78L200 112L172 142L140 92M246 78L200 112L228 142L260 92", 0.22)

const placket = s("#000000", 1.4, "M191 114V332M209 114V332", 0.2)

const cuffs = p("md", "M44 284L84 297L80 310L40 296ZM356 284L316 297L320 310L360 296Z", 0.8)

const pocket = s("#000000", 1.5, "M228 168H268V206L248 214L228 206ZM228 176H268", 0.25)

const shirt = (pattern: string, rest = pocket): string =>
  cloth(long, pattern) + folds + cuffs + placket + collar + buttons(136, 320, 36) + rest

const tee = (pattern: string): string =>
  cloth(short, pattern) + folds + round + hem("M112 318Q200 330 288 318M52 188L98 211M348 188L302 211")

const ribbed =
  p(
    "rib",
    "M112 306Q200 318 288 306V328Q200 340 112 328ZM46 274L86 288L80 310L40 296ZM354 274L314 288L320 310L360 296Z"
  ) +
  p(
    "#000000",
    "M112 306Q200 318 288 306V328Q200 340 112 328ZM46 274L86 288L80 310L40 296ZM354 274L314 288L320 310L360 296Z",
    0.1
  )

const jumper = (pattern: string, rest: string): string => cloth(long, pattern) + folds + ribbed + rest

const wide = neck("M148 82Q200 126 252 82", "M148 82Q200 96 252 82Q200 128 148 82Z", 15)

const cardigan = (pattern: string, rest: string, shut: number): string =>
  cloth(long, pattern) +
  folds +
  ribbed +
  p("mx", "M156 82Q200 98 244 82L200 182Z") +
  rest +
  s("#000000", 2, `M200 ${shut}V333`, 0.35) +
  buttons(shut + 12, 320, 34, "#4a3323")

const leg = (ankle: number): string => `M138 58H262L${276} 336L${276 - ankle} 338L200 152L${124 + ankle} 338L124 336Z`

const shorts = "M132 96H268L298 282L212 292L200 190L188 292L102 282Z"

const fly = (top: number): string =>
  s(
    "#000000",
    1.8,
    `M200 ${top + 18}V${top + 92}M214 ${top + 20}Q216 ${top + 66} 200 ${top + 76}M146 ${top + 22}Q150 ${top + 50} 138 ${top + 62}M254 ${top + 22}Q250 ${top + 50} 262 ${top + 62}`,
    0.3
  )

const waist = (d: string, y: number): string =>
  p("md", d) + e("brass", [200, y, 4.5]) + times(4, (i) => r("md", [152 + i * 30, y - 12, 5, 24]))

const trousers = (pattern: string, ankle: number, rest = ""): string =>
  moved(
    cloth(leg(ankle), pattern) +
      p(
        "#000000",
        `M200 152L${124 + ankle} 338L${124 + ankle - 12} 338L192 152ZM200 152L${276 - ankle} 338L${276 - ankle + 5} 338L206 152Z`,
        0.12
      ) +
      s("#ffffff", 1.5, `M158 90L${130 + ankle / 2} 334M242 90L${270 - ankle / 2} 334`, 0.16) +
      waist("M137 56H263L264 78H136Z", 67) +
      fly(60) +
      rest,
    [0, 2, 0, 1.25]
  )

const half = (pattern: string, rest: string): string =>
  cloth(shorts, pattern) +
  p("#000000", "M200 190L188 292L178 293L194 190Z", 0.14) +
  hem("M104 272L187 281M296 272L213 281") +
  rest

const knitted = (art: string, colour: string, detail?: readonly [number, number]): Drawing => lying(art, colour, detail)

export const garments: Drawings = {
  "Oxford shirt": lying(shirt("weave"), "#f7f5ef", [210, 140]),
  "Poplin shirt": lying(shirt("pin", ""), "#f7f5ef", [210, 140]),
  "Linen shirt": lying(
    shirt("weave", s("#000000", 3, "M140 250Q170 240 180 262M230 280Q250 262 270 276M130 180Q150 190 160 176", 0.08)),
    "#d9cbb0",
    [210, 140]
  ),
  "Chambray shirt": lying(
    shirt("twill", pocket + s("#000000", 1.5, "M132 168H172V206L152 214L132 206ZM132 176H172", 0.25)),
    "#6f8fb4",
    [150, 190]
  ),
  "Flannel shirt": lying(shirt("check"), "#a8402f", [210, 140]),
  "Heavy tee": lying(tee("weave"), "#3b3d40"),
  "Light tee": lying(tee("pin"), "#f7f5ef"),
  "Long-sleeved tee": lying(cloth(long, "weave") + folds + round + hem("M112 320Q200 332 288 320") + cuffs, "#1f2d4d"),
  Henley: lying(
    cloth(long, "waffle") + folds + round + r("md", [189, 108, 22, 82, 3]) + buttons(124, 176, 26) + cuffs,
    "#d9cbb0",
    [200, 140]
  ),
  Polo: lying(
    cloth(short, "knit") +
      folds +
      collar +
      r("md", [190, 112, 20, 70, 3], 0.6) +
      buttons(130, 170, 20) +
      p("rib", "M48 196L96 220L100 210L54 186ZM352 196L304 220L300 210L346 186Z"),
    "#2f4a38",
    [200, 130]
  ),
  "Rugby shirt": lying(
    p("m", long) +
      p("stripes", long) +
      folds +
      p("#ffffff", "M156 82Q200 98 244 82L200 112Z") +
      p("white", "M154 78L200 112L172 142L140 92Z") +
      p("white", "M246 78L200 112L228 142L260 92Z") +
      s("#000000", 1.5, "M154 78L200 112L172 142L140 92M246 78L200 112L228 142L260 92M200 112V190", 0.25) +
      cuffs,
    "#1f2d4d",
    [200, 140]
  ),
  "Guernsey jumper": knitted(jumper("knit", wide + p("cable", "M118 130H282V176H118Z")), "#1f2d4d", [200, 130]),
  "Lambswool crew": knitted(jumper("knit", wide), "#2f4a38"),
  "Lambswool v-neck": knitted(
    jumper("knit", p("mx", "M150 84Q200 96 250 84L200 176Z") + s("md", 13, "M150 84L200 178L250 84")),
    "#3b3d40",
    [200, 140]
  ),
  "Merino base layer": knitted(
    jumper("rib", round + s("#ffffff", 2, "M110 100L92 220M290 100L308 220", 0.3)),
    "#3b3d40"
  ),
  "Cotton cardigan": knitted(
    cardigan(
      "rib",
      s("md", 13, "M156 82L200 182L244 82") + s("#000000", 2, "M134 250H176V300H134ZM224 250H266V300H224Z", 0.25),
      182
    ),
    "#d9cbb0"
  ),
  "Shawl cardigan": knitted(
    cardigan(
      "cable",
      p("md", "M150 74Q130 110 196 214L200 190L166 84ZM250 74Q270 110 204 214L200 190L234 84Z") +
        p("rib", "M150 74Q130 110 196 214L200 190L166 84ZM250 74Q270 110 204 214L200 190L234 84Z"),
      206
    ),
    "#2f4a38",
    [200, 150]
  ),
  "Cable jumper": knitted(jumper("cable", wide), "#d9cbb0", [150, 200]),
  Rollneck: knitted(
    jumper(
      "knit",
      p("m", "M150 56Q200 44 250 56L256 100Q200 122 144 100Z") +
        p("rib", "M150 56Q200 44 250 56L256 100Q200 122 144 100Z") +
        s("#000000", 2, "M144 100Q200 122 256 100M147 78Q200 96 253 78", 0.25)
    ),
    "#a8402f",
    [200, 110]
  ),
  "Straight chino": lying(trousers("twill", 64), "#b9b1a3", [200, 100]),
  "Tapered chino": lying(trousers("twill", 48), "#5c6046"),
  "Work trouser": lying(
    trousers(
      "twill",
      66,
      s("#000000", 2, "M134 200H178V258H128ZM266 200H222V258H272Z", 0.28) + r("md", [262, 120, 10, 44, 4])
    ),
    "#3b3d40",
    [160, 220]
  ),
  "Walking trouser": lying(
    trousers("weave", 58, s("#000000", 2, "M132 150H166V196H128ZM130 240L184 246M270 240L216 246", 0.28)),
    "#2f4a38"
  ),
  "Five-pocket jean": lying(
    trousers(
      "twill",
      62,
      s(
        "#d9a05b",
        1.8,
        "M144 80Q150 110 138 118M256 80Q250 110 262 118M214 80Q217 126 200 138M126 326L184 330M274 326L216 330",
        0.9
      )
    ),
    "#2b3a67",
    [200, 100]
  ),
  "Linen trouser": lying(
    trousers("weave", 70, s("#f7f5ef", 4, "M196 70Q176 100 186 124M204 70Q226 96 216 120")),
    "#d9cbb0"
  ),
  "Corduroy trouser": lying(trousers("cord", 62), "#a8642f", [170, 140]),
  "Chino short": lying(half("twill", waist("M131 94H269L270 116H130Z", 105) + fly(98)), "#b9b1a3"),
  "Swim short": lying(
    half(
      "pin",
      p("md", "M131 92H269L271 118H129Z") +
        p("rib", "M131 92H269L271 118H129Z") +
        s("#ffffff", 5, "M192 106Q172 140 182 168M208 106Q228 136 218 164") +
        s("#ffffff", 7, "M278 126L300 280M122 126L100 280", 0.7)
    ),
    "#31527b"
  )
}
