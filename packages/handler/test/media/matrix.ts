/** What the tests over all routes need to know of the media library. */
import { png } from "@effect-commerce/core/testing/TestImages"
import { formOf } from "./sendForm.ts"
import type { RoomMatrix } from "../matrix/RoomMatrix.ts"

export const matrix: RoomMatrix = {
  fill: async ({ at, shop }) => {
    const file = await shop.call("POST", "/v1/media", { key: at.apiKey, raw: formOf({ bytes: png(2, 2) }) })
    return { media: file.body.id }
  }
}
