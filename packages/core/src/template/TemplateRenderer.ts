/**
 * Renders the three parts of a mail with mustache.js over views that hold nothing but data: null-prototype copies in
 * which only own, plain values are seen, so that `{{constructor.name}}` and `{{__proto__}}` are unknown names like any
 * other. No code runs: there are no lambdas, partials or delimiters. HTML is escaped, in triple braces too unless the
 * template declares the variable safe and the product does not fill it itself. An unknown name renders as nothing and
 * is listed. Work and output are bounded, so that no template can hold up the worker.
 */
import mustache from "mustache"
import { cutText } from "../kernel/CutText.ts"
import { plainTextOf } from "./internal/plainText.ts"
import { parseTemplate } from "./internal/templateSyntax.ts"

/** The data that templates are filled with: plain values by name. */
export type View = Readonly<Record<string, unknown>>

export interface TemplateParts {
  readonly subject: string
  readonly htmlContent: string
  readonly textContent: string | null
}

export interface Rendered {
  /** One line: CR, LF and other control characters are removed. */
  readonly subject: string
  readonly html: string
  readonly text: string
  /** Names that had no value, as the template writes them, in the order of their first use. */
  readonly missingVariables: ReadonlyArray<string>
}

/** The most characters of one rendered part, and steps (tags and texts) of one rendering. */
export const mostOutput = 500_000
const mostSteps = 100_000
const longestSubject = 500

/** A template that cannot be rendered; `problems` maps its field to a sentence. */
export class RenderFailed extends Error {
  readonly _tag = "RenderFailed"
  readonly problems: Readonly<Record<string, string>>
  constructor(problems: Readonly<Record<string, string>>) {
    super(
      Object.entries(problems)
        .map(([field, problem]) => `${field}: ${problem}`)
        .join("; ")
    )
    this.problems = problems
  }
}

/** Reserved property names: they are never variables, even if a caller sends one of that name. */
const prototypeNames: ReadonlySet<string> = new Set([...Object.getOwnPropertyNames(Object.prototype), "prototype"])

const deepestView = 12

