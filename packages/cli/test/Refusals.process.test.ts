/**
 * Every command with every way to be wrong: a refusal is one line on standard error, nothing on standard output, and
 * the exit code says whose fault it is.
 */
import { createServer, type Server } from "node:net"
import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { commerce, folder } from "./runCli.ts"

const made = folder()
const beside = (name: string): string => join(made.path, "..", name)
const on = ["--data-dir", made.path]
const nowhere = ["--data-dir", beside("nowhere")]
const unreachable = { DATABASE_URL: "postgres://shop:hunter2@127.0.0.1:9/shop", COMMERCE_SECRET: "x".repeat(40) }
let taken: Server

beforeAll(async () => {
  await commerce(["init", ...on])
  mkdirSync(beside("foreign"))
  writeFileSync(join(beside("foreign"), "thesis.doc"), "")
  writeFileSync(beside("broken.json"), "{")
  writeFileSync(beside("list.json"), "[]")
  writeFileSync(beside("latin1.json"), Uint8Array.of(0x7b, 0xff, 0x7d))
  writeFileSync(beside("secret.json"), "{}")
  chmodSync(beside("secret.json"), 0)
  taken = createServer()
  await new Promise<void>((done) => taken.listen(0, "127.0.0.1", done))
})
afterAll(() => {
  taken.close()
  made.remove()
})

const isOneLine = (
  refused: { readonly code: number | null; readonly out: string; readonly err: string },
  code: number
) => {
  expect({ ...refused, err: "" }).toEqual({ code, out: "", err: "" })
  expect(refused.err).toMatch(/^commerce: [^\n]+\n$/)
  expect(refused.err).not.toContain("hunter2")
}

/** Wrong usage: the person who typed it has to type something else. */
const misused: ReadonlyArray<readonly [words: string, says: string]> = [
  ["nonsense", 'Unknown subcommand "nonsense"'],
  ["nonsense --help", 'Unknown subcommand "nonsense" for "commerce" (commerce --help)'],
  ["--help nonsense", 'Unknown subcommand "nonsense"'],
  ["--data-dir x nonsense --help", 'Unknown subcommand "nonsense"'],
  ["keys nonsense", 'for "commerce keys" (commerce keys --help)'],
  ["keys nonsense --help", 'Unknown subcommand "nonsense" for "commerce keys" (commerce keys --help)'],
  ["keys --json nonsense -h", 'for "commerce keys"'],
  ["--nope", "Unrecognized flag: --nope"],
  ["--data-dir", "--data-dir"],
  ["--completions tcsh", "--completions"],
  ["init --nonsense", "--nonsense"],
  ["init --currency", "--currency"],
  ["init --currency XXX", "--currency: must be an ISO 4217 code such as USD"],
  ["init --country XX", "--country: must be an ISO 3166-1 alpha-2 code such as US"],
  ["init --email nobody", "--email: must be an e-mail address"],
  ["init --email a@b.example --password short", "--password: must have at least 8 characters"],
  ["init --password long-enough", "--password: needs --email"],
  ["init extra", 'Unexpected positional argument: "extra"'],
  ["serve --port x", "--port"],
  ["serve --port 70000", "--port: must be a whole number from 0 to 65535"],
  ["serve --port -1", "--port"],
  ["serve --role both", "--role"],
  ["serve --host a/b", "--host: must be an address or a host name"],
  ["serve --demo=maybe", "--demo"],
  ["serve --database-url mysql://h/d", "--database-url: must be a URL that begins with postgres:// or postgresql://"],
  ["migrate sideways", "sideways"],
  ["seed", "give a FILE or --demo, one of the two"],
  ["seed --demo store.json", "give a FILE or --demo, one of the two"],
  ["store create", "--name"],
  ["store create --name x --currency XXX", "--currency"],
  ["store list extra", "extra"],
  ["store suspend", "id"],
  ["store resume a b", '"b"'],
  ["channel create --name x", "--store"],
  ["channel create --store store_1 --name x --mode half", "--mode"],
  ["channel create --store store_1 --name x --domain https://x", "--domain: must be a host name"],
  ["channel create --store store_1 --name x --disable checkout", "--disable"],
  ["channel update", "id"],
  ["channel update vc_1 --enable cart --disable cart", "cannot both be meant"],
  ["keys create --name x", "--scope and --every-scope: one of the two is required"],
  ["keys create --name x --every-scope --scope tax:read", "--scope and --every-scope: give one of the two"],
  ["keys create --scope a:read", "--name"],
  ["app install --scope mappings:read", "--name"],
  ["app install --name x", "--scope: give at least one"],
  ["app install --name x --scope mappings:read --tier gold", "--tier"],
  ["app remove", "id"],
  ["keys create --name x --scope tax:read --tier GOLD", "--tier"],
  ["keys create --name x --scope tax:read --rate-limit 0", "--rate-limit: must be a whole number from 1 to 1000000000"],
  ["keys create --name x --scope tax:read --rate-limit many", "--rate-limit"],
  ["keys create --name x --scope tax:read --expires-at soon", "--expires-at: must be an ISO 8601 time"],
  ["keys create --name x --scope tax:read --store a --account b", "--store and --account: give one of the two"],
  ["keys rotate", "id"],
  ["keys rotate key_1 --overlap-hours 1.5", "--overlap-hours"],
  ["keys rotate key_1 --overlap-hours -1", "--overlap-hours"],
  ["keys revoke", "id"],
  ["store quota", "id"],
  ["store quota store_1 --products -1", "--products"],
  ["store quota store_1 --orders-per-month 1.5", "--orders-per-month: must be"],
  ["store quota store_1 --storage-mb off", "--storage-mb: must be"],
  ["webhook sign", "--secret"],
  ["webhook sign --secret s --timestamp soon", "--timestamp: must be Unix milliseconds"],
  ["webhook verify --secret s --timestamp 1", "--signature"],
  ["webhook verify --secret s --timestamp 1 --signature 00 --now soon", "--now"],
  ["webhook listen --store store_1", "--forward"],
  ["webhook listen --store store_1 --forward ftp://x", "--forward: must be an http:// or https:// URL"],
  ["webhook replay", "id"],
  ["openapi --out", "--out"],
  ["audit --store", "--store"],
  ["doctor extra", "extra"]
]

