import { Option } from "effect"
import { Command, Flag } from "effect/cli"
import { runCommand } from "../runCommand.ts"

const list = Command.make("list", {}, () =>
  runCommand(async (settings) => (await import("../payments.ts")).listPayments(settings), {
    json: (found) => found,
    lines: (found) =>
      found.length === 0
        ? ["No payment needs attention."]
        : found.map(
            ({ what, id, storeId, provider, state, reason, since }) =>
              `${since}  ${what} ${id} of ${storeId ?? "every store"} at ${provider}, ${state}: ${reason}`
          )
  })
).pipe(
  Command.withDescription(
    "Names what needs a person: payments that could not be settled for an hour or of which the provider says " +
      "another amount, and notices of payment providers that could not be read. At most 1,000 of each."
  ),
  Command.withExamples([
    { command: "commerce payments list", description: "A line each, the oldest first" },
    {
      command: "commerce payments list --json",
      description: "[{ what, id, storeId, provider, state, reason, since }]"
    }
  ])
)

const reopen = Command.make(
  "reopen",
  {
    provider: Flag.String("provider").pipe(
      Flag.withMetavar("id"),
      Flag.withDescription(
        "Notices of this payment provider alone: its id, or the code of one that serves every store"
      ),
      Flag.optional
    ),
    notice: Flag.String("notice").pipe(Flag.withMetavar("id"), Flag.withDescription("This notice alone"), Flag.optional)
  },
  ({ provider, notice }) =>
    runCommand(
      async (settings) =>
        (await import("../payments.ts")).reopenNotices(settings, {
          providerId: Option.getOrUndefined(provider),
          eventId: Option.getOrUndefined(notice)
        }),
      {
        json: (reopened) => reopened,
        lines: ({ reopened }) => [
          reopened === 1 ? "1 notice is interpreted again." : `${reopened} notices are interpreted again.`
        ]
      }
    )
).pipe(
  Command.withDescription(
    "Opens again the notices of payment providers that were set aside because they could not be read, for a release " +
      "that can read them. A server interprets them within seconds; what cannot be read is set aside again."
  ),
  Command.withExamples([
    { command: "commerce payments reopen", description: "All of them" },
    { command: "commerce payments reopen --provider stripe --json", description: "{ reopened }" }
  ])
)

export const payments = Command.make("payments").pipe(
  Command.withDescription("Payments and notices of payment providers that need attention."),
  Command.withSubcommands([list, reopen])
)
