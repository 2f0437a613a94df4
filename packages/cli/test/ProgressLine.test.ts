import { describe, expect, it } from "vitest"
import { ProgressLine } from "../src/seed/ProgressLine.ts"

const screen = (isTTY: boolean) => {
  const written: Array<string> = []
  const stream = { isTTY, write: (text: string) => written.push(text) > 0 } as unknown as NodeJS.WriteStream
  return { stream, written }
}

describe("the progress line", () => {
  it("fills on a terminal and ends its line when all is done", () => {
    const { stream, written } = screen(true)
    const line = new ProgressLine(3, "rows", stream)
    for (let i = 0; i < 3; i++) line.step()
    expect(written).toEqual([
      `\r${"█".repeat(10)}${"·".repeat(20)} 1/3 rows`,
      `\r${"█".repeat(20)}${"·".repeat(10)} 2/3 rows`,
      `\r${"█".repeat(30)} 3/3 rows\n`
    ])
  })

  it("begins anew where the transaction is tried again", () => {
    const { stream, written } = screen(true)
    const line = new ProgressLine(2, "rows", stream)
    line.step()
    line.restart()
    line.step()
    line.step()
    expect(written.at(-1)).toBe(`\r${"█".repeat(30)} 2/2 rows\n`)
  })

  it("is silent elsewhere, so that logs and JSON stay clean", () => {
    const { stream, written } = screen(false)
    new ProgressLine(1, "rows", stream).step()
    expect(written).toEqual([])
  })
})
