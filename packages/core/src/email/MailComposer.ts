/**
 * Makes mails from drafts: picks the template, renders it, seals bodies with a token. The store's active template in
 * the requested language comes first, then the one in the store's own language, then the default, which is in the first
 * of these languages that there are defaults in, else in English. If a store's template cannot be rendered, the default
 * is used, so that an order is always confirmed. Mails with a token of the dashboard have the default always.
 */
import { Context, Effect, Layer, Schema } from "effect"
import { RootSecret } from "../crypto/RootSecret.ts"
import { normaliseEmail } from "../kernel/Address.ts"
import { makeId } from "../kernel/Ids.ts"
import { defaultLanguage, type StoreContext } from "../store/StoreContext.ts"
import { EmailDomains } from "../emaildomain/EmailDomains.ts"
import { MailLinkTokens } from "../emaillink/MailLinkTokens.ts"
import { defaultLanguageAmong, defaultTemplates } from "../template/DefaultTemplates.ts"
import { declaredDefaults, type EmailTemplateState, safeNames } from "../template/EmailTemplate.ts"
import { canUnsubscribe, type EmailType, isMarketing } from "../template/EmailType.ts"
import { localisedView } from "../template/LocalisedView.ts"
import { withPostalAddress, withUnsubscribeLink } from "../template/PostalAddress.ts"
import { type Rendered, RenderFailed, renderTemplate, type View } from "../template/TemplateRenderer.ts"
import { mailPriority, type NewMessage, priorityOf } from "./EmailMessage.ts"
import type { EmailSettingsState } from "../emailsetting/EmailSettings.ts"
import { type LinkBase, MailLinks } from "./MailLinks.ts"
import type { MailDraft } from "./MailPlan.ts"
import { MailTransport } from "../smtp/MailTransport.ts"

/** The bodies of a mail as they are sealed, in JSON. */
export const SealedBodies = Schema.Struct({ html: Schema.String, text: Schema.String })
export type SealedBodies = typeof SealedBodies.Type

export const sealPurpose = "email-body"
export const sealContext = (storeId: string, id: string): string => `${storeId}|email_message|sealed|${id}`

/** Replaces the token in the readable copy. */
const hiddenToken = "(hidden)"

/** The store that mails are made for; `templates` are its active templates. */
export interface Sender {
  readonly store: StoreContext
  readonly settings: EmailSettingsState
  readonly templates: ReadonlyArray<EmailTemplateState>
  readonly linkBase: LinkBase
  readonly fromAddress: string
}

export interface Addressed {
  readonly eventId: string | null
  readonly type: EmailType
  readonly to: string
  readonly rendered: Omit<Rendered, "missingVariables">
  readonly unsubscribeUrl: string | null
}

