/** What must hold for the explanations that are stored with orders: their entries add up to the order's totals. */
import { CURRENCIES, currencyExponent } from "../kernel/Currency.ts"
import type { Law } from "../database/Law.ts"

/** Minor units in a major unit of the currency: an explanation is stored in major units, an order in minor units. */
const minorUnits = `(CASE ${CURRENCIES.filter((code) => currencyExponent(code) !== 2)
  .map((code) => `WHEN o.currency = '${code}' THEN ${10 ** currencyExponent(code)}`)
  .join(" ")} ELSE 100 END)`

/** The sum of a step, and the column of the order that it comes to. */
const sums: ReadonlyArray<readonly [step: string, column: string]> = [
  ["prices", "o.subtotal"],
  ["rules", "-o.rule_discount_amount"],
  ["coupon", "-o.discount_amount"],
  ["shipping", "o.shipping_amount"],
  ["tax", "o.tax_amount"],
  ["surcharges", "o.surcharge_amount"],
  ["total", "o.total_amount"]
]

const stepSum = (step: string): string =>
  `coalesce(sum((e->>'amount')::numeric) FILTER (WHERE e->>'step' = '${step}'), 0)`

const explained = "o.explanation->'explanation'"

export const explanationLaws: ReadonlyArray<Law> = [
  {
    law: "explanation.sums",
    says: "the entries of an order's explanation add up to its totals, step by step",
    table: "orders",
    sql: `SELECT o.id || ' ' || x.step AS id, x.expected, x.found * ${minorUnits} AS found
      FROM orders o CROSS JOIN LATERAL (SELECT ${sums.map(([step]) => `${stepSum(step)} AS ${step}`).join(", ")}
        FROM jsonb_array_elements(${explained}->'entries') e) s
      CROSS JOIN LATERAL (VALUES ${sums.map(([step, column]) => `('${step}', ${column}, s.${step})`).join(", ")})
        AS x (step, expected, found)
      WHERE o.store_id = $1 AND o.explanation IS NOT NULL AND x.found * ${minorUnits} <> x.expected`
  },
  {
    law: "explanation.due",
    says: "the total of an order's explanation, less its tenders, is what it says was left to pay",
    table: "orders",
    sql: `SELECT o.id, ${explained}->'totals'->>'amountDue' AS expected, d.due::text AS found
      FROM orders o CROSS JOIN LATERAL (SELECT ${stepSum("total")} + ${stepSum("tenders")} AS due
        FROM jsonb_array_elements(${explained}->'entries') e) d
      WHERE o.store_id = $1 AND o.explanation IS NOT NULL
        AND d.due <> (${explained}->'totals'->>'amountDue')::numeric`
  }
]
