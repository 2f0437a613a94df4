/** Drawings of hats, bags and what else is worn. */
import { cloth, type Drawings, e, lying, moved, p, r, s, standing, times } from "./pen.ts"

const beanie = (rest: string): string =>
  cloth("M92 252Q84 92 200 90T308 252Z", "knit") +
  p("m", "M80 236H320Q330 262 320 296H80Q70 262 80 236Z") +
  p("rib", "M80 236H320Q330 262 320 296H80Q70 262 80 236Z") +
  p("#000000", "M80 236H320V242H80Z", 0.18) +
  rest

const scarf = (pattern: string, fringe: boolean): string => {
  const ends = fringe ? times(11, (i) => s("m", 3.4, `M${112 + i * 7} 320v24M${214 + i * 7} 340v24`)) : ""
  return (
    cloth("M108 150L112 322H186L180 150ZM214 150L212 342H288L292 150Z", pattern) +
    ends +
    cloth("M96 120Q96 56 200 56T304 120Q304 186 200 186T96 120Z", pattern) +
    p("mx", "M144 112Q144 86 200 86T256 112Q256 136 200 136T144 112Z") +
    s("#ffffff", 4, "M112 128Q120 166 180 174", 0.2)
  )
}

const glove =
  "M150 330V236Q118 206 106 178Q104 160 118 160Q132 164 156 194L150 96Q152 82 164 82T178 96L182 166L186 74Q188 60 200 60T214 74L214 168L224 84Q228 70 240 74T250 88L244 176L258 118Q264 106 274 112T282 126L262 236V330Z"

const gloves = (pattern: string, cuff: string): string =>
  moved(cloth(glove, pattern) + cuff, [60, 8, 14, 0.82]) +
  moved(`<g transform="matrix(-1 0 0 1 400 0)">${cloth(glove, pattern)}${cuff}</g>`, [-60, 8, -14, 0.82])

const belt = (fill: string, holes: string): string =>
  moved(
    s("#00000000", 1, "M0 0") +
      `<g fill="none" stroke-width="30" stroke="${fill}"><path d="M200 200a24 24 0 1 1 40 20a66 66 0 1 1 -84 -92a108 108 0 1 1 70 194H110"/></g>` +
      s("#ffffff", 1.6, "M226 310a96 96 0 1 0 -62 -174", 0.4) +
      holes +
      s("#d0a94e", 8, "M74 298H118V346H74ZM96 322H130"),
    [0, -8]
  )

const sock = "M150 60H226V220Q226 236 244 248L300 284Q322 300 310 322Q296 340 268 334L172 300Q146 290 148 258Z"

const socks =
  moved(
    cloth(sock, "knit") +
      p("rib", "M150 60H226V104H150Z") +
      p("md", "M150 66H226V78H150ZM150 86H226V92H150Z") +
      p(
        "md",
        "M268 334Q296 340 310 322Q320 304 300 284Q276 296 268 334ZM148 248Q176 252 190 304L172 300Q146 290 148 258Z",
        0.75
      ),
    [-44, 0, -6, 0.9]
  ) +
  moved(
    cloth(sock, "knit") +
      p("rib", "M150 60H226V104H150Z") +
      p("md", "M150 66H226V78H150ZM150 86H226V92H150Z") +
      p(
        "md",
        "M268 334Q296 340 310 322Q320 304 300 284Q276 296 268 334ZM148 248Q176 252 190 304L172 300Q146 290 148 258Z",
        0.75
      ),
    [40, 16, 4, 0.9]
  )

