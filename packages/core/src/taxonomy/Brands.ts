/** The use cases of brands. Their names and slugs are unique in the store; a deleted brand frees both. */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { orFail } from "../database/Repository.ts"
import { checkAll, checkFilled } from "../kernel/FieldRejected.ts"
import { makeId } from "../kernel/Ids.ts"
import { mapItems, type Page } from "../kernel/Pagination.ts"
import { checkSlug, freeSlug, slugOf } from "../kernel/Slug.ts"
import { LibraryFiles } from "../media/LibraryFiles.ts"
import { checkRoom } from "../store/StoreBounds.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { type BrandFields, type BrandInput, type BrandPatch, readBrandIn, toBrandView, brandBound } from "./Brand.ts"
import { type BrandFilter, BrandRepository } from "./BrandRepository.ts"
import { BrandNotFound } from "./TaxonomyErrors.ts"
import { makeChannelCheck } from "./ChannelCheck.ts"
import { publicReader, type StorefrontReader } from "./Publication.ts"
import { SalesChannels } from "../store/SalesChannels.ts"
import { makeOnePicture, orAsBefore } from "./OnePicture.ts"

export class Brands extends Context.Service<Brands>()("@effect-commerce/core/taxonomy/Brands", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* BrandRepository
    const checkChannelsOf = makeChannelCheck(yield* SalesChannels)

    /** Locks the logo; call it before locking the brand. */
    const logoOf = makeOnePicture(yield* LibraryFiles, "logo", "logoKey")

    const notFound = (id: string) => () => new BrandNotFound({ id })
    const read = (store: StoreContext, id: string) =>
      Effect.map(orFail(repository.find(store.id, id), notFound(id)), (brand) => toBrandView(store, brand))

    const create = Effect.fn("Brands.create")(function* (store: StoreContext, input: BrandInput) {
      const now = yield* Clock.currentTimeMillis
      const id = makeId("brand", now)
      const name = input.name.trim()
      return yield* database.write(store.id)(
        Effect.gen(function* () {
          const { logo } = yield* checkAll({
            name: checkFilled("name", input.name),
            slug: checkSlug(input.slug),
            logo: logoOf(store, input),
            channels: checkChannelsOf(store.id, input.salesChannelIds)
          })
          yield* checkRoom(brandBound, yield* repository.countToAdd(store.id))
          const wanted = slugOf(name, id.replaceAll("_", "-"))
          const slug = input.slug ?? freeSlug(wanted, yield* repository.slugsLike(store.id, wanted))
          const fields: BrandFields = {
            description: null,
            logo: null,
            logoKey: null,
            source: "INTERNAL",
            translations: {},
            isActive: true,
            salesChannelIds: null,
            ...input,
            ...logo,
            name,
            slug
          }
          yield* repository.insert(store.id, id, fields, new Date(now))
          return yield* Effect.orDie(read(store, id))
        })
      )
    })

    const update = Effect.fn("Brands.update")(function* (store: StoreContext, id: string, patch: BrandPatch) {
      const now = new Date(yield* Clock.currentTimeMillis)
      return yield* database.write(store.id)(
        Effect.gen(function* () {
          const pictured = yield* Effect.result(logoOf(store, patch))
          const current = yield* orFail(repository.lock(store.id, id), notFound(id))
          const { logo } = yield* checkAll({
            name: checkFilled("name", patch.name),
            slug: checkSlug(patch.slug),
            logo: orAsBefore(pictured, { given: patch.logoKey, before: current.logoKey, unchanged: {} }),
            channels: checkChannelsOf(store.id, patch.salesChannelIds)
          })
          const fields: BrandFields = { ...current, ...patch, ...logo, name: (patch.name ?? current.name).trim() }
          yield* repository.update(store.id, id, fields, now)
          return yield* read(store, id)
        })
      )
    })

    /**
     * Products no longer have the brand. It takes no longer for a brand with many products: none of them is written.
     */
    const remove = Effect.fn("Brands.remove")(function* (store: StoreContext, id: string) {
      const now = new Date(yield* Clock.currentTimeMillis)
      const removed = yield* database.write(store.id)(repository.remove(store.id, id, now))
      if (!removed) return yield* new BrandNotFound({ id })
    })

    return {
      create,
      update,
      remove,
      get: read,
      list: (store: StoreContext, page: Page, filter: BrandFilter) =>
        mapItems(repository.list(store.id, page, filter), (brand) => toBrandView(store, brand)),
      /** The active brands of a channel, sorted by name, for shoppers. */
      shown: (store: StoreContext, { channelId, languages }: StorefrontReader = publicReader) =>
        Effect.map(repository.shown(store.id, channelId), (brands) =>
          brands.map((brand) => readBrandIn(store, brand, languages))
        ),
      /** Those of the ids that are brands of the store. */
      existing: repository.existing,
      /** Maps names to ids of brands; names that no brand has are left out. */
      idsByName: (store: StoreContext, names: ReadonlyArray<string>) => repository.idsByName(store.id, names),
      /** An active brand by its slug. */
      page: (store: StoreContext, slug: string, { channelId, languages }: StorefrontReader = publicReader) =>
        Effect.map(orFail(repository.page(store.id, slug, channelId), notFound(slug)), (brand) =>
          readBrandIn(store, brand, languages)
        )
    }
  })
}) {
  static readonly layer = Layer.effect(Brands, Brands.make).pipe(Layer.provide(BrandRepository.layer))
}
