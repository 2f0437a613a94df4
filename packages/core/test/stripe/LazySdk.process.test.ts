import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"

/** Counts how often the SDK is loaded: by the whole of core, by what needs no call, and by the first call. */
const program = `
import { registerHooks } from "node:module"
import { Effect, Redacted } from "effect"
let loaded = 0
registerHooks({
  resolve: (name, context, next) => {
    if (name === "stripe") loaded += 1
    return next(name, context)
  }
})
await import("./src/CommerceCore.ts")
const { stripeProvider } = await import("./src/stripe/StripeProvider.ts")
const account = { storeId: "s", providerId: "stripe", account: "", mode: "test", credentials: [] }
const bare = stripeProvider()
const set = stripeProvider({ secretKey: Redacted.make("sk_test_1"), apiBase: "http://127.0.0.1:1" })
const notice = { headers: {}, body: new TextEncoder().encode("{}") }
await Effect.runPromise(Effect.ignore(bare.check(null)))
await Effect.runPromise(Effect.ignore(set.verifyNotice(account, notice)))
await Effect.runPromise(Effect.ignore(set.readNotice(account, notice.body)))
const before = loaded
await Effect.runPromise(Effect.ignore(set.lookup(account, { key: null, externalId: "pi_1" })))
await Effect.runPromise(Effect.ignore(set.lookup(account, { key: null, externalId: "pi_1" })))
console.log(JSON.stringify({ before, after: loaded }))
`

describe("Stripe's SDK", () => {
  it("is loaded by the first call of Stripe and by nothing before", async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--conditions=source", "--input-type=module", "--eval", program],
      { cwd: join(import.meta.dirname, "../..") }
    )
    expect(JSON.parse(stdout)).toEqual({ before: 0, after: 1 })
  })
})