export const accessories: Drawings = {
  "Watch cap": lying(beanie(r("leather", [244, 256, 44, 26, 3])), "#3b3d40"),
  "Bobble hat": lying(
    moved(
      beanie(
        times(14, (i) =>
          moved(e("ml", [200, 32, 15, 30]), [0, -128, i * 26, 0.62]).replace(
            "translate(-200 -200)",
            "translate(-200 -62)"
          )
        ) +
          e("ml", [200, 74, 30]) +
          p(
            "ml",
            "M88 168L112 138L136 168L112 198ZM152 168L176 138L200 168L176 198ZM216 168L240 138L264 168L240 198Z",
            0.5
          )
      ),
      [0, 14]
    ),
    "#a8402f"
  ),
  "Sun hat": lying(
    moved(
      e("willow", [200, 240, 172, 66]) +
        e("wicker", [200, 240, 172, 66]) +
        p("willow", "M112 236Q112 104 200 104T288 236Q200 268 112 236Z") +
        p("wicker", "M112 236Q112 104 200 104T288 236Q200 268 112 236Z") +
        p("m", "M111 214Q200 250 289 214V240Q200 276 111 240Z"),
      [0, 0]
    ),
    "#1f2d4d"
  ),
  "Flat cap": lying(
    moved(
      cloth("M70 236Q60 130 190 122Q300 118 330 214Q200 190 70 236Z", "check") +
        cloth("M70 236Q200 186 330 214Q352 232 340 250Q210 216 96 270Q74 262 70 236Z", "weave") +
        e("md", [186, 124, 9, 5]),
      [0, 10]
    ),
    "#6b6350"
  ),
  "Lambswool scarf": lying(scarf("check", true), "#2f4a38", [200, 250]),
  "Silk scarf": lying(
    moved(
      p("m", "M70 70H330V330H70Z") +
        s("#ffffff", 8, "M92 92H308V308H92Z", 0.75) +
        s(
          "#ffffff",
          3,
          "M120 180Q160 120 210 150T290 140M110 240Q180 200 220 250T300 230M150 110Q140 200 190 290M250 100Q230 180 270 300",
          0.6
        ) +
        e("#e8b93d", [168, 170, 8]) +
        e("#e8b93d", [244, 238, 8]) +
        p("#000000", "M70 70L330 330H70Z", 0.07),
      [0, 0, 12, 0.9]
    ),
    "#8a3558"
  ),
  "Leather gloves": lying(
    gloves("pin", r("md", [150, 300, 112, 12]) + s("#000000", 2, "M176 240V200M202 240V196M230 240V204", 0.3)),
    "#6d4326"
  ),
  "Knitted gloves": lying(
    gloves("knit", p("rib", "M150 280H262V330H150Z") + p("#000000", "M150 280H262V330H150Z", 0.14)),
    "#31527b"
  ),
  "Bridle belt": lying(
    belt(
      "#8a5735",
      times(5, (i) => e("#3a2414", [190 + i * 20, 322, 3]))
    ),
    "#8a5735",
    [120, 310]
  ),
  "Webbing belt": lying(belt("#5c6046", s("#ffffff", 2, "M150 314H220M150 330H220", 0.3)), "#5c6046"),
  "Canvas tote": standing(
    s("md", 13, "M140 140Q140 40 200 40T260 140") +
      cloth("M84 130H316L330 330H70Z", "weave") +
      s("#000000", 2, "M86 146H314", 0.25) +
      r("md", [128, 128, 24, 44, 3]) +
      r("md", [248, 128, 24, 44, 3]) +
      p("#000000", "M316 130L330 330H300Z", 0.08),
    "#d9cbb0",
    140,
    { detail: [150, 160] }
  ),
  "Roll-top backpack": standing(
    cloth("M104 138Q104 116 128 116H272Q296 116 296 138V304Q296 330 270 330H130Q104 330 104 304Z", "twill") +
      r("md", [96, 66, 208, 58, 20]) +
      s("#000000", 2, "M100 86H300M100 104H300", 0.2) +
      r("leather", [186, 60, 28, 130, 4]) +
      e("brass", [200, 172, 7]) +
      s("#000000", 2.4, "M130 226H270V306H130Z", 0.25) +
      s("md", 10, "M170 66Q170 36 200 36T230 66"),
    "#5c6046",
    104,
    { detail: [200, 130] }
  ),
  "Card wallet": lying(
    moved(
      r("#d9cbb0", [92, 112, 200, 60, 6]) +
        r("#31527b", [100, 124, 190, 60, 6]) +
        r("leather", [80, 140, 240, 150, 12]) +
        s("#f3e2c8", 2, "M92 152H308V278H92Z", 0.55) +
        p("#000000", "M80 206Q200 236 320 206V216Q200 246 80 216Z", 0.2),
      [0, 0, -12]
    )
  ),
  "Key loop": lying(
    moved(
      s("#91603c", 30, "M200 190Q120 330 200 336T200 190") +
        s("#e0bd8a", 1.6, "M200 190Q134 320 200 324T200 190", 0.8) +
        s("#b48a35", 10, "M200 186a50 50 0 1 1 1 0") +
        e("brass", [200, 192, 15]),
      [0, -10, 18]
    )
  ),
  Umbrella: lying(
    moved(
      r("wood", [195, 150, 10, 150]) +
        s("#c89f68", 11, "M200 296V320Q200 346 176 346T156 324") +
        p(
          "m",
          "M40 196Q60 60 200 52Q340 60 360 196Q330 172 306 196Q280 172 254 196Q228 172 200 196Q172 172 146 196Q120 172 94 196Q70 172 40 196Z"
        ) +
        s(
          "#000000",
          2,
          "M200 52Q120 90 94 196M200 52Q160 90 146 196M200 52Q240 90 254 196M200 52Q280 90 306 196M200 52V196",
          0.2
        ) +
        s("#ffffff", 5, "M70 150Q96 96 150 74", 0.25) +
        r("brass", [195, 36, 10, 20, 4]),
      [0, 6, 12, 0.96]
    ),
    "#1f2d4d"
  ),
  "Wool socks pair": lying(socks, "#7a6a52")
}
