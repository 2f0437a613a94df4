/**
 * `npm run -s api:check`: compares the API document with docs/api-contract.ndjson, what was accepted last. Every
 * difference is a line, and one that breaks programs is called so. `--write` accepts them, once a changeset says what
 * has changed.
 */
import { Effect } from "effect"
import { Api } from "../packages/handler/src/Api.ts"
import { makeApiDocument } from "../packages/handler/src/system/ApiDocument.ts"
import { areAccepted, lacking, readChangesets } from "./api/changesets.ts"
import { compareContracts, lineOf } from "./api/compareContracts.ts"
import { type ApiDocument, contractOf, readContract, writeContract } from "./api/contract.ts"

const help = `npm run -s api:check [-- --write]

Compares the API document with docs/api-contract.ndjson and prints each difference:
  BREAKING  a program that was right yesterday fails or reads something else
  changed   what callers may notice
  added     what is new

A changeset that is new or gone is a difference too, without a line.

--write accepts the differences, once a new file in .changeset says what has changed ("major" if something breaks).
`

const known = ["--write", "--help"]
const flags = process.argv.slice(2)
const unknown = flags.find((flag) => !known.includes(flag))
if (unknown !== undefined) {
  process.stderr.write(`${unknown}: no flag of api:check; see --help\n`)
  process.exit(2)
}
if (flags.includes("--help")) {
  process.stdout.write(help)
  process.exit(0)
}

const changesets = readChangesets()
const accepted = readContract()
const document = (await Effect.runPromise(makeApiDocument(Api))) as unknown as ApiDocument
const today = contractOf(
  document,
  changesets.map(({ name }) => name)
)
const changes = compareContracts(accepted, today)
for (const change of changes) process.stdout.write(`${lineOf(change)}\n`)
const missing = lacking(changes, changesets, accepted.changesets)
if (missing !== undefined) {
  process.stderr.write(`Missing: ${missing}.\n`)
  process.exit(1)
}
if (flags.includes("--write")) writeContract(today)
else if (changes.length > 0 || !areAccepted(changesets, accepted.changesets)) {
  process.stderr.write("Accept this by: npm run -s api:check -- --write\n")
  process.exit(1)
}
