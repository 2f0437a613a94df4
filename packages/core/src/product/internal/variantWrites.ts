/**
 * Writes variants in the transaction of their product: new ones, changed ones, and several in a PATCH of the product.
 */
import { Effect } from "effect"
import type { StoreContext } from "../../store/StoreContext.ts"
import { checkAll, checkBeside, checkEach, FieldRejected, rejectFields } from "../../kernel/FieldRejected.ts"
import type { ProductState, VariantState } from "../Product.ts"
import { type AttributeUse, ProductAttributeRepository } from "../ProductAttributeRepository.ts"
import type { ProductInput, ProductPatch, VariantsPreviewInput } from "../ProductInput.ts"
import type { InventoryInput, VariantInput } from "../VariantInput.ts"
import { VariantRepository } from "../VariantRepository.ts"
import { variantFields } from "../VariantRules.ts"
import { ProductStock, type StockSetting } from "../ProductStock.ts"
import { type DeclaredAttribute, declaredOf, type Reassigned, reassigned } from "./variantOptions.ts"
import {
  type Described,
  firstVariants,
  generates,
  missingOf,
  type NewVariants,
  newVariants,
  type Plan,
  planOf,
  previewOf,
  type Product,
  type Written
} from "./variantPlan.ts"

/** Whether a body sets any stock field. */
const says = (inventory: InventoryInput | undefined): inventory is InventoryInput =>
  inventory !== undefined && Object.keys(inventory).length > 0

const repeatedOf = (ids: ReadonlyArray<string>): string | undefined => ids.find((id, i) => ids.indexOf(id) !== i)

const usesOf = ({ attributes }: Pick<ProductState, "attributes">): ReadonlyArray<AttributeUse> =>
  attributes.map(({ id, options }) => ({ attributeId: id, optionIds: options.map((option) => option.id) }))

/** Checks the attributes of a product's body and locks them for the write: they exist in the store, each named once. */
const makeAttributeCheck = ({ held: hold }: ProductAttributeRepository["Service"]) =>
  Effect.fnUntraced(function* (storeId: string, uses: ReadonlyArray<AttributeUse>) {
    if (uses.length === 0) return []
    const repeated = repeatedOf(uses.map(({ attributeId }) => attributeId))
    if (repeated !== undefined) return yield* FieldRejected.at("attributes", `${repeated} is named twice`)
    const held = new Map((yield* hold(storeId, uses)).map((attribute) => [attribute.id, attribute]))
    yield* checkEach(uses, ({ attributeId, optionIds }, i) => {
      const attribute = held.get(attributeId)
      if (attribute === undefined) return FieldRejected.at("attributes", "this store has no such attribute")
      const field = `attributes.${i}.optionIds`
      if (optionIds.length === 0) return FieldRejected.at(field, `must name an option of ${attribute.name}`)
      const twice = repeatedOf(optionIds)
      if (twice !== undefined) return FieldRejected.at(field, `${twice} is named twice`)
      const unknown = optionIds.find((id) => !attribute.options.some((option) => option.id === id))
      return unknown === undefined
        ? Effect.void
        : FieldRejected.at(field, `${unknown} is not an option of ${attribute.name}`)
    })
    return uses.flatMap(({ attributeId }) => held.get(attributeId) ?? [])
  })

/** Writes rows of variants, with their opening stock. */
const makeRowWrites = Effect.gen(function* () {
  const repository = yield* VariantRepository
  const stock = yield* ProductStock
  const attributes = yield* ProductAttributeRepository
  const checkedAttributes = makeAttributeCheck(attributes)

  const insert = Effect.fnUntraced(function* (storeId: string, { variants, stock: opening }: NewVariants, now: number) {
    yield* repository.insert(storeId, variants, new Date(now))
    if (opening.length > 0) yield* stock.open(storeId, opening, new Date(now))
  })

  /** Returns the ids of the new variants. `present` is the number of variants that the product already has. */
  const add = Effect.fnUntraced(function* (
    store: StoreContext,
    product: Product,
    written: ReadonlyArray<Written<VariantInput>>,
    present: number,
    now: number
  ) {
    const made = yield* newVariants(store, product, written, present, now)
    yield* insert(store.id, made, now)
    return made.variants.map(({ id }) => id)
  })

  const change = Effect.fnUntraced(function* (
    store: StoreContext,
    declared: ReadonlyArray<DeclaredAttribute>,
    { variant, input, path }: Plan["changed"][number],
    now: number
  ) {
    const fields = yield* variantFields(variant, input, { currency: store.currency, path, now, declared })
    yield* repository.update(store.id, variant, fields, new Date(now))
    return says(input.inventory) ? [{ ...input.inventory, variantId: variant.id }] : []
  })

  /** The attributes of the product; locked if a body names options of them. */
  const heldFor = (store: StoreContext, product: ProductState, isNaming: boolean) =>
    isNaming && product.attributes.length > 0
      ? attributes.held(store.id, usesOf(product))
      : Effect.succeed(declaredOf(product.attributes))

  return { repository, stock, attributes, checkedAttributes, insert, add, change, heldFor }
})

