/** The names of a body's fields, place by place. */
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { makeBodyKeys } from "../../src/body/BodyKeys.ts"

const Image = Schema.Struct({ url: Schema.String }).annotate({ identifier: "ProductImageInput" })
const Use = Schema.Struct({ attributeId: Schema.String, optionIds: Schema.Array(Schema.String) })
const Body = Schema.Struct({
  name: Schema.String,
  images: Schema.optionalKey(Schema.Array(Image)),
  metadata: Schema.optionalKey(Schema.Record(Schema.String, Schema.Json)),
  categories: Schema.optionalKey(Schema.Array(Schema.String)),
  attributes: Schema.optionalKey(Schema.Array(Use))
}).annotate({ identifier: "CreateProduct" })
const Named = Schema.Struct({ id: Schema.String, name: Schema.String })
const Read = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  images: Schema.Array(Schema.Struct({ url: Schema.String, width: Schema.Number })),
  metadata: Schema.Record(Schema.String, Schema.Json),
  categories: Schema.Array(Named),
  attributes: Schema.Array(Schema.Struct({ id: Schema.String, attribute: Named, options: Schema.Array(Named) }))
}).annotate({ identifier: "Product" })

const keysOf = makeBodyKeys([Body], [Read])

describe("a body", () => {
  it("of known names is taken as it is, the same value", () => {
    const body = { name: "Lamp", images: [{ url: "a" }], metadata: { any: { thing: 1 } } }
    const { value, errors } = keysOf(body)
    expect(value).toBe(body)
    expect(errors).toEqual({})
  })

  it("names each unknown field by its path, with what it is part of", () => {
    expect(keysOf({ nmae: "Lamp", images: [{ url: "a" }, { urll: "b" }] }).errors).toEqual({
      nmae: "no field of a product; did you mean name?",
      "images.1.urll": "no field of a product image; did you mean url?"
    })
  })

  it("may have what reads show beside its fields: it is left out", () => {
    expect(keysOf({ id: "prod_1", name: "Lamp", images: [{ url: "a", width: 3 }] })).toEqual({
      value: { name: "Lamp", images: [{ url: "a" }] },
      errors: {}
    })
    // The width of a picture is shown, that of a product is not.
    expect(keysOf({ name: "Lamp", width: 3 }).errors).toEqual({ width: "no field of a product" })
  })

  it("may name a thing as it is read: the reference becomes its id", () => {
    const { value } = keysOf({
      name: "Lamp",
      categories: [{ id: "cat_1", name: "Lamps" }, "cat_2"],
      attributes: [{ id: "use_1", attribute: { id: "attr_1", name: "Size" }, options: [{ id: "opt_1", name: "S" }] }]
    })
    expect(value).toEqual({
      name: "Lamp",
      categories: ["cat_1", "cat_2"],
      attributes: [{ attributeId: "attr_1", optionIds: ["opt_1"] }]
    })
  })

  it("is not looked into where its names are the caller's own, nor where it is no object", () => {
    expect(keysOf({ name: "Lamp", metadata: { nmae: { any: [1] } } }).errors).toEqual({})
    for (const value of [null, 5, "text", true]) expect(keysOf(value)).toEqual({ value, errors: {} })
  })

  it("may have names that every body has, at its top alone", () => {
    const also = makeBodyKeys([Body], [Read], { also: ["storeId"] })
    expect(also({ name: "Lamp", storeId: "s", images: [{ url: "a", storeId: "s" }] })).toEqual({
      value: { name: "Lamp", images: [{ url: "a" }] },
      errors: { "images.0.storeId": "no field of a product image" }
    })
  })

  it("that writes no resource is spoken of as this request, and at most so many errors are collected", () => {
    const login = makeBodyKeys([Schema.Struct({ email: Schema.String })], [], { most: 2 })
    expect(login({ mail: "a", b: 1, c: 2 }).errors).toEqual({
      mail: "no field of this request; did you mean email?",
      b: "no field of this request"
    })
  })
})
