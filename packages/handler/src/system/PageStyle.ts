/** The look of the reference page. Fonts are those of the reader's system: the page asks no host for anything. */
export const pageStyle = `
:root { color-scheme: light dark; --line: #d8dce3; --soft: #f5f6f8; --ink: #1c2430; --faint: #5b6675; --accent: #1f5fbf; --page: #fff }
@media (prefers-color-scheme: dark) {
  :root { --line: #333b47; --soft: #1d232c; --ink: #e4e8ee; --faint: #9aa5b4; --accent: #7fb0ff; --page: #14181f }
}
* { box-sizing: border-box }
html { scroll-padding-top: 1rem }
body { margin: 0; font: 16px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--page) }
a { color: var(--accent); text-decoration: none }
a:hover { text-decoration: underline }
code, pre { font: 0.87em/1.5 ui-monospace, "SFMono-Regular", Menlo, Consolas, monospace }
code { overflow-wrap: anywhere }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: 6px; padding: 0.75rem 1rem; overflow-x: auto; margin: 0.5rem 0 }
small { color: var(--faint) }
nav { border-right: 1px solid var(--line); padding: 1rem; font-size: 0.9rem }
nav > a { display: block; font-weight: 600; padding: 0.15rem 0 }
nav h2 { font-size: 0.75rem; text-transform: uppercase; letter-spacing: 0.06em; color: var(--faint); margin: 1.2rem 0 0.3rem; border: 0 }
nav summary { cursor: pointer; padding: 0.15rem 0 }
nav ul { list-style: none; margin: 0 0 0.4rem; padding-left: 0.9rem }
nav li { padding: 0.1rem 0 }
main { padding: 1rem 1.5rem 6rem; max-width: 62rem; min-width: 0 }
h1 { font-size: 1.8rem; line-height: 1.2 }
h2 { font-size: 1.35rem; margin-top: 2.2rem }
h2.part { font-size: 1.6rem; margin-top: 4rem; padding-bottom: 0.3rem; border-bottom: 2px solid var(--line) }
h4 { margin: 1.1rem 0 0.3rem; font-size: 0.9rem; color: var(--faint) }
section.tag > h3 { font-size: 1.3rem; margin: 2.5rem 0 0.2rem }
article { border-top: 1px solid var(--line); padding: 1.2rem 0; content-visibility: auto; contain-intrinsic-size: auto 420px }
article > h4:first-child { font-size: 1.1rem; color: var(--ink); margin: 0 0 0.4rem }
table { border-collapse: collapse; width: 100%; font-size: 0.9rem; margin: 0.4rem 0 }
td, th { border-top: 1px solid var(--line); padding: 0.35rem 0.8rem 0.35rem 0; vertical-align: top; text-align: left; overflow-wrap: anywhere }
td:first-child { width: 28% }
article td:nth-child(2) { width: 26% }
details > summary { cursor: pointer; color: var(--accent) }
.path { display: block; background: var(--soft); border-radius: 6px; padding: 0.45rem 0.7rem }
.method { font-weight: 700; margin-right: 0.5rem }
@media (min-width: 60rem) {
  body { display: grid; grid-template-columns: 19rem minmax(0, 1fr) }
  nav { position: sticky; top: 0; height: 100vh; overflow-y: auto }
  main { padding: 1rem 3rem 6rem }
}
@media (max-width: 59.99rem) {
  nav { border-right: 0; border-bottom: 1px solid var(--line); max-height: 45vh; overflow-y: auto }
  main { padding: 1rem }
}
`
