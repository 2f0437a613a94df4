/**
 * The packages as `npm publish` would send them, to install what is not published yet: tarballs in
 * `packed/`, and the lines that install them in an application. Built in a copy, never in the working tree.
 *
 *   npm run -s pack
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { packPackages } from "./packed/packPackages.ts"
import { runProgram } from "./packed/runProgram.ts"
import { copyWorkingTree } from "./workingCopy.ts"

const root = join(import.meta.dirname, "..")
const packed = join(root, "packed")
const tree = mkdtempSync(join(tmpdir(), "pack-"))
try {
  if (process.stderr.isTTY) process.stderr.write("Building the packages, which takes a quarter of a minute …\n")
  copyWorkingTree(root, tree)
  await runProgram(process.execPath, ["scripts/build.ts"], { cwd: tree, limit: 900_000 })
  mkdirSync(packed, { recursive: true })
  const tarballs = await packPackages(tree, packed)
  const [libraries, command] = [false, true].map((isCommand) =>
    tarballs
      .filter(({ name }) => (name === "@effect-commerce/cli") === isCommand)
      .map(({ tarball }) => `'${tarball}'`)
      .join(" ")
  )
  console.log(`In your application:\n\nnpm install ${libraries} effect\n\nand for the command, npx commerce:\n`)
  console.log(`npm install ${command}`)
} finally {
  rmSync(tree, { recursive: true, force: true })
}
