import { Api } from "../src/Api.ts"
import { makeApiDocument } from "../src/system/ApiDocument.ts"
import { referencePage } from "../src/system/ReferencePage.ts"
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
const d = await Effect.runPromise(makeApiDocument(Api))
const cpu = () => {
  const c = process.cpuUsage()
  return (c.user + c.system) / 1000
}
const t = cpu()
const html = await Effect.runPromise(referencePage(d, Effect.void))
console.log("page cpu ms", cpu() - t, html.length)
writeFileSync("/tmp/doc/page.html", html)
writeFileSync("/tmp/doc/openapi.json", JSON.stringify(d, null, 1))
