import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { boundMessages } from "../../src/database/internal/messageBound.ts"

const largest = 40
interface Message {
  readonly type: string
  /** As PostgreSQL counts it: with its own four bytes. */
  readonly length: number
}

const encoded = ({ type, length }: Message) => {
  const bytes = Buffer.alloc(length + 1, type.toLowerCase())
  bytes.write(type)
  bytes.writeInt32BE(length, 1)
  return bytes
}

const decoded = (bytes: Buffer): ReadonlyArray<Message> => {
  const found: Array<Message> = []
  for (let at = 0; at < bytes.length; at += bytes.readInt32BE(at + 1) + 1) {
    const type = String.fromCharCode(bytes[at] ?? 0)
    const length = bytes.readInt32BE(at + 1)
    if (type !== "E") expect(bytes.subarray(at, at + length + 1)).toEqual(encoded({ type, length }))
    found.push({ type, length })
  }
  return found
}

/** Those that get through, by types: an E where one was too large, and nothing from there to the Z. */
const expected = (messages: ReadonlyArray<Message>): string => {
  let refusing = false
  return messages
    .flatMap(({ type, length }) => {
      if (refusing && type === "Z") refusing = false
      if (refusing) return []
      refusing = length > largest
      return refusing ? ["E"] : [type]
    })
    .join("")
}

const through = (bytes: Buffer, cuts: ReadonlyArray<number>) => {
  const passed: Array<Uint8Array> = []
  const push = boundMessages((piece) => void passed.push(Uint8Array.from(piece)), largest)
  const at = [0, ...[...new Set(cuts.map((cut) => cut % bytes.length))].toSorted((a, b) => a - b), bytes.length]
  for (let i = 1; i < at.length; i++) push(bytes.subarray(at[i - 1], at[i]))
  return decoded(Buffer.concat(passed))
}

const message = fc.oneof(
  fc.constant({ type: "Z", length: 5 }),
  fc.record({
    type: fc.constantFrom("D", "D", "C", "T", "2"),
    length: fc.oneof(fc.integer({ min: 4, max: 60 }), fc.constantFrom(largest, largest + 1))
  })
)

describe("messages of PostgreSQL", () => {
  it("get through whole at the bound, and fail their statement alone above it, in whatever pieces they come", () => {
    fc.assert(
      fc.property(
        fc.array(message, { minLength: 1, maxLength: 30 }),
        fc.array(fc.nat(), { maxLength: 40 }),
        (messages, cuts) => {
          const bytes = Buffer.concat(messages.map(encoded))
          const types = through(bytes, cuts).map(({ type }) => type)
          expect(types.join("")).toBe(expected(messages))
        }
      ),
      { numRuns: 2_000 }
    )
  })
})
