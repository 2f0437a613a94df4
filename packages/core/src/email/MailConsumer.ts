/**
 * Turns events into queued mails, in the transaction that relays them. It only inserts; a mail of an event and kind is inserted once however often the
 * event is relayed. What cannot be made into a mail is logged and left: one event must not hold up those behind it.
 */
import { Clock, Effect } from "effect"
import { RootSecret } from "../crypto/RootSecret.ts"
import { mailTokenContext, mailTokenPurpose } from "../customer/CustomerEvents.ts"
import type { OutboxConsumer, RelayedEvent } from "../database/OutboxRelay.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { Stores } from "../store/Stores.ts"
import { EmailMessageRepository } from "./EmailMessageRepository.ts"
import { defaultSettings, type EmailSettingsState, sends } from "./EmailSettings.ts"
import { EmailSettingsRepository } from "./EmailSettingsRepository.ts"
import { EmailTemplateRepository } from "./EmailTemplateRepository.ts"
import { isMarketing } from "./EmailType.ts"
import { MailComposer } from "./MailComposer.ts"
import { MailLinks } from "./MailLinks.ts"
import { type MailPlan, mailPlans, type MailSources } from "./MailPlans.ts"
import { OwnerView } from "./OwnerView.ts"

interface Planned {
  readonly event: RelayedEvent
  readonly plan: MailPlan
}

const plannedOf = (events: ReadonlyArray<RelayedEvent>): ReadonlyArray<Planned> =>
  events.flatMap((event) => (mailPlans[event.type] ?? []).map((plan) => ({ event, plan })))

const isWanted = (settings: EmailSettingsState, { plan }: Planned): boolean =>
  sends(settings, plan.type) && !(isMarketing(plan.type) && settings.footerAddress === null)

export const mailConsumer = Effect.gen(function* () {
  const secret = yield* RootSecret
  const stores = yield* Stores
  const links = yield* MailLinks
  const owners = yield* OwnerView
  const composer = yield* MailComposer
  const messages = yield* EmailMessageRepository
  const templates = yield* EmailTemplateRepository
  const settingsRows = yield* EmailSettingsRepository

  const sourcesOf = Effect.fnUntraced(function* (store: StoreContext) {
    const owner = yield* Effect.cached(owners.emailOf(store.accountId))
    const sources: MailSources = {
      store,
      owner,
      linkBase: (salesChannelId) => links.base(store, salesChannelId),
      open: (customerId, sealed) => {
        try {
          return secret.open(mailTokenPurpose, mailTokenContext(store.id, customerId), sealed)
        } catch {
          return null
        }
      }
    }
    return sources
  })

  const consumePlanned = Effect.fnUntraced(function* (storeId: string, planned: ReadonlyArray<Planned>) {
    const now = yield* Clock.currentTimeMillis
    const store = yield* Effect.orDie(stores.context(storeId))
    const settings = (yield* settingsRows.find(storeId)) ?? defaultSettings(store, new Date(now))
    const wanted = planned.filter((one) => isWanted(settings, one))
    if (wanted.length === 0) return
    const active = yield* templates.active(storeId, [...new Set(wanted.map(({ plan }) => plan.type))])
    const sources = yield* sourcesOf(store)

    const mailOf = ({ event, plan }: Planned) =>
      Effect.flatMap(plan.draft(event, sources), (draft) =>
        draft === undefined ? Effect.undefined : composer.compose({ store, settings, templates: active }, { eventId: event.id, type: plan.type }, draft, now)
      ).pipe(
        Effect.catchTag("UnreadableEvent", ({ reason }) =>
          Effect.as(Effect.logError(`No ${plan.type} is sent for ${event.type} ${event.id}: ${reason}`), undefined)
        )
      )
    const mails = yield* Effect.forEach(wanted, mailOf)
    yield* messages.insert(
      storeId,
      mails.filter((mail) => mail !== undefined),
      new Date(now)
    )
  })

  const consumer: OutboxConsumer = {
    name: "mail",
    consume: (storeId, events) => {
      const planned = plannedOf(events)
      return planned.length === 0 ? Effect.void : consumePlanned(storeId, planned)
    }
  }
  return consumer
})
