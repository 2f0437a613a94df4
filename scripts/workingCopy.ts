/**
 * A copy of the working tree to break or build things in: every file that git knows or would add, and links to the
 * installed packages.
 */
import { execFileSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs"
import { dirname, join } from "node:path"

/** `copy` is an empty folder. Our own packages are the copied ones, not those of `root`. */
export const copyWorkingTree = (root: string, copy: string): void => {
  const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], {
    cwd: root,
    encoding: "utf8"
  }).split("\0")
  for (const file of files) {
    // Listed and not there: deleted, and not committed yet.
    if (file === "" || !existsSync(join(root, file))) continue
    mkdirSync(join(copy, dirname(file)), { recursive: true })
    cpSync(join(root, file), join(copy, file), { force: true })
  }
  linkModules(root, copy, "node_modules")
  for (const name of readdirSync(join(root, "packages")))
    linkModules(root, copy, join("packages", name, "node_modules"))
}

const linkModules = (root: string, copy: string, folder: string): void => {
  for (const name of entriesOf(join(root, folder))) {
    if (name === "@effect-commerce" || name === ".vite") continue
    mkdirSync(join(copy, folder), { recursive: true })
    symlinkSync(join(root, folder, name), join(copy, folder, name))
  }
  for (const name of entriesOf(join(root, folder, "@effect-commerce"))) {
    mkdirSync(join(copy, folder, "@effect-commerce"), { recursive: true })
    symlinkSync(join(copy, "packages", name), join(copy, folder, "@effect-commerce", name))
  }
}

const entriesOf = (folder: string): ReadonlyArray<string> => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
