/**
 * The rules of the house as data: each says what holds and because of what, finds what breaks it, and carries an
 * `example` that does, so that no rule can pass by looking at nothing.
 */
import { platformTables } from "../../src/database/PlatformTables.ts"
import { circlesIn } from "./circles.ts"
import { uncollected } from "./collected.ts"
import { functionsOf } from "./functions.ts"
import {
  besideTheRooms,
  driverRooms,
  handlerFloors,
  largeRooms,
  longFiles,
  longFunctions,
  longLines,
  levels,
  mostFileLines,
  mostRoomLines,
  nodeFolders,
  sharedRepositories,
  sqlElsewhere,
  ownedElsewhere,
  sqlRooms,
  writtenElsewhere
} from "./rooms.ts"
import { importsOf, isCode, packageOf, resolved, roomOf, type Source, withoutComments } from "./sources.ts"

export interface Rule {
  readonly rule: string
  readonly because: string
  /** One line per break: `path: what`. */
  readonly breaks: (sources: ReadonlyArray<Source>) => ReadonlyArray<string>
  readonly example: ReadonlyArray<Source>
}

const file = (path: string, text: string): Source => ({ path: `packages/${path}`, text })

/** What a rule about single imports finds. */
const badImports = (
  sources: ReadonlyArray<Source>,
  isBad: (source: Source, from: string, target: string | undefined, atRunTime: boolean) => boolean
) =>
  sources.filter(isCode).flatMap((source) =>
    importsOf(source)
      .filter(({ from, atRunTime }) => isBad(source, from, resolved(source, from), atRunTime))
      .map(({ from }) => `${source.path}: ${from}`)
  )

const badText = (sources: ReadonlyArray<Source>, pattern: RegExp) =>
  sources.filter(isCode).flatMap((source) =>
    withoutComments(source.text)
      .split("\n")
      .flatMap((line, index) => (pattern.test(line) ? [`${source.path}:${index + 1}: ${line.trim()}`] : []))
  )

/** The key of a service or a reference. */
const serviceTag = /Context\.(?:Service|Reference)(?:<[^()]*>)?(?:\(\))?\(\s*"([^"]+)"/g

const linesOf = ({ text }: Source): number => text.trimEnd().split("\n").length

/** Lines of code of each room of core. */
const roomLines = (sources: ReadonlyArray<Source>): ReadonlyMap<string, number> => {
  const lines = new Map<string, number>()
  for (const source of sources.filter((one) => isCode(one) && isCore(one.path))) {
    const room = roomOf(source.path)
    if (room !== undefined) lines.set(room, (lines.get(room) ?? 0) + linesOf(source))
  }
  return lines
}

