/** Reviews of the demo store's goods. The customers are invented and have no password. */
import type { SeedRow } from "./SeedDocument.ts"

const people: ReadonlyArray<readonly [firstName: string, lastName: string]> = [
  ["Ada", "Winter"],
  ["Ben", "Okafor"],
  ["Clara", "Lindqvist"],
  ["Dev", "Patel"],
  ["Elin", "Moreau"],
  ["Femi", "Grant"],
  ["Greta", "Vogel"],
  ["Hugo", "Marsh"]
]

export const customers: ReadonlyArray<SeedRow> = people.map(([firstName, lastName]) => ({
  externalId: `demo-${firstName.toLowerCase()}`,
  email: `${firstName}.${lastName}@customers.example`.toLowerCase(),
  firstName,
  lastName,
  emailVerified: true
}))

interface Opinion {
  readonly rating: number
  readonly title: string
  readonly body: string
  readonly locale?: string
}

/** By the name of the product. */
const opinions: Readonly<Record<string, ReadonlyArray<Opinion>>> = {
  "Fenwick skillet 28 cm": [
    { rating: 5, title: "Better every week", body: "Stuck at first, then it seasoned. Eggs slide now." },
    { rating: 4, title: "Heavy, in a good way", body: "You want both hands for it. The handle does stay cool." }
  ],
  "Orchard casserole 4 l": [
    { rating: 5, title: "Der Sonntagstopf", body: "Hält die Wärme bis zum Nachschlag.", locale: "de" },
    { rating: 5, title: "Bread too", body: "Bought it for stews and bake bread in it twice a week." }
  ],
  "Marlow mug": [
    { rating: 5, title: "My morning mug", body: "A good size, and it fits under the coffee machine." },
    { rating: 3, title: "Nice, but chipped", body: "One of four arrived with a chip. It was replaced within a week." },
    { rating: 4, title: "Liegt gut in der Hand", body: "Der Henkel ist groß genug für drei Finger.", locale: "de" }
  ],
  "Loft wool blanket": [
    { rating: 5, title: "Warm without weight", body: "It smells of sheep for two days and then of nothing." }
  ],
  "Beacon desk lamp": [
    { rating: 5, title: "Stays put", body: "I move it ten times a day and it has not sagged." },
    { rating: 4, title: "Solid", body: "The cable could be longer. Otherwise all I wanted." }
  ],
  "Crate medium": [{ rating: 4, title: "For records", body: "Holds about eighty and stacks without wobbling." }],
  "Skylark tent two": [
    { rating: 5, title: "Dry in a storm", body: "Two nights of rain in the hills and nothing came in." },
    { rating: 4, title: "Fast to pitch", body: "Six minutes alone, after some practice in the garden." }
  ],
  "Ember gas stove": [
    { rating: 5, title: "Klein und schnell", body: "Vier Minuten bis zum Tee, wie versprochen.", locale: "de" }
  ],
  "Becks flask 0.75 l": [{ rating: 5, title: "Still hot at noon", body: "Filled at seven, burnt my tongue at one." }],
  "Spoke light set": [{ rating: 4, title: "Bright", body: "The front one is plenty for unlit paths." }],
  "Oxford shirt": [
    { rating: 5, title: "Fits as it should", body: "Sleeves are long enough for once." },
    { rating: 2, title: "Runs small", body: "I usually take M and had to send it back for L." }
  ],
  "Guernsey jumper": [{ rating: 5, title: "Windproof", body: "Wore it sailing. It is tight, and that is the point." }],
  "Straight chino": [{ rating: 4, title: "Good cut", body: "Softer after the third wash." }],
  "Wool socks pair": [
    { rating: 5, title: "Keine Blasen", body: "Zwölf Kilometer am Tag und keine Blase.", locale: "de" },
    { rating: 5, title: "Bought three more", body: "Thick at the heel, thin at the top." }
  ],
  "Nib fountain pen": [
    { rating: 5, title: "Writes at once", body: "Even after a month in a drawer. The engraving is neat." },
    { rating: 4, title: "A fine gift", body: "Came in linen. The ink bottle is sold apart." }
  ],
  "Pruning shears": [{ rating: 5, title: "Sharp", body: "Went through a thumb-thick branch without effort." }],
  "Cove bath towel": [{ rating: 4, title: "Thick", body: "Takes a day to dry in winter, and is worth it." }],
  "Gambit chess set": [{ rating: 5, title: "Proper weight", body: "The pieces stand firmly. The board folds flat." }]
}

