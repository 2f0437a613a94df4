import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { commerce, folder } from "./runCli.ts"

const cleanups: Array<() => unknown> = []
afterEach(() => {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup()
})
const fresh = (): string => {
  const made = folder()
  cleanups.push(made.remove)
  return made.path
}
/** A folder with these files in it. */
const holding = (files: Readonly<Record<string, string>>): string => {
  const path = fresh()
  mkdirSync(path)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(path, name, ".."), { recursive: true })
    writeFileSync(join(path, name), text)
  }
  return path
}

/** Refused with exit code 1 and one line, which is answered. */
const refused = async (dataDir: string, asAnybody = false): Promise<string> => {
  const { code, out, err } = await commerce(["init", "--data-dir", dataDir], { asAnybody })
  expect([code, out, err.split("\n").length, err.startsWith("commerce: ")]).toEqual([1, "", 2, true])
  return err.slice("commerce: ".length).trimEnd()
}

describe("a data directory", () => {
  it.runIf(existsSync("/proc/self"))(
    "that cannot be made is refused, also in a place that holds no folders",
    async () => {
      expect(await refused("/proc/x")).toBe("the data directory /proc/x cannot be made: that place takes no folders")
      expect(await refused("/proc/x/y/z")).toBe(
        "the data directory /proc/x/y/z cannot be made: that place takes no folders"
      )
    }
  )

  it("that is a file, lies below one, or points nowhere is refused", async () => {
    const file = join(holding({ taken: "text" }), "taken")
    expect(await refused(file)).toBe(`the data directory ${file} cannot be made: a file has that name`)
    expect(await refused(join(file, "below"))).toBe(
      `the data directory ${join(file, "below")} cannot be made: a file is in its way`
    )
    expect(readFileSync(file, "utf8")).toBe("text")
    const link = fresh()
    symlinkSync(join(link, "..", "nowhere"), link)
    expect(await refused(link)).toBe(`the data directory ${link} cannot be made: a file has that name`)
  })

  it("is made with the folders above it", async () => {
    const path = join(fresh(), "a", "b")
    expect((await commerce(["init", "--data-dir", path])).code).toBe(0)
    expect(existsSync(join(path, "commerce.json"))).toBe(true)
  })

  it("that holds somebody else's files is refused, and they stay as they were", async () => {
    const path = holding({ "thesis.txt": "years of work" })
    expect(await refused(path)).toBe(
      `${path} is not a data directory of commerce (it holds thesis.txt): give an empty or new one with --data-dir`
    )
    expect(readdirSync(path)).toEqual(["thesis.txt"])
  })

  it("whose mark cannot be read, or is of a newer version, is refused", async () => {
    const torn = holding({ "commerce.json": "{" })
    expect(await refused(torn)).toBe(`${torn} is not a data directory of commerce (its commerce.json cannot be read)`)
    const newer = holding({ "commerce.json": JSON.stringify({ format: 2, postgres: 18 }) })
    expect(await refused(newer)).toBe(
      `${newer} was made by a newer version of commerce: update, or give another --data-dir`
    )
    expect(readdirSync(newer)).toEqual(["commerce.json"])
  })

  it("with the files of another PostgreSQL is refused with what to do", async () => {
    const mark = JSON.stringify({ format: 1, postgres: 18 })
    const [newer, older] = [19, 17].map((major) =>
      holding({ "commerce.json": mark, "postgres/PG_VERSION": `${major}\n` })
    )
    expect(await refused(newer ?? "")).toContain("is of PostgreSQL 19, this version brings 18: update commerce")
    expect(await refused(older ?? "")).toContain(
      "is of PostgreSQL 17, this version brings 18: export the stores with the version that made it"
    )
  })

  it("that we may not write into is refused, new or already ours", async () => {
    const [empty, ours] = [holding({}), holding({ "commerce.json": JSON.stringify({ format: 1, postgres: 18 }) })]
    for (const path of [empty, ours]) chmodSync(path, 0o555)
    expect(await refused(empty, true)).toBe(`${join(empty, "commerce.json")} cannot be written: EACCES`)
    expect(await refused(ours, true)).toBe(`${join(ours, "access.json")} cannot be written: EACCES`)
    const below = join(empty, "below")
    expect(await refused(below, true)).toBe(`the data directory ${below} cannot be made: this user may not write there`)
    for (const path of [empty, ours]) chmodSync(path, 0o755)
  })

  it("that belongs to another user is refused with what to do", async () => {
    const mark = JSON.stringify({ format: 1, postgres: 18 })
    const [closed, theirs] = [holding({ "thesis.txt": "" }), holding({ "commerce.json": mark })]
    const file = join(theirs, "commerce.json")
    chmodSync(closed, 0o300)
    chmodSync(file, 0o200)
    const remedy = "cannot be read: it belongs to another user; run this as that user, or give another --data-dir"
    expect(await refused(closed, true)).toBe(`${closed} ${remedy}`)
    expect(await refused(theirs, true)).toBe(`${file} ${remedy}`)
    chmodSync(closed, 0o755)
    const torn = holding({ "commerce.json": mark, "access.json": "{" })
    expect(await refused(torn)).toBe(
      `${join(torn, "access.json")} is not what commerce wrote there: put it back from a copy of the data directory`
    )
  })
})
