/** Drawings of tableware. */
import { type Drawings, e, lying, moved, p, r, s, standing, times } from "./pen.ts"

const plate = (radius: number, rim: number, rest = ""): string =>
  e("m", [200, 200, radius]) +
  e("#000000", [200, 201, radius - rim + 3], 0.1) +
  e("ml", [200, 203, radius - rim]) +
  p(
    "speckle",
    `M${200 - radius} 200a${radius} ${radius} 0 1 0 ${radius * 2} 0a${radius} ${radius} 0 1 0 ${-radius * 2} 0`
  ) +
  s(
    "#ffffff",
    4,
    `M${200 - radius * 0.85} ${200 - radius * 0.38}A${radius * 0.93} ${radius * 0.93} 0 0 1 ${200 - radius * 0.2} ${200 - radius * 0.91}`,
    0.8
  ) +
  s(
    "md",
    2,
    `M${200 - radius + 2} 200a${radius - 2} ${radius - 2} 0 1 0 ${radius * 2 - 4} 0a${radius - 2} ${radius - 2} 0 1 0 ${-radius * 2 + 4} 0`,
    0.6
  ) +
  rest

const mug =
  s("m", 20, "M262 214C326 200 326 292 262 282") +
  p("m", "M126 176H270V306Q270 330 246 330H150Q126 330 126 306Z") +
  p("speckle", "M126 176H270V306Q270 330 246 330H150Q126 330 126 306Z") +
  e("md", [198, 176, 72, 12]) +
  e("mx", [198, 178, 63, 9]) +
  r("#ffffff", [144, 200, 12, 96, 6], 0.4)

const tumbler =
  p("glass", "M138 140H262L246 322Q245 330 237 330H163Q155 330 154 322Z") +
  p("water", "M145 222H255L246 314H154Z") +
  e("#ffffff", [200, 222, 55, 7], 0.5) +
  p("#ffffff", "M154 316H246L245 324Q244 330 237 330H163Q156 330 155 324Z", 0.55) +
  e("#ffffff", [200, 140, 62, 8], 0.7) +
  p("#ffffff", "M156 156H168L178 300H168Z", 0.6)

const wineGlass =
  e("glass", [200, 322, 58, 9]) +
  e("#ffffff", [200, 321, 40, 4], 0.5) +
  r("glass", [196, 226, 8, 98]) +
  p("glass", "M142 82H258Q274 232 200 236Q126 232 142 82Z") +
  p("#8a2740", "M136 150H264Q258 228 200 231Q142 228 136 150Z", 0.86) +
  e("#a8405a", [200, 150, 64, 8]) +
  e("#ffffff", [200, 82, 58, 7], 0.65) +
  p("#ffffff", "M154 98H165Q156 170 172 208Q142 176 154 98Z", 0.5)

const carafe =
  r("wood", [180, 62, 40, 34, 8]) +
  p(
    "glass",
    "M172 84H228V138C228 176 284 196 284 258V312Q284 330 266 330H134Q116 330 116 312V258C116 196 172 176 172 138Z"
  ) +
  p("water", "M122 240H278V310Q278 324 264 324H136Q122 324 122 310Z") +
  e("#ffffff", [200, 240, 78, 9], 0.5) +
  p("#ffffff", "M140 226Q150 208 168 194V206Q150 222 150 300H140Z", 0.55)

/** Pieces of cutlery, standing up on the sheet. */
const stem = "M194 178H206L211 318Q212 340 200 340T189 318Z"

const fork = p(
  "steel",
  `${stem}M178 62Q180 58 183 62L184 118H190L191 62Q194 58 197 62V118H203V62Q206 58 209 62L210 118H216L217 62Q220 58 222 62V140Q222 172 206 184H194Q178 172 178 140Z`
)

const knife =
  p("steel", "M191 196H209L212 320Q212 340 200 340T188 320Z") +
  p("steel", "M191 200V70Q194 54 204 62Q224 100 216 178L209 200Z") +
  p("#ffffff", "M194 190V78L199 72V190Z", 0.6)

