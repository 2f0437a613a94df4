/**
 * The parts that the default templates are built of. Each part knows its HTML and its plain text, so that the two
 * bodies of a mail say the same. Styles are inline because mail programs drop style sheets; colours have a contrast of
 * at least 4.5.
 */
export interface Block {
  readonly html: string
  readonly text: string
}

const textStyle = "margin:0 0 16px;font-size:16px;line-height:24px;color:#1f2937"
export const mutedStyle = "margin:0 0 8px;font-size:13px;line-height:20px;color:#4b5563"
const cellStyle =
  "padding:8px 0;border-bottom:1px solid #e5e7eb;font-size:15px;line-height:22px;color:#1f2937;vertical-align:top"
const totalStyle = "padding:4px 0;font-size:15px;line-height:22px;color:#1f2937"

/** `words` is the same in both bodies: variables in it are escaped by the renderer where they must be. */
export const paragraph = (words: string): Block => ({
  html: `<p style="${textStyle}">${words}</p>`,
  text: `${words}\n`
})

/** A value on its own line, to be copied. */
export const literal = (name: string): Block => ({
  html: `<p style="${textStyle};font-family:monospace;word-break:break-all">{{${name}}}</p>`,
  text: `{{${name}}}\n`
})

/** Shown only where the variable has no value. */
export const without = (name: string, ...blocks: ReadonlyArray<Block>): Block => {
  const shown = when(name, ...blocks)
  return {
    html: shown.html.replace(`{{#${name}}}`, `{{^${name}}}`),
    text: shown.text.replace(`{{#${name}}}`, `{{^${name}}}`)
  }
}

/** Shown only where the variable has a value. */
export const when = (name: string, ...blocks: ReadonlyArray<Block>): Block => ({
  html: `{{#${name}}}${blocks.map((block) => block.html).join("\n")}{{/${name}}}`,
  text: `{{#${name}}}\n${blocks.map((block) => block.text).join("\n")}{{/${name}}}`
})

/** A link that stands out, and its address in words for programs that show no links. */
export const button = (label: string, url: string): Block => ({
  html: `<p style="margin:0 0 24px"><a href="{{${url}}}" style="display:inline-block;padding:12px 24px;border-radius:6px;background:#1d4ed8;color:#ffffff;font-size:16px;text-decoration:none">${label}</a></p>
<p style="${mutedStyle}">If the button does not work, copy this address into your browser:<br><a href="{{${url}}}" style="color:#1d4ed8;word-break:break-all">{{${url}}}</a></p>`,
  text: `${label}: {{${url}}}\n`
})

/** A line of small print. */
export const note = (words: string): Block => ({ html: `<p style="${mutedStyle}">${words}</p>`, text: `${words}\n` })

/** A block quote of what somebody wrote; line breaks are kept. */
export const quote = (name: string): Block => ({
  html:
    `<blockquote style="margin:0 0 16px;padding:8px 16px;border-left:3px solid ` +
    `#9ca3af;font-size:16px;line-height:24px;color:#1f2937;white-space:pre-line">{{${name}}}</blockquote>`,
  text: `{{${name}}}\n`
})

/** The lines of an order and its totals. */
export const orderTable: Block = {
  html: `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 8px;border-collapse:collapse">
{{#items}}
<tr><td style="${cellStyle}">{{quantity}} &times; {{name}}{{#sku}}<br><span style="color:#4b5563;font-size:13px">{{sku}}</span>{{/sku}}{{#modifiers}}<br><span style="color:#4b5563;font-size:13px">{{modifiers}}</span>{{/modifiers}}</td><td align="right" style="${cellStyle};white-space:nowrap">{{totalPrice}} {{currency}}</td></tr>
{{/items}}
</table>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 24px;border-collapse:collapse">
<tr><td style="${totalStyle}">Subtotal</td><td align="right" style="${totalStyle}">{{subtotal}} {{currency}}</td></tr>
{{#discountTotal}}
<tr><td style="${totalStyle}">Discount</td><td align="right" style="${totalStyle}">-{{discountTotal}} {{currency}}</td></tr>
{{/discountTotal}}
<tr><td style="${totalStyle}">Shipping{{#shippingMethod}} ({{shippingMethod}}){{/shippingMethod}}</td><td align="right" style="${totalStyle}">{{shippingAmount}} {{currency}}</td></tr>
{{#surchargeTotal}}
<tr><td style="${totalStyle}">Surcharges</td><td align="right" style="${totalStyle}">{{surchargeTotal}} {{currency}}</td></tr>
{{/surchargeTotal}}
<tr><td style="${totalStyle}">{{taxLabel}}</td><td align="right" style="${totalStyle}">{{taxAmount}} {{currency}}</td></tr>
<tr><td style="${totalStyle};font-weight:bold">Total</td><td align="right" style="${totalStyle};font-weight:bold">{{totalAmount}} {{currency}}</td></tr>
</table>`,
  text: `{{#items}}
{{quantity}} x {{name}}{{#sku}} ({{sku}}){{/sku}}{{#modifiers}}, with {{modifiers}}{{/modifiers}}: {{totalPrice}} {{currency}}
{{/items}}

Subtotal: {{subtotal}} {{currency}}
{{#discountTotal}}
Discount: -{{discountTotal}} {{currency}}
{{/discountTotal}}
Shipping{{#shippingMethod}} ({{shippingMethod}}){{/shippingMethod}}: {{shippingAmount}} {{currency}}
{{#surchargeTotal}}
Surcharges: {{surchargeTotal}} {{currency}}
{{/surchargeTotal}}
{{taxLabel}}: {{taxAmount}} {{currency}}
Total: {{totalAmount}} {{currency}}
`
}

/** The shipping address of an order, if it has one. */
export const shippingAddress: Block = {
  html:
    "{{#shippingAddress}}" +
    `<p style="${textStyle}"><strong>Ships to</strong><br>{{#lines}}{{.}}<br>{{/lines}}</p>{{/shippingAddress}}`,
  text: `{{#shippingAddress}}
Ships to:
{{#lines}}
{{.}}
{{/lines}}

{{/shippingAddress}}`
}

const footer: Block = {
  html:
    `<p style="${mutedStyle}">{{storeName}}{{#footerAddress}}<br>` +
    `<span style="white-space:pre-line">{{footerAddress}}</span>{{/footerAddress}}</p>`,
  text: `--
{{storeName}}
{{#footerAddress}}
{{footerAddress}}
{{/footerAddress}}`
}

/** The two bodies of a mail: a heading, its parts, and the sender. */
export const mailOf = (
  heading: string,
  ...blocks: ReadonlyArray<Block>
): { readonly htmlContent: string; readonly textContent: string } => ({
  htmlContent: `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${heading}</title></head>
<body style="margin:0;padding:0;background:#f3f4f6">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f3f4f6"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px;background:#ffffff;border-radius:8px;font-family:Arial,Helvetica,sans-serif"><tr><td style="padding:32px">
<h1 style="margin:0 0 24px;font-size:22px;line-height:28px;color:#111827">${heading}</h1>
${blocks.map((block) => block.html).join("\n")}
<hr style="margin:24px 0;border:0;border-top:1px solid #e5e7eb">
${footer.html}
</td></tr></table>
</td></tr></table>
</body>
</html>
`,
  textContent: `${heading}\n\n${blocks.map((block) => block.text).join("\n")}\n${footer.text}`
})
