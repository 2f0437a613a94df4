/**
 * The layout of a data directory: `commerce.json` marks it as ours, `postgres` holds the server's files (or is a link
 * to where they had to go), `access.json` its password and `secret` the root secret, both readable by their owner only.
 */
import { randomBytes } from "node:crypto"
import {
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { dirname, join, resolve } from "node:path"
import { codeOf } from "./failureCode.ts"
import { postgresMajor } from "./nativeBinaries.ts"
import { canReach, type ProcessOwner } from "./processOwner.ts"

export interface DataDirectory {
  /** Absolute, with links resolved: one folder always has the same name. */
  readonly path: string
  readonly lock: string
  readonly log: string
}

const marker = "commerce.json"
const layoutFormat = 1

/** Creates the directory, or checks that it is ours and of a known version. Throws a message of one line. */
export const openDataDirectory = (dataDir: string): DataDirectory => {
  const asked = resolve(dataDir)
  try {
    makeFolder(asked)
  } catch (cause) {
    throw new Error(`the data directory ${asked} cannot be made: ${whyNotMade[codeOf(cause)] ?? codeOf(cause)}`)
  }
  const path = realpathSync(asked)
  const markerPath = join(path, marker)
  if (!existsSync(markerPath)) {
    const foreign = listed(path).find((entry) => !entry.startsWith(marker))
    if (foreign !== undefined) {
      throw new Error(
        `${asked} is not a data directory of commerce (it holds ${foreign}): give an empty or new one with --data-dir`
      )
    }
    createOnce(markerPath, () => JSON.stringify({ format: layoutFormat, postgres: postgresMajor }))
  }
  checkFormat(asked, markerPath)
  return { path, lock: join(path, "launch.lock"), log: join(path, "postgres.log") }
}

const whyNotMade: Readonly<Record<string, string>> = {
  EEXIST: "a file has that name",
  ENOTDIR: "a file is in its way",
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  ENOENT: "that place takes no folders",
  EROFS: "that place cannot be written to"
}

/**
 * Creates the folder and its missing parents. Not by mkdirSync's `recursive`, which never returns in a folder that can
 * hold no others, such as /proc.
 */
const makeFolder = (path: string): void => {
  try {
    mkdirSync(path, { mode: 0o755 })
  } catch (cause) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return
    if (codeOf(cause) !== "ENOENT" || existsSync(dirname(path))) throw cause
    makeFolder(dirname(path))
    mkdirSync(path, { mode: 0o755 })
  }
}

/** The error for a data directory that cannot be read: only its owner may read it, because it holds secrets. */
const unread = (path: string, cause: unknown): Error =>
  new Error(
    `${path} cannot be read: ` +
      (codeOf(cause) === "EACCES"
        ? "it belongs to another user; run this as that user, or give another --data-dir"
        : codeOf(cause))
  )

const listed = (path: string): ReadonlyArray<string> => {
  try {
    return readdirSync(path)
  } catch (cause) {
    throw unread(path, cause)
  }
}

const textOf = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch (cause) {
    throw unread(path, cause)
  }
}

const checkFormat = (asked: string, markerPath: string): void => {
  const text = textOf(markerPath)
  let format: unknown
  try {
    const parsed: unknown = JSON.parse(text)
    format = typeof parsed === "object" && parsed !== null && "format" in parsed ? parsed.format : undefined
  } catch {
    format = undefined
  }
  if (typeof format !== "number")
    throw new Error(`${asked} is not a data directory of commerce (its ${marker} cannot be read)`)
  if (format > layoutFormat)
    throw new Error(`${asked} was made by a newer version of commerce: update, or give another --data-dir`)
}

/** Throws on the files of another major version of PostgreSQL. */
export const checkServerVersion = (cluster: string): void => {
  const found = Number.parseInt(readFileSync(join(cluster, "PG_VERSION"), "utf8"), 10)
  if (found === postgresMajor) return
  const advice =
    found > postgresMajor
      ? "update commerce"
      : "export the stores with the version that made it, then import them into a new data directory"
  throw new Error(`the data in ${cluster} is of PostgreSQL ${found}, this version brings ${postgresMajor}: ${advice}`)
}

/**
 * The folder of the server's files. If the server's user cannot reach the data directory (a root-only home), they are
 * in a separate folder below /var/lib, and `postgres` links to it.
 */
export const clusterPath = (data: DataDirectory, owner: ProcessOwner | undefined): string => {
  const path = join(data.path, "postgres")
  const entry = lstatSync(path, { throwIfNoEntry: false })
  if (entry?.isSymbolicLink() === true) {
    if (!existsSync(path)) throw new Error(`the database of ${data.path} is gone: ${path} points to nothing`)
    return realpathSync(path)
  }
  if (entry !== undefined || owner === undefined || canReach(owner, path)) return path
  const elsewhere = join("/var/lib/effect-commerce", randomBytes(6).toString("hex"), "postgres")
  mkdirSync(elsewhere, { recursive: true, mode: 0o755 })
  symlinkSync(elsewhere, path)
  return elsewhere
}

/** Moves a finished cluster into place. A folder there that is not a cluster is not ours to remove. */
export const placeCluster = (partial: string, cluster: string): void => {
  try {
    renameSync(partial, cluster)
  } catch (cause) {
    throw new Error(
      `${cluster} holds files that are no PostgreSQL database, and a new one cannot take their place: ${codeOf(cause)}`
    )
  }
}

export interface Access {
  readonly username: string
  readonly password: string
}

/** The login of the embedded server's superuser; made once. */
export const readAccess = (data: DataDirectory): Access => {
  const path = join(data.path, "access.json")
  createOnce(path, () => JSON.stringify({ username: "postgres", password: randomBytes(24).toString("base64url") }))
  const text = textOf(path)
  try {
    const { username, password } = JSON.parse(text) as Access
    return { username, password }
  } catch {
    throw new Error(`${path} is not what commerce wrote there: put it back from a copy of the data directory`)
  }
}

/**
 * The root secret from which keys are derived: 48 random bytes as base64url, made once; a secret put there by hand must
 * have 32 bytes.
 */
export const readRootSecret = (data: DataDirectory): string => {
  const path = join(data.path, "secret")
  createOnce(path, () => randomBytes(48).toString("base64url"))
  if (process.getuid !== undefined && (statSync(path).mode & 0o077) !== 0) {
    throw new Error(`the root secret ${path} can be read by others: set its mode to 0600`)
  }
  const secret = textOf(path).trim()
  if (Buffer.byteLength(secret) < 32) throw new Error(`the root secret ${path} is shorter than 32 bytes`)
  return secret
}

/**
 * Written whole under another name and linked into place: the first of several processes wins and the others read its
 * file.
 */
const createOnce = (path: string, content: () => string): void => {
  if (existsSync(path)) return
  const partial = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`
  try {
    writeFileSync(partial, content(), { mode: 0o600, flag: "wx", flush: true })
    try {
      linkSync(partial, path)
    } catch (cause) {
      if (codeOf(cause) !== "EEXIST") renameSync(partial, path)
    } finally {
      rmSync(partial, { force: true })
    }
  } catch (cause) {
    throw new Error(`${path} cannot be written: ${codeOf(cause)}`)
  }
}

/** A folder only `owner` may enter. */
export const makePrivateFolder = (path: string, owner: ProcessOwner | undefined): void => {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  if (owner !== undefined) chownSync(path, owner.uid, owner.gid)
}
