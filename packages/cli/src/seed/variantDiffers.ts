/** Whether a row changes anything of a variant: each write of a variant is an event that subscribers get. */
import type { VariantPatch } from "@effect-commerce/core/product/VariantInput"
import type { VariantView } from "@effect-commerce/core/product/VariantView"
import { formatMoney, parseAmount } from "@effect-commerce/core/kernel/Money"

const amounts: ReadonlySet<string> = new Set(["price", "salePrice", "costPrice"])

/** An unreadable amount counts as a change, so that the use case reports it. */
const canonical = (name: string, value: unknown, currency: string): unknown => {
  if (value === null || value === undefined) return null
  if (!amounts.has(name)) return sorted(value)
  const minor = parseAmount(value, currency)
  return typeof minor === "bigint" ? formatMoney(minor, currency) : { unreadable: value }
}

const sorted = (value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    : value

export const variantDiffers = (
  variant: VariantView,
  { externalId: _externalId, ...patch }: VariantPatch,
  currency: string
): boolean => {
  const now: Readonly<Record<string, unknown>> = variant
  return Object.entries(patch).some(
    ([name, value]) =>
      JSON.stringify(canonical(name, value, currency)) !== JSON.stringify(canonical(name, now[name], currency))
  )
}
