/**
 * The data directory of an embedded installation: marker, root secret, database password, cluster. Everything in it is ours or it is refused.
 */
import { createHash, randomBytes } from "node:crypto"
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, renameSync, statSync, writeFileSync } from "node:fs"
import { spawnSync } from "node:child_process"
import { dirname, join, resolve } from "node:path"
import { EmbeddedPostgresUnavailable } from "./EmbeddedPostgresUnavailable.ts"
import type { RunAs } from "./nativeBinaries.ts"

const major = "18"
const marker = "commerce.json"

export interface DataDirectory {
  readonly path: string
  /** PGDATA. */
  readonly cluster: string
  /** Short folder of the socket, the lock and the list of users. */
  readonly run: string
  readonly password: string
  readonly runAs: RunAs | undefined
}

/** Who PostgreSQL, which refuses to be root, runs as: nobody in particular unless we are root. */
const runAsOf = (path: string): RunAs | undefined => {
  if (process.platform === "win32" || process.getuid?.() !== 0) return undefined
  const { uid, gid } = statSync(path)
  if (uid !== 0) return { uid, gid }
  const passwd = readFileSync("/etc/passwd", "utf8").split("\n")
  for (const name of ["postgres", "nobody"]) {
    const entry = passwd.find((line) => line.startsWith(`${name}:`))?.split(":")
    if (entry?.[2] !== undefined && entry[3] !== undefined) return { uid: Number(entry[2]), gid: Number(entry[3]) }
  }
  throw new EmbeddedPostgresUnavailable("PostgreSQL refuses to run as root and there is neither a user postgres nor nobody: give DATABASE_URL")
}

const canEnter = (path: string, as: RunAs | undefined): boolean =>
  as === undefined || spawnSync("/bin/sh", ["-c", 'cd "$1"', "sh", path], { uid: as.uid, gid: as.gid, stdio: "ignore" }).status === 0

/** Writes a file once: the first of several starters wins, and all read what it wrote. */
const onceFile = (path: string, make: () => string): string => {
  if (!existsSync(path)) {
    const part = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`
    writeFileSync(part, make(), { mode: 0o600 })
    if (existsSync(path)) return readFileSync(path, "utf8")
    renameSync(part, path)
  }
  return readFileSync(path, "utf8")
}

const claim = (path: string, runAs: RunAs | undefined, mark: string): string => {
  const entries = readdirSync(path).filter((name) => !name.startsWith(`${marker}.`))
  if (entries.length > 0 && !entries.includes(marker)) {
    throw new EmbeddedPostgresUnavailable(`${path} is not empty and is not a data directory of ours: name another with --data-dir`)
  }
  // A folder that PostgreSQL's user cannot enter keeps everything but the cluster.
  const outside = join("/var/lib/effect-commerce", mark)
  const inside = join(path, "postgres")
  const text = onceFile(join(path, marker), () => {
    const cluster = canEnter(path, runAs) ? inside : outside
    return JSON.stringify({ format: 1, postgres: major, cluster })
  })
  const found = readMarker(path, text)
  if (found.format > 1 || Number(found.postgres) > Number(major)) {
    throw new EmbeddedPostgresUnavailable(`${path} was made by a newer version (PostgreSQL ${found.postgres}): upgrade this installation`)
  }
  if (found.postgres !== major) {
    throw new EmbeddedPostgresUnavailable(`${path} holds PostgreSQL ${found.postgres} and this version runs ${major}: export with the old version and import with this one`)
  }
  return found.cluster === inside || dirname(found.cluster) === dirname(outside) ? found.cluster : inside
}

const readMarker = (path: string, text: string): { readonly format: number; readonly postgres: string; readonly cluster: string } => {
  try {
    const value = JSON.parse(text) as { format: number; postgres: string; cluster: string }
    if (typeof value.format === "number" && typeof value.postgres === "string" && typeof value.cluster === "string") return value
  } catch {
    // said below
  }
  throw new EmbeddedPostgresUnavailable(`${join(path, marker)} cannot be read: this is not a data directory of ours`)
}

const makeOwned = (path: string, mode: number, as: RunAs | undefined): void => {
  mkdirSync(path, { recursive: true, mode: 0o755 })
  if (as !== undefined) chownSync(path, as.uid, as.gid)
  chmodSync(path, mode)
}

export const openDataDirectory = (dataDir: string): DataDirectory => {
  const asked = resolve(dataDir)
  if (existsSync(asked) && !statSync(asked).isDirectory()) throw new EmbeddedPostgresUnavailable(`${asked} is a file, not a data directory`)
  mkdirSync(asked, { recursive: true })
  const path = realpathSync(asked)
  const mark = createHash("sha256").update(path).digest("hex").slice(0, 12)
  const runAs = runAsOf(path)
  const cluster = claim(path, runAs, mark)
  const run = join(process.platform === "win32" ? path : "/tmp", `commerce-${process.getuid?.() ?? 0}-${mark}`)
  makeOwned(run, 0o700, runAs)
  makeOwned(cluster, 0o700, runAs)
  const password = onceFile(join(path, "database-password"), () => randomBytes(24).toString("base64url"))
  return { path, cluster, run, password, runAs }
}

/** The root secret of an embedded installation, made once (operations.md, COMMERCE_SECRET). */
export const rootSecret = (dataDir: string): string => {
  const { path } = openDataDirectory(dataDir)
  return onceFile(join(path, "secret"), () => randomBytes(48).toString("base64url"))
}
