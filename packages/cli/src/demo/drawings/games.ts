/** Drawings of games. */
import { type Drawings, e, lying, moved, p, r, s, standing, times } from "./pen.ts"

const board = (folded: string): string =>
  r("walnut", [60, 60, 280, 280, 8]) +
  r("#ecd3a6", [80, 80, 240, 240]) +
  times(32, (i) =>
    r("#7a4f33", [80 + ((i % 4) * 2 + (Math.floor(i / 4) % 2)) * 30, 80 + Math.floor(i / 4) * 30, 30, 30])
  ) +
  folded

const piece = (x: number, y: number, fill: string): string =>
  e("#000000", [x + 4, y + 20, 17, 6], 0.25) +
  p(fill, `M${x - 15} ${y + 20}Q${x - 7} ${y + 4} ${x - 6} ${y - 8}H${x + 6}Q${x + 7} ${y + 4} ${x + 15} ${y + 20}Z`) +
  e(fill, [x, y - 15, 9])

const king = (x: number, y: number, fill: string): string =>
  piece(x, y, fill) +
  p(fill, `M${x - 10} ${y - 10}L${x - 13} ${y - 36}H${x + 13}L${x + 10} ${y - 10}Z`) +
  s(fill === "walnut" ? "#583821" : "#c89f68", 4, `M${x} ${y - 38}V${y - 52}M${x - 6} ${y - 46}H${x + 6}`)

const stone = (x: number, y: number, fill: string): string =>
  e("#000000", [x + 2, y + 4, 15], 0.25) + e(fill, [x, y, 15]) + e("#ffffff", [x, y, 9], 0.16)

const die = (x: number, y: number, [turn, dots]: readonly [number, string]): string =>
  moved(
    r("#000000", [174, 178, 56, 56, 10], 0.16) +
      r("white", [170, 172, 56, 56, 10]) +
      [...dots]
        .map((at) => e("#25272b", [182 + (Number(at) % 3) * 16, 184 + Math.floor(Number(at) / 3) * 16, 4.6]))
        .join(""),
    [x - 200, y - 200, turn]
  )

const domino = (x: number, y: number, [turn, top, bottom]: readonly [number, string, string]): string =>
  moved(
    r("#000000", [172, 148, 60, 116, 8], 0.16) +
      r("paper", [168, 142, 60, 116, 8]) +
      s("#3b3e42", 2.4, "M176 200H220") +
      [...top]
        .map((at) => e("#25272b", [182 + (Number(at) % 3) * 16, 156 + Math.floor(Number(at) / 3) * 15, 4.4]))
        .join("") +
      [...bottom]
        .map((at) => e("#25272b", [182 + (Number(at) % 3) * 16, 214 + Math.floor(Number(at) / 3) * 15, 4.4]))
        .join(""),
    [x - 200, y - 200, turn]
  )

const card = (x: number, turn: number, face: string): string =>
  moved(r("#000000", [142, 104, 124, 180, 10], 0.14) + r("white", [138, 98, 124, 180, 10]) + face, [x, 10, turn])

const back = (fill: string): string =>
  r(fill, [148, 108, 104, 160, 6]) +
  s("#ffffff", 2, "M158 118H242V258H158ZM158 118L242 258M242 118L158 258", 0.6) +
  e("#ffffff", [200, 188, 20], 0.7)

const ball = (x: number, y: number, [radius, fill]: readonly [number, string]): string =>
  e("#000000", [x + 4, y + radius * 0.92, radius * 0.9, radius * 0.22], 0.22) +
  e(fill, [x, y, radius]) +
  e("#ffffff", [x - radius * 0.34, y - radius * 0.36, radius * 0.26], 0.7) +
  (fill === "steel"
    ? s(
        "#5d656c",
        2,
        `M${x - radius * 0.9} ${y - radius * 0.1}Q${x} ${y + radius * 0.3} ${x + radius * 0.9} ${y - radius * 0.1}M${x - radius * 0.86} ${y + radius * 0.3}Q${x} ${y + radius * 0.66} ${x + radius * 0.86} ${y + radius * 0.3}`,
        0.5
      )
    : "")

const racket = (x: number, turn: number): string =>
  moved(
    r("m", [192, 250, 16, 110, 6]) +
      r("#87919a", [196, 186, 8, 70]) +
      times(9, (i) => s("#ffffff", 1.4, `M${152 + i * 12} 60V190M146 ${72 + i * 13}H254`, 0.7)) +
      s(
        "md",
        9,
        "M200 40C262 40 268 110 254 150C244 178 224 194 200 194C176 194 156 178 146 150C132 110 138 40 200 40Z"
      ),
    [x, 0, turn, 0.94]
  )

const jigsawPiece =
  "M150 150H186Q176 116 200 116T214 150H250V186Q284 176 284 200T250 214V250H214Q224 284 200 284T186 250H150V214Q116 224 116 200T150 186Z"

