#!/usr/bin/env node
/** Where the `commerce` command begins: what it loads is compiled once and then kept. Older Nodes are told so before they load what they cannot. */
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(`commerce: needs Node 22.19 or newer, and this is ${process.versions.node}\n`)
  process.exit(1)
}
const { keepCompiledModules } = await import("./compiledModules.ts")
keepCompiledModules()
const { runCommerce } = await import("./commerce.ts")
await runCommerce(process.argv.slice(2))

export {}
