/** The parts that the default templates are built of, in one language. */
import { type Block, colours, mailIn, mutedStyle, textStyle } from "./mailLayout.ts"
import { sayIn, type TemplateLanguage } from "./mailWords.ts"
import { orderTableIn } from "./orderTable.ts"

/** `words` is the same in both bodies: variables in it are escaped by the renderer where they must be. */
const paragraph = (words: string): Block => ({
  html: `<p class="text" style="${textStyle}">${words}</p>`,
  text: `${words}\n`,
  lead: words
})

/** A value on its own line, to be copied. */
const literal = (name: string): Block => ({
  html:
    `<p class="strong" style="margin:0 0 16px;font-size:18px;line-height:26px;color:${colours.strong[0]};` +
    `font-family:Consolas,Menlo,monospace;word-break:break-all">{{${name}}}</p>`,
  text: `{{${name}}}\n`
})

const both = (blocks: ReadonlyArray<Block>, tag: string, name: string): Block => ({
  html: `{{${tag}${name}}}${blocks.map((block) => block.html).join("\n")}{{/${name}}}`,
  text: `{{${tag}${name}}}\n${blocks.map((block) => block.text).join("\n")}{{/${name}}}`
})

/** Shown only where the variable has a value. */
const when = (name: string, ...blocks: ReadonlyArray<Block>): Block => both(blocks, "#", name)

/** Shown only where the variable has no value. */
const without = (name: string, ...blocks: ReadonlyArray<Block>): Block => both(blocks, "^", name)

/** A line of small print. */
const note = (words: string): Block => ({
  html: `<p class="muted" style="${mutedStyle}">${words}</p>`,
  text: `${words}\n`
})

/** What somebody wrote; line breaks are kept. */
const quote = (name: string): Block => ({
  html:
    `<blockquote class="text quote" style="${textStyle};padding:4px 16px;border-left:3px solid ${colours.line[0]};` +
    `white-space:pre-line">{{${name}}}</blockquote>`,
  text: `{{${name}}}\n`
})

/** Names and quantities only. */
const itemList: Block = {
  html:
    `<ul class="text" style="${textStyle};padding-left:20px">` +
    `{{#items}}<li style="margin:0 0 6px">{{quantity}} &times; {{name}}</li>{{/items}}</ul>`,
  text: "{{#items}}\n{{quantity}} x {{name}}\n{{/items}}\n"
}

/** The kit of one language. */
export const mailBlocks = (language: TemplateLanguage) => {
  const say = sayIn(language)

  /** A link that stands out, and its address in words for programs that show no links. */
  const button = (label: string, url: string): Block => ({
    html:
      `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:8px 0 20px"><tr><td ` +
      `style="border-radius:8px;background:${colours.button[0]}"><a href="{{${url}}}" style="display:inline-block;` +
      `padding:13px 28px;border-radius:8px;background:${colours.button[0]};color:${colours.onButton[0]};font-size:16px;` +
      `line-height:22px;font-weight:600;text-decoration:none">${label}</a></td></tr></table>
<p class="muted" style="${mutedStyle};margin-bottom:20px">${say(
        "If the button does not work, copy this address into your browser:",
        "Falls die Schaltfläche nicht funktioniert, kopieren Sie diese Adresse in Ihren Browser:"
      )}<br><a class="link" href="{{${url}}}" style="color:${colours.link[0]};word-break:break-all">{{${url}}}</a></p>`,
    text: `${label}: {{${url}}}\n`
  })

  const orderTable = orderTableIn(say)
  const shipsTo = say("Ships to", "Lieferadresse")
  /** The shipping address of an order, if it has one. */
  const shippingAddress: Block = {
    html:
      "{{#shippingAddress}}" +
      `<p class="text" style="${textStyle}"><strong>${shipsTo}</strong><br>{{#lines}}{{.}}<br>{{/lines}}</p>` +
      "{{/shippingAddress}}",
    text: `{{#shippingAddress}}
${shipsTo}:
{{#lines}}
{{.}}
{{/lines}}

{{/shippingAddress}}`
  }

  const greeting = `${say("Hello", "Guten Tag")}{{#customerName}} {{customerName}}{{/customerName}},`
  const hello: Block = { html: paragraph(greeting).html, text: `${greeting}\n` }

  /** The page that takes the token: a link if its address is known, otherwise instructions to do it by hand. */
  const pageWithToken = (label: string, link: string, site = "{{storeName}}"): Block => {
    const byHand = say(
      `Open ${site} in your browser and add this to its address:`,
      `Öffnen Sie ${site} im Browser und hängen Sie dies an die Adresse an:`
    )
    const [linked, unlinked] = [when(link, button(label, link)), without(link, paragraph(byHand), literal("path"))]
    return { html: `${linked.html}\n${unlinked.html}`, text: `${linked.text}\n${unlinked.text}` }
  }

  return {
    say,
    mail: mailIn(language),
    paragraph,
    literal,
    when,
    without,
    button,
    note,
    quote,
    itemList,
    orderTable,
    shippingAddress,
    hello,
    pageWithToken
  }
}

export type MailKit = ReturnType<typeof mailBlocks>
