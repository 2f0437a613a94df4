/**
 * Run by npm around packing (`prepack`, `postpack`), in a package's folder: the manifest that is published differs from
 * the one in the repository.
 *
 * - The condition `source` leads to sources, which are not published: whoever builds with that condition, as some
 *   bundlers and monorepos do, would be led to files that are not there.
 * - It says which Node the package needs. Inside the repository everything runs on the Node that is installed along,
 *   whatever Node installs it.
 * - It says where the package comes from: what git calls `origin`, where that is a public address.
 *
 *   node ../../scripts/publishedManifest.ts strip | restore
 */
import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { basename } from "node:path"
import { oldestNode } from "../packages/core/src/kernel/NodeVersion.ts"

type Conditions = Readonly<Record<string, string>> | string | null
interface Manifest {
  readonly exports?: Readonly<Record<string, Conditions>>
}

/**
 * How a remote is written: `https://host/owner/name`, `ssh://git@host/owner/name.git`, `git@host:owner/name.git`.
 * Logins and ports of ssh are left out.
 */
const remotes = [
  /^https:\/\/(?:[^@/]*@)?([^/]+)\/(.+)$/,
  /^ssh:\/\/(?:[^@/]*@)?([^:/]+)(?::\d+)?\/(.+)$/,
  /^[\w.-]+@([^:/]+):(.+)$/
]

/** The page of a remote; undefined where its host has no public name. */
const pageOf = (remote: string): string | undefined => {
  const [, host = "", path = ""] = remotes.map((form) => form.exec(remote)).find((found) => found !== null) ?? []
  return /\.[a-z]{2,}(?::\d+)?$/i.test(host) ? `https://${host}/${path.replace(/(?:\.git)?\/?$/, "")}` : undefined
}

/** Read as it is written: `git remote get-url` would answer with a mirror that this machine fetches from. */
const origin = (): string | undefined => {
  try {
    return pageOf(
      execFileSync("git", ["config", "--get", "remote.origin.url"], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"]
      }).trim()
    )
  } catch {
    return undefined
  }
}

const publishedFields = (): Readonly<Record<string, unknown>> => {
  const url = origin()
  const from =
    url === undefined
      ? {}
      : {
          repository: { type: "git", url: `git+${url}.git`, directory: `packages/${basename(process.cwd())}` },
          homepage: `${url}#readme`
        }
  return { engines: { node: `>=${oldestNode}` }, ...from }
}

const withExports = (
  manifest: Manifest,
  change: (conditions: Readonly<Record<string, string>>) => Conditions
): Manifest =>
  manifest.exports === undefined
    ? manifest
    : {
        ...manifest,
        exports: Object.fromEntries(
          Object.entries(manifest.exports).map(([path, conditions]) => [
            path,
            typeof conditions === "object" && conditions !== null ? change(conditions) : conditions
          ])
        )
      }

const strip = (manifest: Manifest): object => ({
  ...withExports(manifest, ({ source: _, ...rest }) => rest),
  ...publishedFields()
})

/** `./dist/*.js` was made of `./src/*.ts`; conditions are tried in their order, so `source` comes first. */
const restore = (manifest: Manifest): object => {
  const {
    engines: _engines,
    repository: _repository,
    homepage: _homepage,
    ...rest
  } = manifest as Readonly<Record<string, unknown>>
  return withExports(rest, ({ source: _, ...conditions }) => ({
    source: (conditions["default"] ?? "").replace("./dist/", "./src/").replace(/\.js$/, ".ts"),
    ...conditions
  }))
}

const change = { strip, restore }[process.argv[2] ?? ""]
if (change === undefined) throw new Error("usage: publishedManifest.ts strip | restore")
const text = readFileSync("package.json", "utf8")
writeFileSync("package.json", `${JSON.stringify(change(JSON.parse(text) as Manifest), null, 2)}\n`)
