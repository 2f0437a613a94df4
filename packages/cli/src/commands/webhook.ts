import { Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { settingFlags } from "../root.ts"
import { runAlone, runCommand, withFlags } from "../runCommand.ts"

const work = () => import("../webhooks.ts")
const secret = Flag.String("secret").pipe(Flag.withDescription("The subscription's signing secret, whsec_ included"))
const file = Argument.String("file").pipe(
  Argument.withDescription("Holds the raw body; standard input when absent"),
  Argument.optional
)

const sign = Command.make(
  "sign",
  {
    secret,
    timestamp: Flag.String("timestamp").pipe(
      Flag.withMetavar("ms"),
      Flag.withDescription("Unix milliseconds; now when absent"),
      Flag.optional
    ),
    file
  },
  (flags) =>
    runAlone(
      async () =>
        (await work()).signBody({
          secret: flags.secret,
          timestamp: Option.getOrUndefined(flags.timestamp),
          file: Option.getOrUndefined(flags.file)
        }),
      { lines: ({ timestamp, signature }) => [`X-Svc-Timestamp: ${timestamp}`, `X-Svc-Signature: ${signature}`] }
    )
).pipe(
  Command.withDescription(
    "Signs a body as a delivery is signed: hex HMAC-SHA256 of `<timestamp>.<raw body>`, keyed with the whole secret."
  ),
  Command.withExamples([
    { command: "commerce webhook sign --secret whsec_… body.json", description: "To send yourself a delivery" }
  ])
)

const verify = Command.make(
  "verify",
  {
    secret,
    timestamp: Flag.String("timestamp").pipe(
      Flag.withMetavar("ms"),
      Flag.withDescription("X-Svc-Timestamp, Unix milliseconds")
    ),
    signature: Flag.String("signature").pipe(
      Flag.withMetavar("hex"),
      Flag.withDescription("X-Svc-Signature, 64 hex digits")
    ),
    now: Flag.String("now").pipe(
      Flag.withMetavar("ms"),
      Flag.withDescription("Unix milliseconds to judge by; now when absent"),
      Flag.optional
    ),
    file
  },
  (flags) =>
    runAlone(
      async () => {
        const { timestamp, signature } = flags
        return (await work()).verifyBody({
          secret: flags.secret,
          timestamp,
          signature,
          now: Option.getOrUndefined(flags.now),
          file: Option.getOrUndefined(flags.file)
        })
      },
      { lines: ({ valid, reason }) => [valid ? "valid" : `not valid: ${reason}`] }
    )
).pipe(
  Command.withDescription(
    "Verifies a delivery's raw bytes. Prints valid, or exits 1 with the reason: mismatch (other bytes or another " +
      "secret), stale or future (more than five minutes from now), malformed (no 64 hex digits)."
  ),
  Command.withExamples([
    {
      command: "commerce webhook verify --secret whsec_… --timestamp 1767323045678 --signature 277a… body.json",
      description: "The headers and body as they came"
    }
  ])
)

const events = () => import("../webhookEvents.ts")

const listen = Command.make(
  "listen",
  {
    store: Flag.String("store").pipe(Flag.withMetavar("id"), Flag.withDescription("The store whose events to forward")),
    events: Flag.String("events").pipe(
      Flag.withMetavar("type"),
      Flag.withDescription("An event type, order.* for all of one resource; once for each, all when absent"),
      Flag.atLeast(0)
    ),
    forward: Flag.String("forward").pipe(
      Flag.withMetavar("url"),
      Flag.withDescription("Where to send them, http://localhost:… included")
    )
  },
  (asked) =>
    withFlags(async (flags) => {
      const { readSettings } = await import("../Settings.ts")
      const { store: storeId, events: types, forward } = asked
      await (await events()).listenToEvents(readSettings(settingFlags(flags)), {
        storeId,
        events: types,
        forward,
        json: flags.json
      })
    })
).pipe(
  Command.withDescription(
    "Forwards a store's events to a URL while you develop, as they happen, with the raw body and the headers of a " +
      "delivery. They are signed with a secret that is shown at the start and stays the same for the store. Each is " +
      "sent once. Ctrl-C ends it."
  ),
  Command.withExamples([
    {
      command: "commerce webhook listen --store store_… --events 'order.*' --forward http://localhost:3000/hooks",
      description: "Beside a running serve"
    }
  ])
)

const replay = Command.make(
  "replay",
  { id: Argument.String("id").pipe(Argument.withDescription("The event's id, evt_…")) },
  (input) =>
    runCommand(async (settings) => (await events()).replayEvent(settings, input.id), {
      lines: ({ eventId, type, deliveries }) => [
        `${eventId} ${type}: ` +
          (deliveries.length === 0 ? "no active subscription hears it" : `sent to ${deliveries.length}`),
        ...deliveries.map(
          ({ subscriptionId, url, status, statusCode, error }) =>
            `${subscriptionId}  ${url}  ${status}  ${statusCode ?? error ?? "-"}`
        )
      ]
    })
).pipe(
  Command.withDescription(
    "Sends an event once more, with the same id, to every active subscription that hears it. What fails is tried " +
      "again like any other delivery."
  ),
  Command.withExamples([
    { command: "commerce webhook replay evt_… --json", description: "After an endpoint was mended" }
  ])
)

export const webhook = Command.make("webhook").pipe(
  Command.withDescription("Signs, verifies, forwards and replays webhook deliveries."),
  Command.withSubcommands([sign, verify, listen, replay])
)