const puzzle = (sky: string, land: string): string =>
  r("#8a6437", [52, 66, 296, 230, 6]) +
  r(sky, [62, 76, 276, 210]) +
  land +
  times(5, (i) => s("#ffffff", 1.8, `M${108 + i * 46} 76V286`, 0.6)) +
  times(4, (i) => s("#ffffff", 1.8, `M62 ${118 + i * 42}H338`, 0.6)) +
  times(20, (i) => e("#ffffff", [108 + (i % 5) * 46, 98 + Math.floor(i / 5) * 42 + (i % 2 ? 0 : 2), 5], 0.4)) +
  moved(p(sky, jigsawPiece) + s("#ffffff", 3, jigsawPiece, 0.7), [96, 122, 24, 0.46]) +
  moved(p("#d9cbb0", jigsawPiece) + s("#ffffff", 3, jigsawPiece, 0.7), [-70, 136, -30, 0.46])

const mallet = (x: number, turn: number, band: string): string =>
  moved(
    r("wood", [194, 60, 12, 220, 5]) +
      r("wood", [150, 268, 100, 44, 8]) +
      r(band, [158, 268, 14, 44]) +
      r(band, [228, 268, 14, 44]) +
      r("#25272b", [193, 50, 14, 60, 5]),
    [x, 0, turn]
  )

