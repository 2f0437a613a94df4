/**
 * Turns events into queued mails. Mails are rendered before the transaction that relays the events, and inserted in it,
 * several at a time. An event makes a mail of a type once, however often it is relayed. If an event cannot be read or
 * rendered, the mail is skipped and an error is logged: one event must not block the events behind it.
 */
import { Clock, Effect } from "effect"
import { RootSecret } from "../crypto/RootSecret.ts"
import { mailTokenContext, mailTokenPurpose } from "../customer/CustomerEvents.ts"
import { Suppressions } from "../emaillink/Suppressions.ts"
import { normaliseEmail } from "../kernel/Address.ts"
import type { OutboxConsumer, RelayedEvent } from "../outbox/OutboxConsumer.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { SignedLinks } from "../link/SignedLinks.ts"
import type { NewMessage } from "./EmailMessage.ts"
import { Stores } from "../store/Stores.ts"
import { EmailMessageRepository } from "./EmailMessageRepository.ts"
import { sends } from "../emailsetting/EmailSettings.ts"
import { MailSettings } from "../emailsetting/MailSettings.ts"
import { EmailTemplates } from "../template/EmailTemplates.ts"
import { canUnsubscribe } from "../template/EmailType.ts"
import { MailComposer, type Sender } from "./MailComposer.ts"
import { type LinkBase, MailLinks } from "./MailLinks.ts"
import type { MailDraft, MailPlan, MailSources } from "./MailPlan.ts"
import { mailPlans } from "./MailPlans.ts"
import { MailTransport } from "../smtp/MailTransport.ts"
import { OwnerView } from "../emailsetting/OwnerView.ts"

interface Planned {
  readonly event: RelayedEvent
  readonly plan: MailPlan
}

interface Drafted extends Planned {
  readonly draft: MailDraft
}

const plannedOf = (events: ReadonlyArray<RelayedEvent>): ReadonlyArray<Planned> =>
  events.flatMap((event) => (mailPlans[event.type] ?? []).map((plan) => ({ event, plan })))

const unmade = ({ type, id }: RelayedEvent, plan: MailPlan, reason: string) =>
  Effect.as(Effect.logError(`No ${plan.type} is sent for ${type} ${id}: ${reason}`), undefined)

/** Characters of mails that one statement inserts. */
const pieceSize = 512 * 1_024

const sizeOf = ({ html, plainText, sealed }: NewMessage): number =>
  html.length + plainText.length + (sealed?.length ?? 0)

/** Splits mails into runs that are inserted together, with at least one mail in each. */
const piecesOf = (mails: ReadonlyArray<NewMessage>): ReadonlyArray<ReadonlyArray<NewMessage>> => {
  const pieces: Array<Array<NewMessage>> = []
  let room = 0
  for (const mail of mails) {
    const size = sizeOf(mail)
    if (size > room) {
      pieces.push([])
      room = pieceSize
    }
    pieces.at(-1)?.push(mail)
    room -= size
  }
  return pieces
}

export const mailConsumer = Effect.gen(function* () {
  const secret = yield* RootSecret
  const stores = yield* Stores
  const links = yield* MailLinks
  // Links of kept mails, which only developers read, lead to this machine.
  const apiAddress = (yield* SignedLinks).addressOr((yield* MailTransport).keeps ? "http://localhost" : null)
  const owners = yield* OwnerView
  const composer = yield* MailComposer
  const messages = yield* EmailMessageRepository
  const templates = yield* EmailTemplates
  const mailSettings = yield* MailSettings
  const suppressions = yield* Suppressions

  const sourcesOf = Effect.fnUntraced(function* (store: StoreContext, linkBase: LinkBase) {
    const owner = yield* Effect.cached(owners.emailOf(store.id))
    const sources: MailSources = {
      store,
      owner,
      linkBase,
      dashboardBase: links.dashboard,
      apiAddress,
      open: (subjectId, sealed) => {
        try {
          return secret.open(mailTokenPurpose, mailTokenContext(store.id, subjectId), sealed)
        } catch {
          return null
        }
      }
    }
    return sources
  })

  /** The store as the sender of these types of mail. The number of statements does not depend on that of the mails. */
  const senderOf = Effect.fnUntraced(function* (storeId: string, types: ReadonlyArray<string>, now: number) {
    const store = yield* Effect.orDie(stores.context(storeId))
    const [settings, active, linkBase] = yield* Effect.all(
      [mailSettings.of(store, new Date(now)), templates.active(storeId, types), links.forStore(store)],
      {
        concurrency: "unbounded"
      }
    )
    const fromAddress = yield* composer.fromAddressOf(store, settings)
    const sender: Sender = { store, settings, templates: active, linkBase, fromAddress }
    return sender
  })

  /** Leaves out what the reader has unsubscribed from: in one statement, or none where nobody can. */
  const withoutUnsubscribed = Effect.fnUntraced(function* (storeId: string, drafted: ReadonlyArray<Drafted>) {
    const unsubscribable = drafted.filter(({ plan }) => canUnsubscribe(plan.type))
    const gone = yield* suppressions.among(
      storeId,
      unsubscribable.map(({ draft }) => normaliseEmail(draft.to))
    )
    return drafted.filter(({ plan, draft }) => !canUnsubscribe(plan.type) || !gone.has(normaliseEmail(draft.to)))
  })

  /** Renders the mails and returns the effect that inserts them. */
  const preparePlanned = Effect.fnUntraced(function* (storeId: string, planned: ReadonlyArray<Planned>) {
    const now = yield* Clock.currentTimeMillis
    const sender = yield* senderOf(storeId, [...new Set(planned.map(({ plan }) => plan.type))], now)
    const sources = yield* sourcesOf(sender.store, sender.linkBase)

    const failures = ({ event, plan }: Planned) => ({
      StoredDataUnreadable: ({ reason }: { readonly reason: string }) => unmade(event, plan, reason),
      MailNotPossible: ({ reason }: { readonly reason: string }) => unmade(event, plan, reason)
    })
    const drafts = yield* Effect.forEach(
      planned.filter(({ plan }) => sends(sender.settings, plan.type)),
      (one) =>
        one.plan.draft(one.event, sources).pipe(
          Effect.map((draft) => (draft === undefined ? undefined : { ...one, draft })),
          Effect.catchTags(failures(one))
        )
    )
    const wanted = yield* withoutUnsubscribed(
      storeId,
      drafts.filter((one) => one !== undefined)
    )
    const mails = yield* Effect.forEach(wanted, ({ event, plan, draft }) =>
      composer
        .compose(sender, { eventId: event.id, type: plan.type }, draft, now)
        .pipe(Effect.catchTag("RenderFailed", ({ message }) => unmade(event, plan, message)))
    )
    const pieces = piecesOf(mails.filter((mail) => mail !== undefined))
    return Effect.forEach(pieces, (piece) => messages.insert(storeId, piece, new Date(now)), { discard: true })
  })

  const prepare = (storeId: string, events: ReadonlyArray<RelayedEvent>) => {
    const planned = plannedOf(events)
    return planned.length === 0 ? Effect.succeed(Effect.void) : preparePlanned(storeId, planned)
  }

  const consumer: OutboxConsumer = {
    name: "mail",
    prepare,
    consume: (storeId, events) => Effect.flatten(prepare(storeId, events))
  }
  return consumer
})
