/**
 * A form with one file: `file`, and texts beside it. The body has been read and bounded by the guard; its parts are
 * taken from it one by one. An unknown part is an error that names it, and so is a second file.
 */
import { unknownName } from "@effect-commerce/core/body/NearestName"
import { Effect, Stream } from "effect"
import type { Multipart } from "effect/http"
import { RequestInvalid } from "../middleware/Refusals.ts"

export interface FormFile {
  readonly bytes: Uint8Array
  readonly contentType: string
  readonly name: string
}

export interface Form {
  readonly file: FormFile | undefined
  readonly texts: ReadonlyMap<string, string>
}

const refuse = (errors: Readonly<Record<string, string>>) => Effect.fail(new RequestInvalid({ errors }))

const unreadable = (error: Multipart.MultipartError) => {
  switch (error.reason._tag) {
    case "TooManyParts":
      return new RequestInvalid({ errors: { body: "has too many parts" } })
    case "FieldTooLarge":
      return new RequestInvalid({ errors: { body: "has a text that is too long" } })
    default:
      return new RequestInvalid({ errors: { body: "must be a whole multipart/form-data form" } })
  }
}

const longestName = 100

/** Why a part does not belong to the form; undefined where it does. */
const partProblem = (part: Multipart.Part, names: ReadonlyArray<string>, hasFile: boolean): string | undefined => {
  if (part._tag === "File")
    return part.key !== "file" ? "send the file as `file`" : hasFile ? "send one file" : undefined
  if (part.key === "file") return "must be sent as a file, with a filename"
  return names.includes(part.key) ? undefined : unknownName(part.key, ["file", ...names])
}

/** The file and the texts with these names; any other part is an error. */
export const readForm = Effect.fnUntraced(function* (
  parts: Stream.Stream<Multipart.Part, Multipart.MultipartError>,
  names: ReadonlyArray<string>
) {
  const texts = new Map<string, string>()
  const errors: Record<string, string> = {}
  let file: FormFile | undefined
  yield* Stream.runForEach(parts, (part) =>
    Effect.gen(function* () {
      const bytes = part._tag === "File" ? yield* part.contentEffect : undefined
      const problem = partProblem(part, names, file !== undefined)
      if (problem !== undefined) errors[part.key.slice(0, longestName)] = problem
      else if (part._tag === "Field") texts.set(part.key, part.value)
      else if (bytes !== undefined) file = { bytes, contentType: part.contentType, name: part.name }
    })
  ).pipe(Effect.catchTag("MultipartError", (error) => Effect.fail(unreadable(error))))
  if (Object.keys(errors).length > 0) return yield* refuse(errors)
  return { file, texts } as Form
})

/** The one file of a form that has to have one. */
export const readFile = (parts: Stream.Stream<Multipart.Part, Multipart.MultipartError>) =>
  Effect.flatMap(readForm(parts, []), ({ file }) =>
    file === undefined ? refuse({ file: "is required" }) : Effect.succeed(file)
  )
