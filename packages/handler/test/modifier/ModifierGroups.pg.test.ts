import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { rowsOf } from "../customer/SignedIn.ts"

/** Modifier groups and their places on products. */
let shop: TestCommerce
beforeAll(async () => {
  shop = await openTestCommerce()
})
afterAll(() => shop.close())

const at = "/v1/modifier-groups"
const make = (body: object) => shop.call("POST", at, { body })
const patch = (id: string, body: object) => shop.call("PATCH", `${at}/${id}`, { body })
const product = async (body: object = {}) =>
  (await shop.call("POST", "/v1/products", { body: { name: "Pizza", status: "active", basePrice: "10.00", ...body } }))
    .body
const change = (id: string, body: object) => shop.call("PATCH", `/v1/products/${id}`, { body })
const refusal = async (call: Promise<{ status: number; body: { code: string; details: { errors: object } } }>) => {
  const { status, body } = await call
  return [status, body.code, Object.keys(body.details?.errors ?? {})]
}
const invalid = (field: string) => [400, "VALIDATION_FAILED", [field]]
const named = (modifiers: ReadonlyArray<{ name: string }>) => modifiers.map(({ name }) => name)

describe("a modifier group", () => {
  it("is made with every field, read, listed by name, found by its names, and deleted", async () => {
    const { id: dip } = await product({ name: "Dip" })
    const body = {
      name: " Toppings ",
      internalName: "pizza, spring",
      description: "On top.",
      translations: { de: { name: "Beläge" } },
      selectionType: "MULTIPLE",
      minSelections: 1,
      maxSelections: 3,
      required: true,
      freeQuantity: 1,
      freeAllocationPolicy: "EXPENSIVE_FREE",
      status: "draft",
      modifiers: [
        {
          name: "Truffle",
          description: "Black.",
          translations: { de: { name: "Trüffel" } },
          priceDelta: "4.50",
          sku: "TRF",
          image: "https://cdn.example.com/truffle.jpg",
          position: 7,
          isDefault: true,
          available: false,
          referencedProductId: dip,
          status: "draft"
        },
        { name: "No cheese", priceDelta: -1, position: 3 },
        { name: "Basil" }
      ]
    }
    const made = await make(body)
    expect(made.status).toBe(201)
    const [basil, less, truffle] = made.body.modifiers
    const plain = {
      description: null,
      translations: {},
      sku: null,
      image: null,
      isDefault: false,
      available: true,
      referencedProductId: null,
      status: "active"
    }
    expect(made.body).toEqual({
      ...body,
      id: expect.stringMatching(/^modgrp_/),
      accountId: shop.accountId,
      storeId: shop.storeId,
      name: "Toppings",
      createdAt: made.body.createdAt,
      updatedAt: made.body.createdAt,
      modifiers: [
        { ...plain, id: basil.id, name: "Basil", priceDelta: "0.00", position: 2 },
        { ...plain, id: less.id, name: "No cheese", priceDelta: "-1.00", position: 3 },
        { ...body.modifiers[0], id: truffle.id }
      ]
    })
    expect((await shop.call("GET", `${at}/${made.body.id}`)).body).toEqual(made.body)
    const { body: other } = await make({ name: "Crust", selectionType: "SINGLE" })
    expect(other).toMatchObject({
      internalName: null,
      description: null,
      translations: {},
      minSelections: 0,
      maxSelections: 1,
      required: false,
      freeQuantity: 0,
      freeAllocationPolicy: "CHEAPEST_FREE",
      status: "active",
      modifiers: []
    })
    expect(named((await shop.call("GET", at)).body.data)).toEqual(["Crust", "Toppings"])
    expect(named((await shop.call("GET", `${at}?search=SPRING`)).body.data)).toEqual(["Toppings"])
    expect(named((await shop.call("GET", `${at}?search=%25`)).body.data)).toEqual([])
    for (const id of [made.body.id, other.id]) {
      expect((await shop.call("DELETE", `${at}/${id}`)).body).toEqual({ success: true })
    }
    for (const method of ["GET", "PATCH", "DELETE"]) {
      const gone = await shop.call(method, `${at}/${other.id}`, method === "PATCH" ? { body: {} } : {})
      expect([method, gone.status, gone.body.code]).toEqual([method, 404, "RESOURCE_NOT_FOUND"])
    }
    expect(await rowsOf(shop, "SELECT count(*)::int AS n FROM modifier", [])).toEqual([{ n: 0 }])
  })

  it.each<readonly [string, object]>([
    ["name", { name: " " }],
    ["selectionType", { selectionType: "SOME" }],
    ["maxSelections", { selectionType: "SINGLE", maxSelections: 2 }],
    ["minSelections", { selectionType: "SINGLE", minSelections: 2 }],
    ["minSelections", { minSelections: 3, maxSelections: 2 }],
    ["minSelections", { minSelections: -1 }],
    ["maxSelections", { maxSelections: 0 }],
    ["maxSelections", { maxSelections: 1_001 }],
    ["freeQuantity", { freeQuantity: 1.5 }],
    ["freeAllocationPolicy", { freeAllocationPolicy: "ALL_FREE" }],
    ["status", { status: "hidden" }],
    ["modifiers", { maxSelections: 1, modifiers: [true, true].map((isDefault, i) => ({ name: `${i}`, isDefault })) }],
    ["modifiers.1.name", { modifiers: [{ name: "A" }, {}] }],
    ["modifiers.0.priceDelta", { modifiers: [{ name: "A", priceDelta: "1.005" }] }],
    ["modifiers.0.referencedProductId", { modifiers: [{ name: "A", referencedProductId: "prod_none" }] }],
    ["modifiers", { modifiers: Array(101).fill({ name: "A" }) }]
  ])("that contradicts itself is refused by its field: %s", async (field, body) => {
    const before = await rowsOf(shop, "SELECT count(*)::int AS n FROM modifier_group", [])
    expect(await refusal(make({ name: "G", selectionType: "MULTIPLE", ...body }))).toEqual(invalid(field))
    expect(await rowsOf(shop, "SELECT count(*)::int AS n FROM modifier_group", [])).toEqual(before)
  })

  it("is changed field by field; its modifiers by id, added without one, and deleted when marked", async () => {
    const { body: group } = await make({
      name: "Size",
      selectionType: "MULTIPLE",
      maxSelections: 5,
      modifiers: ["S", "M", "L"].map((name) => ({ name, priceDelta: "1.00" }))
    })
    const [small, medium, large] = group.modifiers
    const { body: changed } = await patch(group.id, {
      description: "How large.",
      modifiers: [{ id: medium.id, priceDelta: "2.00" }, { id: small.id, _delete: true }, { name: "XL" }]
    })
    expect(
      changed.modifiers.map(({ id, name, priceDelta, position }: typeof small) => [id, name, priceDelta, position])
    ).toEqual([
      [medium.id, "M", "2.00", 1],
      [large.id, "L", "1.00", 2],
      [expect.stringMatching(/^mod_/), "XL", "0.00", 3]
    ])
    expect([changed.name, changed.description, changed.maxSelections]).toEqual(["Size", "How large.", 5])
    expect(changed.updatedAt > group.updatedAt).toBe(true)
    expect((await shop.call("GET", `${at}/${group.id}`)).body).toEqual(changed)
    for (const [field, body] of [
      ["maxSelections", { selectionType: "SINGLE" }],
      ["minSelections", { minSelections: 6 }],
      ["modifiers.0.id", { modifiers: [{ id: small.id, name: "S" }] }],
      ["modifiers.1.id", { modifiers: [{ id: large.id }, { id: large.id, _delete: true }] }],
      ["modifiers.0.id", { modifiers: [{ _delete: true }] }],
      ["modifiers.0.name", { modifiers: [{ priceDelta: 1 }] }]
    ] as const) {
      expect(await refusal(patch(group.id, body))).toEqual(invalid(field))
    }
    expect((await shop.call("GET", `${at}/${group.id}`)).body).toEqual(changed)
    const single = await patch(group.id, { selectionType: "SINGLE", maxSelections: null, description: null })
    expect(single.body).toMatchObject({ selectionType: "SINGLE", maxSelections: 1, description: null })
    const late = await shop.call("PATCH", `${at}/${group.id}`, {
      body: { name: "Late" },
      headers: { "if-match": `"${group.updatedAt}"` }
    })
    expect([late.status, late.body.code]).toEqual([409, "CONFLICT"])
    await shop.call("DELETE", `${at}/${group.id}`)
  })

  it("keeps what each of two writers at once has changed", async () => {
    const { body: group } = await make({ name: "Race", selectionType: "MULTIPLE" })
    for (let i = 0; i < 5; i++) {
      await Promise.all([patch(group.id, { name: `Race ${i}` }), patch(group.id, { modifiers: [{ name: `M${i}` }] })])
    }
    const { body: after } = await shop.call("GET", `${at}/${group.id}`)
    expect([after.name, after.modifiers.length]).toEqual(["Race 4", 5])
    await shop.call("DELETE", `${at}/${group.id}`)
  })

  it("has 100 modifiers and 64 KiB at most", async () => {
    const modifiers = Array.from({ length: 100 }, (_, i) => ({ name: `M${i}` }))
    const { body: full } = await make({ name: "Full", selectionType: "MULTIPLE", modifiers })
    expect(full.modifiers).toHaveLength(100)
    expect(await refusal(patch(full.id, { modifiers: [{ name: "One more" }] }))).toEqual(invalid("modifiers"))
    const exchange = { modifiers: [{ id: full.modifiers[0].id, _delete: true }, { name: "One more" }] }
    expect((await patch(full.id, exchange)).body.modifiers).toHaveLength(100)
    const bytes = JSON.stringify((await shop.call("GET", `${at}/${full.id}`)).body).length
    const named = (name: string) => ({ translations: { de: { name } } })
    const most = 65_536 - bytes - JSON.stringify({ de: { name: "" } }).length + 2
    expect((await patch(full.id, named("t".repeat(most)))).status).toBe(200)
    expect(await refusal(patch(full.id, named("t".repeat(most + 1))))).toEqual(invalid("modifiers"))
    await shop.call("DELETE", `${at}/${full.id}`)
  })

  it("keeps a store in its currency while it has modifiers, whose amounts documents hold as text", async () => {
    const store = await shop.openStore()
    const theirs = (method: string, path: string, body?: object) =>
      shop.call(method, path, { key: store.apiKey, ...(body === undefined ? {} : { body }) })
    const { body: group } = await theirs("POST", at, {
      name: "G",
      selectionType: "SINGLE",
      modifiers: [{ name: "A" }]
    })
    const refused = await theirs("PATCH", "/v1/store", { currency: "JPY" })
    expect([refused.status, refused.body.details.usedBy]).toEqual([409, ["modifierGroups"]])
    await theirs("DELETE", `${at}/${group.id}`)
    expect((await theirs("PATCH", "/v1/store", { currency: "JPY" })).status).toBe(200)
  })
})

