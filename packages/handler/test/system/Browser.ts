/** A headless Chromium, driven over its debugging protocol: what a page asks for, and what it shows. */
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
/** Where a browser is installed, or undefined. */
export const chromium = places.find((path) => existsSync(path))

export interface Page {
  /** Addresses that the page asked for, itself the first. */
  readonly requests: ReadonlyArray<string>
  /** What it wrote as an error, and errors that nobody caught. */
  readonly errors: ReadonlyArray<string>
  /** The value of an expression in the page; a promise is waited for. */
  // oxlint-disable-next-line typescript/no-explicit-any -- whatever the page says
  readonly evaluate: (expression: string) => Promise<any>
  /** Waits until an expression is true, for half a minute. */
  readonly until: (expression: string) => Promise<void>
  /** A click in the middle of the first visible element with this selector whose text holds `text`, once it rests. */
  readonly click: (selector: string, text?: string) => Promise<void>
  /** Clicks until the expression is true: a page that is still being put together may let a click pass. */
  readonly clickUntil: (expression: string, selector: string, text?: string) => Promise<void>
  readonly type: (text: string) => Promise<void>
  /** A key with the Control key held. */
  readonly control: (key: string) => Promise<void>
  readonly press: (key: string) => Promise<void>
  /** Milliseconds of processor time that its main thread has taken. */
  readonly processorMs: () => Promise<number>
  readonly picture: (path: string) => Promise<void>
  readonly close: () => Promise<void>
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

const keyCodes: Readonly<Record<string, number>> = { Enter: 13, Escape: 27, Tab: 9, ArrowDown: 40 }

/** Runs in the page: the first element that is shown and whose text or label holds the words. */
const visible = `(selector, text) => [...document.querySelectorAll(selector)].find((element) => {
  const { width, height } = element.getBoundingClientRect()
  const words = [element.innerText, element.getAttribute("aria-label"), element.title].join(" ")
  return width > 0 && height > 0 && words.includes(text)
})`

/** A window of its own for each page. */
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

  const open = async (url: string, size: { readonly width: number; readonly height: number }): Promise<Page> => {
    const { targetId } = await send("Target.createTarget", { url: "about:blank" })
    const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true })
    const ask = (method: string, params: object = {}) => send(method, params, sessionId)
    const requests: Array<string> = []
    const errors: Array<string> = []
    const loaded = new Promise<void>((done) => {
      events.add((message) => {
        if (message.sessionId !== sessionId) return
        const { method, params } = message
        if (method === "Network.requestWillBeSent") requests.push(params.request.url)
        if (method === "Page.loadEventFired") done()
        if (method === "Log.entryAdded" && params.entry.level === "error") errors.push(params.entry.text)
        if (method === "Runtime.exceptionThrown") errors.push(params.exceptionDetails.text)
        if (method === "Runtime.consoleAPICalled" && ["error", "assert"].includes(params.type))
          errors.push(JSON.stringify(params.args))
      })
    })
    for (const domain of ["Network", "Page", "Log", "Runtime"]) await ask(`${domain}.enable`)
    await ask("Performance.enable", { timeDomain: "threadTicks" })
    const mobile = size.width < 600
    await ask("Emulation.setDeviceMetricsOverride", { ...size, deviceScaleFactor: 1, mobile })
    await ask("Page.navigate", { url })
    await loaded
    const evaluate = async (expression: string) =>
      (await ask("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true })).result.value
    const becomes = async (expression: string, millis: number): Promise<boolean> => {
      const end = performance.now() + millis
      while ((await evaluate(expression)) !== true) {
        if (performance.now() > end) return false
        await evaluate("new Promise((seen) => setTimeout(seen, 20))")
      }
      return true
    }
    const until = async (expression: string) => {
      if (!(await becomes(expression, 30_000))) throw new Error(`never true: ${expression}\n${errors.join("\n")}`)
    }
    const key = async (type: "keyDown" | "keyUp", name: string, modifiers: number) =>
      ask("Input.dispatchKeyEvent", {
        type,
        modifiers,
        key: name,
        code: name.length === 1 ? `Key${name.toUpperCase()}` : name,
        windowsVirtualKeyCode: keyCodes[name] ?? name.toUpperCase().charCodeAt(0),
        ...(name === "Enter" ? { text: "\r" } : {})
      })
    const pressed = (modifiers: number) => async (name: string) => {
      await key("keyDown", name, modifiers)
      await key("keyUp", name, modifiers)
    }
    const click = async (selector: string, text = "") => {
      const found = `visible(${JSON.stringify(selector)}, ${JSON.stringify(text)})`
      await evaluate(`globalThis.visible ??= ${visible}`)
      await until(`${found} !== undefined`)
      const { x, y } = await evaluate(`(async () => {
        const element = ${found}
        for (let seen = ""; ; ) {
          element.scrollIntoView({ block: "center", behavior: "instant" })
          const { x, y, width, height } = element.getBoundingClientRect()
          if (seen === [x, y].join()) return { x: x + width / 2, y: y + height / 2 }
          seen = [x, y].join()
          await new Promise((later) => setTimeout(later, 100))
        }
      })()`)
      for (const type of ["mouseMoved", "mousePressed", "mouseReleased"])
        await ask("Input.dispatchMouseEvent", { type, x, y, button: "left", clickCount: 1 })
    }
    return {
      requests,
      errors,
      evaluate,
      until,
      click,
      clickUntil: async (expression, selector, text) => {
        for (let tries = 0; tries < 10; tries++) {
          await click(selector, text)
          if (await becomes(expression, 3_000)) return
        }
        throw new Error(`clicking ${selector} never leads to ${expression}`)
      },
      type: async (text) => void (await ask("Input.insertText", { text })),
      control: pressed(2),
      press: pressed(0),
      processorMs: async () => {
        const { metrics } = await ask("Performance.getMetrics")
        return metrics.find(({ name }: { readonly name: string }) => name === "TaskDuration").value * 1_000
      },
      picture: async (path) => {
        const { data } = await ask("Page.captureScreenshot", { format: "png" })
        await writeFile(path, Buffer.from(data, "base64"))
      },
      close: async () => void (await send("Target.closeTarget", { targetId }))
    }
  }

  /** Lets pages of an address read and write the clipboard, as a person does who is asked. */
  const allowClipboard = (origin: string) =>
    send("Browser.grantPermissions", { origin, permissions: ["clipboardReadWrite", "clipboardSanitizedWrite"] })

  const close = async () => {
    socket.close()
    const ended = new Promise((done) => browser.once("exit", done))
    browser.kill("SIGKILL")
    await ended
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  return { open, allowClipboard, close }
}
