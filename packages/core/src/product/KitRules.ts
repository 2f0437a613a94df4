/**
 * Checks a KIT before it is stored: first the body by itself, then what it refers to, under the store's lock for kits,
 * so that no kit ever contains a kit.
 */
import { Effect } from "effect"
import { checkAll, checkEach, FieldRejected, rejectFields } from "../kernel/FieldRejected.ts"
import { type KitComponent, maxKitsOfComponent } from "../kernel/Kit.ts"
import { formatRate, parseRate } from "../kernel/Rate.ts"
import type { KitRepository } from "./KitRepository.ts"
import { isPricedByComponents } from "./KitPrice.ts"
import type { ProductFields } from "./Product.ts"
import type { ProductInput, ProductPatch } from "./ProductInput.ts"

type Body = ProductInput | ProductPatch
type KitFields = Pick<ProductFields, "kitPricingMode" | "kitDiscountValue">

const ofKitsOnly = ["kitPricingMode", "kitDiscountValue", "kitComponents"] as const

/** A field that is absent, null or empty counts as not set. */
const isSaid = (value: unknown): boolean =>
  value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0)

/** A kit priced by its components has no price of its own, and only such a kit takes a percentage off. */
const checkPricing = ({ kitPricingMode: mode, kitDiscountValue: discount }: KitFields, input: Body) => {
  if (!isPricedByComponents(mode))
    return discount === null
      ? Effect.void
      : FieldRejected.at(
          "kitDiscountValue",
          "is a percentage off the components' prices: say kitPricingMode COMPONENTS"
        )
  const own = (["basePrice", "salePrice", "salePriceStartsAt", "salePriceEndsAt"] as const).filter((field) =>
    isSaid(input[field])
  )
  const reason = "a kit with kitPricingMode COMPONENTS costs what its components cost"
  return rejectFields(Object.fromEntries(own.map((field) => [field, reason])))
}

const discountOf = (given: Body["kitDiscountValue"], current: string | null) => {
  if (given === undefined) return Effect.succeed(current)
  if (given === null) return Effect.succeed(null)
  const rate = parseRate(given)
  if ("reason" in rate) return FieldRejected.at("kitDiscountValue", rate.message)
  return rate.scale > 2
    ? FieldRejected.at("kitDiscountValue", "must have at most 2 fraction digits")
    : Effect.succeed(formatRate(rate))
}

/** The kit pricing fields after the body; null for other products, whose body may set none of them. */
export const kitFields = Effect.fnUntraced(function* (
  type: ProductFields["type"],
  current: KitFields,
  input: Body
): Effect.fn.Return<KitFields, FieldRejected> {
  if (type !== "KIT") {
    const said = ofKitsOnly.filter((field) => isSaid(input[field]))
    yield* rejectFields(Object.fromEntries(said.map((field) => [field, "only a product of type KIT has it"])))
    return { kitPricingMode: null, kitDiscountValue: null }
  }
  const fields: KitFields = {
    kitPricingMode: input.kitPricingMode ?? current.kitPricingMode ?? "FIXED",
    kitDiscountValue: yield* discountOf(input.kitDiscountValue, current.kitDiscountValue)
  }
  yield* checkPricing(fields, input)
  return fields
})

/** The components that the body sets; undefined where it sets none and the kit stays as it is. */
const componentsOf = (given: Body["kitComponents"]): ReadonlyArray<KitComponent> | undefined =>
  given?.map(({ productId, variantId, quantity }) => ({ productId, variantId: variantId ?? null, quantity }))

const nameOf = ({ productId, variantId }: KitComponent): string => `${productId} ${variantId ?? ""}`

/**
 * Writes the components of a product, inside the transaction that has written or locked it. `kit` is the product, and
 * `wasKit` says whether it was a KIT before. Every component must exist, be sellable as named, and not be a kit.
 */
export const makeKitWrites = (repository: KitRepository["Service"]) => {
  const checkComponents = Effect.fnUntraced(function* (
    storeId: string,
    kitId: string,
    components: ReadonlyArray<KitComponent>
  ) {
    const known = yield* repository.candidates(storeId, kitId, components)
    const seen = new Set<string>()
    yield* checkEach(components, (component, i) => {
      const at = `kitComponents.${i}.`
      const { productId, variantId } = component
      const found = known.get(productId)
      if (productId === kitId) return FieldRejected.at(`${at}productId`, "is the kit itself")
      if (found === undefined) return FieldRejected.at(`${at}productId`, `${productId} is not a product of this store`)
      if (found.type === "KIT") return FieldRejected.at(`${at}productId`, `${productId} is a KIT: a kit holds no kits`)
      if (found.type === "VARIABLE" && variantId === null)
        return FieldRejected.at(`${at}variantId`, "this product is sold by its variants: choose one")
      if (variantId !== null && !found.variantIds.includes(variantId))
        return FieldRejected.at(`${at}variantId`, `${variantId} is not a variant of this product`)
      if (seen.has(nameOf(component)))
        return FieldRejected.at(`${at}productId`, "is named twice: say a quantity instead")
      if (found.otherKits >= maxKitsOfComponent)
        return FieldRejected.at(`${at}productId`, `is a component of ${maxKitsOfComponent} kits already`)
      seen.add(nameOf(component))
      return Effect.void
    })
  })

  return Effect.fnUntraced(function* (
    storeId: string,
    kit: { readonly id: string; readonly type: ProductFields["type"]; readonly wasKit: boolean },
    input: Body
  ) {
    const components = componentsOf(input.kitComponents)
    if (kit.type !== "KIT") {
      if (kit.wasKit) yield* repository.setComponents(storeId, kit.id, [])
      return
    }
    if (components === undefined ? !kit.wasKit : components.length === 0)
      return yield* FieldRejected.at("kitComponents", "a KIT has at least one component")
    if (!kit.wasKit || components !== undefined) yield* repository.lockKits(storeId)
    const isComponent = !kit.wasKit && (yield* repository.kitsWith(storeId, [kit.id])).length > 0
    yield* checkAll({
      type: isComponent
        ? FieldRejected.at("type", "this product is a component of a KIT: a kit holds no kits")
        : Effect.void,
      components: components === undefined ? Effect.void : checkComponents(storeId, kit.id, components)
    })
    if (components !== undefined) yield* repository.setComponents(storeId, kit.id, components)
  })
}
