/** How each route answers an id that its store does not have. */

export type Body = Readonly<Record<string, unknown>>
type Ids = Readonly<Record<string, string>>

export interface IdCase {
  /** What else the body has. */
  readonly body?: (ids: Ids) => Body
  /** The thing of another store that is named too: a kind of `fillStore`. */
  readonly kind?: string
  /** 400 that names the field, where nothing else stands here: the fields, or the code of another status. */
  readonly answer?: readonly [number, ReadonlyArray<string> | string]
}

/** Fields of bodies that end as ids do, and name nothing of the store: they are names in systems of others. */
export const notOurs: ReadonlySet<string> = new Set([
  "externalId",
  "externalSourceId",
  "analyticsClientId",
  "analyticsSessionId",
  "storageKey"
])

type Cases = Readonly<Record<string, IdCase>>

const below = (routes: ReadonlyArray<string>, cases: Cases): Cases =>
  Object.fromEntries(
    routes.flatMap((route) => Object.entries(cases).map(([path, one]) => [`${route} ${path}`, one] as const))
  )

const named = () => ({ name: "Named" })
const channels: Cases = { salesChannelIds: { body: named, kind: "sales-channels" } }
const served = () => ({ name: "Named", countries: ["FR"] })

const component = ({ products, variable }: Ids) => ({
  name: "Kit",
  type: "KIT",
  kitComponents: [{ productId: variable ?? products, quantity: 1 }]
})
const using = ({ attributes }: Ids) => ({ attributes: [{ attributeId: attributes, optionIds: [] }] })
const sized = (ids: Ids) => ({ name: "Sized", type: "VARIABLE", ...using(ids) })
const extra = (ids: Ids) => ({ name: "Extra", modifierGroups: [{ groupId: ids["modifier-groups"] }] })
const uses = (body: IdCase["body"] = using): Cases => ({
  "attributes.0.attributeId": { body, kind: "attributes", answer: [400, ["attributes"]] },
  "attributes.0.optionIds": { body, kind: "options" }
})

const products = below(["POST /v1/products", "PATCH /v1/products/:id"], {
  shippingClassId: { body: named, kind: "shipping/classes" },
  taxClassId: { body: named, kind: "classes" },
  "kitComponents.0.productId": {
    body: () => ({ name: "Kit", type: "KIT", kitComponents: [{ quantity: 1 }] }),
    kind: "products"
  },
  "kitComponents.0.variantId": { body: component },
  "images.0.key": { body: named, kind: "media" },
  categories: { body: named },
  crossSells: { body: named, kind: "products" },
  upsells: { body: named, kind: "products" },
  related: { body: named, kind: "products" },
  brands: { body: named, kind: "brands" },
  ...uses(sized),
  "modifierGroups.0.groupId": { body: named, kind: "modifier-groups" },
  "modifierGroups.0.variantId": { body: extra },
  "modifierGroups.0.defaultModifierIds": { body: extra },
  ...channels,
  "variants.0.shippingClassId": {
    body: () => ({ name: "Sized", type: "VARIABLE", variants: [{ name: "S", attributes: { Size: "S" } }] }),
    kind: "shipping/classes"
  }
})

const catalogue: Cases = {
  ...products,
  "PATCH /v1/products/:id variants.0.id": { body: () => ({ type: "VARIABLE" }) },
  // The product is a component of a kit.
  "PATCH /v1/products/:id kitComponents.0.productId": {
    body: () => ({ type: "KIT", kitComponents: [{ quantity: 1 }] }),
    kind: "products",
    answer: [400, ["type", "kitComponents.0.productId"]]
  },
  "PATCH /v1/products/:id kitComponents.0.variantId": {
    body: component,
    answer: [400, ["type", "kitComponents.0.variantId"]]
  },
  "POST /v1/products/:id/publish salesChannelIds": { kind: "sales-channels" },
  "POST /v1/products/:id/variants shippingClassId": {
    body: () => ({ attributes: { Size: "S" } }),
    kind: "shipping/classes"
  },
  "PATCH /v1/products/:id/variants/:variantId shippingClassId": { kind: "shipping/classes" },
  ...below(["POST /v1/products/:id/variants/preview"], uses()),
  ...below(["POST /v1/categories", "PATCH /v1/categories/:id"], {
    parentId: { body: named },
    imageKey: { body: named, kind: "media" },
    ...channels
  }),
  ...below(["POST /v1/brands", "PATCH /v1/brands/:id"], { logoKey: { body: named, kind: "media" }, ...channels }),
  ...below(["POST /v1/metafield-definitions", "PATCH /v1/metafield-definitions/:id"], {
    productIds: {
      body: () => ({ name: "Wash", key: "wash", type: "TEXT", appliesToAllProducts: false }),
      kind: "products",
      answer: [400, ["productIds.0"]]
    }
  }),
  "PATCH /v1/attributes/:id options.0.id": { kind: "options" },
  ...below(["POST /v1/modifier-groups", "PATCH /v1/modifier-groups/:id"], {
    "modifiers.0.referencedProductId": {
      body: () => ({ name: "Extras", selectionType: "MULTIPLE", modifiers: [{ name: "Wrap" }] }),
      kind: "products"
    }
  }),
  "PATCH /v1/modifier-groups/:id modifiers.0.id": {}
}

