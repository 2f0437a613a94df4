/** What the tests over all routes need to know of products. */
import { seedProduct } from "@effect-commerce/core/testing/Factories"
import { Effect } from "effect"
import {
  below,
  both,
  channels,
  named,
  none,
  type Cases,
  type IdCase,
  type Ids,
  type RoomMatrix
} from "../matrix/RoomMatrix.ts"

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
const files = "the caller's own id of a download, which a reading shows"
const copied = "a product without images may be given a copy of those of another, with their ids"

export const matrix: RoomMatrix = {
  fill: async ({ at, shop }) => {
    const product = await shop.run(Effect.orDie(seedProduct(at.storeId)) as unknown as Effect.Effect<string>)
    return { products: product, slug: product.replaceAll("_", "-"), variants: "var_theirs", bulk: "job_theirs" }
  },
  bodies: {
    "POST /api/v1/products/:id/variants": { name: "V", attributes: { Size: "M" }, price: "1.00" }
  },
  failingBodies: [
    {
      route: "POST /v1/products",
      body: wrongProduct,
      fields: wrongFields(["kitComponents.0.productId", "kitComponents.1.variantId", "kitComponents.2.variantId"])
    },
    {
      // The product is a component of a kit, and names itself.
      route: "PATCH /v1/products/:id",
      body: wrongProduct,
      fields: wrongFields([
        "type",
        "kitComponents.0.productId",
        "kitComponents.1.variantId",
        "kitComponents.2.productId"
      ])
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
    )
  ],
  idCases: {
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
    ...below(["POST /v1/products/:id/variants/preview"], uses())
  },
  allowedIds: {
    "POST /v1/products downloadData.files.0.id": files,
    "POST /v1/products variants.0.downloadData.files.0.id": files,
    "PATCH /v1/products/:id downloadData.files.0.id": files,
    "PATCH /v1/products/:id variants.0.downloadData.files.0.id": files,
    "POST /v1/products/:id/variants downloadData.files.0.id": files,
    "PATCH /v1/products/:id/variants/:variantId downloadData.files.0.id": files,
    "POST /v1/products images.0.id": copied,
    "PATCH /v1/products/:id images.0.id": copied
  }
}