describe("a modifier group on a product", () => {
  const twoGroups = async () => {
    const { body: extras } = await make({
      name: "Extras",
      internalName: "secret",
      translations: { de: { name: "Extras DE" } },
      selectionType: "MULTIPLE",
      minSelections: 1,
      maxSelections: 3,
      modifiers: [
        { name: "Olives", priceDelta: "1.00", isDefault: true, translations: { de: { name: "Oliven" } } },
        { name: "Hidden", status: "draft" },
        { name: "Sold out", available: false }
      ]
    })
    const { body: wrap } = await make({ name: "Wrap", selectionType: "SINGLE", modifiers: [{ name: "Paper" }] })
    return { extras, wrap }
  }

  it("shows the group's facts and the product's overrides, and keeps its id while it stays attached", async () => {
    const { extras, wrap } = await twoGroups()
    const [olives, hidden] = extras.modifiers
    const made = await product({
      modifierGroups: [
        {
          groupId: extras.id,
          minOverride: 2,
          maxOverride: 4,
          requiredOverride: true,
          freeQuantityOverride: 1,
          freeAllocationPolicyOverride: "EXPENSIVE_FREE",
          defaultModifierIds: [hidden.id, olives.id]
        },
        { groupId: wrap.id, position: -1 }
      ]
    })
    const { id: _id, accountId: _a, storeId: _s, createdAt: _c, updatedAt: _u, ...facts } = extras
    const none = {
      variantId: null,
      minOverride: null,
      maxOverride: null,
      requiredOverride: null,
      freeQuantityOverride: null,
      freeAllocationPolicyOverride: null,
      defaultModifierIds: []
    }
    const { id: _wid, accountId: _wa, storeId: _ws, createdAt: _wc, updatedAt: _wu, ...wrapFacts } = wrap
    const attached = {
      ...facts,
      attachmentId: expect.stringMatching(/^modatt_/),
      groupId: extras.id,
      variantId: null,
      position: 0,
      minOverride: 2,
      maxOverride: 4,
      requiredOverride: true,
      freeQuantityOverride: 1,
      freeAllocationPolicyOverride: "EXPENSIVE_FREE",
      defaultModifierIds: [hidden.id, olives.id]
    }
    expect(made.modifierGroups).toEqual([
      { ...wrapFacts, ...none, attachmentId: expect.stringMatching(/^modatt_/), groupId: wrap.id, position: -1 },
      attached
    ])
    const [wrapped, withExtras] = made.modifierGroups
    expect((await shop.call("GET", `/v1/products/${made.id}`)).body.modifierGroups).toEqual(made.modifierGroups)
    const { body: events } = await shop.call("GET", "/v1/events?types=product.created&limit=100")
    expect(events.data.at(-1).data.product.modifierGroups).toEqual(made.modifierGroups)

    // What shoppers see: nothing that is hidden, no internal name, and all translations.
    for (const path of [`/vc/${shop.channelId}`, `/stores/${shop.storeId}`]) {
      const seen = await shop.call("GET", `${path}/products/${made.id}?locale=de`, {
        headers: { origin: "https://shop.example" }
      })
      expect(seen.body.modifierGroups).toMatchObject([
        { attachmentId: wrapped.attachmentId, name: "Wrap", internalName: null },
        {
          attachmentId: withExtras.attachmentId,
          name: "Extras DE",
          translations: { de: { name: "Extras DE" } },
          internalName: null,
          defaultModifierIds: [hidden.id, olives.id],
          modifiers: [
            { name: "Oliven", translations: { de: { name: "Oliven" } }, priceDelta: "1.00", available: true },
            { name: "Sold out", available: false }
          ]
        }
      ])
      expect(seen.text).not.toContain("secret")
      expect(seen.text).not.toContain("Hidden")
    }

    // A change of the group holds for its products at once.
    await patch(extras.id, { name: "More", status: "active", modifiers: [{ id: hidden.id, _delete: true }] })
    expect((await shop.call("GET", `/v1/products/${made.id}`)).body.modifierGroups[1]).toMatchObject({
      name: "More",
      defaultModifierIds: [hidden.id, olives.id]
    })
    expect((await shop.call("GET", `/vc/${shop.channelId}/products/${made.id}`)).body.modifierGroups[1]).toMatchObject({
      attachmentId: withExtras.attachmentId,
      name: "More",
      modifiers: [{ name: "Olives" }, { name: "Sold out" }]
    })
    await patch(wrap.id, { status: "draft" })
    const { body: without } = await shop.call("GET", `/vc/${shop.channelId}/products/${made.id}`)
    expect(named(without.modifierGroups)).toEqual(["More"])

    expect((await change(made.id, { name: "Renamed" })).body.modifierGroups).toHaveLength(2)
    const { body: fewer } = await change(made.id, { modifierGroups: [{ groupId: extras.id, maxOverride: null }] })
    expect(fewer.modifierGroups).toMatchObject([
      { attachmentId: withExtras.attachmentId, minOverride: null, maxOverride: null, defaultModifierIds: [] }
    ])
    expect((await change(made.id, { modifierGroups: [] })).body.modifierGroups).toEqual([])
  })

  it("stands for one variant in place of the same group for all, and goes with the variant", async () => {
    const { extras } = await twoGroups()
    const shirt = await product({
      variants: ["S", "M"].map((Size) => ({ attributes: { Size }, price: "5.00", inventory: { total: 5 } }))
    })
    const [small, medium] = shirt.variants
    const groups = [{ groupId: extras.id }, { groupId: extras.id, variantId: small.id, maxOverride: 2 }]
    const { body: both } = await change(shirt.id, { modifierGroups: groups })
    expect(both.modifierGroups.map((group: { variantId: string }) => group.variantId)).toEqual([null, small.id])
    await shop.call("PATCH", `/v1/products/${shirt.id}/variants/${small.id}`, { body: { status: "draft" } })
    const { body: seen } = await shop.call("GET", `/vc/${shop.channelId}/products/${shirt.id}`)
    expect(seen.modifierGroups.map((group: { variantId: string }) => group.variantId)).toEqual([null])
    const leaving = { variants: [{ id: small.id, _delete: true }], modifierGroups: groups }
    expect(await refusal(change(shirt.id, leaving))).toEqual(invalid("modifierGroups"))
    await shop.call("DELETE", `/v1/products/${shirt.id}/variants/${small.id}`)
    const { body: left } = await shop.call("GET", `/v1/products/${shirt.id}`)
    expect(left.modifierGroups.map((group: { variantId: string }) => group.variantId)).toEqual([null])
    expect(left.variants).toMatchObject([{ id: medium.id }])
  })

  it("is refused by its field where it cannot be", async () => {
    const { extras, wrap } = await twoGroups()
    const { id } = await product()
    const paper = wrap.modifiers[0].id
    for (const [field, group] of [
      ["groupId", { groupId: "modgrp_none" }],
      ["variantId", { groupId: wrap.id, variantId: "var_none" }],
      ["maxOverride", { groupId: wrap.id, maxOverride: 2 }],
      ["minOverride", { groupId: extras.id, minOverride: 4 }],
      ["minOverride", { groupId: extras.id, minOverride: 3, maxOverride: 2 }],
      ["defaultModifierIds", { groupId: extras.id, defaultModifierIds: [paper] }],
      [
        "defaultModifierIds",
        { groupId: extras.id, maxOverride: 1, defaultModifierIds: extras.modifiers.map((it: { id: string }) => it.id) }
      ],
      ["freeAllocationPolicyOverride", { groupId: wrap.id, freeAllocationPolicyOverride: "NONE" }]
    ] as const) {
      const refused = await refusal(change(id, { modifierGroups: [group] }))
      expect(refused).toEqual(invalid(`modifierGroups.0.${field}`))
      expect(
        await refusal(shop.call("POST", "/v1/products", { body: { name: "P", modifierGroups: [group] } }))
      ).toEqual(refused)
    }
    const twice = [{ groupId: wrap.id }, { groupId: wrap.id, variantId: null }]
    expect(await refusal(change(id, { modifierGroups: twice }))).toEqual(invalid("modifierGroups.1.groupId"))
    const most = Array.from({ length: 51 }, () => ({ groupId: wrap.id }))
    expect(await refusal(change(id, { modifierGroups: most }))).toEqual(invalid("modifierGroups"))
    expect((await shop.call("GET", `/v1/products/${id}`)).body.modifierGroups).toEqual([])
  })

  it("is 50 times there at most", async () => {
    const groups = await Promise.all(
      Array.from({ length: 50 }, (_, i) => make({ name: `Of fifty ${i}`, selectionType: "SINGLE" }))
    )
    const made = await product({ modifierGroups: groups.map(({ body }) => ({ groupId: body.id })) })
    expect(made.modifierGroups).toHaveLength(50)
  })

  it("cannot be deleted while a product has it, and can once the product is deleted", async () => {
    const { wrap } = await twoGroups()
    const { id } = await product({ modifierGroups: [{ groupId: wrap.id }] })
    const refused = await shop.call("DELETE", `${at}/${wrap.id}`)
    expect([refused.status, refused.body.code, refused.body.details]).toEqual([409, "CONFLICT", { usedBy: "products" }])
    expect((await shop.call("GET", `${at}/${wrap.id}`)).body).toEqual(wrap)
    await shop.call("DELETE", `/v1/products/${id}`)
    expect((await shop.call("DELETE", `${at}/${wrap.id}`)).status).toBe(200)
  })
})
