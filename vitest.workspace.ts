import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"

export default defineConfig({
  resolve: { conditions: ["source"] },
  ssr: { resolve: { conditions: ["source"] } },
  test: {
    // Much of a test is waiting for a database or a process: two files at once even on two cores.
    // Much of what is tested is a failure, which the product logs: what a test printed is of interest where the test
    // fails.
    silent: "passed-only",
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: ["packages/core", "packages/handler", "packages/cli", "packages/bench"].map((root) => ({
      extends: true,
      test: {
        name: root.slice("packages/".length),
        root,
        include: ["test/**/*.test.ts"],
        globalSetup: ["../core/src/testing/globalSetup.ts", ...(root === "packages/cli" ? ["test/bundle.ts"] : [])],
        // Only what hangs ends by it, also where the machine is busy with something else.
        testTimeout: 180_000,
        hookTimeout: 180_000,
        pool: "forks",
        execArgv: ["--conditions=source"],
        server: { deps: { inline: [/@effect-commerce/] } }
      }
    }))
  }
})
