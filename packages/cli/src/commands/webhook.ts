import { Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { runAlone } from "../runCommand.ts"

const work = () => import("../webhooks.ts")
const secret = Flag.String("secret").pipe(Flag.withDescription("The subscription's signing secret, whsec_ included"))
const file = Argument.String("file").pipe(Argument.withDescription("Holds the raw body; standard input when absent"), Argument.optional)

const sign = Command.make(
  "sign",
  { secret, timestamp: Flag.String("timestamp").pipe(Flag.withMetavar("ms"), Flag.withDescription("Unix milliseconds; now when absent"), Flag.optional), file },
  (flags) =>
    runAlone(
      async () => (await work()).signBody({ secret: flags.secret, timestamp: Option.getOrUndefined(flags.timestamp), file: Option.getOrUndefined(flags.file) }),
      { lines: ({ timestamp, signature }) => [`X-Svc-Timestamp: ${timestamp}`, `X-Svc-Signature: ${signature}`] }
    )
).pipe(
  Command.withDescription("Signs a body as a delivery is signed: hex HMAC-SHA256 of `<timestamp>.<raw body>`, keyed with the whole secret."),
  Command.withExamples([{ command: "commerce webhook sign --secret whsec_… body.json", description: "To send yourself a delivery" }])
)

const verify = Command.make(
  "verify",
  {
    secret,
    timestamp: Flag.String("timestamp").pipe(Flag.withMetavar("ms"), Flag.withDescription("X-Svc-Timestamp, Unix milliseconds")),
    signature: Flag.String("signature").pipe(Flag.withMetavar("hex"), Flag.withDescription("X-Svc-Signature, 64 hex digits")),
    now: Flag.String("now").pipe(Flag.withMetavar("ms"), Flag.withDescription("Unix milliseconds to judge by; now when absent"), Flag.optional),
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
    "Verifies a delivery's raw bytes. Prints valid, or exits 1 with the reason: mismatch (other bytes or another secret), stale or future (more than five minutes from now), malformed (no 64 hex digits)."
  ),
  Command.withExamples([
    {
      command: "commerce webhook verify --secret whsec_… --timestamp 1767323045678 --signature 277a… body.json",
      description: "The headers and body as they came"
    }
  ])
)

export const webhook = Command.make("webhook").pipe(Command.withDescription("Signs and verifies webhook deliveries."), Command.withSubcommands([sign, verify]))
