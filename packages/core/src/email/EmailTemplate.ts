/**
 * A store's own template for one kind of mail in one language (interface.md, Email template). The active one takes the
 * place of the default.
 */
import { Result, Schema } from "effect"
import { blankProblem, type FieldErrors, problemsOf } from "../kernel/FieldErrors.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { ownNames } from "./DefaultTemplates.ts"
import { EmailType } from "./EmailType.ts"
import { templateProblems, type View } from "./TemplateRenderer.ts"

export interface EmailTemplateState {
  readonly id: string
  readonly name: string
  readonly eventType: EmailType
  readonly language: string
  readonly subject: string
  readonly htmlContent: string
  /** Null: the mail's plain text is made of its HTML. */
  readonly textContent: string | null
  /**
   * What the template says of its variables, by name. Two things are honoured: `{ safe: true }` lets triple braces put
   * a variable in unescaped, unless it is one that the house fills; `{ default: "…" }` is its value where none is
   * given. Anything else is kept as it is.
   */
  readonly variables: Readonly<Record<string, unknown>>
  readonly isActive: boolean
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** On the wire. */
export const EmailTemplate = Schema.Struct({
  id: Schema.String,
  accountId: Schema.String,
  storeId: Schema.String,
  name: Schema.String,
  eventType: EmailType,
  language: Schema.String,
  subject: Schema.String,
  htmlContent: Schema.String,
  textContent: Schema.NullOr(Schema.String),
  variables: Schema.Record(Schema.String, Schema.Unknown),
  isDefault: Schema.Literal(false),
  isActive: Schema.Boolean,
  createdAt: Schema.String,
  updatedAt: Schema.String
})
export type EmailTemplate = typeof EmailTemplate.Type

export const toEmailTemplate = (
  store: StoreContext,
  { createdAt, updatedAt, ...state }: EmailTemplateState
): EmailTemplate => ({
  ...state,
  accountId: store.accountId,
  storeId: store.id,
  isDefault: false,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString()
})

/** Undefined leaves a field as it is, null clears it. */
export interface EmailTemplateChanges {
  readonly name?: string | undefined
  readonly eventType?: EmailType | undefined
  readonly language?: string | undefined
  readonly subject?: string | undefined
  readonly htmlContent?: string | undefined
  readonly textContent?: string | null | undefined
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined
  readonly isActive?: boolean | undefined
}

export type NewEmailTemplate = EmailTemplateChanges &
  Required<{
    readonly [K in "name" | "eventType" | "language" | "subject" | "htmlContent"]: NonNullable<EmailTemplateChanges[K]>
  }>

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

/** Characters. */
const longest = { name: 200, subject: 500, htmlContent: 250_000, textContent: 100_000 }

const lengthProblems = (changes: EmailTemplateChanges) =>
  Object.fromEntries(
    Object.entries(longest).flatMap(([field, most]) => {
      const value = changes[field as keyof typeof longest]
      return (value?.length ?? 0) > most ? [[field, `must be at most ${most} characters`]] : []
    })
  )

/** What the store's languages say of a language. */
export const languageProblem = (store: StoreContext, language: string | undefined): string | undefined =>
  language === undefined || store.languages.includes(language)
    ? undefined
    : `must be one of the store's languages: ${store.languages.join(", ")}`

const errorsOf = (store: StoreContext, changes: EmailTemplateChanges): FieldErrors => {
  const tooLong = lengthProblems(changes)
  if (Object.keys(tooLong).length > 0) return tooLong
  return problemsOf({
    ...templateProblems(
      changes as { readonly subject?: string; readonly htmlContent?: string; readonly textContent?: string | null }
    ),
    ...(changes.subject?.trim() === "" ? { subject: "must not be empty" } : {}),
    ...(changes.htmlContent?.trim() === "" ? { htmlContent: "must not be empty" } : {}),
    name: blankProblem(changes.name),
    language: languageProblem(store, changes.language)
  })
}

const given = <A>(value: A | undefined, current: A): A => (value === undefined ? current : value)

/** The template after the changes, or what is wrong with each field. */
export const changeTemplate = (
  store: StoreContext,
  current: EmailTemplateState,
  changes: EmailTemplateChanges,
  at: Date
): Result.Result<EmailTemplateState, FieldErrors> => {
  const errors = errorsOf(store, changes)
  if (Object.keys(errors).length > 0) return Result.fail(errors)
  return Result.succeed({
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
}

const declaresOf = (variables: EmailTemplateState["variables"]) =>
  Object.entries(variables).flatMap(([name, value]) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? [{ name, declares: value as Readonly<Record<string, unknown>> }]
      : []
  )

/** Variables that triple braces put in unescaped. */
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
