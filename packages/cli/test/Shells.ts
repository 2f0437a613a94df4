/** Shells as somebody has them who pastes lines at a prompt: there zsh knows no comments, and bash expands `!`. */
import { spawn, spawnSync } from "node:child_process"
import { delimiter } from "node:path"

const flags: Readonly<Record<string, ReadonlyArray<string>>> = {
  sh: ["-s"],
  bash: ["--norc", "-i", "-s"],
  zsh: ["-f", "-i", "-s"]
}

const isInstalled = (shell: string): boolean => spawnSync(shell, ["-c", "exit 0"]).status === 0

/** Those of these that are installed; each of the others is named on standard error. */
export const shellsHere = (...asked: ReadonlyArray<string>): ReadonlyArray<string> => {
  for (const missing of asked.filter((shell) => !isInstalled(shell)))
    process.stderr.write(`NOT TESTED: no ${missing} is installed, so nothing was pasted at its prompt\n`)
  return asked.filter(isInstalled)
}

/** Without what npm has added to it: a shell that nobody has started by `npm run`. */
const environment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith("npm_") && name !== "INIT_CWD")
  ),
  PATH: (process.env["PATH"] ?? "")
    .split(delimiter)
    .filter((folder) => !folder.includes("node_modules"))
    .join(delimiter)
})

/** What these lines print on standard output. */
export const pasted = (shell: string, lines: string, cwd = process.cwd()): Promise<string> =>
  new Promise((done) => {
    const child = spawn(shell, flags[shell] ?? [], { stdio: ["pipe", "pipe", "ignore"], cwd, env: environment() })
    let out = ""
    child.stdout.on("data", (chunk) => (out += chunk))
    child.on("close", () => done(out))
    child.stdin.end(lines)
  })
