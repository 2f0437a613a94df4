/** Whether what a host's calculator says of its amounts can be shown and stored with an order. */
import { Schema } from "effect"
import { text } from "../../kernel/Fields.ts"
import { ROUNDING_MODES } from "../../kernel/Rounding.ts"
import { roundingPoints, type TraceEntry, taxRoundingStep } from "../../kernel/Trace.ts"

const short = text(200)
/** Rates of one amount, and entries of one item. */
const most = 50

const isEntry = Schema.is(
  Schema.Struct({
    step: Schema.Literals(["tax", taxRoundingStep]),
    target: short,
    sources: Schema.Array(short).pipe(Schema.check(Schema.isMaxLength(most))),
    source: Schema.optional(Schema.Struct({ type: short, id: short, name: short })),
    formula: text(1_000),
    numerator: Schema.BigInt,
    denominator: Schema.BigInt.pipe(Schema.check(Schema.makeFilter((given) => given > 0n))),
    roundingPoint: Schema.Literals(roundingPoints),
    roundingMode: Schema.NullOr(Schema.Literals(ROUNDING_MODES)),
    amount: Schema.BigInt
  })
)

const sumOf = (amounts: ReadonlyArray<bigint>): bigint => amounts.reduce((sum, amount) => sum + amount, 0n)

/** Why the entries explain nothing; undefined if they do, or if there are none. */
export const traceProblem = (
  items: ReadonlyArray<{ readonly id: string }>,
  taxes: ReadonlyArray<{ readonly amounts: ReadonlyArray<bigint> }>,
  entries: ReadonlyArray<TraceEntry>
): string | undefined => {
  if (entries.length === 0) return undefined
  if (entries.length > items.length * most) return `it has explained ${items.length} items in ${entries.length} entries`
  const wrong = entries.findIndex((entry) => !isEntry(entry))
  if (wrong !== -1) return `entry ${wrong} of its explanation cannot be shown`
  const shown = new Map<string, bigint>()
  for (const { step, target, amount } of entries)
    if (step === "tax") shown.set(target, (shown.get(target) ?? 0n) + amount)
  const unexplained = items.find(({ id }, i) => (shown.get(id) ?? 0n) !== sumOf(taxes[i]?.amounts ?? []))
  return unexplained === undefined ? undefined : `its explanation does not add up to the tax of ${unexplained.id}`
}
