/** Faults in what hosts and operators rely on: a host's transaction, the auditor, the doctor. */
import type { Fault } from "../plantedFaults.ts"

const core = (path: string) => [`packages/core/test/${path}.test.ts`]
const handler = (path: string) => [`packages/handler/test/${path}.test.ts`]

export const operatingFaults: ReadonlyArray<Fault> = [
  {
    id: "host.search-path",
    breaks: "A host's client comes back from commerce looking for its tables in ours",
    file: "packages/core/src/host/internal/hostLending.ts",
    find: "if (was[`changed${i}`] !== null) before.push(",
    replace: "if (was[`changed${i}`] === null) before.push(",
    tests: handler("embedding/HostPool.pg"),
    noticedBy: "gives every client back with the host's search_path"
  },
  {
    id: "host.provider-inside",
    breaks: "A card is charged inside a host's transaction, whose rollback takes the order back and not the money",
    file: "packages/core/src/completion/Completion.ts",
    find: "yield* refuseInHostTransaction(`completing a checkout through the payment provider ${method.provider.code}`)",
    replace: "",
    tests: handler("embedding/HostPool.pg"),
    noticedBy: "refuses one that a provider must be paid for"
  },
  {
    id: "host.role-kept",
    breaks: "A host goes on as our role after a call: its own tables are closed to it",
    file: "packages/core/src/host/internal/guestTransaction.ts",
    find: `const borrowed = ["role", "timezone",`,
    replace: `const borrowed = ["timezone",`,
    tests: core("host/HostTransaction.pg"),
    noticedBy: "puts the host's role, store, time zone and bounds back"
  },
  {
    id: "audit.more-than-movements",
    breaks: "The auditor does not see units that nobody has received",
    file: "packages/core/src/inventory/inventoryLaws.ts",
    find: "s.total <> coalesce(m.moved, 0)",
    replace: "s.total < coalesce(m.moved, 0)",
    tests: handler("audit/Laws.pg"),
    noticedBy: "names the row where stock.total is broken"
  },
  {
    id: "audit.moving-books",
    breaks: "The auditor could change what it looks at, and sees each law at another moment",
    file: "packages/core/src/audit/AuditRepository.ts",
    find: `"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"`,
    replace: `"BEGIN"`,
    tests: handler("audit/Laws.pg"),
    noticedBy: "refuses a store that is not there, and writes nothing"
  },
  {
    id: "serve.ready-early",
    breaks: "A balancer sends shoppers to a server whose store is not made yet",
    file: "packages/cli/src/serveCommerce.ts",
    find: "let isReady = false",
    replace: "let isReady = true",
    tests: ["packages/cli/test/FirstRun.process.test.ts"],
    noticedBy: "is not ready before the demo store is filled"
  },
  {
    id: "serve.demo-key-to-all",
    breaks: "A demo that others can reach shows them an admin key",
    file: "packages/cli/src/serveCommerce.ts",
    find: `withKey: settings.isAlone`,
    replace: `withKey: true`,
    tests: ["packages/cli/test/Demo.process.test.ts"],
    noticedBy: "shows no key where others can reach it"
  },
  {
    id: "serve.lost-key",
    breaks: "The hint for a lost first key makes a key with fewer scopes than the first had",
    file: "packages/cli/src/keys.ts",
    find: "asked.everyScope ? everyScope : asked.scopes",
    replace: `asked.everyScope ? everyScope.slice(0, 5) : asked.scopes`,
    tests: ["packages/cli/test/StartLines.process.test.ts"],
    noticedBy: "says how to make a key with every scope"
  },
  {
    id: "handler.start-page-links",
    breaks: "Below a base path such as /shop/api the links of the start page lead to the host's 404",
    file: "packages/handler/src/system/StartPage.ts",
    find: '`${basePath.slice(basePath.lastIndexOf("/") + 1)}/`',
    replace: "`${basePath.slice(1)}/`",
    tests: handler("system/StartPage.pg"),
    noticedBy: "is below the base path of a host"
  },
  {
    id: "serve.progress-in-words",
    breaks: "A newcomer whose output goes through a pipe sees a line of JSON in place of what is being done",
    file: "packages/cli/src/serveCommerce.ts",
    find: "process.stderr.isTTY && !process.stdout.isTTY ? note",
    replace: "process.stderr.isTTY && process.stdout.isTTY ? note",
    tests: ["packages/cli/test/Terminal.process.test.ts"],
    noticedBy: "a first run says in plain words what it does"
  },
  {
    id: "serve.host-logger",
    breaks: "A host's logger that fails, on a full disk say, fails every request that has something to say",
    file: "packages/handler/src/system/LogLines.ts",
    find: "guarded(choice)",
    replace: "choice",
    tests: handler("system/Logs.pg"),
    noticedBy: "takes no request with it where it fails"
  },
  {
    id: "seed.unknown-section",
    breaks: "A misspelt section of a store description is passed over, and its rows are missed weeks later",
    file: "packages/cli/src/seed/document.ts",
    find: "if (!sections.includes(section))",
    replace: "if (!sections.includes(section)) continue\n    if (name === section)",
    tests: ["packages/cli/test/Seed.pg.test.ts"],
    noticedBy: "is refused with its row and field"
  },
  {
    id: "doctor.force",
    breaks: "The doctor finds nothing where the tables' owner writes other stores' rows",
    file: "packages/core/src/migration/internal/tableChecks.ts",
    find: "WHERE NOT (c.relrowsecurity AND c.relforcerowsecurity)",
    replace: "WHERE NOT c.relrowsecurity",
    tests: core("migration/Diagnosis.pg"),
    noticedBy: "notices what keeps tenants apart no longer"
  }
]