export const games: Drawings = {
  "Gambit chess set": lying(
    board(
      times(8, (i) => piece(95 + i * 30, 272, "wood") + piece(95 + i * 30, 120, "walnut")) +
        king(215, 302, "wood") +
        king(185, 308, "wood") +
        king(185, 96, "walnut") +
        king(215, 100, "walnut")
    ),
    "#754d2f",
    [200, 110]
  ),
  "Gambit travel chess": lying(
    moved(
      board(
        piece(155, 240, "wood") +
          king(215, 270, "wood") +
          piece(245, 150, "walnut") +
          king(185, 130, "walnut") +
          r("#25272b", [60, 197, 280, 5])
      ),
      [0, 10, -14, 0.7]
    ) + moved(r("leather", [80, 240, 170, 44, 20]), [90, 70, 20, 0.8])
  ),
  "Gambit draughts": lying(
    board(
      times(
        12,
        (i) =>
          stone(95 + ((i % 4) * 2 + (Math.floor(i / 4) % 2)) * 30, 95 + Math.floor(i / 4) * 30, "#25272b") +
          stone(95 + ((i % 4) * 2 + ((Math.floor(i / 4) + 1) % 2)) * 30, 245 + Math.floor(i / 4) * 30, "#f2e3c6")
      )
    ),
    "#754d2f",
    [200, 130]
  ),
  "Backgammon roll": lying(
    moved(
      r("m", [50, 80, 270, 240, 8]) +
        times(6, (i) =>
          p(i % 2 ? "#e7d3a8" : "#a8402f", `M${62 + i * 41} 92h36l-18 90zM${62 + i * 41} 308h36l-18 -90z`)
        ) +
        r("leather", [312, 70, 44, 260, 22]) +
        stone(80, 110, "#25272b") +
        stone(80, 140, "#25272b") +
        stone(244, 292, "#f7f2e7") +
        stone(244, 262, "#f7f2e7"),
      [0, 0, -6]
    ) +
      die(196, 210, [16, "048"]) +
      die(160, 190, [-20, "4"]),
    "#3f6b4f"
  ),
  "Domino set": lying(
    r("wood", [60, 70, 130, 260, 8]) +
      r("grain", [60, 70, 130, 260, 8]) +
      r("#000000", [74, 84, 102, 232], 0.25) +
      domino(126, 150, [0, "0268", "048"]) +
      domino(126, 262, [0, "4", "02468"]) +
      domino(262, 130, [24, "035268", "08"]) +
      domino(282, 276, [-18, "08", "0268"])
  ),
  "Dice cup and five": lying(
    moved(
      p("leather", "M120 60H270L256 240Q195 262 134 240Z") +
        e("#5a2a35", [195, 60, 75, 20]) +
        e("#3a1820", [195, 63, 62, 14]) +
        s("#f3e2c8", 2, "M128 92Q195 116 262 92M138 224Q195 244 252 224", 0.6),
      [-50, 0, -30, 0.95]
    ) +
      die(250, 160, [12, "02468"]) +
      die(320, 210, [-16, "08"]) +
      die(250, 250, [30, "048"]) +
      die(180, 312, [-8, "035268"]) +
      die(300, 308, [20, "4"])
  ),
  "Playing cards pair": lying(
    card(-74, -22, back("#b8382f")) +
      card(-20, -8, back("#31527b")) +
      card(
        34,
        8,
        p("#25272b", "M200 134Q246 182 228 208Q214 222 203 206L210 236H190L197 206Q186 222 172 208Q154 182 200 134Z")
      ) +
      card(84, 22, p("#b8382f", "M200 240Q140 196 156 164Q176 140 200 170Q224 140 244 164Q260 196 200 240Z"))
  ),
  "Cribbage board": lying(
    moved(
      r("wood", [50, 140, 300, 120, 18]) +
        r("grain", [50, 140, 300, 120, 18]) +
        times(60, (i) => e("#5b4020", [76 + (i % 20) * 13, 168 + Math.floor(i / 20) * 30, 2.8])) +
        times(4, (i) =>
          e(["#b8382f", "#31527b", "#f4f6f7", "#25272b"][i] ?? "#333333", [102 + i * 52, 168 + (i % 3) * 30, 6])
        ),
      [0, 0, -16]
    )
  ),
  Kubb: standing(
    times(
      5,
      (i) =>
        r("wood", [40 + i * 46, 232 - (i % 2) * 8, 34, 98 + (i % 2) * 8, 3]) +
        r("grain", [40 + i * 46, 232 - (i % 2) * 8, 34, 98 + (i % 2) * 8, 3])
    ) +
      r("walnut", [282, 142, 46, 188, 4]) +
      p("walnut", "M280 144L284 108L296 126L305 104L314 126L326 108L330 144Z") +
      times(3, (i) => r("wood", [66 + i * 34, 312 + (i % 2) * 6, 150, 15, 7])),
    "#c89f68",
    160,
    { detail: [290, 190] }
  ),
  "Boule set": standing(
    times(3, (i) => ball(98 + i * 102, 276, [54, "steel"])) +
      times(3, (i) => ball(98 + i * 102, 168, [54, "steel"])) +
      ball(200, 316, [17, "#d9723a"]),
    "#999999",
    150
  ),
  "Croquet for four": lying(
    mallet(-96, -18, "#b8382f") +
      mallet(-32, -6, "#31527b") +
      mallet(32, 6, "#d9a32e") +
      mallet(96, 18, "#25272b") +
      s("#f4f6f7", 9, "M170 380V340Q170 316 200 316T230 340V380") +
      ball(60, 350, [22, "#b8382f"]) +
      ball(340, 350, [22, "#31527b"]),
    undefined,
    [110, 290]
  ),
  "Badminton pair": lying(
    racket(-50, -26) +
      racket(50, 26) +
      moved(
        p("white", "M176 60L186 130H214L224 60Q200 74 176 60Z") +
          times(4, (i) => s("#bcc4ca", 1.8, `M${183 + i * 11} 66L${190 + i * 7} 130`)) +
          e("#d9cbb0", [200, 138, 16, 13]),
        [0, 160, 180, 0.8]
      ),
    "#d9723a",
    [120, 130]
  ),
  "Kite delta": lying(
    s("#8a8f96", 2, "M206 250Q160 320 230 392") +
      moved(
        p("m", "M200 50L350 250L200 210Z") +
          p("ml", "M200 50L50 250L200 210Z") +
          p("#e8b93d", "M200 120L262 226L200 210L138 226Z") +
          s("#25272b", 3, "M200 50V240M200 50L350 250M200 50L50 250", 0.5) +
          p("md", "M200 210L176 300L200 284L224 300Z"),
        [0, -10, 14]
      ) +
      times(3, (i) =>
        p(["#b8382f", "#e8b93d", "#31527b"][i] ?? "#333333", `M${184 + i * 8} ${306 + i * 26}l-16 -8v16zl16 -8v16z`)
      ),
    "#b8382f"
  ),
  "Kite line winder": lying(
    moved(
      r("m", [110, 90, 180, 56, 26]) +
        r("m", [110, 254, 180, 56, 26]) +
        r("m", [140, 110, 120, 180]) +
        times(11, (i) => s(i % 2 ? "#f4f6f7" : "#d9d4c8", 8, `M132 ${158 + i * 8.4}H268`)) +
        s("#f4f6f7", 3, "M268 200Q330 220 320 300T360 350") +
        r("#ffffff", [126, 100, 120, 8, 4], 0.4),
      [-10, 0, -18]
    ),
    "#d9723a"
  ),
  "Jigsaw one thousand": lying(
    puzzle(
      "#8fbcd6",
      p("#3f7891", "M62 220Q140 204 200 222T338 216V286H62Z") +
        p("#f4f6f7", "M150 216L190 216L184 232H156ZM170 150L172 214H146ZM174 160L196 214H174Z") +
        p("#c8643a", "M262 180H330V218H262ZM256 180L296 150L336 180Z")
    )
  ),
  "Jigsaw five hundred": lying(
    puzzle(
      "#a9d0cf",
      p("#8fae6f", "M120 130Q190 84 256 130T296 216Q240 268 160 244T120 130Z") +
        p("#e7d3a8", "M150 150Q200 124 240 156T230 220Q180 236 150 206T150 150Z", 0.7) +
        s("#c8442f", 3, "M160 200L186 170L214 196L246 158")
    )
  )
}
