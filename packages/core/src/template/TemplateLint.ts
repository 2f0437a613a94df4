/**
 * Variables of a template that mails of its kind do not have, and that it does not declare: a slip of the pen, which
 * would be noticed in a buyer's mailbox otherwise. They are no reason to refuse the template: a store may hand over
 * values of its own with a preview or a send.
 */
import type mustache from "mustache"
import { sampleView } from "./DefaultTemplates.ts"
import { cutText } from "../kernel/CutText.ts"
import { jsonBytes } from "../kernel/JsonSize.ts"
import type { EmailType } from "./EmailType.ts"
import { parseTemplate } from "./internal/templateSyntax.ts"
import type { TemplateParts } from "./TemplateRenderer.ts"

export interface VariableWarning {
  readonly field: "subject" | "htmlContent" | "textContent"
  readonly variable: string
  readonly message: string
}

/**
 * Bytes of JSON of the warnings of a template; the first that fit are told. A thousand templates of 7 MiB together are
 * answered at once with their warnings, and no answer is above 8 MiB.
 */
const mostBytes = 768
/** Characters of a variable in a warning: of the longest one fits. */
const longestVariable = 50

const namesOf = (value: unknown): ReadonlyArray<string> => {
  if (typeof value !== "object" || value === null) return []
  if (Array.isArray(value)) return value.flatMap(namesOf)
  return Object.entries(value).flatMap(([name, inner]) => [name, ...namesOf(inner)])
}

const usedIn = (tokens: ReadonlyArray<mustache.Token>): ReadonlyArray<string> =>
  tokens.flatMap(([kind, name, , , children]) =>
    kind === "text" ? [] : [name, ...(children === undefined ? [] : usedIn(children))]
  )

const variablesOf = (template: string | null): ReadonlyArray<string> => {
  const parsed = template === null ? [] : parseTemplate(template)
  return typeof parsed === "string" ? [] : [...new Set(usedIn(parsed))]
}

interface Parts extends TemplateParts {
  readonly eventType: EmailType
  readonly variables: Readonly<Record<string, unknown>>
}

export const variableWarnings = (template: Parts): ReadonlyArray<VariableWarning> => {
  const known = new Set([...namesOf(sampleView(template.eventType)), ...Object.keys(template.variables)])
  const isKnown = (variable: string) => variable === "." || variable.split(".").every((name) => known.has(name))
  const warnings = (["subject", "htmlContent", "textContent"] as const).flatMap((field) =>
    variablesOf(template[field])
      .filter((variable) => !isKnown(variable))
      .map((whole) => {
        const variable = cutText(whole, longestVariable)
        return { field, variable, message: `${template.eventType} has no variable ${variable}: it is left empty` }
      })
  )
  let room = mostBytes
  return warnings.filter((warning) => {
    room -= jsonBytes(warning)
    return room >= 0
  })
}
