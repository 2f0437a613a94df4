import { existsSync, globSync, readFileSync, statfsSync } from "node:fs"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { defineConfig } from "vitest/config"

/**
 * Where Linux keeps files in memory and has 4 GiB of room there, tests keep theirs in it: a run makes and drops some
 * 400 databases of 700 files each, which takes 20 ms there and 600 ms on a disk. A TMPDIR that is set stays.
 */
const memory = "/dev/shm"
const roomOf = (folder: string): number => {
  if (!existsSync(folder)) return 0
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}
if (process.env["TMPDIR"] === undefined && roomOf(memory) > 4 * 1024 ** 3) process.env["TMPDIR"] = memory

/** Files of a package that replace a module, which takes a process that has not loaded it yet. */
const replacing = (root: string): Array<string> =>
  globSync("test/**/*.test.ts", { cwd: root }).filter((file) =>
    readFileSync(join(root, file), "utf8").includes("vi.mock(")
  )

/**
 * Loading the product takes longer than most files of tests: in `core` and `handler` one process runs many files, each
 * with modules that are loaded already. Files that replace a module, and those of `cli` and `bench`, most of which
 * start processes, have one each.
 */
const projects = [
  ...["core", "handler"].flatMap((name) => {
    const own = replacing(`packages/${name}`)
    return [
      { name, folder: name, isolate: false, include: ["test/**/*.test.ts"], exclude: own },
      { name: `${name}-replacing`, folder: name, isolate: true, include: own, exclude: [] }
    ]
  }),
  ...["cli", "bench"].map((name) => ({
    name,
    folder: name,
    isolate: true,
    include: ["test/**/*.test.ts"],
    exclude: []
  }))
]

export default defineConfig({
  resolve: { conditions: ["source"] },
  ssr: { resolve: { conditions: ["source"] } },
  test: {
    // Much of a test is waiting for a database or a process: two files at once even on two cores.
    // Much of what is tested is a failure, which the product logs: what a test printed is of interest where the test
    // fails.
    silent: "passed-only",
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: projects.map(({ folder, ...of }) => ({
      extends: true,
      test: {
        ...of,
        root: `packages/${folder}`,
        globalSetup: ["../core/src/testing/globalSetup.ts", ...(folder === "cli" ? ["test/bundle.ts"] : [])],
        // Only what hangs ends by it, also where the machine is busy with something else.
        testTimeout: 180_000,
        hookTimeout: 180_000,
        expect: { poll: { timeout: 60_000 } },
        pool: "forks",
        execArgv: ["--conditions=source"],
        server: { deps: { inline: [/@effect-commerce/] } }
      }
    }))
  }
})