const spoon =
  p("steel", stem) +
  e("steel", [200, 118, 33, 58]) +
  e("#000000", [201, 122, 24, 46], 0.12) +
  p("#ffffff", "M182 96Q188 74 204 72Q190 88 187 130Q180 116 182 96Z", 0.7)

export const tableware: Drawings = {
  "Marlow dinner plate": lying(plate(148, 40), "#e7e2d6"),
  "Marlow side plate": lying(plate(108, 26), "#e7e2d6"),
  "Marlow pasta bowl": lying(
    plate(132, 24, e("md", [200, 203, 100], 0.35) + e("ml", [200, 212, 86])),
    "#c9d5d0",
    [120, 130]
  ),
  "Marlow mug": standing(mug, "#7d99a3", 90, { detail: [290, 245] }),
  "Pell water glass": standing(tumbler, "#cfe0e6", 64),
  "Pell wine glass": standing(wineGlass, "#cfe0e6", 60, { detail: [200, 150] }),
  "Pell carafe 1 l": standing(carafe, "#cfe0e6", 90, { detail: [200, 120] }),
  "Kestrel dinner fork": lying(moved(fork, [0, 0, 24])),
  "Kestrel table knife": lying(moved(knife, [0, 0, 24])),
  "Kestrel soup spoon": lying(moved(spoon, [0, 0, 24])),
  "Kestrel teaspoon set": lying(
    times(6, (i) => moved(spoon, [-115 + i * 46, i % 2 === 0 ? -6 : 6, 0, 0.8])),
    undefined,
    [150, 140]
  ),
  "Saltmarsh serving bowl": standing(
    p("m", "M56 196H344Q336 322 238 330H162Q64 322 56 196Z") +
      p("speckle", "M56 196H344Q336 322 238 330H162Q64 322 56 196Z") +
      p(
        "ml",
        "M56 196H344Q341 232 326 244Q300 226 276 256Q250 236 222 250Q190 228 160 256Q128 232 98 250Q60 236 56 196Z",
        0.7
      ) +
      e("mx", [200, 196, 144, 20]) +
      e("md", [200, 200, 132, 15]),
    "#4f7f86",
    130,
    { detail: [130, 240] }
  ),
  "Saltmarsh platter": lying(
    moved(
      e("m", [200, 200, 172, 96]) +
        e("#000000", [200, 202, 138, 68], 0.12) +
        e("ml", [200, 204, 134, 64], 0.9) +
        p("speckle", "M28 200a172 96 0 1 0 344 0a172 96 0 1 0 -344 0") +
        s("#ffffff", 4, "M60 150Q110 112 180 110", 0.7),
      [0, 0, -18]
    ),
    "#4f7f86"
  ),
  "Saltmarsh butter dish": standing(
    r("m", [58, 304, 284, 26, 13]) +
      p("m", "M92 304V232Q92 206 118 206H282Q308 206 308 232V304Z") +
      p("speckle", "M92 304V232Q92 206 118 206H282Q308 206 308 232V304Z") +
      e("m", [200, 196, 26, 15]) +
      s("#ffffff", 6, "M106 282V236Q106 222 122 220H160", 0.5),
    "#9db4ae",
    150
  ),
  "Fern linen napkin pair": lying(
    moved(
      p("m", "M90 90H250V250H90Z") + p("weave", "M90 90H250V250H90Z") + s("#ffffff", 2, "M98 98H242V242H98Z", 0.5),
      [10, 20, -10]
    ) +
      moved(
        p("ml", "M120 130H290V300H120Z") +
          p("weave", "M120 130H290V300H120Z") +
          s("md", 2, "M130 140H280V290H130Z", 0.6) +
          p("#000000", "M120 130L205 215L120 300Z", 0.05),
        [10, 0, 14]
      ),
    "#a9b79c"
  ),
  "Fern table runner": lying(
    moved(
      p("m", "M130 20H270V380H130Z") +
        p("weave", "M130 20H270V380H130Z") +
        s("#ffffff", 6, "M130 60H270M130 74H270M130 326H270M130 340H270", 0.55) +
        times(18, (i) => s("m", 2, `M${134 + i * 8} 380l1 14M${134 + i * 8} 20l1 -14`)),
      [0, 0, 28, 0.95]
    ),
    "#8ea07d"
  )
}
