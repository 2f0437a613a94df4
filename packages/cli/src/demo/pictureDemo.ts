/**
 * Gives the demo store its pictures: draws them, stores the files in the media library and shows them, one page of
 * products after the other in the order of the shop. Files are stored outside of transactions; what shows those of one
 * page is one transaction. An interrupted start is continued by the next one, which finds the stored files and skips
 * the pages that show theirs.
 */
import { Products } from "@effect-commerce/core/product/Products"
import { Installations } from "@effect-commerce/core/team/Installations"
import type { MediaAsset } from "@effect-commerce/core/media/MediaAsset"
import { MediaAssets } from "@effect-commerce/core/media/MediaAssets"
import { RequestOrigin } from "@effect-commerce/core/media/MediaUrls"
import type { StoreContext } from "@effect-commerce/core/store/StoreContext"
import { Clock, Effect } from "effect"
import { loadInto } from "../seed.ts"
import { unseen } from "../seed/ProgressLine.ts"
import { demoStore } from "./demoStore.ts"
import { type DemoPicture, type Pictured, picturesOf } from "./pictures.ts"
import type { SeedDocument } from "./SeedDocument.ts"
import { webpDrawer } from "./webp.ts"

/** Products whose pictures are shown by one transaction. */
const pageLength = 24
/** Files that the media library lists at a time. */
const listed = 100

interface Page {
  readonly products: ReadonlyArray<Pictured>
  readonly categories: ReadonlyArray<Pictured>
  readonly brands: ReadonlyArray<Pictured>
}

/** Departments and brands are on the first page. */
const pagesOf = ({ products, categories, brands }: ReturnType<typeof picturesOf>): ReadonlyArray<Page> =>
  Array.from({ length: Math.ceil(products.length / pageLength) }, (_, i) => ({
    products: products.slice(i * pageLength, (i + 1) * pageLength),
    categories: i === 0 ? categories : [],
    brands: i === 0 ? brands : []
  }))

/** Whether the page shows no pictures yet: they are added in one transaction, so checking one product is enough. */
const isBare = Effect.fnUntraced(function* (store: StoreContext, { products: [first] }: Page) {
  const catalogue = yield* Products
  if (first === undefined) return false
  const id = (yield* catalogue.idsByExternal(store, [first.externalId])).get(first.externalId)
  return id !== undefined && (yield* catalogue.get(store, { id }, "admin")).images.length === 0
})

/** The files that an earlier start has stored, by name. */
const storedFiles = Effect.fnUntraced(function* (store: StoreContext) {
  const library = yield* MediaAssets
  const files = new Map<string, MediaAsset>()
  for (let page = 1; ; page += 1) {
    const { items } = yield* library.list(store, "demo-", { page, limit: listed })
    for (const file of items) files.set(file.name, file)
    if (items.length < listed) return files
  }
})

/** The rows of the description that show a page's pictures. */
const withPictures = (page: Page, files: ReadonlyMap<string, MediaAsset>): SeedDocument => {
  const fileOf = ({ pictures: [picture] }: Pictured) => files.get(picture?.name ?? "")
  return {
    categories: page.categories.map((one) => ({
      externalId: one.externalId,
      name: one.name,
      imageKey: fileOf(one)?.key
    })),
    brands: page.brands.map((one) => ({ externalId: one.externalId, name: one.name, logo: fileOf(one)?.url })),
    products: page.products.map(({ externalId, name, pictures, variants }) => ({
      externalId,
      name,
      images: pictures.map((picture) => ({ key: files.get(picture.name)?.key, alt: picture.alt })),
      ...(variants.length === 0
        ? {}
        : {
            variants: variants.map((variant) => ({
              externalId: variant.externalId,
              image: files.get(variant.picture)?.url
            }))
          })
    }))
  }
}

/**
 * Returns how many pictures were drawn: none where the products show theirs already, and where sharp, which makes files
 * of drawings, is not installed. `origin` is where the files are read when no public address is set, such as
 * `http://127.0.0.1:4000`. Two servers that start at once may both store files; one of them shows its own, and the
 * other's stay in the library unused. `mostPages`: draws only the pictures of the first products.
 */
export const pictureDemo = Effect.fnUntraced(
  function* (store: StoreContext, _origin: string, mostPages = Number.POSITIVE_INFINITY) {
    const all = pagesOf(picturesOf(demoStore(yield* Clock.currentTimeMillis)))
    const pages = yield* Effect.filter(all.slice(0, mostPages), (page) => isBare(store, page))
    const webpOf = pages.length === 0 ? undefined : yield* webpDrawer
    if (webpOf === undefined) return 0
    const library = yield* MediaAssets
    const files = yield* storedFiles(store)
    let drawn = 0
    const keep = Effect.fnUntraced(function* ({ name, alt, svg }: DemoPicture) {
      if (files.has(name)) return
      const bytes = yield* webpOf(svg())
      files.set(name, yield* library.upload(store, { bytes, contentType: "image/webp", name }, { alt }))
      drawn += 1
    })
    for (const page of pages) {
      const shown = [...page.products, ...page.categories, ...page.brands]
      for (const picture of shown.flatMap(({ pictures }) => pictures)) yield* keep(picture)
      const show = Effect.gen(function* () {
        if (yield* isBare(store, page)) yield* loadInto(store.id, () => withPictures(page, files), unseen)
      })
      yield* (yield* Installations).firstRun(show)
    }
    return drawn
  },
  (work, _store, origin, _mostPages = 0) => Effect.provideService(work, RequestOrigin, () => origin)
)
