#!/usr/bin/env node
/** Where the `commerce` command begins: what it loads is compiled once and then kept. */
import { keepCompiledModules } from "./compiledModules.ts"

keepCompiledModules()
const { runCommerce } = await import("./commerce.ts")
await runCommerce(process.argv.slice(2))
