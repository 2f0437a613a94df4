/**
 * Keeps what Node compiles of our modules from one start to the next, which halves the time until `serve` answers. It
 * is kept in a folder of this user's own, as programs are: whoever could write there could run code as us. Where there
 * is no such folder, nothing is kept.
 */
import { lstatSync, mkdirSync } from "node:fs"
import { enableCompileCache } from "node:module"
import { homedir } from "node:os"
import { join } from "node:path"

/** Before anything else is loaded. Node's own NODE_COMPILE_CACHE and NODE_DISABLE_COMPILE_CACHE go before this. */
export const keepCompiledModules = (): void => {
  const folder = join(
    process.getuid?.() === 0 ? "/var/cache" : join(homedir(), ".cache"),
    "effect-commerce",
    "compiled"
  )
  if (isOurs(folder)) enableCompileCache(process.env["NODE_COMPILE_CACHE"] ?? folder)
}

const isOurs = (folder: string): boolean => {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o755 })
    const { uid, mode } = lstatSync(folder)
    return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0)
  } catch {
    return false
  }
}
