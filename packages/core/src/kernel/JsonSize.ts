/** How large something free-form may be: bytes of its JSON in UTF-8 (completions.md, Bounds on what a caller stores). */
import { Schema } from "effect"

/** What may be stored free-form of one resource, in bytes. */
export const maxFreeForm = 65_536

export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? "")

/** Refuses a value whose JSON has more bytes. */
export const jsonOfAtMost =
  (bytes: number) =>
  <S extends Schema.Top>(schema: S) =>
    schema.pipe(Schema.check(Schema.makeFilter((value: S["Type"]) => jsonBytes(value) <= bytes || `must be at most ${bytes} bytes as JSON`)))