export class MailComposer extends Context.Service<MailComposer>()("@effect-commerce/core/email/MailComposer", {
  make: Effect.gen(function* () {
    const secret = yield* RootSecret
    const transport = yield* MailTransport
    const links = yield* MailLinks

    const signed = yield* MailLinkTokens
    const domains = yield* EmailDomains

    /** Makes a mail from a rendered template, ready to be queued. */
    const address = (
      { store, settings, fromAddress }: Pick<Sender, "store" | "settings" | "fromAddress">,
      { eventId, type, to, rendered, unsubscribeUrl }: Addressed,
      now: number
    ): NewMessage => {
      const id = makeId("mail", now)
      const counts = settings.clickTrackingEnabled && isMarketing(type)
      return {
        id,
        eventId,
        eventType: type,
        toAddress: normaliseEmail(to),
        fromName: settings.defaultFromName ?? store.name.replace(/\p{Cc}+/gu, " ").trim(),
        fromAddress,
        replyTo: settings.defaultReplyTo,
        subject: rendered.subject,
        html: counts ? signed.countingIn(rendered.html, store.id, id) : rendered.html,
        plainText: rendered.text,
        sealed: null,
        priority: eventId === null ? mailPriority.other : priorityOf(type),
        unsubscribeUrl,
        expiresAt: null
      }
    }

    /** The link by which a reader of such a mail unsubscribes; null if it has none. */
    const unsubscribeUrl = (store: StoreContext, type: EmailType, to: string, language: string): string | null =>
      canUnsubscribe(type) ? signed.unsubscribe({ storeId: store.id, email: normaliseEmail(to), language }) : null

    /** The address that mails of the store come from: at its own domain while that is verified. */
    const fromAddressOf = Effect.fnUntraced(function* (store: StoreContext, { customDomainId }: EmailSettingsState) {
      const domain = customDomainId === null ? undefined : yield* domains.sending(store.id, customDomainId)
      return domain === undefined ? transport.fromAddress : `${transport.fromAddress.split("@")[0]}@${domain}`
    })

    return {
      /** Renders one template over the store's view, its own defaults and `view`. Fails with RenderFailed. */
      render: (
        store: StoreContext,
        settings: EmailSettingsState,
        template: EmailTemplateState,
        view: View
      ): Effect.Effect<Rendered, RenderFailed> =>
        Effect.flatMap(links.forStore(store), (linkBase) =>
          rendering(template, settings, () =>
            localisedView({ ...storeView(store, settings, linkBase), ...view }, template.language)
          )
        ),

      fromAddressOf,
      unsubscribeUrl,
      address,

      /** The mail of an event, ready to be queued. Fails only if the default template cannot be rendered either. */
      compose: Effect.fnUntraced(function* (
        given: Sender,
        { eventId, type }: { readonly eventId: string; readonly type: EmailType },
        draft: MailDraft,
        now: number
      ) {
        const sender = draft.ofService === true ? asService(given, transport.fromAddress) : given
        const { store } = sender
        const { language } = draft
        const unsubscribe = unsubscribeUrl(store, type, draft.to, language ?? defaultLanguage(store))
        const fill = fillingFor(sender, type, draft, unsubscribe)
        const seals = draft.token !== null && !transport.keeps
        const full = yield* fill(draft.token ?? "")
        const readable = draft.token === null ? full : yield* fill(hiddenToken)
        // A subject is shown in lists and logs: it never has the token.
        const rendered = { ...(seals ? readable : full), subject: readable.subject }
        const addressed = { eventId, type, to: draft.to, rendered, unsubscribeUrl: unsubscribe }
        const made = address(sender, addressed, now)
        const priority = draft.canWait === true ? made.priority : mailPriority.token
        const mail = draft.token === null ? made : { ...made, priority, expiresAt: draft.expiresAt }
        if (!seals) return mail
        const bodies: SealedBodies = { html: full.html, text: full.text }
        return { ...mail, sealed: secret.seal(sealPurpose, sealContext(store.id, mail.id), JSON.stringify(bodies)) }
      })
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}

/** The store as the sender of what it has no say in: without its templates, addresses and pages. */
const asService = (sender: Sender, fromAddress: string): Sender => ({
  ...sender,
  settings: { ...sender.settings, defaultReplyTo: null, footerAddress: null },
  templates: [],
  linkBase: () => null,
  fromAddress
})

const rendering = (template: Fillable, settings: EmailSettingsState, viewOf: () => View) =>
  Effect.try({
    try: () => {
      const view = viewOf()
      const rendered = renderTemplate(template, { ...declaredDefaults(template), ...view }, safeNames(template))
      const link = view["unsubscribeUrl"]
      const offered =
        canUnsubscribe(template.eventType) && typeof link === "string"
          ? withUnsubscribeLink(rendered, link, template.language)
          : rendered
      const postal = isMarketing(template.eventType) ? settings.footerAddress : null
      return postal === null ? offered : withPostalAddress(offered, postal)
    },
    catch: (cause) => (cause instanceof RenderFailed ? cause : new RenderFailed({ template: String(cause) }))
  })

/** Renders a draft with a token: by the store's own template if it has a usable one, else by the default. */
const fillingFor = (
  { store, settings, templates, linkBase }: Sender,
  type: EmailType,
  draft: MailDraft,
  unsubscribeUrl: string | null
) => {
  const spoken = defaultLanguageAmong(draft.language, defaultLanguage(store))
  const standard: Fillable = {
    ...defaultTemplates[spoken.templates][type],
    eventType: type,
    language: spoken.tag,
    variables: {}
  }
  const own = chosen(templates, type, [
    draft.language ?? defaultLanguage(store),
    baseOf(draft.language),
    defaultLanguage(store)
  ])
  return (token: string): Effect.Effect<Rendered, RenderFailed> => {
    const viewFor = (template: Fillable) => () =>
      localisedView(
        { ...storeView(store, settings, linkBase), unsubscribeUrl, ...draft.view(token, template.language) },
        template.language
      )
    if (own === undefined) return rendering(standard, settings, viewFor(standard))
    return rendering(own, settings, viewFor(own)).pipe(
      Effect.filterOrFail(holding(draft.token === null ? "" : token), tokenMissing),
      Effect.catch((failed) =>
        Effect.andThen(
          Effect.logWarning("A template cannot be used, the default is sent in its place").pipe(
            Effect.annotateLogs({ storeId: store.id, templateId: own.id, problem: failed.message })
          ),
          rendering(standard, settings, viewFor(standard))
        )
      )
    )
  }
}

type Fillable = Pick<
  EmailTemplateState,
  "subject" | "htmlContent" | "textContent" | "variables" | "eventType" | "language"
>

/** Checks that a mail whose purpose is its token shows it: without it the mail is useless. */
const holding =
  (token: string) =>
  ({ html, text }: Rendered): boolean =>
    html.includes(token) || text.includes(token)
const tokenMissing = () => new RenderFailed({ htmlContent: "prints neither the token nor a link that is known" })

/** The variables that every mail of the store has. */
const storeView = (store: StoreContext, settings: EmailSettingsState, linkBase: LinkBase): View => ({
  storeName: store.name,
  storeUrl: linkBase(null),
  footerAddress: settings.footerAddress,
  replyTo: settings.defaultReplyTo
})

const baseOf = (language: string | null): string => language?.split("-")[0] ?? ""

/** The template of a kind in the first of these languages for which there is one. */
const chosen = (
  templates: ReadonlyArray<EmailTemplateState>,
  type: EmailType,
  languages: ReadonlyArray<string>
): EmailTemplateState | undefined =>
  languages.flatMap((language) =>
    templates.filter((template) => template.eventType === type && template.language === language)
  )[0]
