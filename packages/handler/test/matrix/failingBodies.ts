/** For each route whose values have rules: a body that breaks two or more of them, and the fields that are named. */

type Ids = Readonly<Record<string, string>>

export interface FailingBody {
  readonly route: string
  readonly body: (ids: Ids) => object
  /** In the order in which they are named. */
  readonly fields: ReadonlyArray<string>
  readonly code?: string
}

const both = (
  paths: ReadonlyArray<string>,
  body: FailingBody["body"],
  fields: ReadonlyArray<string>
): ReadonlyArray<FailingBody> => paths.map((route) => ({ route, body, fields }))

const none = "none_1"

const store: ReadonlyArray<FailingBody> = [
  {
    route: "PATCH /v1/store",
    body: () => ({ name: " ", currency: "ABC", country: "XX", languages: [], timezone: "Mars/Base" }),
    fields: ["name", "currency", "country", "languages", "timezone"]
  },
  ...both(["POST /v1/sales-channels", "PATCH /v1/sales-channels/:id"], () => ({ name: " ", domain: "no domain" }), [
    "name",
    "domain"
  ]),
  ...both(
    ["POST /v1/regions", "PATCH /v1/regions/:id"],
    () => ({
      name: "",
      currency: "EUR",
      countries: ["DE", "XX", "YY"],
      priceRounding: "0.001",
      providerInstallationIds: [none],
      isDefault: true,
      isActive: false
    }),
    ["name", "countries.1", "countries.2", "priceRounding", "providerInstallationIds.0", "isActive"]
  ),
  {
    route: "POST /v1/api-keys",
    body: () => ({ name: "erp", scopes: ["orders:all"], expiresAt: "2001-01-01T00:00:00Z" }),
    fields: ["scopes", "expiresAt"]
  }
]

const wrongProduct = ({ products, variable, attributes }: Ids) => ({
  name: " ",
  type: "KIT",
  slug: "no slug!",
  gtin: "1",
  basePrice: "1.001",
  salePrice: "x",
  costPrice: "y",
  salePriceStartsAt: "soon",
  translations: { de: { slug: "kein slug!" }, fr: { slug: "pas de slug!" } },
  kitComponents: [
    { productId: none, quantity: 1 },
    { productId: variable, quantity: 1 },
    { productId: products, variantId: none, quantity: 1 }
  ],
  taxClassId: none,
  shippingClassId: none,
  categories: [none],
  brands: [none],
  related: [none],
  upsells: [none],
  salesChannelIds: [none],
  images: [{ key: "none.png" }, { key: "other.png" }],
  attributes: [{ attributeId: attributes, optionIds: [none] }],
  modifierGroups: [{ groupId: none }, { groupId: none, variantId: none }],
  metafields: { care: 5, unheard: "x" },
  inventory: { total: 1 }
})

const wrongFields = (kit: ReadonlyArray<string>) => [
  "name",
  "slug",
  "gtin",
  "translations.de.slug",
  "translations.fr.slug",
  "basePrice",
  "salePrice",
  "costPrice",
  "salePriceStartsAt",
  "images.0.key",
  "images.1.key",
  "inventory",
  "shippingClassId",
  "taxClassId",
  "categories",
  "upsells",
  "related",
  "brands",
  "salesChannelIds",
  ...kit,
  "attributes.0.optionIds",
  "modifierGroups.0.groupId",
  "modifierGroups.1.groupId",
  "modifierGroups.1.variantId",
  "metafields.care",
  "metafields.unheard"
]

const wrongVariants = () => ({
  name: "Shirt",
  type: "VARIABLE",
  variants: [
    { name: "S", price: "1.001", salePrice: "x", attributes: { Size: "S" } },
    { name: "M", price: "9.00", salePrice: "10.00", shippingClassId: none, attributes: { Size: "M" } },
    { name: "L", price: "y", attributes: { Size: "L" } }
  ],
  gtin: "1"
})

