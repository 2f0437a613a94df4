/**
 * The part of Markdown that descriptions and the introduction are written in, as HTML: headings, paragraphs, lists,
 * tables, fenced code, and in a line `code`, **bold** and [links](url). Everything else is shown as it is written.
 */

export const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

/** `Error codes` -> `error-codes`: the anchor of a heading. */
export const anchorOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")

const emphasis = (text: string): string =>
  escapeHtml(text)
    .replaceAll(/\*\*([^*]+)\*\*/g, "<strong>$1</strong>")
    .replaceAll(/\[([^\]]+)\]\((https?:\/\/[^\s)]+|#[^\s)]*|\/[^\s)]*)\)/g, '<a href="$2">$1</a>')

/** One line or paragraph; what is between backticks is taken literally. */
export const inlineMarkdown = (text: string): string =>
  text
    .split(/(`[^`]+`)/)
    .map((part) => (/^`[^`]+`$/.test(part) ? `<code>${escapeHtml(part.slice(1, -1))}</code>` : emphasis(part)))
    .join("")

const cellsOf = (line: string): ReadonlyArray<string> =>
  line
    .trim()
    .replaceAll(/^\||\|$/g, "")
    .split("|")
    .map((cell) => cell.trim())

const rowOf = (tag: "th" | "td", line: string): string =>
  `<tr>${cellsOf(line)
    .map((cell) => `<${tag}>${inlineMarkdown(cell)}</${tag}>`)
    .join("")}</tr>`

const table = (lines: ReadonlyArray<string>): string => {
  const [head = "", , ...rows] = lines
  return `<table><thead>${rowOf("th", head)}</thead><tbody>${rows.map((row) => rowOf("td", row)).join("")}</tbody></table>`
}

const listItem = /^(?:[-*]|\d+\.)\s+/

const list = (lines: ReadonlyArray<string>): string => {
  const items: Array<string> = []
  for (const line of lines) {
    if (listItem.test(line)) items.push(line.replace(listItem, ""))
    else items.push(`${items.pop() ?? ""} ${line.trim()}`)
  }
  const tag = /^\d/.test(lines[0] ?? "") ? "ol" : "ul"
  return `<${tag}>${items.map((item) => `<li>${inlineMarkdown(item)}</li>`).join("")}</${tag}>`
}

const heading = (line: string): string => {
  const level = /^#+/.exec(line)?.[0].length ?? 1
  const text = line.slice(level).trim()
  return `<h${level} id="${anchorOf(text)}">${inlineMarkdown(text)}</h${level}>`
}

const block = (lines: ReadonlyArray<string>): string => {
  const [first = "", second = ""] = lines
  if (/^#{1,6} /.test(first)) return `${heading(first)}${lines.length > 1 ? block(lines.slice(1)) : ""}`
  if (first.startsWith("|") && /^\|?[\s:|-]+$/.test(second)) return table(lines)
  if (listItem.test(first)) return list(lines)
  const listFrom = lines.findIndex((line) => listItem.test(line) || line.startsWith("|"))
  if (listFrom > 0) return block(lines.slice(0, listFrom)) + block(lines.slice(listFrom))
  return `<p>${inlineMarkdown(lines.join(" "))}</p>`
}

/** A whole text; a blank line ends a block. */
export const markdown = (text: string): string =>
  text
    .split(/^(?:```|~~~)\w*\n([\s\S]*?)^(?:```|~~~)$/m)
    .map((part, i) =>
      i % 2 === 1
        ? `<pre><code>${escapeHtml(part.trimEnd())}</code></pre>`
        : part
            .split(/\n\s*\n/)
            .map((lines) => lines.split("\n").filter((line) => line.trim() !== ""))
            .filter((lines) => lines.length > 0)
            .map(block)
            .join("\n")
    )
    .filter((part) => part !== "")
    .join("\n")
