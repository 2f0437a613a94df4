import { defineConfig } from "vitest/config"

export default defineConfig({
  resolve: { conditions: ["source"] },
  ssr: { resolve: { conditions: ["source"] } },
  test: {
    projects: ["packages/core", "packages/handler", "packages/cli", "packages/bench"].map((root) => ({
      extends: true,
      test: {
        name: root.slice("packages/".length),
        root,
        include: ["test/**/*.test.ts"],
        globalSetup: ["../core/src/testing/globalSetup.ts"],
        testTimeout: 60_000,
        hookTimeout: 60_000,
        pool: "forks",
        execArgv: ["--conditions=source"],
        server: { deps: { inline: [/@effect-commerce/] } }
      }
    }))
  }
})