/** A copy without prototypes: plain values, lists and records. Anything else is left out. */
const plainCopy = (value: unknown, depth = 0): unknown => {
  if (typeof value === "string" || typeof value === "boolean" || typeof value === "number" || value === null)
    return value
  if (typeof value !== "object" || depth > deepestView) return null
  if (Array.isArray(value)) return value.map((item) => plainCopy(item, depth + 1))
  const copy = Object.create(null) as Record<string, unknown>
  for (const [name, entry] of Object.entries(value))
    if (!prototypeNames.has(name) && entry !== undefined) copy[name] = plainCopy(entry, depth + 1)
  return copy
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The innermost record that has the name; records are without prototypes, so `in` sees own values alone. */
const holderOf = (context: mustache.Context | undefined, name: string): Record<string, unknown> | undefined =>
  context === undefined
    ? undefined
    : isRecord(context.view) && name in context.view
      ? context.view
      : holderOf(context.parent, name)

/**
 * Looks names up among own values of records only, the innermost section first, and collects the names that are not
 * found.
 */
class PlainContext extends mustache.Context {
  readonly #missing: Set<string>

  constructor(view: unknown, parent: PlainContext | undefined, missing: Set<string>) {
    super(view, parent)
    this.#missing = missing
  }

  override push(view: unknown): PlainContext {
    return new PlainContext(view, this, this.#missing)
  }

  override lookup(name: string): unknown {
    if (name === ".") return isRecord(this.view) || Array.isArray(this.view) ? undefined : this.view
    const [first = "", ...rest] = name.split(".")
    let value = holderOf(this, first)?.[first]
    if (value === undefined) return this.#unknown(name)
    for (const part of rest) {
      if (value === null) return null
      if (!isRecord(value) || !(part in value)) return this.#unknown(name)
      value = value[part]
    }
    return value
  }

  #unknown(name: string): undefined {
    this.#missing.add(name)
    return undefined
  }
}

class BoundedWriter extends mustache.Writer {
  readonly #safe: ReadonlySet<string> | "all"
  #steps = 0
  #length = 0

  constructor(safe: ReadonlySet<string> | "all") {
    super()
    this.#safe = safe
  }

  override renderTokens(...args: Parameters<mustache.Writer["renderTokens"]>): string {
    const [tokens] = args
    this.#steps += tokens.length + 1
    for (const [kind, text] of tokens) if (kind === "text") this.#length += text.length
    if (this.#steps > mostSteps || this.#length > mostOutput)
      throw new RangeError(`renders to more than ${mostOutput} characters or ${mostSteps} steps`)
    return super.renderTokens(...args)
  }

  /** Triple braces and `{{& x}}`: a variable that is declared safe is not escaped, every other one is. */
  override unescapedValue(token: mustache.Token, context: mustache.Context): unknown {
    const value = context.lookup(token[1])
    if (value === null || value === undefined) return undefined
    return this.#counted(this.#safe === "all" || this.#safe.has(token[1]) ? textOf(value) : escapeHtml(value))
  }

  readonly escape = (value: unknown): string => this.#counted(escapeHtml(value))
  readonly plain = (value: unknown): string => this.#counted(textOf(value))

  #counted(text: string): string {
    this.#length += text.length
    if (this.#length > mostOutput) throw new RangeError(`renders to more than ${mostOutput} characters`)
    return text
  }
}

/** A list or a record is not a text: it renders as nothing. */
const textOf = (value: unknown): string => (typeof value === "object" || value === undefined ? "" : String(value))

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}
export const escapeHtml = (value: unknown): string =>
  textOf(value).replace(/[&<>"']/g, (character) => entities[character] ?? "")

/** Control characters, line and paragraph separators: a mail server might end a header line at any of them. */
const lineBreaks = /[\p{Cc}\u2028\u2029]+/gu

export const breaksLines = (text: string): boolean => text.search(lineBreaks) >= 0

/** Text that is safe as the value of one header. */
const headerText = (text: string): string => text.replace(lineBreaks, " ").replace(/ {2,}/g, " ").trim()

const fieldProblem = (template: string | null): string | undefined => {
  const parsed = template === null ? [] : parseTemplate(template)
  return typeof parsed === "string" ? parsed : undefined
}

/** Why each part of a template cannot be rendered; undefined if it can. */
export const templateProblems = (parts: Partial<TemplateParts>): Readonly<Record<string, string | undefined>> => ({
  subject: fieldProblem(parts.subject ?? null),
  htmlContent: fieldProblem(parts.htmlContent ?? null),
  textContent: fieldProblem(parts.textContent ?? null)
})

/** Renders one mail. `safe` are the variables that triple braces insert unescaped. Throws RenderFailed. */
export const renderTemplate = (parts: TemplateParts, view: View, safe: ReadonlySet<string> = new Set()): Rendered => {
  const missing = new Set<string>()
  const context = new PlainContext(plainCopy(view), undefined, missing)
  const render = (field: string, template: string, isHtml: boolean): string => {
    const tokens = parseTemplate(template)
    if (typeof tokens === "string") throw new RenderFailed({ [field]: tokens })
    const writer = new BoundedWriter(isHtml ? safe : "all")
    try {
      return writer.renderTokens(tokens, context, undefined, undefined, {
        escape: isHtml ? writer.escape : writer.plain
      })
    } catch (cause) {
      throw new RenderFailed({ [field]: cause instanceof Error ? cause.message : "cannot be rendered" })
    }
  }
  const subject = cutText(headerText(render("subject", parts.subject, false)), longestSubject)
  const html = render("htmlContent", parts.htmlContent, true)
  const text = parts.textContent === null ? plainTextOf(html) : render("textContent", parts.textContent, false)
  return { subject, html, text, missingVariables: [...missing] }
}
