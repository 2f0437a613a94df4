/** Products that have all that products may have. */
import type { TestCommerce } from "../../src/testing/TestCommerce.ts"

export interface FilledCatalogue {
  /** A simple product, one with variants, and a kit. */
  readonly productIds: ReadonlyArray<string>
  readonly variableId: string
  readonly variantId: string
  readonly categoryId: string
}

export const fillCatalogue = async (
  shop: TestCommerce,
  ids: Readonly<Record<string, string>>
): Promise<FilledCatalogue> => {
  const post = async (path: string, body: object) => {
    const made = await shop.call("POST", path, { body })
    if (made.status !== 201) throw new Error(made.text)
    return made.body
  }
  const category = await post("/v1/categories", { name: "Lamps" })
  const parent = await post("/v1/attributes", { name: "Size", options: [{ name: "S" }, { name: "M" }] })
  const common = {
    status: "active",
    sku: "RICH",
    description: "Bright",
    costPrice: "3.00",
    salePrice: "5.00",
    tags: ["new"],
    images: [{ url: "https://img.example/lamp.jpg", alt: "A lamp" }],
    translations: { de: { name: "Leuchte" } },
    categories: [category.id],
    brands: [ids["brands"]],
    related: [ids["products"]],
    crossSells: [ids["products"]],
    upsells: [ids["products"]],
    taxClassId: ids["classes"],
    shippingClassId: ids["shipping/classes"],
    shippingWeightValue: 1.5,
    shippingWeightUnit: "kg",
    salesChannelIds: [shop.channelId],
    metafields: { care: "wool" }
  }
  const simple = await post("/v1/products", {
    ...common,
    name: "Simple",
    basePrice: "9.00",
    isDownloadable: true,
    downloadData: { files: [{ name: "n", url: "https://files.example/n.pdf" }], downloadLimit: 3 },
    modifierGroups: [{ groupId: ids["modifier-groups"] }],
    inventory: { total: 5, lowStockThreshold: 1 }
  })
  const variable = await post("/v1/products", {
    ...common,
    name: "Variable",
    type: "VARIABLE",
    basePrice: "9.00",
    attributes: [{ attributeId: parent.id, optionIds: parent.options.map(({ id }: { id: string }) => id) }]
  })
  const kit = await post("/v1/products", {
    name: "Kit",
    type: "KIT",
    basePrice: "15.00",
    kitComponents: [
      { productId: ids["products"], quantity: 2 },
      { productId: variable.id, variantId: variable.variants[0].id, quantity: 1 }
    ]
  })
  return {
    productIds: [simple.id, variable.id, kit.id],
    variableId: variable.id,
    variantId: variable.variants[0].id,
    categoryId: category.id
  }
}
