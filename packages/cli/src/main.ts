#!/usr/bin/env node
/**
 * Where the `commerce` command begins: what it loads is compiled once and then kept. Older Nodes are told so before
 * they load what they cannot.
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
