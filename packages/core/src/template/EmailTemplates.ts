/**
 * The templates that a store writes for its mails. Where a store has no active one for a kind of mail and a language,
 * the default is used.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { orFail } from "../database/Repository.ts"
import { FieldRejected, rejectFields } from "../kernel/FieldRejected.ts"
import { makeId } from "../kernel/Ids.ts"
import { jsonBytes } from "../kernel/JsonSize.ts"
import type { Page } from "../kernel/Pagination.ts"
import { fullProblem } from "../store/StoreBounds.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import {
  blankTemplate,
  changeTemplate,
  type EmailTemplateChanges,
  type EmailTemplateState,
  type NewEmailTemplate,
  templateChangeProblems,
  toEmailTemplate,
  emailTemplateBound
} from "./EmailTemplate.ts"
import { EmailTemplateRepository, type TemplateFilter } from "./EmailTemplateRepository.ts"
import { EmailTemplateNotFound } from "./TemplateErrors.ts"

/** The most bytes of all templates of a store as JSON: the dashboard reads them at once. */
const mostTemplateBytes = 7_340_032

export class EmailTemplates extends Context.Service<EmailTemplates>()("@effect-commerce/core/template/EmailTemplates", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* EmailTemplateRepository

    const notFound = (id: string) => () => new EmailTemplateNotFound({ id })

    /** Rejects a template if the store has too many, or if with it all of them would not fit in one response. */
    const checkRoom = Effect.fnUntraced(function* (store: StoreContext, row: EmailTemplateState) {
      const others = yield* repository.othersLocked(store.id, row.id)
      const full = fullProblem(emailTemplateBound, others.count)
      if (full !== undefined) return yield* FieldRejected.at("emailTemplates", full)
      if (others.bytes + jsonBytes(row) > mostTemplateBytes)
        return yield* FieldRejected.at(
          "emailTemplates",
          `all of them come to at most ${mostTemplateBytes} bytes of JSON`
        )
    })

    /** A template as it is stored. */
    const find = (store: StoreContext, id: string) => orFail(repository.find(store.id, id), notFound(id))

    return {
      /** Oldest first. */
      list: (store: StoreContext, filter: TemplateFilter, page: Page) =>
        Effect.map(repository.list(store.id, filter, page), ({ items, total }) => ({
          items: items.map((row) => toEmailTemplate(store, row)),
          total
        })),

      get: (store: StoreContext, id: string) => Effect.map(find(store, id), (row) => toEmailTemplate(store, row)),

      create: Effect.fn("EmailTemplates.create")(function* (store: StoreContext, input: NewEmailTemplate) {
        const now = yield* Clock.currentTimeMillis
        const at = new Date(now)
        yield* rejectFields(templateChangeProblems(store, input))
        const row = changeTemplate(blankTemplate(makeId("tmpl", now), at), input, at)
        yield* database.write(store.id)(Effect.andThen(checkRoom(store, row), repository.insert(store.id, row)))
        return toEmailTemplate(store, row)
      }),

      update: Effect.fn("EmailTemplates.update")(function* (
        store: StoreContext,
        id: string,
        changes: EmailTemplateChanges
      ) {
        const at = new Date(yield* Clock.currentTimeMillis)
        const row = yield* database.write(store.id)(
          Effect.gen(function* () {
            const current = yield* orFail(repository.lock(store.id, id), notFound(id))
            yield* rejectFields(templateChangeProblems(store, changes))
            const changed = changeTemplate(current, changes, at)
            if (jsonBytes(changed) > jsonBytes(current)) yield* checkRoom(store, changed)
            yield* repository.update(store.id, changed)
            return changed
          })
        )
        return toEmailTemplate(store, row)
      }),

      /** The default template is used from then on. */
      remove: Effect.fn("EmailTemplates.remove")(function* (store: StoreContext, id: string) {
        const removed = yield* database.write(store.id)(repository.remove(store.id, id))
        if (!removed) return yield* new EmailTemplateNotFound({ id })
      }),

      find,

      /** The active templates of these kinds, in every language. */
      active: (storeId: string, types: ReadonlyArray<string>) => repository.active(storeId, types)
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
