/** `serve` and `doctor` with a collector. */
import { afterAll, describe, expect, it } from "vitest"
import { factsOf, openOtlpReceiver } from "../../handler/test/system/otlpReceiver.ts"
import { commerce, folder, serving } from "./runCli.ts"

const data = folder()
afterAll(data.remove)

describe("OTEL_EXPORTER_OTLP_ENDPOINT", () => {
  it("sends what serve does to the collector, the last of it at its end; doctor says whether the collector takes it", async () => {
    const receiver = await openOtlpReceiver()
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint }
    const server = await serving(["--data-dir", data.path], env)
    await fetch(`${server.url}/health/ready`, { headers: { "x-request-id": "seen" } })
    const found = async () => {
      const { out } = await commerce(["doctor", "--data-dir", data.path], { env })
      return out.split("\n").find((line) => / telemetry /.test(line))
    }
    expect(await found()).toMatch(
      new RegExp(`^ok {2}telemetry +the collector at ${receiver.endpoint} takes traces, metrics and logs$`)
    )
    receiver.answers = 404
    const { code, out } = await commerce(["doctor", "--data-dir", data.path, "--json"], { env })
    expect([code, JSON.parse(out).filter(({ check }: { readonly check: string }) => check === "telemetry")]).toEqual([
      1,
      [
        {
          check: "telemetry",
          says: `the collector at ${receiver.endpoint} cannot be used: traces are answered 404`,
          remedy: "start it, or mend OTEL_EXPORTER_OTLP_ENDPOINT: the base address of OTLP over HTTP, often port 4318"
        }
      ]
    ])
    receiver.answers = 200
    await fetch(`${server.url}/health/ready`, { headers: { "x-request-id": "last" } })
    expect(await server.end("SIGTERM")).toBe(0)
    expect(receiver.problems).toEqual([])
    expect(receiver.spans.map(({ attributes }) => factsOf(attributes)["commerce.request.id"])).toContain("last")
    expect(receiver.metrics.map(({ name }) => name)).toContain("commerce_http_requests_total")
    expect(receiver.resources[0]).toMatchObject({
      "service.name": "commerce",
      "service.version": expect.stringMatching(/^\d+\.\d+\.\d+/)
    })
    await receiver.close()
  })
})
