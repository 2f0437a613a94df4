import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { readCustomizations, settledCustomizations } from "../../src/metafield/Customizations.ts"
import type { MetafieldFacts, MetafieldType } from "../../src/metafield/MetafieldFields.ts"

const field = (key: string, type: MetafieldType, more: Partial<MetafieldFacts["input"]> = {}): MetafieldFacts => ({
  id: `mfdef_${key}`,
  key,
  type,
  required: false,
  isActive: true,
  isCustomerInput: true,
  filterable: false,
  input: {
    name: key,
    description: null,
    minLength: null,
    maxLength: null,
    minValue: null,
    maxValue: null,
    dateAvailability: null,
    enumValues: [],
    defaultValue: null,
    position: 0,
    translations: {},
    ...more
  }
})

const uploads = (known: Record<string, string>) => {
  const asked: Array<ReadonlyArray<string>> = []
  return {
    asked,
    keep: (_store: object, keysOrUrls: ReadonlyArray<string>) =>
      Effect.sync(() => {
        asked.push(keysOrUrls)
        return new Map(Object.entries(known))
      })
  }
}
const settle = (inputs: ReadonlyArray<MetafieldFacts>, given: Record<string, unknown>, files = uploads({})) =>
  Effect.runPromise(
    Effect.result(
      settledCustomizations(files, {
        store: { id: "store_1", timezone: "UTC" } as never,
        inputs,
        given,
        path: "customizations",
        now: 0
      })
    )
  )

describe("what a shopper fills in", () => {
  it("counts days from the day it is where the store is", () => {
    const day = field("day", "DATE", { dateAvailability: { minDaysAhead: 0, maxDaysAhead: 1 } })
    const errors = (date: string) => readCustomizations([day], { day: date }, "2026-02-28").errors
    expect([errors("2026-02-27"), errors("2026-02-28"), errors("2026-03-01"), errors("2026-03-02")]).toEqual([
      { day: "must be at least 0 days ahead" },
      {},
      {},
      { day: "must be at most 1 days ahead" }
    ])
  })

  it("keeps what was ticked in the order of the choices, whatever was ticked first", () => {
    const choice = (value: string) => ({ value, label: value, swatchColor: null, swatchImageUrl: null })
    const extras = field("extras", "MULTI_SELECT", { enumValues: ["lid", "box", "card"].map(choice) })
    for (const ticked of [
      ["card", "lid"],
      ["lid", "card"]
    ])
      expect(readCustomizations([extras], { extras: ticked }, "2026-02-28")).toEqual({
        values: { extras: ["lid", "card"] },
        errors: {}
      })
  })

  it("holds a picture of a gallery once, though it is named by its key and by its address", async () => {
    const files = uploads({
      "k/1.png": "https://shop.example/1.png",
      "https://shop.example/1.png": "https://shop.example/1.png"
    })
    expect(
      await settle([field("photos", "GALLERY")], { photos: ["k/1.png", "https://shop.example/1.png"] }, files)
    ).toMatchObject({ success: { photos: ["https://shop.example/1.png"] } })
  })

  it("names pictures by url or key, which are asked for once and kept by their address", async () => {
    const inputs = [field("photo", "IMAGE"), field("photos", "GALLERY")]
    const files = uploads({ "k/1.png": "https://shop.example/1.png", "k/2.png": "https://shop.example/2.png" })
    const kept = await settle(inputs, { photo: "k/1.png", photos: ["k/2.png", "k/1.png"] }, files)
    expect(kept).toMatchObject({
      success: {
        photo: "https://shop.example/1.png",
        photos: ["https://shop.example/2.png", "https://shop.example/1.png"]
      }
    })
    expect(files.asked).toEqual([["k/1.png", "k/2.png"]])
    const foreign = await settle(inputs, { photo: "k/1.png", photos: ["k/3.png"] }, files)
    expect(foreign).toMatchObject({
      failure: {
        errors: {
          "customizations.photos": "must be the url or the key of a picture that was uploaded to this store"
        }
      }
    })
  })

  it("asks for no pictures where there are none", async () => {
    const files = uploads({})
    expect(await settle([field("text", "TEXT")], { text: "k/1.png" }, files)).toMatchObject({
      success: { text: "k/1.png" }
    })
    expect(files.asked).toEqual([])
  })
})
