import { Option } from "effect"
import { Command, Flag } from "effect/cli"
import { withFlags } from "../runCommand.ts"

export const openapi = Command.make(
  "openapi",
  {
    out: Flag.String("out").pipe(
      Flag.withMetavar("file"),
      Flag.withDescription("Write it to this file; standard output when absent"),
      Flag.optional
    )
  },
  ({ out }) =>
    withFlags(async ({ json }) => (await import("../writeDocument.ts")).writeDocument(Option.getOrUndefined(out), json))
).pipe(
  Command.withDescription(
    "Prints the OpenAPI 3.1 document of the HTTP surface, the one a server answers at /api/openapi.json. Needs no " +
      "database."
  ),
  Command.withExamples([{ command: "commerce openapi --out openapi.json", description: "For a client generator" }])
)
