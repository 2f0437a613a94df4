import { tmpdir } from "node:os"
import { expect, it } from "vitest"
import { runProgram } from "../../../scripts/packed/runProgram.ts"

const run = (program: string, limit: number) => runProgram(process.execPath, ["-e", program], { cwd: tmpdir(), limit })

it("a program of npm run pack:check that takes too long is stopped, and the reason says so", async () => {
  expect(await run(`console.log("done")`, 60_000)).toBe("done\n")
  await expect(run(`console.log("begun"); process.exit(3)`, 60_000)).rejects.toThrow(/` ended with 3:\nbegun$/)
  await expect(run(`setInterval(() => {}, 1000)`, 200)).rejects.toThrow(
    /` had not ended after 0.2 s and was stopped:\n$/
  )
  await expect(run(`process.kill(process.pid, "SIGKILL")`, 60_000)).rejects.toThrow(/` ended with SIGKILL:\n$/)
})