/** Well said, and refused by what there is. */
const refused: ReadonlyArray<
  readonly [words: ReadonlyArray<string>, says: string, env?: Readonly<Record<string, string>> | undefined]
> = [
  [["init", ...on], "already set up"],
  [["init", "--data-dir", beside("foreign")], "foreign"],
  [["init", "--data-dir", beside("broken.json")], "broken.json"],
  [["serve", "--data-dir", beside("foreign")], "foreign"],
  [["serve", ...on, "--host", "192.0.2.1"], "192.0.2.1 is not an address of this machine"],
  [["serve", ...on], "COMMERCE_PORT: must be", { COMMERCE_PORT: "http" }],
  [["serve", ...on], "COMMERCE_LOG_FORMAT: must be pretty or json", { COMMERCE_LOG_FORMAT: "xml" }],
  [["seed", beside("absent.json"), ...on], "absent.json: cannot be read"],
  [["seed", beside("secret.json"), ...on], "secret.json: cannot be read"],
  [["seed", beside(""), ...on], "cannot be read"],
  [["seed", beside("broken.json"), ...on], "broken.json: is not JSON"],
  [["seed", beside("list.json"), ...on], "list.json: must be a JSON object of lists"],
  [["seed", beside("latin1.json"), ...on], "latin1.json: is not UTF-8 text"],
  [["seed", "--demo", "--store", "store_1", ...on], "no such store: store_1"],
  [["seed", "--demo", ...nowhere], "there is no installation in"],
  [["store", "create", "--name", "x", "--account", "acct_1", ...on], "no such account: acct_1"],
  [["store", "suspend", "store_1", ...on], "no such store: store_1"],
  [["store", "quota", "store_1", "--products", "5", ...on], "no such store: store_1"],
  [["store", "resume", "store_1", ...on], "no such store: store_1"],
  [["channel", "create", "--store", "store_1", "--name", "x", ...on], "no such store: store_1"],
  [["channel", "list", "--store", "store_1", ...on], "no such store: store_1"],
  [["channel", "update", "vc_1", "--name", "x", ...on], "no such sales channel: vc_1"],
  [["keys", "create", "--name", "x", "--scope", "*", ...on], "--scope: * is refused"],
  [["keys", "create", "--name", "x", "--scope", "tax:read", "--store", "store_1", ...on], "no such store: store_1"],
  [["keys", "create", "--name", "x", "--scope", "tax:read", "--account", "acct_1", ...on], "no such account: acct_1"],
  [
    ["keys", "create", "--name", "x", "--scope", "tax:read", "--expires-at", "2020-01-01T00:00:00Z", ...on],
    "--expires-at: lies in the past"
  ],
  [["app", "install", "--name", "x", "--scope", "*", ...on], "--scope: * is refused"],
  [["app", "install", "--name", "x", "--scope", "orders:read", ...on], "--scope: orders:read is refused"],
  [["app", "install", "--name", "x", "--scope", "mappings:*", "--store", "store_1", ...on], "no such store: store_1"],
  [["app", "list", "--store", "store_1", ...on], "no such store: store_1"],
  [["app", "remove", "inst_1", ...on], "no such installation: inst_1"],
  [["keys", "list", "--store", "store_1", ...on], "no such store: store_1"],
  [["keys", "rotate", "key_1", ...on], "key_1"],
  [["keys", "revoke", "key_1", ...on], "key_1"],
  [["webhook", "sign", "--secret", "s", beside("absent")], "absent cannot be read"],
  [
    ["webhook", "verify", "--secret", "s", "--timestamp", "1", "--signature", "00", beside("absent")],
    "absent cannot be read"
  ],
  [["webhook", "listen", "--store", "store_1", "--forward", "http://127.0.0.1:1", ...on], "no such store: store_1"],
  [["webhook", "replay", "evt_1", ...on], "there is no event evt_1"],
  [["openapi", "--out", beside("nowhere/openapi.json")], "cannot be written: ENOENT"],
  [["audit", "--store", "store_1", ...on], "no such store: store_1"],
  [["audit", ...nowhere], "there is no installation in"],
  [["doctor", ...nowhere], "there is no installation in"],
  ...[
    ["init"],
    ["serve"],
    ["migrate"],
    ["migrate", "status"],
    ["seed", "--demo"],
    ["store", "list"],
    ["channel", "list"],
    ["keys", "list"],
    ["audit"]
  ].map((words): readonly [ReadonlyArray<string>, string, Readonly<Record<string, string>>] => [
    words,
    "cannot be reached",
    unreachable
  ])
]

