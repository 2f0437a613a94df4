/**
 * What happens to values that somebody sends: pure, from the store's data. A value equal to the present one changes
 * nothing; a platform's value that differs from what somebody else wrote is a conflict; every other is written.
 */
import { Result } from "effect"
import { sameJson } from "../../kernel/CanonicalJson.ts"
import type { MetafieldDefinition } from "../MetafieldFields.ts"
import { isBlank, readValue, type StoredValue, type ValueKey } from "../MetafieldValue.ts"

/** A value as a caller sends it; null deletes it. */
export interface SentValue {
  readonly productId: string
  readonly key: string
  readonly value: unknown
}

export interface KnownValues {
  readonly definitions: ReadonlyMap<string, MetafieldDefinition>
  /** By product: whether it is active. */
  readonly products: ReadonlyMap<string, boolean>
  readonly values: ReadonlyMap<string, StoredValue>
  readonly attached: ReadonlySet<string>
  /** The values that platforms had sent when somebody last decided about them. */
  readonly decided: ReadonlyMap<string, unknown>
}

export type PlannedValue =
  | { readonly kind: "refused"; readonly reason: string }
  | ({ readonly kind: "unchanged" | "written" | "conflict"; readonly value: unknown } & ValueKey)

export const pairOf = ({ productId, definitionId }: ValueKey): string => `${productId} ${definitionId}`

const refuse = (reason: string): PlannedValue => ({ kind: "refused", reason })

/** Whether the product may have this value of the definition, or why not. Null deletes the value. */
const read = (
  definition: MetafieldDefinition,
  { value }: SentValue,
  product: { readonly isActive: boolean; readonly isAttached: boolean }
): Result.Result<unknown, string> => {
  if (definition.isCustomerInput) return Result.fail("is filled in by shoppers: products have no value of it")
  if (!definition.appliesToAllProducts && !product.isAttached) return Result.fail("does not apply to this product")
  if (product.isActive && definition.required && isBlank(value)) return Result.fail("is required")
  return value === null ? Result.succeed(null) : readValue(definition, value)
}

const planned = (known: KnownValues, sent: SentValue, source: string | null): PlannedValue => {
  const definition = known.definitions.get(sent.key)
  if (definition === undefined) return refuse("this store has no such metafield")
  const key = { productId: sent.productId, definitionId: definition.id }
  const pair = pairOf(key)
  const isActive = known.products.get(sent.productId) ?? false
  const value = read(definition, sent, { isActive, isAttached: known.attached.has(pair) })
  if (Result.isFailure(value)) return refuse(value.failure)
  const current = known.values.get(pair)
  const answer = (kind: "unchanged" | "written" | "conflict"): PlannedValue => ({ kind, ...key, value: value.success })
  if (sameJson(current?.value ?? null, value.success)) return answer("unchanged")
  if (source === null || current === undefined || current.source === source) return answer("written")
  return known.decided.has(pair) && sameJson(known.decided.get(pair), value.success)
    ? answer("unchanged")
    : answer("conflict")
}

/** One result for each value, in order. A value that is sent twice is rejected the second time. */
export const planValues = (
  known: KnownValues,
  sent: ReadonlyArray<SentValue>,
  source: string | null
): ReadonlyArray<PlannedValue> => {
  const seen = new Set<string>()
  return sent.map((value) => {
    const pair = `${value.productId} ${value.key}`
    if (seen.has(pair)) return refuse("is there twice")
    seen.add(pair)
    return planned(known, value, source)
  })
}
