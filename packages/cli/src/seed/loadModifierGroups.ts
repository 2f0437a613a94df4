/**
 * The modifier groups of a store description. A modifier is found by its name within its group; those that a row does
 * not name stay as they are. `referencedProductId` is the externalId or the id of a product that is there already.
 */
import { ModifierGroupInput, type ModifierGroup } from "@effect-commerce/core/modifier/ModifierGroup"
import type { ModifierGroupAttachment } from "@effect-commerce/core/modifier/AttachedModifierGroup"
import { ModifierGroups } from "@effect-commerce/core/modifier/ModifierGroups"
import { Products } from "@effect-commerce/core/product/Products"
import { ExternalIds } from "@effect-commerce/core/database/ExternalIds"
import { Effect } from "effect"
import type { Row } from "./document.ts"
import { inRow, type Loading } from "./Loading.ts"
import { readRow } from "./rows.ts"

const section = "modifierGroups"

/** Registers a group by its external id, and its modifiers by that and their names. */
const nameGroup = (loading: Loading, externalId: string, { id, modifiers }: ModifierGroup): void =>
  loading.name(section, [
    [externalId, id],
    ...modifiers.map((modifier) => [`${externalId}/${modifier.name}`, modifier.id] as const)
  ])

export const load = Effect.fnUntraced(function* (loading: Loading, rows: ReadonlyArray<Row>) {
  const groups = yield* ModifierGroups
  const externalIds = yield* ExternalIds
  const { store } = loading
  const read = yield* Effect.forEach(rows, (row) =>
    Effect.map(Effect.fromResult(readRow(ModifierGroupInput, section, row)), (body) => ({
      externalId: row.externalId,
      body
    }))
  )
  const referenced = read.flatMap(({ body }) => body.modifiers ?? []).flatMap((it) => it.referencedProductId ?? [])
  loading.name("products", yield* (yield* Products).idsByExternal(store, [...new Set(referenced)]))
  const known = yield* externalIds.find(
    store.id,
    "modifier_group",
    read.map(({ externalId }) => externalId)
  )
  for (const { externalId, body } of read) {
    const id = known.get(externalId)
    const modifiers = (body.modifiers ?? []).map((modifier) =>
      typeof modifier.referencedProductId === "string"
        ? { ...modifier, referencedProductId: loading.idOf("products", modifier.referencedProductId) }
        : modifier
    )
    const write = Effect.gen(function* () {
      if (id === undefined) return yield* groups.create(store, { ...body, modifiers })
      const there = new Map((yield* groups.get(store, id)).modifiers.map((modifier) => [modifier.name, modifier.id]))
      const changes = modifiers.map((modifier) => {
        const modifierId = there.get(modifier.name.trim())
        return modifierId === undefined ? modifier : { ...modifier, id: modifierId }
      })
      return yield* groups.update(store, id, { ...body, modifiers: changes })
    })
    const kept = yield* inRow(section, externalId)(write)
    if (id === undefined) yield* externalIds.assign(store.id, "modifier_group", kept.id, externalId)
    nameGroup(loading, externalId, kept)
    loading.count(section, id === undefined ? "created" : "updated")
  }
})

/** Registers the groups that products name, also those that an earlier description has loaded. */
export const nameModifierGroups = Effect.fnUntraced(function* (
  loading: Loading,
  attached: ReadonlyArray<ModifierGroupAttachment>
) {
  const asked = [...new Set(attached.map(({ groupId }) => groupId))]
  const unknown = asked.filter((groupId) => loading.known(section, groupId) === undefined)
  if (unknown.length === 0) return
  const groups = yield* ModifierGroups
  const found = yield* (yield* ExternalIds).find(loading.store.id, "modifier_group", unknown)
  for (const [externalId, id] of found)
    nameGroup(loading, externalId, yield* inRow(section, externalId)(groups.get(loading.store, id)))
})

/** A group by its externalId or id, its defaults by their names or ids. */
export const attachmentOf = (loading: Loading, given: ModifierGroupAttachment): ModifierGroupAttachment => ({
  ...given,
  groupId: loading.idOf(section, given.groupId),
  ...(given.defaultModifierIds === undefined
    ? {}
    : {
        defaultModifierIds: given.defaultModifierIds.map(
          (modifier) => loading.known(section, `${given.groupId}/${modifier}`) ?? modifier
        )
      })
})
