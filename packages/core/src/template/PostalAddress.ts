/**
 * What laws (CAN-SPAM and others) want a marketing mail to show: the postal address of who sends it, and a way to
 * receive no more. Either is added at the end of each part that does not show it. The rendered part is checked, not the
 * template, because a tag in a comment, in an attribute or in a hidden section prints nothing.
 */
import { escapeHtml, type Rendered } from "./TemplateRenderer.ts"
import { mutedStyle } from "./internal/mailLayout.ts"
import { templateLanguageOf } from "./internal/mailWords.ts"
import { plainTextOf } from "./internal/plainText.ts"

const shows = (text: string, address: string): boolean => inOneLine(text).includes(inOneLine(address))
const inOneLine = (text: string): string => text.replace(/\s+/g, " ").trim()

const atTheEnd = (html: string, line: string): string => {
  const paragraph = `<p class="muted" style="${mutedStyle};white-space:pre-line">${line}</p>`
  const end = html.toLowerCase().lastIndexOf("</body")
  return end < 0 ? `${html}\n${paragraph}` : `${html.slice(0, end)}${paragraph}\n${html.slice(end)}`
}

export const withPostalAddress = (rendered: Rendered, address: string): Rendered => ({
  ...rendered,
  html: shows(plainTextOf(rendered.html), address) ? rendered.html : atTheEnd(rendered.html, escapeHtml(address)),
  text: shows(rendered.text, address) ? rendered.text : `${rendered.text.trimEnd()}\n\n${address}\n`
})

/** The link to unsubscribe, at the end of each part that does not show it. `language` is the mail's. */
export const withUnsubscribeLink = (rendered: Rendered, url: string, language: string): Rendered => {
  const word = templateLanguageOf(language) === "de" ? "Abmelden" : "Unsubscribe"
  const link = `<a href="${escapeHtml(url)}">${word}</a>`
  return {
    ...rendered,
    html: plainTextOf(rendered.html).includes(url) ? rendered.html : atTheEnd(rendered.html, link),
    text: rendered.text.includes(url) ? rendered.text : `${rendered.text.trimEnd()}\n\n${word}: ${url}\n`
  }
}
