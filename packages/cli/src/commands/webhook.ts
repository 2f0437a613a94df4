import { Argument, Command, Flag } from "effect/cli"
import { Option } from "effect"
import { runCommand } from "../runCommand.ts"

const secret = Flag.String("secret").pipe(Flag.withDescription("The subscription's signing secret, whsec_ included"))
const file = Argument.String("file").pipe(Argument.withDescription("The raw body; standard input when absent"), Argument.optional)

const sign = Command.make(
  "sign",
  { secret, timestamp: Flag.Int("timestamp").pipe(Flag.withDescription("Unix milliseconds; now when absent"), Flag.optional), file },
  (flags) =>
    runCommand(async () =>
      (await import("../webhooks.ts")).signBody({ secret: flags.secret, timestamp: Option.getOrUndefined(flags.timestamp), file: Option.getOrUndefined(flags.file) })
    )
).pipe(Command.withDescription("Signs a body as a delivery would be signed."))

const verify = Command.make(
  "verify",
  {
    secret,
    timestamp: Flag.Int("timestamp").pipe(Flag.withDescription("X-Svc-Timestamp, Unix milliseconds")),
    signature: Flag.String("signature").pipe(Flag.withDescription("X-Svc-Signature, 64 hex digits")),
    now: Flag.Int("now").pipe(Flag.withDescription("Unix milliseconds to judge by; now when absent"), Flag.optional),
    file
  },
  (flags) =>
    runCommand(
        async () => {
          const { verifyBody } = await import("../webhooks.ts")
          const { timestamp, signature } = flags
          return verifyBody({ secret: flags.secret, timestamp, signature, now: Option.getOrUndefined(flags.now), file: Option.getOrUndefined(flags.file) })
        },
        ({ valid, reason }) => [valid ? "valid" : `not valid: ${reason}`]
    )
).pipe(Command.withDescription("Verifies a delivery's raw bytes; exits 1 with the reason: stale, future, mismatch or malformed."))

export const webhook = Command.make("webhook").pipe(Command.withDescription("Signs and verifies webhook deliveries."), Command.withSubcommands([sign, verify]))
