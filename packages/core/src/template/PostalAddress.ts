/**
 * The postal address that a marketing mail must show (CAN-SPAM and other laws): it is added at the end of each part
 * that does not show it. The rendered part is checked, not the template, because a tag in a comment, in an attribute or
 * in a hidden section prints nothing.
 */
import { escapeHtml, type Rendered } from "./TemplateRenderer.ts"
import { mutedStyle } from "./internal/mailBlocks.ts"
import { plainTextOf } from "./internal/plainText.ts"

const shows = (text: string, address: string): boolean => inOneLine(text).includes(inOneLine(address))
const inOneLine = (text: string): string => text.replace(/\s+/g, " ").trim()

const atTheEnd = (html: string, address: string): string => {
  const line = `<p style="${mutedStyle};white-space:pre-line">${escapeHtml(address)}</p>`
  const end = html.toLowerCase().lastIndexOf("</body")
  return end < 0 ? `${html}\n${line}` : `${html.slice(0, end)}${line}\n${html.slice(end)}`
}

export const withPostalAddress = (rendered: Rendered, address: string): Rendered => ({
  ...rendered,
  html: shows(plainTextOf(rendered.html), address) ? rendered.html : atTheEnd(rendered.html, address),
  text: shows(rendered.text, address) ? rendered.text : `${rendered.text.trimEnd()}\n\n${address}\n`
})
