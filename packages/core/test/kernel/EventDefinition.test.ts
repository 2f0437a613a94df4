import { Schema } from "effect"
import { describe, expect, expectTypeOf, it } from "vitest"
import { commerceEvents } from "../../src/CommerceEvents.ts"
import type { Outbox } from "../../src/outbox/Outbox.ts"
import { defineEvent, internalPrefix, type NewEvent } from "../../src/kernel/EventDefinition.ts"

const shelved = defineEvent("test.shelved", {
  description: "A thing is put on a shelf.",
  data: Schema.Struct({ thingId: Schema.String, shelf: Schema.optionalKey(Schema.Int) })
})

describe("an event", () => {
  it("is made by its definition, with data of its schema", () => {
    const event = shelved.of({ thingId: "t_1", shelf: 3 })
    expect([event.definition.type, event.data]).toEqual(["test.shelved", { thingId: "t_1", shelf: 3 }])
    expect([shelved.status, shelved.version, shelved.isInternal]).toEqual(["live", 1, false])
  })

  it("that nobody defined, or whose data leave out a field, does not compile", () => {
    expectTypeOf<{ readonly type: string; readonly data: unknown }>().not.toExtend<NewEvent>()
    expectTypeOf<{ readonly definition: typeof shelved; readonly data: unknown }>().not.toExtend<NewEvent>()
    expectTypeOf<string>().not.toExtend<Parameters<Outbox["Service"]["append"]>[1]>()
    expectTypeOf<{ readonly shelf: number }>().not.toExtend<Parameters<typeof shelved.of>[0]>()
    expectTypeOf<{ readonly thingId: number }>().not.toExtend<Parameters<typeof shelved.of>[0]>()
    expectTypeOf<{ readonly thingId: string }>().toExtend<Parameters<typeof shelved.of>[0]>()
  })

  it("has the version after its last upgrade", () => {
    const data = Schema.Struct({})
    expect(defineEvent("test.kept", { description: "", data, upgrades: [(old) => old] }).version).toBe(2)
  })

  it("has an id beside its resource, and its type begins with the resource or is internal", () => {
    for (const { type, data } of commerceEvents) {
      const [resource] = type.split(".")
      const fields = Object.keys((data as unknown as Schema.Struct<Schema.Struct.Fields>).fields)
      expect([type, fields.some((field) => field.endsWith("Id"))]).toEqual([type, true])
      expect(["order", "checkout", "customer", "product", "inventory", "payment", "donation", "internal"]).toContain(
        resource
      )
    }
    expect(internalPrefix).toBe("internal.")
  })
})
