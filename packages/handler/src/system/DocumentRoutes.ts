/**
 * GET /api/openapi.json and GET /api/docs: the API document, and the page that shows it to people. Both are made when
 * one of them is first asked for, in small steps beside other requests, and kept compressed.
 */
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { makeCounted } from "../middleware/Limits.ts"
import { type ApiDocument, breathe, makeApiDocument } from "./ApiDocument.ts"
import { pageHeaders, referencePage } from "./ReferencePage.ts"
import { answerStored, storeAnswer } from "./StoredAnswer.ts"

export const documentPath = "/api/openapi.json"
export const referencePath = "/api/docs"
export const documentRoutePaths = [documentPath, referencePath]

/** The document as JSON, written path by path. */
const textOf = Effect.fnUntraced(function* ({ paths, ...rest }: ApiDocument) {
  const written: Array<string> = []
  for (const [path, operations] of Object.entries(paths)) {
    if (written.length % 16 === 0) yield* breathe
    written.push(`${JSON.stringify(path)}:${JSON.stringify(operations)}`)
  }
  yield* breathe
  return `${JSON.stringify(rest).slice(0, -1)},"paths":{${written.join(",")}}}`
})

const both = Effect.fnUntraced(function* (document: ApiDocument) {
  const page = yield* referencePage(document, breathe)
  return {
    document: yield* storeAnswer(yield* textOf(document), "application/json"),
    page: yield* storeAnswer(page, "text/html; charset=utf-8", pageHeaders)
  }
})

/** `basePath`: below which path of the host the routes are reached. */
export const documentRoutes = (api: Parameters<typeof makeApiDocument>[0], basePath: string) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const counted = yield* makeCounted
      // A caller who leaves while it is made does not take it from those who wait.
      const made = yield* Effect.cached(Effect.uninterruptible(Effect.flatMap(makeApiDocument(api, basePath), both)))
      const document = Effect.flatMap(made, (stored) => answerStored(stored.document))
      const page = Effect.flatMap(made, (stored) => answerStored(stored.page))
      return Layer.mergeAll(
        HttpRouter.add("GET", documentPath, counted(document)),
        HttpRouter.add("GET", referencePath, counted(page))
      )
    })
  )
