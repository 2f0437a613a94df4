/**
 * Puts a program that was just built beside what is there: a server that runs may still load a part of the program it
 * was started from, so parts (named by their content) are left for a day. `main.js` is put in place last and at once,
 * and two that build at the same moment build the same. Migrations are read as a folder: one that was renamed or taken
 * away goes at once, else the next start would apply it.
 */
import { chmodSync, globSync, mkdirSync, renameSync, rmSync, statSync, utimesSync } from "node:fs"
import { dirname, join } from "node:path"

const dayMs = 86_400_000

/** Moves every file of `fresh` into `dist`; `began` is when the building of it did. */
export const putInPlace = (fresh: string, dist: string, began: Date): void => {
  const files = globSync("**/*.*", { cwd: fresh })
  for (const file of [...files.filter((each) => each !== "main.js"), "NOTICE", "main.js"]) {
    mkdirSync(dirname(join(dist, file)), { recursive: true })
    // What is changed from now on makes this bundle old, also what is changed while it is built.
    utimesSync(join(fresh, file), began, began)
    if (file === "main.js") chmodSync(join(fresh, file), 0o755)
    renameSync(join(fresh, file), join(dist, file))
  }
  for (const file of globSync("*.js", { cwd: dist })) {
    const path = join(dist, file)
    if (!files.includes(file) && began.getTime() - statSync(path).mtimeMs > dayMs) rmSync(path, { force: true })
  }
  for (const file of globSync("migrations/*.sql", { cwd: dist }))
    if (!files.includes(file)) rmSync(join(dist, file), { force: true })
}
