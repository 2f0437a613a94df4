/** Finds and reads the SQL files of the schema, from the sources as from the built package. */
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

export interface MigrationFile {
  readonly id: number
  /** The file's name without `.sql`, e.g. `0001_database`. */
  readonly name: string
  readonly sql: string
  /** SHA-256 of the text, line ends read as LF, in hex. */
  readonly checksum: string
}

const filePattern = /^(\d{4})_[a-z0-9_]+\.sql$/

/** The package's own `migrations` folder: the nearest one above this module, wherever a bundler put it. */
export const migrationsDirectory = (): string => {
  let folder = dirname(fileURLToPath(import.meta.url))
  for (;;) {
    const candidate = join(folder, "migrations")
    if (existsSync(join(candidate, "0001_database.sql"))) return candidate
    const parent = dirname(folder)
    if (parent === folder)
      throw new Error("the migrations folder of @effect-commerce/core was not found beside its code")
    folder = parent
  }
}

export const readMigrationFiles = (directory: string): ReadonlyArray<MigrationFile> =>
  readdirSync(directory)
    .filter((file) => filePattern.test(file))
    .sort()
    .map((file) => {
      const sql = readFileSync(join(directory, file), "utf8").replaceAll("\r\n", "\n")
      return {
        id: Number(file.slice(0, 4)),
        name: file.slice(0, -4),
        sql,
        checksum: createHash("sha256").update(sql).digest("hex")
      }
    })

/** The tables that these files create, by their final names. */
export const tableNames = (files: ReadonlyArray<MigrationFile>): ReadonlyArray<string> => {
  const renamed = new Map(
    files.flatMap(({ sql }) =>
      [...sql.matchAll(/^ALTER TABLE (\w+) RENAME TO (\w+);/gm)].map(([, from = "", to = ""]) => [from, to] as const)
    )
  )
  const dropped = new Set(
    files.flatMap(({ sql }) => [...sql.matchAll(/^DROP TABLE (\w+);/gm)].map(([, name = ""]) => name))
  )
  return createdTables(files)
    .map((name) => renamed.get(name) ?? name)
    .filter((name) => !dropped.has(name))
}

/** Every name that these files have ever used: of tables, and of the views that keep a table's former name. */
export const usedNames = (files: ReadonlyArray<MigrationFile>): ReadonlyArray<string> => [
  ...new Set([...createdTables(files), ...tableNames(files)])
]

const createdTables = (files: ReadonlyArray<MigrationFile>): ReadonlyArray<string> =>
  files.flatMap(({ sql }) => [...sql.matchAll(/^CREATE (?:UNLOGGED )?TABLE (\w+)/gm)].map(([, name = ""]) => name))

/** A hash of the whole schema, for caches of prepared databases. */
export const schemaHash = (files: ReadonlyArray<MigrationFile>): string =>
  createHash("sha256")
    .update(files.map((file) => `${file.name} ${file.checksum}\n`).join(""))
    .digest("hex")
