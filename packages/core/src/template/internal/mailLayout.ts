/**
 * The frame of all default mails: one column of at most 600 pixels that fits a phone, made of tables because some mail
 * programs know nothing else. Colours and sizes are inline because some programs drop style sheets; the sheet adds what
 * is different on phones and in the dark. Nothing is loaded from anywhere. Text has a contrast of at least 4.5 in both
 * schemes.
 */
import type { TemplateLanguage } from "./mailWords.ts"

/** A part of a mail as HTML and as plain text, so that the two bodies say the same. */
export interface Block {
  readonly html: string
  readonly text: string
  /** The words that lists of mails show behind the subject, if this is the first block that has some. */
  readonly lead?: string
}

/** Colours by their use: in the light, which is inline, and in the dark, which is in the sheet. */
export const colours = {
  page: ["#f3f4f6", "#0f172a"],
  card: ["#ffffff", "#1e293b"],
  strong: ["#111827", "#f8fafc"],
  text: ["#1f2937", "#e2e8f0"],
  muted: ["#4b5563", "#b0bccd"],
  line: ["#e5e7eb", "#3d4b60"],
  link: ["#1d4ed8", "#93c5fd"],
  button: ["#1d4ed8", "#1d4ed8"],
  onButton: ["#ffffff", "#ffffff"]
} as const

export const textStyle = `margin:0 0 16px;font-size:16px;line-height:24px;color:${colours.text[0]}`
export const mutedStyle = `margin:0 0 8px;font-size:13px;line-height:20px;color:${colours.muted[0]}`
export const tableOf = (style: string, rows: string): string =>
  `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="border-collapse:collapse;${style}">` +
  `${rows}</table>`

const inTheDark = [
  `.page{background:${colours.page[1]}!important}`,
  `.card{background:${colours.card[1]}!important}`,
  `.strong{color:${colours.strong[1]}!important}`,
  `.text{color:${colours.text[1]}!important}`,
  `.muted{color:${colours.muted[1]}!important}`,
  `.line td,.rule,.quote{border-color:${colours.line[1]}!important}`,
  `.link{color:${colours.link[1]}!important}`
].join("")

const sheet =
  ":root{color-scheme:light dark;supported-color-schemes:light dark}" +
  "@media(max-width:480px){.edge{padding:0!important}.card{border-radius:0!important}.inside{padding:24px 20px!important}}" +
  `@media(prefers-color-scheme:dark){${inTheDark}}`

/** Hidden in the mail itself; the spaces keep programs from showing what comes after it. */
const preheader = (lead: string): string =>
  `<div style="display:none;max-height:0;overflow:hidden;opacity:0;mso-hide:all">${lead}${"&#847;&zwnj;&nbsp;".repeat(12)}</div>`

const footer = (why: string | null): Block => ({
  html:
    `<p class="muted" style="${mutedStyle}">{{storeName}}{{#footerAddress}}<br>` +
    `<span style="white-space:pre-line">{{footerAddress}}</span>{{/footerAddress}}</p>` +
    (why === null ? "" : `<p class="muted" style="${mutedStyle}">${why}</p>`),
  text: `--
{{storeName}}
{{#footerAddress}}
{{footerAddress}}
{{/footerAddress}}${why === null ? "" : `\n${why}\n`}`
})

export interface MailBodies {
  readonly htmlContent: string
  readonly textContent: string
}

/** The two bodies of a mail: a heading, its parts, the sender, and, where it is not obvious, why it was sent. */
export const mailIn =
  (language: TemplateLanguage) =>
  (heading: string, blocks: ReadonlyArray<Block>, why: string | null = null): MailBodies => {
    const end = footer(why)
    const lead = blocks.find((block) => block.lead !== undefined)?.lead ?? heading
    return {
      htmlContent: `<!DOCTYPE html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${heading}</title>
<style>${sheet}</style></head>
<body class="page" style="margin:0;padding:0;background:${colours.page[0]}">
${preheader(lead)}
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:${colours.page[0]}"><tr><td class="edge" align="center" style="padding:32px 12px">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px;background:${colours.card[0]};border-radius:12px;font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;text-align:left"><tr><td class="inside" style="padding:32px 40px">
<p class="muted" style="margin:0 0 24px;font-size:14px;line-height:20px;font-weight:600;color:${colours.muted[0]}">{{storeName}}</p>
<h1 class="strong" style="margin:0 0 20px;font-size:24px;line-height:31px;font-weight:700;color:${colours.strong[0]}">${heading}</h1>
${blocks.map((block) => block.html).join("\n")}
<hr class="rule" style="margin:28px 0 20px;border:0;border-top:1px solid ${colours.line[0]}">
${end.html}
</td></tr></table>
</td></tr></table>
</body>
</html>
`,
      textContent: `${heading}\n\n${blocks.map((block) => block.text).join("\n")}\n${end.text}`
    }
  }
