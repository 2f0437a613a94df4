/**
 * A form with one file: `file`, and texts beside it. The body has been read and bounded by the guard; its parts are
 * taken from it one by one. Other texts are ignored, a second file or one under another name is refused.
 */
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

export const readForm = Effect.fnUntraced(function* (parts: Stream.Stream<Multipart.Part, Multipart.MultipartError>) {
  const texts = new Map<string, string>()
  let file: FormFile | undefined
  yield* Stream.runForEach(parts, (part) =>
    Effect.gen(function* () {
      if (part._tag === "Field") {
        if (part.key === "file") return yield* refuse({ file: "must be sent as a file, with a filename" })
        texts.set(part.key, part.value)
        return
      }
      const bytes = yield* part.contentEffect
      if (part.key !== "file") return yield* refuse({ [part.key.slice(0, 100)]: "send the file as `file`" })
      if (file !== undefined) return yield* refuse({ file: "send one file" })
      file = { bytes, contentType: part.contentType, name: part.name }
    })
  ).pipe(Effect.catchTag("MultipartError", (error) => Effect.fail(unreadable(error))))
  return { file, texts } as Form
})

/** The one file of a form that has to have one. */
export const readFile = (parts: Stream.Stream<Multipart.Part, Multipart.MultipartError>) =>
  Effect.flatMap(readForm(parts), ({ file }) =>
    file === undefined ? refuse({ file: "is required" }) : Effect.succeed(file)
  )
