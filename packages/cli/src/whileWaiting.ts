/** Shows on a terminal what the command is waiting for, once it takes longer than a second. */
import { Effect, Fiber } from "effect"

const patience = "1 second"

export const whileWaiting =
  (words: string, stream: NodeJS.WriteStream = process.stderr) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    stream.isTTY
      ? Effect.gen(function* () {
          const saying = yield* Effect.forkChild(
            Effect.delay(
              Effect.sync(() => stream.write(`${words} …\n`)),
              patience
            )
          )
          return yield* Effect.ensuring(work, Fiber.interrupt(saying))
        })
      : work
