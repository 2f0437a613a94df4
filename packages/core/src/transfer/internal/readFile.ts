/** Reads a store's file once, from its beginning to its end. */
import { Effect, Stream } from "effect"
import { ImportRefused } from "../TransferErrors.ts"
import type { Header } from "../TransferFormat.ts"
import { type Place, type ReadLine, TransferReader } from "./TransferReader.ts"

export interface Reading<E, R> {
  readonly source: Stream.Stream<Uint8Array, ImportRefused>
  readonly place: Place
  /** Called once, after the first line. */
  readonly begin: (header: Header) => Effect.Effect<void, E, R>
  readonly each: (line: ReadLine, header: Header) => Effect.Effect<void, E, R>
  readonly progress: (bytes: number) => void
}

/** Fails with the first problem of the file; what `each` was given before that was right line by line. */
export const readFile = <E, R>({ source, place, begin, each, progress }: Reading<E, R>) =>
  Effect.suspend(() => {
    const reader = new TransferReader(place)
    let begun: Header | undefined
    const take = Effect.fnUntraced(function* (chunk: Uint8Array) {
      const lines = reader.take(chunk)
      for (;;) {
        const next = yield* attempt(() => lines.next())
        if (begun === undefined && reader.header !== undefined) {
          begun = reader.header
          yield* begin(begun)
        }
        if (next.done === true) break
        if (begun !== undefined) yield* each(next.value, begun)
      }
      progress(chunk.length)
    })
    return Stream.runForEach(source, take).pipe(Effect.andThen(attempt(() => reader.end())), Effect.as(reader))
  })

/** Runs a function that throws ImportRefused; whatever else it throws is a defect. */
const attempt = <A>(run: () => A): Effect.Effect<A, ImportRefused> =>
  Effect.try({ try: run, catch: (error) => error }).pipe(
    Effect.catch((error) => (error instanceof ImportRefused ? Effect.fail(error) : Effect.die(error)))
  )
