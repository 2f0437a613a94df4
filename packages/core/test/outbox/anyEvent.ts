import { Schema } from "effect"
import { defineEvent, type NewEvent } from "../../src/kernel/EventDefinition.ts"

/** An event of any type with any data, for tests of what carries events and does not look into them. */
export const anyEvent = (type: string, data: unknown = {}): NewEvent =>
  defineEvent(type, { description: "An event of a test.", data: Schema.Unknown }).of(data)