const levelOf = (room: string): number => levels.findIndex((level) => level.includes(room))
const isCore = (path: string): boolean => packageOf(path) === "core"
const sqlTemplate = /\bsql(?:<[^`]*>)?`|\bsql\.(?:unsafe|literal)\(/
const mayHoldSql = (path: string): boolean =>
  isCore(path) &&
  (/(?:Repository|View|ReadModel)\.ts$/.test(path) ||
    sqlRooms.includes(roomOf(path) ?? "") ||
    sqlElsewhere.some((listed) => listed.path === path))

/** Everything a file loads at run time, itself included. */
const loadedBy = (start: Source, sources: ReadonlyMap<string, Source>): ReadonlySet<Source> => {
  const seen = new Set<Source>([start])
  for (const source of seen) {
    for (const { from, atRunTime } of importsOf(source)) {
      const target = atRunTime ? sources.get(resolved(source, from) ?? "") : undefined
      if (target !== undefined) seen.add(target)
    }
  }
  return seen
}

/** A named function without a type of its own that is an `Effect.gen` and nothing else. */
const aroundGen = /^ *(?:export )?(?:const )?(\w+)(?:: | = )\([^()]*(?:\([^()]*\)[^()]*)*\) =>\s*Effect\.gen\(/gm

/** The floor of a file of the handler; rooms stand in the order of core. */
const handlerFloor = (path: string): number => {
  const folder = roomOf(path)
  if (folder === undefined) return handlerFloors.indexOf("roots") * 100
  const isErrors = levelOf(folder) >= 0 && /\/[a-z]\w*Errors\.ts$/.test(path)
  const floor = handlerFloors.indexOf(isErrors ? "errors" : levelOf(folder) >= 0 ? "rooms" : folder)
  return floor * 100 + (isErrors ? 0 : Math.max(levelOf(folder), 0))
}

interface TableWrite {
  readonly path: string
  readonly room: string
  readonly table: string
}

const writing = /\b(?:INSERT\s+INTO|DELETE\s+FROM|UPDATE)\s+([a-z_]+)|\bStoreTable<.*> = \{\s*table: "([a-z_]+)"/g

/**
 * Every INSERT, UPDATE and DELETE of core, and every table whose rows `database/StoreTable` writes. A table whose name is
 * a parameter (in the database room only) is left out.
 */
const tableWrites = (sources: ReadonlyArray<Source>): ReadonlyArray<TableWrite> =>
  sources
    .filter((source) => isCode(source) && isCore(source.path))
    .flatMap(({ path, text }) =>
      [...withoutComments(text).matchAll(writing)].map(([, named, declared]) => ({
        path,
        table: named ?? declared ?? "",
        room: roomOf(path) ?? ""
      }))
    )
    .filter(({ room }) => !besideTheRooms.includes(room))

interface MadeTable {
  readonly path: string
  readonly table: string
  /** What the migration is named after: `taxonomy` of `0011_taxonomy.sql` or `0023_taxonomy_brand_links.sql`. */
  readonly room: string
}

const isMigration = ({ path }: Source): boolean => /\/migrations\/\d{4}_[a-z_]+\.sql$/.test(path)

/** Without those that a later migration has dropped. */
const madeTables = (sources: ReadonlyArray<Source>): ReadonlyArray<MadeTable> => {
  const migrations = sources.filter(isMigration)
  const dropped = new Set(
    migrations.flatMap(({ text }) => [...text.matchAll(/^DROP TABLE (\w+)/gm)].map(([, table = ""]) => table))
  )
  return migrations.flatMap(({ path, text }) =>
    [...text.matchAll(/^CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?(\w+)/gm)]
      .map(([, table = ""]) => ({ path, table, room: /\/\d{4}_([a-z]+)/.exec(path)?.[1] ?? "" }))
      .filter(({ table }) => !dropped.has(table))
  )
}

const isWrittenByTrigger = (table: string, sources: ReadonlyArray<Source>): boolean =>
  sources.filter(isMigration).some(({ text }) => new RegExp(`\\b(?:INSERT INTO|UPDATE) ${table}\\b`).test(text))

/** Which room owns a table. */
const ownersOf = (sources: ReadonlyArray<Source>): ReadonlyMap<string, string> =>
  new Map([...madeTables(sources).map(({ table, room }) => [table, room] as const), ...Object.entries(ownedElsewhere)])

const isTesting = (room: string | undefined): boolean => room === "testing" || room === "testservers"

export const rules: ReadonlyArray<Rule> = [
  {
    rule: "packages import downwards only: cli, then handler, then core",
    because:
      "a host that embeds core must not get an HTTP server, and one that embeds the handler must not get a command line",
    breaks: (sources) => {
      const order = ["core", "handler", "cli"]
      return badImports(
        sources,
        (source, _, target) =>
          target !== undefined && order.indexOf(packageOf(target)) > order.indexOf(packageOf(source.path))
      )
    },
    example: [file("core/src/tax/TaxRates.ts", `import { x } from "@effect-commerce/handler/middleware/Codes"`)]
  },
  {
    rule: "core knows no HTTP and no command line",
    because: "core decides; the same use cases serve a request, a command, a worker and a host application",
    breaks: (sources) =>
      badImports(
        sources,
        (source, from) =>
          isCore(source.path) && /^(effect\/(http|http-api|cli)(\/|$)|@effect\/platform-node)/.test(from)
      ),
    example: [file("core/src/tax/TaxRates.ts", `import { HttpServerRequest } from "effect/http"`)]
  },
  {
    rule: "core imports node: modules only where it meets the machine",
    because: "calculators and use cases run in browsers and edge workers, and a test of them needs no machine",
    breaks: (sources) =>
      badImports(
        sources,
        (source, from) =>
          isCore(source.path) &&
          from.startsWith("node:") &&
          !nodeFolders.some((folder) => source.path.startsWith(folder))
      ),
    example: [file("core/src/tax/TaxRates.ts", `import { readFileSync } from "node:fs"`)]
  },
  {
    rule: "the path of a field has one form: items.0.quantity",
    because:
      "schema failures and rooms name fields in the same details.errors, and a form that looks a field up by its path must know one spelling",
    breaks: (sources) => badText(sources, /`[^`]*(?:\w|\})\[\$\{/),
    example: [file("core/src/tax/TaxRate.ts", "errors[`countries[${i}]`] = sentence")]
  },
  {
    rule: "a driver is imported only where sessions are opened",
    because: "tenancy, timeouts and retries hold only if there is one way to the database",
    breaks: (sources) =>
      badImports(
        sources,
        (source, from) =>
          /^(pg|@effect\/sql-pg)(\/|$)/.test(from) &&
          !(isCore(source.path) && driverRooms.includes(roomOf(source.path) ?? ""))
      ),
    example: [file("core/src/cart/CartRepository.ts", `import { PgClient } from "@effect/sql-pg"`)]
  },
  {
    rule: "what is internal to a room stays in it",
    because: "a room can be rebuilt behind its public modules only if nobody reaches past them",
    breaks: (sources) =>
      badImports(sources, (source, _, target) => {
        if (target === undefined || !target.includes("/internal/") || /\/src\/test(?:ing|servers)\//.test(source.path))
          return false
        return packageOf(target) !== packageOf(source.path) || roomOf(target) !== roomOf(source.path)
      }),
    example: [file("core/src/cart/Carts.ts", `import { taxByItem } from "../tax/internal/taxByItem.ts"`)]
  },
  {
    rule: "a room's repository is used by that room, or by a listed read model",
    because: "a table that others write by its repository has no owner, and its invariants no home",
    breaks: (sources) =>
      badImports(sources, (source, _, target) => {
        if (target === undefined || !/\wRepository\.ts$/.test(target)) return false
        if (isCore(source.path) && roomOf(target) === roomOf(source.path)) return false
        return !sharedRepositories.some(({ from, to }) => from === source.path && to === target)
      }),
    example: [file("core/src/cart/Carts.ts", `import { StoreRepository } from "../store/StoreRepository.ts"`)]
  },
  {
    rule: "a table is written by the room that owns it, or by a listed one",
    because: "what always holds of a table is guaranteed in one room; a writer that nobody knows of breaks it",
    breaks: (sources) => {
      const owners = ownersOf(sources)
      const isListed = ({ table, room }: TableWrite) =>
        writtenElsewhere.some((listed) => listed.table === table && listed.room === room)
      return [
        ...new Set(
          tableWrites(sources)
            .filter((write) => owners.get(write.table) !== write.room && !isListed(write))
            .map(({ path, table }) => `${path}: ${table}, of ${owners.get(table) ?? "no migration"}`)
        )
      ]
    },
    example: [file("core/src/cart/CartRepository.ts", "sql`UPDATE stock SET total = 0`")]
  },
  {
    rule: "a migration is named after the room whose tables it makes",
    because: "the name says who owns the tables: 0023_taxonomy_brand_links.sql makes tables of taxonomy",
    breaks: (sources) =>
      madeTables(sources)
        .filter(({ room }) => levelOf(room) < 0)
        .map(({ path, table, room }) => `${path}: makes ${table}, and ${room} is no room of rooms.ts`),
    example: [file("core/migrations/0023_brands.sql", "CREATE TABLE brand_link (\n);")]
  },
  {
    rule: "a table is made with tenant_table(), or listed in database/PlatformTables",
    because: "without row-level security a statement that forgets its store writes into every store",
    breaks: (sources) => {
      const text = sources.filter(isMigration).map((source) => source.text)
      return madeTables(sources)
        .filter(({ table }) => !platformTables.includes(table))
        .filter(({ table }) => !text.some((sql) => sql.includes(`SELECT tenant_table('${table}')`)))
        .map(({ path, table }) => `${path}: add SELECT tenant_table('${table}'); after CREATE TABLE ${table}`)
    },
    example: [file("core/migrations/0023_taxonomy.sql", "CREATE TABLE brand_link (\n);")]
  },
  {
    rule: "what a write locks before its row, named in lockFirst, is locked by its room's repositories",
    because: "a lock whose name is misspelt is nobody else's: two writes that should wait for each other do not",
    breaks: (sources) => {
      const taken = /\b(?:lockStoreFor|lockStoreForAll)\(\s*sql,\s*"(\w+)"|\bcountLocked\(sql, \{\s*table: "(\w+)"/g
      const locks = new Set(
        sources
          .filter(isCode)
          .flatMap(({ path, text }) =>
            [...text.matchAll(taken)].map(([, lock, table]) => `${roomOf(path)} ${lock ?? table}`)
          )
      )
      return sources
        .filter(isCode)
        .flatMap(({ path, text }) =>
          [...text.matchAll(/\blockFirst: "(\w+)"/g)]
            .filter(([, lock]) => lock !== "store" && !locks.has(`${roomOf(path)} ${lock}`))
            .map(([, lock]) => `${path}: no statement of the room locks "${lock}"`)
        )
    },
    example: [file("core/src/tax/TaxRoom.ts", `rows: { taxRate: { table: "tax_rate", lockFirst: "stores" } }`)]
  },
  {
    rule: "what a room declares is in the list that it belongs to",
    because: "what no list has is missing at run time, or does not compile with an error that names no file",
    breaks: uncollected,
    example: [file("core/src/tax/TaxRate.ts", "export const taxRateBound: StoreBound = {}")]
  },
  {
    rule: "every folder of core is a room with a place in the order",
    because: "a room that the order does not name is held by none of these rules",
    breaks: (sources) => {
      const rooms = new Set(
        sources.filter((source) => isCore(source.path)).flatMap((source) => roomOf(source.path) ?? [])
      )
      return [...rooms]
        .filter((room) => levelOf(room) < 0 && !besideTheRooms.includes(room))
        .map((room) => `packages/core/src/${room}: not in rooms.ts`)
    },
    example: [file("core/src/misc/Thing.ts", "")]
  },
  {
    rule: "a room imports rooms beneath it only",
    because: "rooms that need each other are one room; order and pricing can be understood without cart and checkout",
    breaks: (sources) =>
      badImports(sources, (source, _, target) => {
        const [own, other] = [roomOf(source.path), target === undefined ? undefined : roomOf(target)]
        if (target === undefined || !isCore(source.path) || !isCore(target) || own === undefined || other === undefined)
          return false
        return own !== other && !besideTheRooms.includes(own) && levelOf(other) >= levelOf(own)
      }),
    example: [file("core/src/tax/TaxRates.ts", `import type { Cart } from "../cart/Cart.ts"`)]
  },
  {
    rule: "the handler imports downwards: middleware, errors of rooms, rooms, system, adapters, roots",
    because: "a room of routes is read and tested without the whole api, and the roots only collect what rooms declare",
    breaks: (sources) =>
      badImports(sources, (source, _, target) => {
        if (target === undefined || packageOf(source.path) !== "handler" || packageOf(target) !== "handler")
          return false
        const [own, other] = [handlerFloor(source.path), handlerFloor(target)]
        return roomOf(source.path) === roomOf(target) ? other > own : other >= own
      }),
    example: [file("handler/src/middleware/Envelope.ts", `import { taxErrors } from "../tax/taxErrors.ts"`)]
  },
  {
    rule: "order never knows cart",
    because: "orders also come from the admin API, from drafts and from imports; a cart is one way of many",
    breaks: (sources) =>
      badImports(
        sources,
        (source, _, target) =>
          target !== undefined && isCore(source.path) && roomOf(source.path) === "order" && roomOf(target) === "cart"
      ),
    example: [file("core/src/order/Orders.ts", `import type { Cart } from "../cart/Cart.ts"`)]
  },
  {
    rule: "no room uses the testing modules",
    because: "it starts databases and moves clocks",
    breaks: (sources) =>
      badImports(
        sources,
        (source, _, target) => target !== undefined && isTesting(roomOf(target)) && !isTesting(roomOf(source.path))
      ),
    example: [file("core/src/order/Orders.ts", `import { open } from "../testing/TestDatabase.ts"`)]
  },
  {
    rule: "a declaration loads no use case, no SQL and no node: module, at any depth",
    because: "a typed client is built from the declarations without server code",
    breaks: (sources) => {
      const byPath = new Map(sources.filter(isCode).map((source) => [source.path, source]))
      const isServer = ({ from, atRunTime }: { from: string; atRunTime: boolean }) =>
        atRunTime && /^(node:|@effect\/|effect\/sql)/.test(from)
      return [...byPath.values()]
        .filter(({ path }) => /\/handler\/src\/.*Api\.ts$/.test(path))
        .flatMap((api) =>
          [...loadedBy(api, byPath)]
            .filter(
              (source) =>
                (isCore(source.path) && /extends Context\.Service\b/.test(source.text)) ||
                importsOf(source).some(isServer)
            )
            .map((source) => `${api.path}: loads ${source.path}`)
        )
    },
    example: [
      file("handler/src/tax/TaxApi.ts", `import { TaxView } from "@effect-commerce/core/tax/TaxView"`),
      file("core/src/tax/TaxView.ts", `import { TaxRates } from "./TaxRates.ts"`),
      file("core/src/tax/TaxRates.ts", `export class TaxRates extends Context.Service<TaxRates, {}>()("x") {}`)
    ]
  },
  {
    rule: "a room has the same name in every package",
    because: `"where is shipping?" has one answer per package`,
    breaks: (sources) => {
      const own = ["middleware", "adapters", "system", "testing"]
      const rooms = new Set(
        sources.filter(({ path }) => packageOf(path) === "handler").flatMap(({ path }) => roomOf(path) ?? [])
      )
      return [...rooms]
        .filter((room) => levelOf(room) < 0 && !own.includes(room))
        .map((room) => `packages/handler/src/${room}: no room of core`)
    },
    example: [file("handler/src/goods/GoodsApi.ts", "")]
  },
  {
    rule: "SQL is written in repositories, views and the rooms beneath all tenants' tables",
    because: "every statement that can miss its store_id is in a file one knows to read",
    breaks: (sources) =>
      badText(
        sources.filter((source) => !mayHoldSql(source.path)),
        sqlTemplate
      ),
    example: [file("core/src/tax/TaxRates.ts", "const rows = sql<Row>`SELECT 1`")]
  },
  {
    rule: "nothing reads the machine's clock",
    because: "one clock is corrected to the database's and moved by tests; a second one disagrees with it",
    breaks: (sources) => badText(sources, /\bDate\.now\(|\bnew Date\(\s*\)/),
    example: [file("core/src/tax/TaxRates.ts", "const at = new Date()")]
  },
  {
    rule: "a file name says what is in it",
    because: "utils, helpers and common grow until everything depends on them",
    breaks: (sources) =>
      sources
        .map(({ path }) => path)
        .filter((path) => /(^|\/)(utils?|common|helpers?|shared|misc|types|index)(\/|\.ts$)/i.test(path)),
    example: [file("core/src/tax/utils.ts", "")]
  },
  {
    rule: "a source file has at most 300 lines",
    because: "a longer one holds two subjects",
    breaks: (sources) =>
      sources.filter(isCode).flatMap((source) => {
        const lines = linesOf(source)
        return lines > (longFiles[source.path] ?? mostFileLines) ? [`${source.path}: ${lines} lines`] : []
      }),
    example: [file("core/src/tax/TaxRates.ts", "a\n".repeat(301))]
  },
  {
    rule: "a room of core has at most 2,500 lines",
    because: "a larger one is two rooms, and is not read in an hour",
    breaks: (sources) =>
      [...roomLines(sources)].flatMap(([room, lines]) =>
        lines > (largeRooms[room] ?? mostRoomLines) ? [`${room}: ${lines} lines`] : []
      ),
    example: [file("core/src/tax/TaxRates.ts", "a\n".repeat(2_501))]
  },
  {
    rule: "a line has at most 120 columns",
    because: "a line that is longer is not read to its end",
    breaks: (sources) =>
      sources
        .filter((source) => isCode(source) && !longLines.some((listed) => listed.path === source.path))
        .flatMap(({ path, text }) =>
          text
            .split("\n")
            .flatMap((line, index) =>
              line.length > 120 && !/https?:\/\/\S{40}/.test(line)
                ? [`${path}:${index + 1}: ${line.length} columns`]
                : []
            )
        ),
    example: [file("core/src/tax/TaxRates.ts", "a".repeat(121))]
  },
  {
    rule: "a function has at most 60 lines of its own; functions inside it are counted by themselves",
    because: "a longer one does several things, and a test can reach only all of them together",
    breaks: (sources) =>
      sources
        .filter((source) => isCode(source) && !longFunctions.some((listed) => listed.path === source.path))
        .flatMap(({ path, text }) =>
          functionsOf(text)
            .filter(({ lines }) => lines > 60)
            .map(({ line, lines }) => `${path}:${line}: ${lines} lines`)
        ),
    example: [file("core/src/tax/TaxRates.ts", `const f = () => {\n${"a()\n".repeat(59)}}`)]
  },
  {
    rule: "no file imports itself by way of others, types included",
    because: "files that need each other are understood and changed only together",
    breaks: (sources) => circlesIn(sources).map((circle) => circle.join(" -> ")),
    example: [
      file("core/src/tax/TaxRate.ts", `import type { TaxRates } from "./TaxRates.ts"`),
      file("core/src/tax/TaxRates.ts", `import type { TaxRate } from "./TaxRate.ts"`)
    ]
  },
  {
    rule: "a span has the name of its service and method",
    because: "a log line says in which use case it was written; a name that was copied points to another",
    breaks: (sources) =>
      sources
        .filter(isCode)
        .flatMap(({ path, text }) =>
          [...text.matchAll(/(\w+)(?:: | = )Effect\.fn\(\s*("(\w+)\.(\w+)")?/g)]
            .filter(([, method, name, , named]) => name === undefined || method !== named)
            .map(([, method, name]) => `${path}: ${method} is called ${name ?? "nothing"}`)
        ),
    example: [file("core/src/tax/TaxRates.ts", `const remove = Effect.fn("TaxRates.update")(function* () {})`)]
  },
  {
    rule: "a function that yields is an Effect.fnUntraced or an Effect.fn, not an arrow around Effect.gen",
    because: "a function has one of three forms, and CONTRIBUTING says which",
    breaks: (sources) =>
      sources
        .filter(isCode)
        .flatMap(({ path, text }) => [...text.matchAll(aroundGen)].map(([, name]) => `${path}: ${name}`)),
    example: [file("core/src/tax/TaxRates.ts", "const remove = (id: string) =>\n  Effect.gen(function* () {})")]
  },
  {
    rule: "every export has a name",
    because: "a thing is found by one name everywhere, and renamed in one step",
    breaks: (sources) => badText(sources, /^\s*export default\b|\bas default\b/),
    example: [file("core/src/tax/TaxRates.ts", "export default 1")]
  },
  {
    rule: "every room of core says on one page what it owns",
    because: "who may write a table is asked before the code is read",
    breaks: (sources) => {
      const rooms = new Set(
        sources.filter((source) => isCore(source.path) && isCode(source)).flatMap((source) => roomOf(source.path) ?? [])
      )
      const pages = new Map(
        sources
          .filter(({ path }) => path.endsWith("/README.md"))
          .map(({ path, text }) => [path, text.trimEnd().split("\n").length])
      )
      return [...rooms].flatMap((room) => {
        const lines = pages.get(`packages/core/src/${room}/README.md`)
        return lines === undefined
          ? [`packages/core/src/${room}: no README.md`]
          : lines > 40
            ? [`packages/core/src/${room}/README.md: ${lines} lines`]
            : []
      })
    },
    example: [file("core/src/tax/TaxRates.ts", "")]
  },
  {
    rule: "a service is named after the room that it is in",
    because: "a message that a service is missing says where it is",
    breaks: (sources) =>
      sources
        .filter(isCode)
        .flatMap((source) =>
          [...withoutComments(source.text).matchAll(serviceTag)].flatMap(([, tag = ""]) =>
            tag.startsWith(`@effect-commerce/${[packageOf(source.path), roomOf(source.path)].join("/")}`)
              ? []
              : [`${source.path}: ${tag}`]
          )
        ),
    example: [
      file(
        "core/src/tax/TaxRates.ts",
        'class TaxRates extends Context.Service<TaxRates>()("@effect-commerce/core/checkout/TaxRates", {}) {}'
      )
    ]
  },
  {
    rule: "every exception is in use",
    because: "an exception nobody needs is a door left open",
    breaks: (sources) => {
      const byPath = new Map(sources.map((source) => [source.path, source]))
      const uses = (from: string, to: string): boolean => {
        const source = byPath.get(from)
        return source !== undefined && importsOf(source).some((entry) => resolved(source, entry.from) === to)
      }
      const writes = tableWrites(sources)
      return [
        ...sharedRepositories
          .filter(({ from, to }) => !uses(from, to))
          .map(({ from, to }) => `${from}: does not use ${to}`),
        ...sqlElsewhere
          .filter(({ path }) => !sqlTemplate.test(byPath.get(path)?.text ?? ""))
          .map(({ path }) => `${path}: holds no SQL`),
        ...Object.keys(longFiles)
          .filter((path) => linesOf(byPath.get(path) ?? file(path, "")) <= mostFileLines)
          .map((path) => `${path}: is not long`),
        ...Object.keys(largeRooms)
          .filter((room) => (roomLines(sources).get(room) ?? 0) <= mostRoomLines)
          .map((room) => `${room}: is not large`),
        ...longLines
          .filter(({ path }) => !(byPath.get(path)?.text ?? "").split("\n").some((line) => line.length > 120))
          .map(({ path }) => `${path}: has no long line`),
        ...longFunctions
          .filter(({ path }) => functionsOf(byPath.get(path)?.text ?? "").every(({ lines }) => lines <= 60))
          .map(({ path }) => `${path}: has no long function`),
        ...writtenElsewhere
          .filter(({ table, room }) => !writes.some((write) => write.table === table && write.room === room))
          .map(({ table, room }) => `${table}: is not written by ${room}`),
        ...madeTables(sources)
          .filter(({ table, room }) => ownedElsewhere[table] === room)
          .map(({ path, table }) => `${path}: ${table} need not be in ownedElsewhere`),
        ...[...ownersOf(sources)]
          .filter(([table, room]) => !writes.some((write) => write.table === table && write.room === room))
          .filter(([table]) => !isWrittenByTrigger(table, sources))
          .map(([table, room]) => `${table}: is not written by ${room}`)
      ]
    },
    example: []
  }
]