const catalogue: ReadonlyArray<FailingBody> = [
  {
    route: "POST /v1/products",
    body: wrongProduct,
    fields: wrongFields(["kitComponents.0.productId", "kitComponents.1.variantId", "kitComponents.2.variantId"])
  },
  {
    // The product is a component of a kit, and names itself.
    route: "PATCH /v1/products/:id",
    body: wrongProduct,
    fields: wrongFields(["type", "kitComponents.0.productId", "kitComponents.1.variantId", "kitComponents.2.productId"])
  },
  {
    route: "POST /v1/products",
    body: () => ({
      name: "Lamp",
      basePrice: "5.00",
      salePrice: "6.00",
      salePriceStartsAt: "2030-02-01T00:00:00Z",
      salePriceEndsAt: "2030-01-01T00:00:00Z",
      kitPricingMode: "FIXED",
      kitDiscountValue: "5"
    }),
    fields: ["kitPricingMode", "kitDiscountValue", "salePrice", "salePriceEndsAt"]
  },
  {
    route: "POST /v1/products",
    body: wrongVariants,
    fields: [
      "gtin",
      "variants.1.shippingClassId",
      "variants.0.price",
      "variants.0.salePrice",
      "variants.1.salePrice",
      "variants.2.price"
    ]
  },
  {
    route: "PATCH /v1/products/:id",
    body: () => ({ type: "VARIABLE", variants: [{ id: none }, { _delete: true }, { price: "x" }], gtin: "1" }),
    fields: ["gtin", "variants.0.id", "variants.1.id", "variants.2.price"]
  },
  {
    route: "POST /v1/products",
    body: ({ attributes }) => ({
      name: "Shirt",
      type: "VARIABLE",
      attributes: [{ attributeId: attributes, optionIds: [] }],
      variants: [{ name: "S", attributes: { Theirs: "One" }, price: "x" }],
      basePrice: "x"
    }),
    fields: ["basePrice", "attributes.0.optionIds", "variants.0.price"]
  },
  ...both(
    ["POST /v1/products/:id/variants", "PATCH /v1/products/:id/variants/:variantId"],
    () => ({ attributes: { Size: "XXL", Colour: "red" }, price: "1.001", salePrice: "x", shippingClassId: none }),
    ["shippingClassId", "attributes.Colour", "attributes.Size", "price", "salePrice"]
  ),
  ...both(
    ["POST /v1/categories", "PATCH /v1/categories/:id"],
    () => ({
      name: " ",
      slug: "no slug!",
      parentId: none,
      imageKey: "none.png",
      translations: { de: { slug: "kein slug!" } },
      salesChannelIds: [none]
    }),
    ["name", "slug", "parentId", "imageKey", "translations.de.slug", "salesChannelIds"]
  ),
  ...both(
    ["POST /v1/brands", "PATCH /v1/brands/:id"],
    () => ({ name: "", slug: "no slug!", logoKey: "none.png", salesChannelIds: [none] }),
    ["name", "slug", "logoKey", "salesChannelIds"]
  ),
  {
    route: "PATCH /v1/attributes/:id",
    body: () => ({ options: [{ id: none }, { _delete: true }, { value: "x" }] }),
    fields: ["options.0.id", "options.1.id", "options.2.name"]
  },
  ...both(
    ["POST /v1/modifier-groups", "PATCH /v1/modifier-groups/:id"],
    () => ({
      name: " ",
      selectionType: "SINGLE",
      minSelections: 3,
      maxSelections: 2,
      modifiers: [
        { name: "", priceDelta: "1.001" },
        { name: "Card", priceDelta: "x", referencedProductId: none }
      ]
    }),
    [
      "name",
      "minSelections",
      "maxSelections",
      "modifiers.0.name",
      "modifiers.0.priceDelta",
      "modifiers.1.priceDelta",
      "modifiers.1.referencedProductId"
    ]
  ),
  {
    route: "PATCH /v1/modifier-groups/:id",
    body: () => ({ modifiers: [{ id: none }, { _delete: true }, { priceDelta: "x" }] }),
    fields: ["modifiers.0.id", "modifiers.1.id", "modifiers.2.name", "modifiers.2.priceDelta"]
  },
  ...both(
    ["POST /v1/metafield-definitions", "PATCH /v1/metafield-definitions/:id"],
    () => ({
      name: "Wash",
      key: "wash",
      type: "TEXT",
      minLength: 9,
      maxLength: 3,
      appliesToAllProducts: false,
      productIds: [none, "none_2"]
    }),
    ["minLength", "productIds.0", "productIds.1"]
  ),
  {
    route: "PUT /v1/products/:id/metafields",
    body: () => ({ values: { care: 5, unheard: "x" } }),
    fields: ["values.care", "values.unheard"]
  }
]

const line = ({ products }: Ids) => ({ productId: products, quantity: 1, price: "19.99" })
const address = { line1: "1 Main St", city: "Town", country: "US" }

