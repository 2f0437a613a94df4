import { Command, Flag } from "effect/cli"
import { Effect, Option } from "effect"

export const openapi = Command.make("openapi", { out: Flag.String("out").pipe(Flag.withDescription("Write it to this file"), Flag.optional) }, ({ out }) =>
  Effect.promise(async () => {
    const { writeDocument } = await import("../writeDocument.ts")
    await writeDocument(Option.getOrUndefined(out))
  })
).pipe(Command.withDescription("Prints the OpenAPI 3.1 document of the HTTP surface."))
