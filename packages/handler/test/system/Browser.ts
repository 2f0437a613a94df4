/** A headless Chromium, driven over its debugging protocol: what a page asks for, and what it shows. */
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
/** Where a browser is installed, or undefined. */
export const chromium = places.find((path) => existsSync(path))

export interface Visited {
  /** Addresses that the page asked for, itself the first. */
  readonly requests: ReadonlyArray<string>
  /** Milliseconds from asking for the page until it was complete. */
  readonly readyAfter: number
  /** Its visible text. */
  readonly text: string
  /** Pixels that it is wider than its window. */
  readonly overflow: number
}

interface Message {
  readonly id?: number
  readonly method?: string
  readonly sessionId?: string
  // oxlint-disable-next-line typescript/no-explicit-any -- whatever the protocol answers
  readonly params?: any
  // oxlint-disable-next-line typescript/no-explicit-any -- whatever the protocol answers
  readonly result?: any
}

const debuggingUrl = (browser: ChildProcess): Promise<string> =>
  new Promise((found, fail) => {
    let printed = ""
    browser.stderr?.on("data", (chunk: Buffer) => {
      printed += chunk.toString()
      const url = /DevTools listening on (ws:\S+)/.exec(printed)?.[1]
      if (url !== undefined) found(url)
    })
    browser.once("exit", () => fail(new Error(`the browser ended: ${printed}`)))
  })

const connected = (url: string): Promise<WebSocket> =>
  new Promise((open, fail) => {
    const socket = new WebSocket(url)
    socket.addEventListener("open", () => open(socket))
    socket.addEventListener("error", () => fail(new Error("the browser cannot be reached")))
  })

/** A window of its own for each visit. */
export const openBrowser = async (path: string) => {
  const folder = await mkdtemp(join(tmpdir(), "browser-"))
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", "--disable-dev-shm-usage"]
  const browser = spawn(path, [...flags, `--user-data-dir=${folder}`, "about:blank"], {
    stdio: ["ignore", "ignore", "pipe"]
  })
  const socket = await connected(await debuggingUrl(browser))
  let lastId = 0
  const waiting = new Map<number, (message: Message) => void>()
  const events = new Set<(message: Message) => void>()
  socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(String(data)) as Message
    if (message.id === undefined) for (const listen of events) listen(message)
    else waiting.get(message.id)?.(message)
  })
  const send = (method: string, params: object = {}, sessionId?: string): Promise<Message["result"]> =>
    new Promise((done) => {
      lastId += 1
      waiting.set(lastId, ({ result }) => done(result))
      socket.send(JSON.stringify({ id: lastId, method, params, ...(sessionId === undefined ? {} : { sessionId }) }))
    })

  const visit = async (url: string, size: { readonly width: number; readonly height: number }): Promise<Visited> => {
    const { targetId } = await send("Target.createTarget", { url: "about:blank" })
    const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true })
    const requests: Array<string> = []
    const loaded = new Promise<void>((done) => {
      events.add((message) => {
        if (message.sessionId !== sessionId) return
        if (message.method === "Network.requestWillBeSent") requests.push(message.params.request.url)
        if (message.method === "Page.loadEventFired") done()
      })
    })
    await send("Network.enable", {}, sessionId)
    await send("Page.enable", {}, sessionId)
    await send(
      "Emulation.setDeviceMetricsOverride",
      { ...size, deviceScaleFactor: 1, mobile: size.width < 600 },
      sessionId
    )
    await send("Page.navigate", { url }, sessionId)
    await loaded
    const evaluate = async (expression: string) =>
      (await send("Runtime.evaluate", { expression, returnByValue: true }, sessionId)).result.value
    const readyAfter = await evaluate("performance.getEntriesByType('navigation')[0].domComplete")
    const text = await evaluate("document.body.innerText")
    const overflow = await evaluate("document.documentElement.scrollWidth - window.innerWidth")
    await send("Target.closeTarget", { targetId })
    return { requests, readyAfter, text, overflow }
  }

  const close = async () => {
    socket.close()
    const ended = new Promise((done) => browser.once("exit", done))
    browser.kill("SIGKILL")
    await ended
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  return { visit, close }
}
