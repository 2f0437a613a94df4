/** A store's own template for one kind of mail in one language. The active one replaces the default. */
import { Schema } from "effect"
import { blankProblem, type FieldErrors, problemsOf } from "../kernel/FieldErrors.ts"
import {
  arrayOf,
  boolean,
  clearable,
  described,
  json,
  nullableString,
  optional,
  string,
  timestamp
} from "../kernel/Fields.ts"
import { freeForm } from "../kernel/JsonSize.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { ownNames } from "./DefaultTemplates.ts"
import { EmailType } from "./EmailType.ts"
import { variableWarnings } from "./TemplateLint.ts"
import { templateProblems, type View } from "./TemplateRenderer.ts"
import type { StoreBound } from "../kernel/StoreBound.ts"

export const emailTemplateBound: StoreBound = { field: "emailTemplates", most: 1_000, words: "e-mail templates" }

export interface EmailTemplateState {
  readonly id: string
  readonly name: string
  readonly eventType: EmailType
  readonly language: string
  readonly subject: string
  readonly htmlContent: string
  /** Null: the mail's plain text is made from its HTML. */
  readonly textContent: string | null
  /**
   * What the template declares about its variables, by name. Two things count: `{ safe: true }` lets triple braces
   * insert a variable unescaped, unless the product itself fills it; `{ default: "…" }` is its value where none is
   * given. Anything else is stored as it is.
   */
  readonly variables: Readonly<Record<string, unknown>>
  readonly isActive: boolean
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** Descriptions of a template's fields, for responses and bodies. */
const sentences = {
  name: "Name of the template, for the merchant.",
  eventType: "The kind of mail that the template is for.",
  language: "Language of the template; one of the store's languages.",
  subject: "Subject, with {{variables}}.",
  htmlContent: "The mail as HTML, with {{variables}}. Values are escaped; {{{x}}} only for variables declared as safe.",
  textContent: "The mail as plain text, with {{variables}}; null: made from the HTML.",
  variables:
    "What the template declares about its variables, by name: { safe: true } allows {{{x}}}, { default } is the " +
    "value where none is given.",
  isActive: "Whether the template replaces the default. One template is active for a kind of mail and a language."
}

/** On the wire. */
export const EmailTemplate = Schema.Struct({
  id: string("Id of the template."),
  accountId: string("The account that owns the store."),
  storeId: string("The store that the template belongs to."),
  name: string(sentences.name, "Our order confirmation"),
  eventType: described(EmailType, sentences.eventType),
  language: string(sentences.language, "en"),
  subject: string(sentences.subject, "Order {{orderNumber}}"),
  htmlContent: string(sentences.htmlContent, "<p>Thank you, {{customerName}}!</p>"),
  textContent: nullableString(sentences.textContent),
  variables: json(sentences.variables),
  isDefault: described(Schema.Literal(false), "Always false: it is the store's own."),
  isActive: boolean(sentences.isActive),
  createdAt: timestamp("When the template was created."),
  updatedAt: timestamp("When it last changed. It is the version that If-Match names."),
  validationWarnings: Schema.optionalKey(
    arrayOf(
      Schema.Struct({
        field: string("The field that uses the variable.", "htmlContent"),
        variable: string("The variable, as the template writes it; its first 50 characters.", "orderNummber"),
        message: string("What is the matter, as a sentence.")
      }).annotate({
        identifier: "EmailTemplateWarning",
        description: "A variable that mails of the kind do not have."
      }),
      "Variables that mails of the kind do not have and the template does not declare; they are left empty. The " +
        "first of them, at most 768 bytes of JSON. Absent if there are none."
    )
  )
}).annotate({ identifier: "EmailTemplate", description: "A store's own template for one kind of mail." })
export type EmailTemplate = typeof EmailTemplate.Type

export const toEmailTemplate = (
  store: StoreContext,
  { createdAt, updatedAt, ...state }: EmailTemplateState
): EmailTemplate => {
  const validationWarnings = variableWarnings(state)
  return {
    ...state,
    accountId: store.accountId,
    storeId: store.id,
    isDefault: false,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    ...(validationWarnings.length === 0 ? {} : { validationWarnings })
  }
}

const templateExtras = {
  textContent: clearable(Schema.String, sentences.textContent),
  variables: clearable(freeForm(), sentences.variables),
  isActive: optional(Schema.Boolean, sentences.isActive + " Default: true.")
}
const templateFields = {
  name: described(Schema.String, sentences.name, "Our order confirmation"),
  eventType: described(EmailType, sentences.eventType),
  language: described(Schema.String, sentences.language, "en"),
  subject: described(Schema.String, sentences.subject, "Order {{orderNumber}}"),
  htmlContent: described(Schema.String, sentences.htmlContent, "<p>Thank you, {{customerName}}!</p>")
}
export const NewEmailTemplate = Schema.Struct({ ...templateFields, ...templateExtras }).annotate({
  identifier: "NewEmailTemplate",
  description: "A template to create."
})
export type NewEmailTemplate = typeof NewEmailTemplate.Type

/** Absent leaves a field as it is, null clears it. */
export const EmailTemplateChanges = Schema.Struct({
  name: Schema.optionalKey(templateFields.name),
  eventType: Schema.optionalKey(templateFields.eventType),
  language: Schema.optionalKey(templateFields.language),
  subject: Schema.optionalKey(templateFields.subject),
  htmlContent: Schema.optionalKey(templateFields.htmlContent),
  ...templateExtras
}).annotate({
  identifier: "ChangeEmailTemplate",
  description: "What to change. An absent field stays as it is, null clears it."
})
export type EmailTemplateChanges = typeof EmailTemplateChanges.Type

export const blankTemplate = (id: string, at: Date): EmailTemplateState => ({
  id,
  name: "",
  eventType: "ORDER_CONFIRMATION",
  language: "",
  subject: "",
  htmlContent: "",
  textContent: null,
  variables: {},
  isActive: true,
  createdAt: at,
  updatedAt: at
})

/** The most characters of each field. */
const longest = { name: 200, subject: 500, htmlContent: 250_000, textContent: 100_000 }

const lengthProblems = (changes: EmailTemplateChanges) =>
  Object.fromEntries(
    Object.entries(longest).flatMap(([field, most]) => {
      const value = changes[field as keyof typeof longest]
      return (value?.length ?? 0) > most ? [[field, `must be at most ${most} characters`]] : []
    })
  )

/** Why the store cannot have a template in this language; undefined if it can. */
export const languageProblem = (store: StoreContext, language: string | undefined): string | undefined =>
  language === undefined || store.languages.includes(language)
    ? undefined
    : `must be one of the store's languages: ${store.languages.join(", ")}`

/** What is wrong with each field that is given. */
export const templateChangeProblems = (store: StoreContext, changes: EmailTemplateChanges): FieldErrors => {
  const tooLong = lengthProblems(changes)
  if (Object.keys(tooLong).length > 0) return tooLong
  const syntax = templateProblems(
    changes as { readonly subject?: string; readonly htmlContent?: string; readonly textContent?: string | null }
  )
  return problemsOf({
    ...syntax,
    subject: blankProblem(changes.subject) ?? syntax["subject"],
    htmlContent: blankProblem(changes.htmlContent) ?? syntax["htmlContent"],
    name: blankProblem(changes.name),
    language: languageProblem(store, changes.language)
  })
}

const given = <A>(value: A | undefined, current: A): A => (value === undefined ? current : value)

/** The template after changes that passed the checks. */
export const changeTemplate = (
  current: EmailTemplateState,
  changes: EmailTemplateChanges,
  at: Date
): EmailTemplateState => ({
  ...current,
  name: changes.name?.trim() ?? current.name,
  eventType: given(changes.eventType, current.eventType),
  language: given(changes.language, current.language),
  subject: given(changes.subject, current.subject),
  htmlContent: given(changes.htmlContent, current.htmlContent),
  textContent: given(changes.textContent, current.textContent),
  variables: given(changes.variables, current.variables) ?? {},
  isActive: given(changes.isActive, current.isActive),
  updatedAt: at
})

const declaresOf = (variables: EmailTemplateState["variables"]) =>
  Object.entries(variables).flatMap(([name, value]) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? [{ name, declares: value as Readonly<Record<string, unknown>> }]
      : []
  )

/** Variables that triple braces insert unescaped. */
export const safeNames = ({ variables }: Pick<EmailTemplateState, "variables">): ReadonlySet<string> =>
  new Set(
    declaresOf(variables).flatMap(({ name, declares }) =>
      declares["safe"] === true && !ownNames.has(name) ? [name] : []
    )
  )

/** The values that the template gives its own variables. */
export const declaredDefaults = ({ variables }: Pick<EmailTemplateState, "variables">): View =>
  Object.fromEntries(
    declaresOf(variables).flatMap(({ name, declares }) => ("default" in declares ? [[name, declares["default"]]] : []))
  )
