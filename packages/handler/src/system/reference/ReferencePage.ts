/**
 * The reference page: a frame of HTML that loads the renderer (ScalarFiles.ts) from this server and gives it the API
 * document. The renderer is Scalar, which asks nobody else for anything: no font, no analytics, no proxy.
 */

/** Styles are written into the page by the renderer; scripts, data and pictures come from this server alone. */
export const pageHeaders = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; " +
    "font-src 'self' data:; connect-src 'self'; media-src 'self' blob:; base-uri 'none'; form-action 'none'; " +
    "frame-ancestors 'none'",
  "referrer-policy": "no-referrer"
}

/** What is asked for stands below the page, so that it works behind a proxy that adds a path too. */
export const referencePage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Commerce API</title>
<link rel="icon" href="data:,">
<link rel="modulepreload" href="docs/scalar/standalone.esm.js">
<link rel="preload" href="docs/reference.json" as="fetch" crossorigin>
<link rel="preload" href="docs/values.json" as="fetch" crossorigin>
<style>
body { margin: 0 }
.wait { font: 16px/1.5 system-ui, sans-serif; margin: 15vh auto; max-width: 36rem; padding: 0 1.5rem }
@media (prefers-color-scheme: dark) { html { background: #0f0f0f; color: #e7e7e7 } a { color: inherit } }
</style>
</head>
<body>
<main id="reference"><div class="wait">
<h1>Commerce API</h1>
<p>The reference is loading.</p>
<noscript><p>It needs JavaScript.</p></noscript>
<p>For tools: the <a href="openapi.json">OpenAPI document</a>.</p>
</div></main>
<script type="module" src="docs/reference.js"></script>
</body>
</html>
`

/**
 * Runs in the reader's browser. Samples are written with an example address and with the ids of a recorded demo store:
 * the page puts its own address in place of it, and where the server names them (ReferenceValues.ts), ids that exist.
 */
export const referenceScript = `import { createApiReference } from "./scalar/standalone.esm.js"

const beside = (name) => fetch(new URL(name, import.meta.url))
const [document_, values] = await Promise.all([
  beside("reference.json").then((response) => response.text()),
  beside("values.json").then((response) => response.json())
])
let text = document_.replaceAll("https://commerce.example", location.origin)
for (const [sample, own] of Object.entries(values.ids)) text = text.replaceAll(sample, own)

// Of the languages that the renderer writes samples in, JavaScript and the shell are shown.
const hidden = (
  "c clojure csharp dart fsharp go http java julia kotlin node objc ocaml php powershell python r ruby rust swift"
).split(" ")
document.getElementById("reference").replaceChildren()
createApiReference("#reference", {
  content: JSON.parse(text),
  authentication: {
    securitySchemes: {
      apiKey: { value: values.apiKey ?? "" },
      bearer: { token: values.apiKey ?? "" }
    }
  },
  hiddenClients: {
    ...Object.fromEntries(hidden.map((language) => [language, true])),
    js: ["axios", "ofetch", "jquery", "xhr"],
    shell: ["httpie", "wget"]
  },
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
  hideModels: true,
  documentDownloadType: "none",
  customCss: "section:focus { outline: none }",
  defaultOpenFirstTag: false,
  persistAuth: false,
  telemetry: false,
  withDefaultFonts: false,
  showDeveloperTools: "never",
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  setPageTitle: ({ title }) => (title === "" ? "Commerce API" : title + " - Commerce API"),
  generateOperationSlug: ({ operationId, method, path }) => operationId ?? method + path,
  onLoaded: () => performance.mark("reference-ready")
})
`