describe("a refusal of the command", () => {
  it.each(misused)("is one line and 2 where the usage is wrong: commerce %s", async (words, says) => {
    const answered = await commerce(words.split(" "), { env: { HOME: made.path } })
    isOneLine(answered, 2)
    expect(answered.err).toContain(says)
  })

  it.each(refused.map(([words, says, env]) => ({ words, says, env })))(
    "is one line and 1: commerce $words",
    async ({ words, says, env }) => {
      const answered = await commerce(words, { env: env ?? {}, asAnybody: words.includes(beside("secret.json")) })
      isOneLine(answered, 1)
      expect(answered.err).toContain(says)
    }
  )

  it("is one line where the port is taken", async () => {
    const address = taken.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    isOneLine(await commerce(["serve", ...on, "--port", String(port)]), 1)
  })

  it("is one line whatever is in the words it repeats, and repeats no more than 200 characters of them", async () => {
    const answered = await commerce(["store", "suspend", `store_\n${"x".repeat(5_000)}`, ...on])
    isOneLine(answered, 1)
    expect(answered.err.length).toBeLessThan(300)
    const typed = await commerce([`non\nsense${"x".repeat(5_000)}`])
    isOneLine(typed, 2)
    expect(typed.err.length).toBeLessThan(500)
  })
})
