/**
 * The laws of orders whose payment provider was asked in another currency: the calculations of the fx room, written a
 * second time in SQL, so that the audit finds a mistake in either.
 */
import type { Law } from "../database/Law.ts"
import { CURRENCIES, currencyExponent } from "../kernel/Currency.ts"

/** The minor digits of the currency in a column. */
const digitsOf = (column: string): string => {
  const cases = [0, 3, 4].map((digits) => {
    const codes = CURRENCIES.filter((code) => currencyExponent(code) === digits).map((code) => `'${code}'`)
    return `WHEN ${column} IN (${codes.join(", ")}) THEN ${digits}`
  })
  return `CASE ${cases.join(" ")} ELSE 2 END`
}

const stated = (field: string): string => `(o.presentment->>'${field}')::numeric`
const amountOf = (field: string): string => `(o.presentment->>'${field}')::bigint`
const factor = `${stated("rate")} * (100 + ${stated("bufferPercent")})
  * 10::numeric ^ (${digitsOf("(o.presentment->>'currency')")})`
const divisor = `(100 * 10::numeric ^ (${digitsOf("o.currency")}) * ${stated("rounding")})`

/** Rounded half up: floor(2x + 1) / 2 of whole numbers, so that no digit of a quotient is lost. */
const converted = (amount: string): string =>
  `(div(2 * (${amount}) * ${factor} + ${divisor}, 2 * ${divisor}) * ${stated("rounding")})`

/** What was paid otherwise when the provider was asked. */
const tender = `p.store_id = $1 AND p.order_id = o.id AND p.id <> o.presentment->>'paymentId'
  AND p.provider <> 'manual'`
const tendered = `coalesce((SELECT sum(p.amount) FROM payment p WHERE ${tender}), 0)`
const tenderedThere = `coalesce((SELECT sum(${converted("p.amount")}) FROM payment p WHERE ${tender}), 0)`
const discount = "(o.discount_amount + o.rule_discount_amount)"
const exclusiveTax = `o.total_amount - (o.subtotal - ${discount} + o.shipping_amount + o.surcharge_amount)`
const presentedTotal = `${converted("o.subtotal")} - ${converted(discount)} + ${converted("o.shipping_amount")}
  + ${converted("o.surcharge_amount")} + ${converted(exclusiveTax)}`

const share = (taken: string): string =>
  `div(2 * (${taken})::numeric * ${stated("due")} + ${stated("amount")}, 2 * ${stated("amount")})`
const part = (of: string, whole: string): string => `least(${of}, greatest(0, ${whole} - 1))`
const bookedOf = (taken: string): string => `CASE WHEN ${taken} >= ${stated("amount")}
  THEN greatest(${stated("due")}, ${share(taken)}) ELSE ${part(share(taken), stated("due"))} END`
const returnedOf = `CASE WHEN ${stated("refunded")} >= ${stated("captured")} THEN ${bookedOf(stated("refunded"))}
  ELSE ${part(bookedOf(stated("refunded")), bookedOf(stated("captured")))} END`

export const presentedLaws: ReadonlyArray<Law> = [
  {
    law: "order.presented",
    says: "a provider was asked for an order's sums at its rate, each rounded by itself, less the converted tenders",
    table: "orders",
    sql: `SELECT o.id, o.total_amount - ${tendered} || ' as ' || greatest(1, ${presentedTotal} - ${tenderedThere})
        AS expected, ${amountOf("due")} || ' as ' || ${amountOf("amount")} AS found
      FROM orders o WHERE o.store_id = $1 AND o.presentment IS NOT NULL
        AND (${amountOf("due")} <> o.total_amount - ${tendered}
          OR ${amountOf("amount")} <> greatest(1, ${presentedTotal} - ${tenderedThere})
          OR o.presentment->>'currency' = o.currency)`
  },
  {
    law: "order.presented-money",
    says: "what a provider has taken in another currency is booked in the order's: in full, or in proportion",
    table: "orders",
    sql: `SELECT o.id, ${bookedOf(stated("captured"))} || ', returned ' || ${returnedOf} AS expected,
        p.captured + p.surplus || ', returned ' || r.returned AS found
      FROM orders o JOIN payment p ON p.store_id = $1 AND p.id = o.presentment->>'paymentId'
      CROSS JOIN LATERAL (SELECT coalesce(sum(amount), 0) AS returned FROM refund
        WHERE store_id = $1 AND payment_id = p.id AND status = 'succeeded') r
      WHERE o.store_id = $1 AND o.presentment IS NOT NULL
        AND (p.captured + p.surplus <> ${bookedOf(stated("captured"))} OR r.returned <> ${returnedOf})`
  },
  {
    law: "order.presented-payment",
    says: "what was presented to a provider is a payment of the order",
    table: "orders",
    sql: `SELECT o.id, 'a payment of the order' AS expected, o.presentment->>'paymentId' AS found
      FROM orders o WHERE o.store_id = $1 AND o.presentment IS NOT NULL AND NOT EXISTS (SELECT FROM payment p
        WHERE p.store_id = $1 AND p.order_id = o.id AND p.id = o.presentment->>'paymentId')`
  }
]
