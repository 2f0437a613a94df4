/**
 * Gives the goods and departments of the demo store their pictures. A file of the media library is stored outside of
 * transactions, so this comes after the store is filled: first the files that are missing, then, in one transaction,
 * everything that shows them. A start that is cut short in between leaves goods without pictures, and the next one
 * finds the files that are there.
 */
import { Products } from "@effect-commerce/core/catalog/Products"
import { Installations } from "@effect-commerce/core/identity/Installations"
import { MediaAssets } from "@effect-commerce/core/media/MediaAssets"
import { RequestOrigin } from "@effect-commerce/core/media/MediaUrls"
import type { StoreContext } from "@effect-commerce/core/store/StoreContext"
import { Clock, Effect } from "effect"
import { loadInto } from "../seed.ts"
import { demoStore } from "./demoStore.ts"
import { type DemoPicture, demoPictures } from "./pictures.ts"
import type { SeedDocument } from "./SeedDocument.ts"

/** Whether the goods are without pictures: they all get theirs in one transaction, so one of them tells. */
const isBare = Effect.fnUntraced(function* (store: StoreContext, { products = [] }: SeedDocument) {
  const catalogue = yield* Products
  const [first] = products
  if (first === undefined) return false
  const id = (yield* catalogue.idsByExternal(store, [first.externalId])).get(first.externalId)
  return id !== undefined && (yield* catalogue.get(store, { id }, "admin")).images.length === 0
})

const upload = Effect.fnUntraced(function* (context: StoreContext, { name, shows, draw }: DemoPicture) {
  const file = { bytes: draw(), contentType: "image/png", name }
  return yield* (yield* MediaAssets).upload(context, file, { alt: `A drawing of ${shows}` })
})

/** The rows of the description that show a picture, with it: `keys` are by department. */
const withPictures = (
  { categories = [], products = [] }: SeedDocument,
  keys: ReadonlyMap<string, string>
): SeedDocument => ({
  categories: categories.flatMap(({ externalId, name }) => {
    const imageKey = keys.get(externalId)
    return imageKey === undefined ? [] : [{ externalId, name, imageKey }]
  }),
  products: products.flatMap(({ externalId, name, categories: [department = ""] = [] }) => {
    const key = keys.get(department)
    const shows = demoPictures.find((picture) => picture.department === department)?.shows ?? ""
    return key === undefined ? [] : [{ externalId, name, images: [{ key, alt: `${name}: a drawing of ${shows}` }] }]
  })
})

/**
 * Does nothing where the goods have pictures already. `origin` is where the files are read when no public address is
 * set, such as `http://127.0.0.1:4000`. Two servers that start at once may both store the files; one of them shows its
 * own, and the other's stay in the library unused.
 */
export const pictureDemo = Effect.fn("Demo.picture")(
  function* (store: StoreContext, _origin: string) {
    const demo = demoStore(yield* Clock.currentTimeMillis)
    if (!(yield* isBare(store, demo))) return
    const { items } = yield* (yield* MediaAssets).list(store, "demo-", { page: 1, limit: 100 })
    const present = new Map(items.map((asset) => [asset.name, asset]))
    const keys = new Map<string, string>()
    for (const picture of demoPictures) {
      const { key } = present.get(picture.name) ?? (yield* upload(store, picture))
      keys.set(picture.department, key)
    }
    const show = Effect.gen(function* () {
      if (yield* isBare(store, demo)) yield* loadInto(store.id, () => withPictures(demo, keys))
    })
    yield* (yield* Installations).firstRun(show)
  },
  (work, _store, origin) => Effect.provideService(work, RequestOrigin, () => origin)
)
