/** What customers of the demo store say of its goods. The customers are invented and have no password. */
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

/** By the good that they are about. */
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

/** The reviews of these goods, each by one of the customers in turn. */
export const reviewsOf = (
  goods: ReadonlyArray<{ readonly externalId: string; readonly name: string }>
): ReadonlyArray<SeedRow> =>
  goods
    .flatMap(({ externalId, name }) =>
      (opinions[name] ?? []).map((opinion, i) => ({
        externalId: `${externalId}-${i + 1}`,
        productId: externalId,
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
