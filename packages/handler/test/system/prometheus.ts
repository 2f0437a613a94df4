/** A real Prometheus for a test, where one is installed: it scrapes one address every second and answers queries. */
import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { once } from "node:events"
import { tmpdir } from "node:os"
import { join } from "node:path"

const places = ["/usr/bin/prometheus", "/usr/local/bin/prometheus", "/opt/homebrew/bin/prometheus"]

/** Where it is installed, or undefined. */
export const prometheusProgram = places.find((path) => existsSync(path))

if (prometheusProgram === undefined)
  process.stderr.write("NOT TESTED: no prometheus is installed, so no query of the dashboard is asked of a real one\n")

export interface Series {
  readonly metric: Readonly<Record<string, string>>
  readonly value: readonly [at: number, value: string]
}

export interface Prometheus {
  /** The series that the expression gives now; rejects with the problem of an expression that is none. */
  readonly query: (expression: string) => Promise<ReadonlyArray<Series>>
  readonly close: () => Promise<void>
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  await once(server, "close")
  return typeof address === "object" && address !== null ? address.port : 0
}

/** `target` is a host and a port. */
export const startPrometheus = async (target: string, path: string): Promise<Prometheus> => {
  const folder = mkdtempSync(join(tmpdir(), "commerce-prometheus-"))
  const port = await freePort()
  const config = join(folder, "prometheus.yml")
  writeFileSync(
    config,
    JSON.stringify({
      global: { scrape_interval: "1s" },
      scrape_configs: [{ job_name: "commerce", metrics_path: path, static_configs: [{ targets: [target] }] }]
    })
  )
  const child = spawn(
    prometheusProgram ?? "prometheus",
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, "data")}`,
      `--web.listen-address=127.0.0.1:${port}`
    ],
    { stdio: "ignore" }
  )
  const ended = new Promise((done) => child.once("exit", done))
  return {
    query: async (expression) => {
      const asked = await fetch(`http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(expression)}`)
      const { status, data, error } = (await asked.json()) as {
        readonly status: string
        readonly data?: { readonly result: ReadonlyArray<Series> }
        readonly error?: string
      }
      if (status !== "success") throw new Error(`${expression}: ${error}`)
      return data?.result ?? []
    },
    close: async () => {
      child.kill("SIGKILL")
      await ended
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
