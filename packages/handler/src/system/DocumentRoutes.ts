/**
 * GET /api/openapi.json, and GET /api/docs with what its page loads: the document with samples of code, the values that
 * they are filled with, the page's script and the renderer's files. Documents are made at the first request for one of
 * them, in small steps between other requests; they are kept compressed.
 */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { isLocal } from "../middleware/ClientAddress.ts"
import { Exchange } from "../middleware/Exchange.ts"
import { makeCounted } from "../middleware/Limits.ts"
import { RouteUnknown } from "../middleware/Refusals.ts"
import { type ApiDocument, breathe, makeApiDocument } from "./ApiDocument.ts"
import type { Json } from "./DocumentedParameters.ts"
import { pageHeaders, referencePage, referenceScript } from "./reference/ReferencePage.ts"
import { referenceOperations, referenceParameters, referenceSchemes } from "./reference/ReferenceDocument.ts"
import { referenceIntroduction } from "./reference/ReferenceIntroduction.ts"
import { HostReferenceValues, valuesFor } from "./reference/ReferenceValues.ts"
import { scalarFiles } from "./reference/ScalarFiles.ts"
import { answerStored, type StoredAnswer, storeAnswer } from "./StoredAnswer.ts"

const documentPath = "/api/openapi.json"
const referencePath = "/api/docs"
const below = (name: string): `/${string}` => `${referencePath}/${name}`
const [withSamplesPath, valuesPath, scriptPath] = [below("reference.json"), below("values.json"), below("reference.js")]
const rendererPaths = [below("scalar/:file"), below("scalar/chunks/:file")] as const
export const documentRoutePaths = [
  documentPath,
  referencePath,
  withSamplesPath,
  valuesPath,
  scriptPath,
  ...rendererPaths
]

/** The document as JSON, written path by path. */
const textOf = Effect.fnUntraced(function* ({ paths, ...rest }: { readonly paths: Json }) {
  const written: Array<string> = []
  for (const [path, operations] of Object.entries(paths)) {
    if (written.length % 16 === 0) yield* breathe
    written.push(`${JSON.stringify(path)}:${JSON.stringify(operations)}`)
  }
  yield* breathe
  return `${JSON.stringify(rest).slice(0, -1)},"paths":{${written.join(",")}}}`
})

const withSamples = Effect.fnUntraced(function* (document: ApiDocument, basePath: string) {
  const paths: Record<string, Json> = {}
  for (const path of Object.keys(document.paths)) {
    paths[path] = referenceOperations(document, path, basePath)
    yield* breathe
  }
  const { components } = document
  const securitySchemes = referenceSchemes(components.securitySchemes)
  const parameters = referenceParameters(components.parameters)
  return {
    ...document,
    ...referenceIntroduction(document),
    paths,
    components: { ...components, parameters, securitySchemes }
  }
})

const both = (basePath: string) =>
  Effect.fnUntraced(function* (document: ApiDocument) {
    const sampled = yield* withSamples(document, basePath)
    return {
      plain: yield* storeAnswer(yield* textOf(document), "application/json"),
      sampled: yield* storeAnswer(yield* textOf(sampled), "application/json")
    }
  })

const script = "text/javascript; charset=utf-8"

/** Reads each file of the renderer once. The names of chunks change with their content. */
const makeRenderer = Effect.sync(() => {
  const files = scalarFiles()
  const kept = new Map<string, Promise<StoredAnswer>>()
  const stored = (name: string, read: () => Promise<string>): Promise<StoredAnswer> => {
    const known = kept.get(name)
    if (known !== undefined) return known
    const reading = read().then((text) => Effect.runPromise(storeAnswer(text, script)))
    kept.set(name, reading)
    // A file that could not be read is read again by the next request.
    reading.catch(() => kept.delete(name))
    return reading
  }
  return (name: string) => {
    const read = files.get(name)
    return read === undefined ? Effect.fail(new RouteUnknown()) : Effect.promise(() => stored(name, read))
  }
})

/** `basePath`: the path of the host below which the routes are. */
export const documentRoutes = (api: Parameters<typeof makeApiDocument>[0], basePath: string) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const counted = yield* makeCounted
      const referenceValues = yield* HostReferenceValues
      // A caller who disconnects while it is made does not interrupt it for the others.
      const made = yield* Effect.cached(
        Effect.uninterruptible(Effect.flatMap(makeApiDocument(api, basePath), both(basePath)))
      )
      const page = yield* Effect.cached(storeAnswer(referencePage, "text/html; charset=utf-8", pageHeaders))
      const pageScript = yield* Effect.cached(storeAnswer(referenceScript, script))
      const renderer = yield* Effect.cached(makeRenderer)
      const values = Effect.gen(function* () {
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        const { ip } = yield* Exchange
        const shown = valuesFor(referenceValues(), { isLocal: isLocal(ip, headers), host: headers["host"] })
        return HttpServerResponse.jsonUnsafe(shown, { headers: { "cache-control": "no-store" } })
      })
      const file = Effect.fnUntraced(function* (folder: string) {
        const { file: name = "" } = yield* HttpRouter.params
        return yield* answerStored(yield* (yield* renderer)(`${folder}${name}`), folder !== "")
      })
      return Layer.mergeAll(
        HttpRouter.add("GET", documentPath, counted(Effect.flatMap(made, ({ plain }) => answerStored(plain)))),
        HttpRouter.add("GET", referencePath, counted(Effect.flatMap(page, (stored) => answerStored(stored)))),
        HttpRouter.add("GET", withSamplesPath, counted(Effect.flatMap(made, ({ sampled }) => answerStored(sampled)))),
        HttpRouter.add("GET", valuesPath, counted(values)),
        // The other files of the page are the same for everybody and served from memory: no limit counts them.
        HttpRouter.add(
          "GET",
          scriptPath,
          Effect.flatMap(pageScript, (stored) => answerStored(stored))
        ),
        HttpRouter.add("GET", rendererPaths[0], file("")),
        HttpRouter.add("GET", rendererPaths[1], file("chunks/"))
      )
    })
  )