const selling: ReadonlyArray<FailingBody> = [
  {
    route: "PUT /v1/products/:id/inventory",
    body: () => ({ total: -1, backorderLimit: -1, lowStockThreshold: 0.5, expectedTotal: 0.5 }),
    fields: ["total", "backorderLimit", "lowStockThreshold", "expectedTotal"],
    code: "INVALID_STOCK_VALUE"
  },
  ...both(
    ["PATCH /vc/:salesChannelId/cart/:cartId", "PATCH /v1/cart/:id"],
    () => ({ currency: "JPY", regionId: none }),
    ["currency", "regionId"]
  ),
  {
    route: "POST /vc/:salesChannelId/checkout",
    body: ({ cart }) => ({ cartId: cart, selectedItemIds: [none], regionId: none }),
    fields: ["selectedItemIds", "regionId"]
  },
  {
    route: "PATCH /vc/:salesChannelId/checkout/:checkoutId/custom-fields",
    body: () => ({ values: { gift: true, note: "x" } }),
    fields: ["values.gift", "values.note"]
  },
  {
    route: "POST /v1/orders",
    body: (ids) => ({
      items: [line(ids), { ...line(ids), price: "1.001" }, { name: "Thing", quantity: 1, price: "x" }],
      discountAmount: "1.001",
      shippingAmount: "x",
      taxAmount: "y"
    }),
    fields: ["items.1.price", "items.2.price", "discountAmount", "shippingAmount", "taxAmount"]
  },
  {
    route: "POST /v1/orders",
    body: (ids) => ({
      items: [
        { productId: ids["variable"], quantity: 1 },
        { quantity: 1 },
        { name: "X", price: 1, variantId: none, quantity: 1 }
      ],
      customerId: ids["customers"],
      customer: { email: "ada@example.com" }
    }),
    fields: ["customerId", "items.0.variantId", "items.1.productId", "items.2.variantId"]
  },
  {
    route: "POST /v1/orders/:id/payments",
    body: () => ({ amount: 0, method: "cash", paidAt: "soon" }),
    fields: ["amount", "paidAt"]
  },
  {
    route: "POST /vc/:salesChannelId/orders",
    body: (ids) => ({
      items: [
        { ...line(ids), price: "1.001" },
        { ...line(ids), price: "x" }
      ],
      customer: { email: "ada@example.com" },
      shippingAddress: address
    }),
    fields: ["items.0.price", "items.1.price"]
  },
  {
    route: "POST /vc/:salesChannelId/orders",
    body: (ids) => ({
      items: [
        { ...line(ids), productId: ids["variable"] },
        { ...line(ids), productId: ids["variable"] }
      ],
      customer: { email: "ada@example.com" },
      shippingAddress: address
    }),
    fields: ["items.0.variantId", "items.1.variantId"]
  },
  {
    route: "POST /vc/:salesChannelId/products/:id/reviews",
    body: () => ({ rating: 5, body: "Fine", variantId: none, photos: [{ key: "a.png" }, { key: "b.png" }] }),
    fields: ["variantId", "photos.0", "photos.1"]
  }
]

const rules: ReadonlyArray<FailingBody> = [
  ...both(
    ["POST /v1/tax/rates", "PATCH /v1/tax/rates/:rateId"],
    () => ({ name: " ", country: "XX", rate: 101, taxClassId: none }),
    ["name", "country", "rate", "taxClassId"]
  ),
  ...both(
    ["POST /v1/shipping/zones", "PATCH /v1/shipping/zones/:zoneId"],
    () => ({ name: " ", countries: ["XX"], regionIds: [none], salesChannelIds: [none] }),
    ["name", "salesChannelIds.0", "regionIds.0", "countries.0"]
  ),
  ...both(
    ["POST /v1/shipping/zones/:zoneId/rates", "PATCH /v1/shipping/zones/:zoneId/rates/:rateId"],
    () => ({
      name: " ",
      type: "BY_WEIGHT",
      rateConfig: { unit: "kg", tires: [], tiers: [{ upTo: "2", amount: "x", ammount: 1 }] },
      minDeliveryDays: 3,
      maxDeliveryDays: 1,
      minOrderAmount: "x",
      maxCost: "y",
      classCosts: { [none]: "1.00", none_2: "1.00" }
    }),
    [
      "name",
      "maxDeliveryDays",
      "rateConfig.tires",
      "rateConfig.tiers.0.ammount",
      "rateConfig.tiers.0.amount",
      "minOrderAmount",
      "maxCost",
      "classCosts.none_1",
      "classCosts.none_2"
    ]
  ),
  ...both(["POST /v1/shipping/classes", "PATCH /v1/shipping/classes/:id"], () => ({ name: " ", slug: "no slug!" }), [
    "name",
    "slug"
  ]),
  ...both(
    ["POST /v1/webhook-subscriptions", "PATCH /v1/webhook-subscriptions/:id"],
    () => ({ url: "http://localhost/in", events: ["order.unheard"] }),
    ["url", "events"]
  ),
  ...both(
    ["PUT /v1/email/settings", "PUT /stores/:storeId/email/settings"],
    () => ({ defaultReplyTo: "nobody", hourlyRateLimit: 5_000, customDomainId: none }),
    ["defaultReplyTo", "hourlyRateLimit", "customDomainId"]
  ),
  ...both(
    ["POST /v1/email/templates", "PATCH /v1/email/templates/:id"],
    () => ({
      name: " ",
      eventType: "ORDER_NOTE",
      language: "no language",
      subject: "{{#open}}",
      htmlContent: "{{#open}}"
    }),
    ["subject", "htmlContent", "name", "language"]
  )
]

export const failingBodies: ReadonlyArray<FailingBody> = [...store, ...catalogue, ...selling, ...rules]