/** Writes what the PATCH of a product changes in its variants. */
const makePlanWrites = Effect.gen(function* () {
  const { repository, stock, attributes, checkedAttributes, add, change, heldFor } = yield* makeRowWrites

  /** Gives the remaining variants the options of the new attributes, and returns all of them as they are then. */
  const reassign = Effect.fnUntraced(function* (
    store: StoreContext,
    product: ProductState,
    declared: ReadonlyArray<DeclaredAttribute>,
    plan: Plan,
    now: number
  ) {
    const renamed = new Set(plan.changed.flatMap(({ variant, input }) => (input.attributes ? [variant.id] : [])))
    const kept = product.variants.filter(({ id }) => !plan.removed.includes(id) && !renamed.has(id))
    const changes = yield* reassigned(kept, declared)
    yield* attributes.reassign(store.id, product.id, changes, new Date(now))
    return withChanges(product.variants, changes)
  })

  /** Adds variants to the product: those of the body, and those generated from its attributes. */
  const addPlanned = Effect.fnUntraced(function* (
    store: StoreContext,
    before: ProductState,
    after: Described,
    planned: Parameters<typeof missingOf>[2],
    now: number
  ) {
    const { plan, declared } = planned
    const product = { id: before.id, basePrice: after.basePrice, declared }
    const present = before.variants.length - plan.removed.length
    const own = newVariants(store, product, plan.added, present, now)
    const added = [...plan.added, ...(yield* checkBeside(missingOf(before, after, planned), own))]
    yield* add(store, product, added, present, now)
    return added
  })

  return Effect.fnUntraced(function* (
    store: StoreContext,
    before: ProductState,
    after: Described,
    { body, plan }: { readonly body: ProductPatch; readonly plan: Plan },
    now: number
  ) {
    const isNaming = plan.added.length + plan.changed.length > 0 || generates(before, after.type, body)
    const declared = yield* body.attributes === undefined
      ? heldFor(store, before, isNaming)
      : checkedAttributes(store.id, body.attributes)
    for (const id of plan.removed) yield* repository.remove(store.id, before.id, id)
    if (body.attributes !== undefined) yield* attributes.set(store.id, before.id, body.attributes)
    const current =
      body.attributes === undefined ? before.variants : yield* reassign(store, before, declared, plan, now)
    const stateOf = new Map(current.map((variant) => [variant.id, variant]))
    const { settings, added } = yield* checkAll({
      settings: checkEach(plan.changed, (changed) =>
        change(store, declared, { ...changed, variant: stateOf.get(changed.variant.id) ?? changed.variant }, now)
      ),
      added: addPlanned(store, before, after, { body, declared, plan, current }, now)
    })
    const own: ReadonlyArray<StockSetting> = says(body.inventory) ? [{ ...body.inventory, variantId: null }] : []
    const counted = [...own, ...settings.flat()]
    if (counted.length > 0) yield* stock.set(store, before.id, counted)
    if (plan.removed.length + added.length > 0) yield* stock.tell(store.id, before.id, new Date(now))
  })
})

export const makeVariantWrites = Effect.gen(function* () {
  const { stock, attributes, checkedAttributes, insert, add, change, heldFor } = yield* makeRowWrites
  const applyPlan = yield* makePlanWrites

  return {
    add,
    heldFor,

    insert,

    /** The first variants and opening stock of a product, checked; the attributes that the product names are locked. */
    first: Effect.fnUntraced(function* (
      store: StoreContext,
      product: Described & { readonly id: string },
      input: ProductInput,
      now: number
    ) {
      const declared = yield* checkBeside(
        checkedAttributes(store.id, input.attributes ?? []),
        firstVariants(store, { ...product, declared: [] }, { ...input, attributes: [] }, now)
      )
      return yield* firstVariants(store, { ...product, declared }, input, now)
    }),

    /** Stores the attributes that a new product names. */
    setAttributes: (storeId: string, productId: string, { attributes: uses = [] }: ProductInput) =>
      uses.length === 0 ? Effect.void : attributes.set(storeId, productId, uses),

    changeOne: Effect.fnUntraced(function* (
      store: StoreContext,
      product: ProductState,
      variant: VariantState,
      input: VariantInput,
      now: number
    ) {
      const declared = yield* heldFor(store, product, input.attributes !== undefined)
      const settings = yield* change(store, declared, { variant, input, path: "" }, now)
      if (settings.length > 0) yield* stock.set(store, variant.productId, settings)
    }),

    /**
     * Applies what the PATCH of a product says about its attributes, its variants and its own stock. Deletions come
     * first and additions last, because an option combination may pass from one variant to another.
     */
    apply: Effect.fnUntraced(function* (
      store: StoreContext,
      before: ProductState,
      after: Described,
      body: ProductPatch,
      now: number
    ) {
      const { plan, errors } = planOf(before.variants, body.variants ?? [])
      yield* checkAll({ ids: rejectFields(errors), written: applyPlan(store, before, after, { body, plan }, now) })
    }),

    /** The variants that `body.attributes` would generate; without them, the variants that are missing. */
    preview: Effect.fnUntraced(function* (store: StoreContext, product: ProductState, body: VariantsPreviewInput) {
      const declared = yield* body.attributes === undefined
        ? Effect.succeed(declaredOf(product.attributes))
        : checkedAttributes(store.id, body.attributes)
      const changes = yield* reassigned(product.variants, declared)
      return yield* previewOf(product, store.currency, {
        declared,
        current: withChanges(product.variants, changes),
        isAll: body.attributes === undefined
      })
    })
  }
})

const withChanges = (
  variants: ReadonlyArray<VariantState>,
  changes: ReadonlyArray<Reassigned>
): ReadonlyArray<VariantState> => {
  const changed = new Map(changes.map((one) => [one.id, one]))
  return variants.map((variant) => {
    const after = changed.get(variant.id)
    return after === undefined
      ? variant
      : { ...variant, ...after, isNameMade: after.name === "" && after.optionIds.length > 0 }
  })
}
