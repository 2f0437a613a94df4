/** The lines of an order and its totals, in one language. */
import { type Block, colours, tableOf } from "./mailLayout.ts"
import type { Say } from "./mailWords.ts"

const cell = `padding:12px 0;border-bottom:1px solid ${colours.line[0]};vertical-align:top`
const small = `<br><span class="muted" style="color:${colours.muted[0]};font-size:13px">`
const amounts = `font-size:15px;line-height:22px;color:${colours.text[0]}`

export const orderTableIn = (say: Say): Block => {
  const sums: ReadonlyArray<readonly [label: string, name: string, isOptional: boolean]> = [
    [say("Subtotal", "Zwischensumme"), "subtotal", false],
    [say("Discount", "Rabatt"), "discountTotal", true],
    [
      `${say("Shipping", "Versand")}{{#shippingMethod}} ({{shippingMethod}}){{/shippingMethod}}`,
      "shippingAmount",
      false
    ],
    [say("Surcharges", "Zuschläge"), "surchargeTotal", true],
    ["{{taxLabel}}", "taxAmount", false]
  ]
  const sign = (name: string) => (name === "discountTotal" ? "-" : "")
  const sumRow = (label: string, name: string, style = "padding:3px 0") =>
    `<tr><td style="${style}">${label}</td><td align="right" style="${style};white-space:nowrap">` +
    `${sign(name)}{{${name}Formatted}}</td></tr>`
  const total = say("Total", "Gesamtsumme")

  return {
    html: `${tableOf(
      `margin:8px 0 12px;${amounts}`,
      `
{{#items}}
<tr class="line"><td style="${cell}">{{quantity}} &times; {{name}}{{#modifiers}}${small}{{modifiers}}</span>{{/modifiers}}{{#sku}}${small}{{sku}}</span>{{/sku}}</td><td align="right" style="${cell};padding-left:12px;white-space:nowrap">{{totalPriceFormatted}}</td></tr>
{{/items}}
`
    ).replace("<table", '<table class="text"')}
${tableOf(
  `margin:0 0 24px;${amounts}`,
  `
${sums
  .map(([label, name, isOptional]) =>
    isOptional ? `{{#${name}}}\n${sumRow(label, name)}\n{{/${name}}}` : sumRow(label, name)
  )
  .join("\n")}
${sumRow(total, "totalAmount", "padding:10px 0 0;font-size:17px;font-weight:700")}
`
).replace("<table", '<table class="text"')}`,
    text: `{{#items}}
{{quantity}} x {{name}}{{#sku}} ({{sku}}){{/sku}}{{#modifiers}}, ${say("with", "mit")} {{modifiers}}{{/modifiers}}: {{totalPriceFormatted}}
{{/items}}

${sums
  .map(([label, name, isOptional]) => {
    const line = `${label}: ${sign(name)}{{${name}Formatted}}`
    return isOptional ? `{{#${name}}}\n${line}\n{{/${name}}}` : line
  })
  .join("\n")}
${total}: {{totalAmountFormatted}}
`
  }
}
