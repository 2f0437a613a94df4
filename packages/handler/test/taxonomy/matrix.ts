/** What the tests over all routes need to know of categories, brands and attributes. */
import { below, both, channels, named, none, type RoomMatrix } from "../matrix/RoomMatrix.ts"

export const matrix: RoomMatrix = {
  fill: async ({ admin }) => {
    const brand = await admin("POST", "/v1/brands", { name: "Theirs" })
    const attribute = await admin("POST", "/v1/attributes", { name: "Theirs", options: [{ name: "One" }] })
    return {
      brands: brand.body.id,
      attributes: attribute.body.id,
      options: attribute.body.options[0].id,
      categories: "cat_theirs"
    }
  },
  bodies: {
    "POST /api/v1/attributes/:id/options": { name: "Mine" }
  },
  failingBodies: [
    ...both(
      ["POST /v1/categories", "PATCH /v1/categories/:id"],
      () => ({
        name: " ",
        slug: "no slug!",
        parentId: none,
        imageKey: "none.png",
        translations: { de: { slug: "kein slug!" } },
        salesChannelIds: [none]
      }),
      ["name", "slug", "parentId", "imageKey", "translations.de.slug", "salesChannelIds"]
    ),
    ...both(
      ["POST /v1/brands", "PATCH /v1/brands/:id"],
      () => ({ name: "", slug: "no slug!", logoKey: "none.png", salesChannelIds: [none] }),
      ["name", "slug", "logoKey", "salesChannelIds"]
    ),
    {
      route: "PATCH /v1/attributes/:id",
      body: () => ({ options: [{ id: none }, { _delete: true }, { value: "x" }] }),
      fields: ["options.0.id", "options.1.id", "options.2.name"]
    }
  ],
  idCases: {
    ...below(["POST /v1/categories", "PATCH /v1/categories/:id"], {
      parentId: { body: named },
      imageKey: { body: named, kind: "media" },
      ...channels
    }),
    ...below(["POST /v1/brands", "PATCH /v1/brands/:id"], { logoKey: { body: named, kind: "media" }, ...channels }),
    "PATCH /v1/attributes/:id options.0.id": { kind: "options" }
  }
}
