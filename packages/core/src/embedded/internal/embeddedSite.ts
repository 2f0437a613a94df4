/**
 * One data directory as one process uses it. `enter` and `leave` run under the launch lock, so a server is never
 * stopped between another process's decision to attach and its first session.
 */
import { createHash, randomBytes } from "node:crypto"
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmdirSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { Redacted } from "effect"
import type { ConnectionOptions } from "../../database/ConnectionOptions.ts"
import type { EmbeddedOptions } from "../EmbeddedOptions.ts"
import {
  type Access,
  checkServerVersion,
  clusterPath,
  type DataDirectory,
  makePrivateFolder,
  openDataDirectory,
  placeCluster,
  readAccess
} from "./dataDirectory.ts"
import { countOtherSessions, ensureDatabase, type Keeper, openKeeper } from "./embeddedSessions.ts"
import { takeLaunchLock } from "./launchLock.ts"
import { type NativeBinaries, nativeBinaries } from "./nativeBinaries.ts"
import {
  awaitServer,
  initialiseCluster,
  isServing,
  type Postmaster,
  readPostmaster,
  startServer,
  stopServer,
  syncCluster
} from "./postmaster.ts"
import { type ProcessOwner, serverOwner } from "./processOwner.ts"

export interface EmbeddedSite {
  /** Attaches or starts, and keeps a session open from then on. True if the server was started. */
  readonly enter: () => Promise<boolean>
  /** Resolves when the open session is lost. */
  readonly lost: () => Promise<void>
  /** Closes the session; stops the server if nobody else has one. */
  readonly leave: () => Promise<void>
  readonly connection: () => ConnectionOptions
}

interface Site {
  readonly data: DataDirectory
  readonly owner: ProcessOwner | undefined
  readonly access: Access
  readonly durable: boolean
  readonly database: string
}

export const openEmbeddedSite = (options: EmbeddedOptions): EmbeddedSite => {
  const data = openDataDirectory(options.dataDir)
  const site: Site = {
    data,
    owner: serverOwner(data.path),
    access: readAccess(data),
    durable: options.durable ?? true,
    database: options.database ?? "commerce"
  }
  let held: { readonly keeper: Keeper; readonly server: Postmaster; readonly cluster: string } | undefined

  const enter = () =>
    locked(data, async () => {
      await held?.keeper.close()
      held = undefined
      const cluster = clusterPath(data, site.owner)
      const running = await attachable(cluster)
      const server = running ?? (await launch(site, cluster))
      const admin = connectionTo(server, site.access, "postgres")
      await ensureDatabase(admin, site.database)
      held = { keeper: await openKeeper(admin), server, cluster }
      return running === undefined
    })

  const leave = () =>
    locked(data, async () => {
      if (held === undefined) return
      const { keeper, server, cluster } = held
      held = undefined
      await keeper.close()
      const unused =
        options.exclusive === true || (await countOtherSessions(connectionTo(server, site.access, "postgres"))) === 0
      if (!unused) return
      await stopServer(cluster, () => nativeBinaries(site.owner))
      removeRuntimeFolder(server.socketDirectory)
    })

  return {
    enter,
    leave,
    lost: () => held?.keeper.lost ?? Promise.resolve(),
    connection: () => {
      if (held === undefined) throw new Error("the embedded PostgreSQL has not been entered")
      return connectionTo(held.server, site.access, site.database)
    }
  }
}

const locked = async <A>(data: DataDirectory, body: () => Promise<A>): Promise<A> => {
  const release = await takeLaunchLock(data.lock)
  try {
    return await body()
  } finally {
    release()
  }
}

const connectionTo = (server: Postmaster, access: Access, database: string): ConnectionOptions => ({
  ...(server.socketDirectory === ""
    ? { host: "127.0.0.1", port: server.port }
    : { path: join(server.socketDirectory, `.s.PGSQL.${server.port}`) }),
  username: access.username,
  password: Redacted.make(access.password),
  database
})

const attachable = async (cluster: string): Promise<Postmaster | undefined> => {
  const found = readPostmaster(cluster)
  return found !== undefined && isServing(cluster, found) ? await awaitServer(cluster) : undefined
}

/** Settings that trade safety for speed; a crash of the machine then loses the cluster. */
const carelessSettings = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=300"]

const launch = async (site: Site, cluster: string): Promise<Postmaster> => {
  const binaries = nativeBinaries(site.owner)
  const isNew = !existsSync(join(cluster, "PG_VERSION"))
  if (isNew) makeCluster(site, binaries, cluster)
  else checkServerVersion(cluster)
  const socketDirectory = process.platform === "win32" ? undefined : runtimeFolder(cluster, site.owner)
  const settings = site.durable ? [] : carelessSettings
  const server = await startServer({
    cluster,
    binaries,
    owner: site.owner,
    socketDirectory,
    log: site.data.log,
    settings
  })
  if (isNew && site.durable) syncCluster(binaries, site.owner, cluster)
  return server
}

/**
 * Created under another name and moved into place when complete, so that a starter killed in between leaves nothing
 * that looks like a database.
 */
const makeCluster = (site: Site, binaries: NativeBinaries, cluster: string): void => {
  const folder = dirname(cluster)
  for (const entry of readdirSync(folder)) {
    if (entry.startsWith(`${basename(cluster)}.new`)) rmSync(join(folder, entry), { recursive: true, force: true })
  }
  // A unique name: the initdb of a killed starter may still be writing to an older one.
  const partial = `${cluster}.new-${randomBytes(4).toString("hex")}`
  makePrivateFolder(partial, site.owner)
  const secrets = mkdtempSync(join(shortTemporaryFolder(), "commerce-pg-init-"))
  try {
    const passwordFile = join(secrets, "password")
    writeFileSync(passwordFile, site.access.password, { mode: 0o600 })
    if (site.owner !== undefined)
      for (const path of [secrets, passwordFile]) chownSync(path, site.owner.uid, site.owner.gid)
    initialiseCluster(binaries, site.owner, partial, passwordFile)
  } finally {
    rmSync(secrets, { recursive: true, force: true })
  }
  placeCluster(partial, cluster)
}

/**
 * The folder of the socket. A socket's full path may have some 100 bytes, so it is not in the data directory. Only the
 * server's user may enter the folder.
 */
const runtimeFolder = (cluster: string, owner: ProcessOwner | undefined): string => {
  const name = `commerce-pg-${createHash("sha256").update(cluster).digest("hex").slice(0, 12)}`
  const path = join(shortTemporaryFolder(), name)
  try {
    mkdirSync(path, { mode: 0o700 })
    if (owner !== undefined) chownSync(path, owner.uid, owner.gid)
  } catch {
    const { uid, mode } = lstatSync(path)
    const ours = lstatSync(path).isDirectory() && uid === (owner?.uid ?? process.getuid?.()) && (mode & 0o077) === 0
    if (!ours) return privateFolderOfAnyName(name, owner)
  }
  return path
}

/** Removes the folder only if it is empty: a file in it would be a server's. */
const removeRuntimeFolder = (folder: string): void => {
  try {
    if (folder !== "") rmdirSync(folder)
  } catch {
    return
  }
}

const privateFolderOfAnyName = (name: string, owner: ProcessOwner | undefined): string => {
  const path = mkdtempSync(join(shortTemporaryFolder(), `${name}-`))
  if (owner !== undefined) chownSync(path, owner.uid, owner.gid)
  return path
}

const longestFolder = 60

const shortTemporaryFolder = (): string =>
  tmpdir().length <= longestFolder || process.platform === "win32" ? tmpdir() : "/tmp"
