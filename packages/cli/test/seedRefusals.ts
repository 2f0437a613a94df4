/** Store descriptions that are refused, each with the line that says why. */
import { sectionNames } from "../src/seed/sections.ts"

const loaded = sectionNames.join(", ")
const awaited = ["coupons", "promotions", "bundleOffers", "giftCards"]

const tea = { externalId: "tea", name: "Tea", basePrice: "1.00" }

export const refusals: ReadonlyArray<readonly [description: unknown, line: string]> = [
  ["{", "is not JSON"],
  [Buffer.from('{"categories":[{"externalId":"a","name":"Caf\u00e9"}]}', "latin1"), "is not UTF-8 text"],
  [
    { categories: [{ externalId: "a", name: "T\0" }] },
    "categories.0: name holds a NUL character or half of a surrogate pair"
  ],
  [
    '{"products":[{"externalId":"a","name":"T","inventory":{"note":"\\ud800"}}]}',
    "products.0: inventory.note holds a NUL"
  ],
  ['{"products":[{"externalId":"a","name":"T","\\ud800":1}]}', "products.0: a name holds a NUL"],
  [
    { shippingZones: [{ externalId: "z", name: "Z", countries: ["DE"], rates: "all" }] },
    "shippingZones z: rates must be a list"
  ],
  [[], `must be a JSON object of lists: ${loaded}`],
  ...awaited.map(
    (section) =>
      [
        { categories: [{ externalId: "a", name: "A" }], [section]: [{ externalId: "c" }] },
        `${section} cannot be loaded yet; this version loads ${loaded}`
      ] as const
  ),
  [{ colours: [] }, `colours is not a section; known are ${loaded}, ${awaited.join(", ")}`],
  [
    { categories: [{ externalId: "a", name: "A" }], Products: [{ externalId: "p" }] },
    "Products is not a section; known are"
  ],
  [{ customers: [{ externalId: "c", email: "ada" }] }, "customers c: email"],
  [
    { customers: [{ externalId: "c", email: "ada@x.example", birthMonth: 2, birthDay: 30 }] },
    "customers c: birthDay month 2 has no day 30; nothing was loaded"
  ],
  [
    {
      categories: [{ externalId: "a", name: "A" }],
      customers: [
        { externalId: "c", email: "ada@x.example", addresses: [{ line1: "1 Main St", city: "Ulm", country: "XX" }] }
      ]
    },
    "customers c: addresses.0.country must be an ISO 3166-1"
  ],
  [
    { shippingClasses: [{ externalId: "s", name: " " }] },
    "shippingClasses s: name must not be empty; nothing was loaded"
  ],
  [
    { shippingClasses: [{ externalId: "s", name: "Bulky" }], products: [{ ...tea, shippingClassId: "nowhere" }] },
    "products tea: shippingClassId"
  ],
  [{ reviews: [{ externalId: "r", productId: "nowhere", rating: 5, body: "x" }] }, "reviews r: "],
  [
    { metafieldDefinitions: [{ externalId: "m", name: "Material", key: "Material", type: "SELECT" }] },
    "metafieldDefinitions m: key must begin with a lower-case letter"
  ],
  [
    { metafieldDefinitions: [{ externalId: "m", name: "Gift", key: "gift", type: "TEXT", productIds: ["nowhere"] }] },
    "metafieldDefinitions m: productIds.0 is not a product of this store"
  ],
  [
    {
      metafieldDefinitions: [{ externalId: "m", name: "Material", key: "material", type: "TEXT" }],
      products: [{ ...tea, metafields: { material: 5 } }]
    },
    "products tea: metafields.material must be text"
  ],
  [{ products: {} }, "products must be a list"],
  [{ products: [tea, { name: "Salt" }] }, "products.1 needs an externalId"],
  [{ products: [tea, tea] }, "products.1: the externalId tea is there twice"],
  [{ products: [tea, { externalId: "x" }] }, "products x: name is required; nothing was loaded"],
  [{ products: [tea, { externalId: "x", name: 5, basePrice: true }] }, "products x: name must be a string"],
  [
    { products: [tea, { ...tea, externalId: "x", basePrice: "1.999" }] },
    "products x: basePrice EUR has 2 fraction digits; nothing was loaded"
  ],
  [
    { products: [tea, { ...tea, externalId: "x", categories: ["nowhere"] }] },
    "products x: categories nowhere is not a category of this store; nothing was loaded"
  ],
  [{ products: [tea, { ...tea, externalId: "x", inventory: { total: -1 } }] }, "products x: inventory.total"],
  [{ products: [tea, { ...tea, externalId: "x", slug: "tea" }] }, "products x: "],
  [
    { categories: [{ externalId: "a", name: "A", parent: "b" }] },
    "categories a: parentId is not a category of this store; nothing was loaded"
  ],
  [
    {
      categories: [
        { externalId: "a", name: "A", parent: "b" },
        { externalId: "b", name: "B", parent: "a" }
      ]
    },
    "categories a: parent would make the category its own ancestor; nothing was loaded"
  ],
  [
    { products: [tea], taxRates: [{ externalId: "r", name: "R", country: "XX", rate: 101 }] },
    "taxRates r: country must be an ISO 3166-1 alpha-2 code such as US; rate"
  ],
  [
    {
      shippingZones: [
        {
          externalId: "z",
          name: "Z",
          countries: ["DE"],
          rates: [{ name: "Parcel", type: "FLAT", rateConfig: { amount: "-1" } }]
        }
      ]
    },
    "shippingZones z/Parcel: rateConfig.amount"
  ]
]
