/** Store descriptions that are refused, each with the line that says why. */
import { sectionNames } from "../src/seed/sections.ts"

const loaded = sectionNames.join(", ")

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
  [{ colours: [] }, `colours is not a section; known are ${loaded}`],
  [
    { categories: [{ externalId: "a", name: "A" }], Products: [{ externalId: "p" }] },
    "Products is not a section; known are"
  ],
  [{ customers: [{ externalId: "c", email: "ada" }] }, "customers c: email"],
  [
    { promotions: [{ externalId: "sale", name: "Sale", type: "PERCENTAGE_OFF", value: 101, applicableBrands: ["x"] }] },
    "promotions sale: "
  ],
  [
    { coupons: [{ externalId: "c", code: "C", type: "PERCENTAGE", value: 101, applicableProducts: ["none"] }] },
    "coupons c: value must be between 0 and 100"
  ],
  [{ coupons: [{ externalId: "c", code: "C", type: "PERCENTAGE", vaule: 10 }] }, "coupons c: vaule"],
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
  [
    { giftCards: [{ externalId: "g", initialBalance: "5.00", code: "ab-c" }] },
    "giftCards g: code must have 8 characters; nothing was loaded"
  ],
  [
    {
      giftCards: [
        { externalId: "g", initialBalance: "5.00", code: "ABCD-1234" },
        { externalId: "h", initialBalance: "5.00", code: "abcd i234" }
      ]
    },
    "giftCards h: code: another gift card of the store has it; nothing was loaded"
  ],
  [{ reviews: [{ externalId: "r", productId: "nowhere", rating: 5, body: "x" }] }, "reviews r: "],
  [
    { loyalty: [{ externalId: "p", program: { minRedeem: -1 } }] },
    "loyalty p: minRedeem must be a whole number from 0 to 1000000000000; nothing was loaded"
  ],
  [{ loyalty: [{ externalId: "p", points: 5 }] }, "loyalty p: needs either a program, or a customer with points"],
  [{ loyalty: [{ externalId: "p", customer: "nobody", points: 5 }] }, "loyalty p: "],
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
