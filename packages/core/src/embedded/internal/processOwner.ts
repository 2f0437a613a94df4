/**
 * The user who runs the embedded server. PostgreSQL refuses to run as root, or as a user id without an entry in the
 * user list. If we are not root: ourselves. Root: the owner of the data, else the user `postgres`, else `nobody`.
 */
import { readFileSync, statSync } from "node:fs"
import { dirname } from "node:path"

export interface ProcessOwner {
  readonly uid: number
  readonly gid: number
}

interface UserEntry extends ProcessOwner {
  readonly name: string
}

/** Undefined if no switch is needed: processes have no user ids (Windows), or we are not root. */
export const serverOwner = (dataPath: string): ProcessOwner | undefined => {
  if (process.getuid?.() !== 0) return undefined
  const users = readUsers()
  const owner = ownerOf(dataPath)
  const found =
    users.find((user) => user.uid === owner && user.uid !== 0) ??
    users.find((user) => user.name === "postgres") ??
    users.find((user) => user.name === "nobody")
  if (found === undefined)
    throw new Error("PostgreSQL cannot run as root, and there is no user postgres or nobody to run it as")
  return { uid: found.uid, gid: found.gid }
}

const ownerOf = (path: string): number | undefined => {
  try {
    return statSync(path).uid
  } catch {
    return undefined
  }
}

const readUsers = (): ReadonlyArray<UserEntry> =>
  readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
    .flatMap(([name, , uid, gid]) =>
      name === undefined || uid === undefined || gid === undefined ? [] : [{ name, uid: Number(uid), gid: Number(gid) }]
    )

/**
 * Whether `owner` may pass through every folder above `path`, judged by the mode bits. `path` itself need not exist
 * yet.
 */
export const canReach = (owner: ProcessOwner, path: string): boolean => {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const { mode, uid, gid } = statSync(folder)
    const bit = uid === owner.uid ? 0o100 : gid === owner.gid ? 0o010 : 0o001
    if ((mode & bit) === 0) return false
    if (dirname(folder) === folder) return true
  }
}