const line = ({ products }: Ids) => ({ productId: products, quantity: 1 })
const modified = (ids: Ids) => ({
  ...line(ids),
  modifiers: [{ modifierGroupId: ids["modifier-groups"], modifierId: "mod_none", quantity: 1 }]
})
const unsold = [400, "PRODUCT_UNAVAILABLE"] as const
/** Errors of modifiers are a list. */
const misfit = [400, ["0"]] as const
const modifiers: Cases = {
  "modifiers.0.modifierGroupId": { body: modified, answer: misfit },
  "modifiers.0.modifierId": { body: modified, answer: misfit }
}
const items: Cases = {
  productId: { body: line, kind: "products", answer: unsold },
  variantId: { body: line, answer: unsold },
  ...modifiers
}
const holder: Cases = {
  cartId: { kind: "cart", answer: [404, "RESOURCE_NOT_FOUND"] },
  checkoutId: { kind: "checkout", answer: [404, "CHECKOUT_NOT_FOUND"] }
}
const sold = (ids: Ids) => ({
  items: [{ ...line(ids), price: "19.99" }],
  customer: { email: "ada@example.com" },
  shippingAddress: { line1: "1 Main St", city: "Town", country: "US" }
})
const soldWith = (ids: Ids) => ({ ...sold(ids), items: [{ ...modified(ids), price: "19.99" }] })
const ordered = (ids: Ids) => ({ items: [modified(ids)] })

const selling: Cases = {
  ...below(["PATCH /vc/:salesChannelId/cart/:cartId", "PATCH /v1/cart/:id"], { regionId: { kind: "regions" } }),
  ...below(["POST /vc/:salesChannelId/cart/:cartId/items", "POST /v1/cart/:id/items"], items),
  ...below(["PATCH /vc/:salesChannelId/cart/:cartId/items/:itemId", "PATCH /v1/cart/:id/items/:itemId"], modifiers),
  "POST /vc/:salesChannelId/cart/:cartId/bundle bundleOfferId": {},
  ...below(["POST /vc/:salesChannelId/cart/:cartId/upgrade", "POST /vc/:salesChannelId/cart/:cartId/order-bump"], {
    offerId: {},
    variantId: { body: () => ({ offerId: "offer_none" }), answer: [400, ["offerId"]] }
  }),
  "POST /v1/cart salesChannelId": { kind: "sales-channels" },
  "POST /v1/cart customerId": { kind: "customers", answer: [404, "CUSTOMER_NOT_FOUND"] },
  "POST /vc/:salesChannelId/checkout cartId": { kind: "cart", answer: [404, "RESOURCE_NOT_FOUND"] },
  "POST /vc/:salesChannelId/checkout selectedItemIds": { body: ({ cart }) => ({ cartId: cart }), kind: "items" },
  "POST /vc/:salesChannelId/checkout regionId": { body: ({ cart }) => ({ cartId: cart }), kind: "regions" },
  "PATCH /vc/:salesChannelId/checkout/:checkoutId/shipping-method shippingRateId": { kind: "zones/rates" },
  "PATCH /vc/:salesChannelId/checkout/:checkoutId/delivery pickupLocationId": {
    body: () => ({ deliveryType: "pickup" }),
    kind: "zones/rates"
  },
  ...below(["POST /v1/orders"], {
    "items.0.productId": {
      body: (ids) => ({ items: [line(ids)] }),
      kind: "products",
      answer: [404, "PRODUCT_NOT_FOUND"]
    },
    "items.0.variantId": { body: (ids) => ({ items: [line(ids)] }), answer: [404, "PRODUCT_NOT_FOUND"] },
    "items.0.modifiers.0.modifierGroupId": { body: ordered, answer: misfit },
    "items.0.modifiers.0.modifierId": { body: ordered, answer: misfit },
    customerId: { body: (ids) => ({ items: [line(ids)] }), kind: "customers", answer: [404, "CUSTOMER_NOT_FOUND"] }
  }),
  ...below(["POST /vc/:salesChannelId/orders"], {
    "items.0.productId": { body: sold, kind: "products", answer: [404, "PRODUCT_NOT_FOUND"] },
    "items.0.variantId": { body: sold, answer: [404, "PRODUCT_NOT_FOUND"] },
    "items.0.modifiers.0.modifierGroupId": { body: soldWith, answer: misfit },
    "items.0.modifiers.0.modifierId": { body: soldWith, answer: misfit }
  })
}