/** Reviews for the other goods of a department, from the best to the worst. */
const ofDepartments: Readonly<Record<string, string>> = {
  cookware: `5|Daily use|Two months of daily cooking, and it still looks new.
5|Verteilt die Hitze gut|Brennt nicht an und lässt sich leicht reinigen.|de
4|Well made|A little heavier than I expected. It cooks evenly.
3|Fine|It does what it should. The handle gets warm on gas.`,
  tableware: `5|Beautiful|The photographs do not do the glaze justice.
5|Passt zu allem|Schlicht und schwer genug, um nicht billig zu wirken.|de
4|Good everyday ware|Survives the dishwasher. I would like it a shade darker.
2|One was chipped|One piece of the set came chipped. The new one took ten days.`,
  bedding: `5|Sleeps cool|Softer after each wash, as promised.
4|Schöner Stoff|Fühlt sich gut an, knittert aber ein wenig.|de
4|Nice weave|Washed at forty degrees four times. It has not shrunk.`,
  lighting: `5|Warm light|Just the right light for the evening.
4|Schöne Lampe|Das Kabel dürfte länger sein, sonst perfekt.|de
4|Sturdy|Stands well and the switch is easy to find.
3|Smaller than I thought|Good quality. Look at the measures first.`,
  storage: `5|Tidy at last|I bought one and came back for three.
4|Stabil|Sauber verarbeitet und riecht nach Holz.|de
4|Good size|It stacks well and takes a knock.`,
  camping: `5|A season old|Used it on twelve nights, in wind and rain. No complaints.
5|Leicht und klein|Passt noch in die Seitentasche.|de
4|Good, with practice|The first time took me a while.
2|Zip|The zip caught on the second trip. They repaired it.`,
  hiking: `5|Three hundred kilometres|Not a scratch that matters.
4|Sitzt gut|Auch nach acht Stunden bequem.|de
4|Light|Lighter than my last one by half.
3|Stiff at first|It takes a week to soften.`,
  cycling: `5|On the bicycle all winter|Rain, salt and cobbles. It holds.
4|Einfach anzubringen|In zwei Minuten montiert, sitzt fest.|de
3|Good, not perfect|The mount could be tighter.`,
  shirts: `5|My new favourite|I have it in two colours now.
5|Sitzt perfekt|Normale Größe bestellt, passt genau.|de
4|Good cloth|Thicker than it looks. A bit long for me.
2|Shrank a little|Half a size after the first wash.`,
  knitwear: `5|Warm|It replaced my coat until December.
4|Kratzt nicht|Angenehm auf der Haut, lange Ärmel.|de
4|Fine knit|No pilling after a winter.`,
  trousers: `5|Comfortable|I cycle to work in them.
4|Gute Passform|Etwas lang, aber leicht zu kürzen.|de
3|Size up|The waist is narrow.`,
  accessories: `5|A good present|The box alone made an impression.
5|Schön verarbeitet|Die Nähte sind sauber, das Material ist weich.|de
4|Nice|The colour is a little darker than on the screen.
3|Fine for the price|It does its work.`,
  stationery: `5|A joy to write with|I look for reasons to use it.
4|Gutes Papier|Die Tinte schlägt nicht durch.|de
4|Handsome|It lies flat, which is all I wanted.`,
  garden: `5|For years|It feels as though my grandchildren will use it.
5|Liegt gut in der Hand|Kein Vergleich mit dem Baumarkt.|de
4|Solid|Heavy, and worth it.
3|Needs oil|It rusted a little where I left it out.`,
  bathroom: `5|Soft and thick|As in a good hotel.
4|Trocknet schnell|Schöne Farbe, trocknet über Nacht.|de
4|Simple and good|It looks well beside the basin.`,
  leisure: `5|Every Sunday|The children ask for it.
4|Schönes Spiel|Gut verarbeitet, die Regeln sind kurz.|de
4|Well made|The box will not last as long as what is in it.
1|A piece was missing|It came within the week, but the evening was gone.`
}

const spoken = (row: string): Opinion => {
  const [rating = "5", title = "", body = "", locale] = row.split("|")
  return { rating: Number(rating), title, body, ...(locale === undefined ? {} : { locale }) }
}

interface Reviewed {
  readonly externalId: string
  readonly name: string
  readonly categories?: ReadonlyArray<string>
}

/** Four goods in ten get some reviews of their department. `chance` is the product's. */
const opinionsOf = ({ name, categories: [department = ""] = [] }: Reviewed, chance: number): ReadonlyArray<Opinion> => {
  const own = opinions[name]
  if (own !== undefined || chance % 10 > 3) return own ?? []
  const known = (ofDepartments[department] ?? "").split("\n").map(spoken)
  return known.filter((_, i) => i === chance % known.length || (chance >> (i + 3)) % 3 === 0)
}

/** Whether it has a review of its own. */
export const isTalkedAbout = (name: string): boolean => opinions[name] !== undefined

/** The reviews of these goods, each by one of the customers in turn. */
export const reviewsOf = (goods: ReadonlyArray<Reviewed>, chanceOf: (name: string) => number): ReadonlyArray<SeedRow> =>
  goods
    .flatMap((good) =>
      opinionsOf(good, chanceOf(good.name)).map((opinion, i) => ({
        externalId: `${good.externalId}-${i + 1}`,
        productId: good.externalId,
        opinion
      }))
    )
    .map(({ externalId, productId, opinion }, i) => ({
      externalId,
      productId,
      customerId: customers[i % customers.length]?.externalId,
      locale: "en",
      ...opinion,
      status: "APPROVED"
    }))
