#!/usr/bin/env node
/**
 * The start of the `commerce` command. Compiled code is cached. A Node that is too old is reported before modules are
 * loaded that it cannot run.
 */
import { nodeProblem } from "@effect-commerce/core/kernel/NodeVersion"

const problem = nodeProblem(process.versions.node)
if (problem !== undefined) {
  process.stderr.write(`commerce: ${problem}\n`)
  process.exit(1)
}
const { keepCompiledModules } = await import("./compiledModules.ts")
keepCompiledModules()
const { runCommerce } = await import("./commerce.ts")
await runCommerce(process.argv.slice(2))