const counted: Cases = {
  "PUT /v1/products/:id/inventory variantId": { body: () => ({ total: 1 }) },
  "POST /v1/products/:id/inventory/adjust variantId": { body: () => ({ delta: 1, reason: "received" }) },
  "POST /v1/inventory/reconcile productIds": { kind: "products" },
  ...below(["POST /vc/:salesChannelId/reservation/extend", "POST /vc/:salesChannelId/reservation/release"], holder)
}

const rules: Cases = {
  ...below(["POST /v1/regions", "PATCH /v1/regions/:id"], {
    providerInstallationIds: {
      body: () => ({ name: "Named", currency: "USD", countries: [] }),
      answer: [400, ["providerInstallationIds.0"]]
    }
  }),
  ...below(["POST /v1/tax/rates", "PATCH /v1/tax/rates/:rateId"], {
    taxClassId: { body: () => ({ name: "Named", country: "US", rate: 5 }), kind: "classes" }
  }),
  ...below(["POST /v1/shipping/zones", "PATCH /v1/shipping/zones/:zoneId"], {
    regionIds: { body: served, kind: "regions", answer: [400, ["regionIds.0"]] },
    salesChannelIds: { body: served, kind: "sales-channels", answer: [400, ["salesChannelIds.0"]] }
  }),
  "POST /vc/:salesChannelId/products/:id/reviews variantId": { body: () => ({ rating: 5, body: "Fine" }) },
  "POST /vc/:salesChannelId/products/:id/reviews photos.0.key": {
    body: () => ({ rating: 5, body: "Fine" }),
    kind: "media",
    answer: [400, ["photos.0"]]
  }
}

const mails: Cases = below(["PUT /v1/email/settings", "PUT /stores/:storeId/email/settings"], { customDomainId: {} })

export const idCases: Cases = { ...catalogue, ...selling, ...counted, ...rules, ...mails }

const files = "the caller's own id of a download, which a reading shows"
const copied = "a product without images may be given a copy of those of another, with their ids"
const rows = "each row has an answer of its own"
const provider = "the name of a way to pay: 503 where the store has not configured it"
const listed = "what is unknown is listed, or has nothing"

/** Fields that answer otherwise, and why. */
export const allowedIds: Readonly<Record<string, string>> = {
  "POST /v1/products downloadData.files.0.id": files,
  "POST /v1/products variants.0.downloadData.files.0.id": files,
  "PATCH /v1/products/:id downloadData.files.0.id": files,
  "PATCH /v1/products/:id variants.0.downloadData.files.0.id": files,
  "POST /v1/products/:id/variants downloadData.files.0.id": files,
  "PATCH /v1/products/:id/variants/:variantId downloadData.files.0.id": files,
  "POST /v1/products images.0.id": copied,
  "PATCH /v1/products/:id images.0.id": copied,
  "POST /vc/:salesChannelId/checkout/:checkoutId/payment providerId": provider,
  "POST /vc/:salesChannelId/checkout/:checkoutId/complete providerId": provider,
  "POST /v1/checkout/:checkoutId/complete providerId": provider,
  "POST /v1/metafield-definitions key": "the name of a definition",
  "PATCH /v1/metafield-definitions/:id key": "the name of a definition",
  "POST /v1/metafield-values/bulk values.0.productId": rows,
  "POST /v1/metafield-values/bulk values.0.key": rows,
  "PUT /v1/inventory/bulk items.0.productId": rows,
  "PUT /v1/inventory/bulk items.0.variantId": rows,
  "POST /v1/inventory/bulk productIds": listed,
  "POST /vc/:salesChannelId/inventory/check-availability items.0.productId": listed,
  "POST /vc/:salesChannelId/inventory/check-availability items.0.variantId": listed,
  "POST /vc/:salesChannelId/availability productIds": listed,
  "POST /vc/:salesChannelId/stock-alerts productId": "nobody is told what there is",
  "POST /vc/:salesChannelId/stock-alerts variantId": "nobody is told what there is"
}
