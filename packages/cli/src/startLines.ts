/**
 * What `serve` prints when it has started: what a person needs next, ready to be copied. A few stores are shown, and
 * how to see the others.
 */
import type { SalesChannel } from "@effect-commerce/core/store/SalesChannel"
import { SalesChannels } from "@effect-commerce/core/store/SalesChannels"
import type { StoreContext } from "@effect-commerce/core/store/StoreContext"
import { Stores } from "@effect-commerce/core/store/Stores"
import { Effect } from "effect"
import type { FirstRun } from "./firstRun.ts"
import type { Settings } from "./Settings.ts"

const mostStores = 5
const mostChannels = 3

interface Shown {
  readonly store: StoreContext
  readonly channels: ReadonlyArray<SalesChannel>
}

export interface Address {
  /** The API, as it is reached from this machine. */
  readonly url: string
  /** The same with the configured host, which may mean every address. */
  readonly listening: string
}

/** `address` is undefined for a worker, which listens nowhere. */
export const startLines = Effect.fnUntraced(function* (
  settings: Settings,
  { made, notFilled }: FirstRun,
  address: Address | undefined
) {
  const { items, total } = yield* (yield* Stores).first(mostStores)
  const channels = yield* SalesChannels
  const shown = yield* Effect.forEach(items, (store) =>
    Effect.map(channels.list(store.id), (of): Shown => ({ store, channels: of }))
  )
  const [first] = shown
  if (first === undefined)
    return [
      `There is no store yet: ${commandFor(settings, "init")} makes one, also while this runs.`,
      ...(address === undefined ? [] : [`listening on ${address.listening}`])
    ]
  const unseen = total - shown.length
  return [
    ...shown.flatMap((each) => storeLines(settings, each)),
    ...(unseen === 0 ? [] : [`and ${unseen} more: ${commandFor(settings, "store list")}`]),
    ...(made === undefined ? [] : [labelled("admin key", made.apiKey), "The admin key is shown this once: keep it."]),
    labelled("key lost?", keyCommand(settings, total === 1 ? undefined : first.store.id)),
    ...(settings.demoLimits
      ? [labelled("limits", "none per address, as a demo on this machine; COMMERCE_RATE_LIMIT_PER_MINUTE=60 sets one")]
      : []),
    ...(notFilled === undefined ? [] : [notFilled]),
    ...(address === undefined ? [] : nextLines(shown, address, made?.apiKey))
  ]
})

const labelled = (label: string, text: string): string => `${label.padEnd(15)}${text}`

const storeLines = (settings: Settings, { store, channels }: Shown): ReadonlyArray<string> => [
  labelled("store", `${store.id}  ${store.name}, ${store.currency}${store.suspended ? ", suspended" : ""}`),
  ...channels
    .slice(0, mostChannels)
    .map(({ id, name, mode, domain }) =>
      labelled("sales channel", `${id}  ${name}, ${mode}${domain === null ? "" : `, ${domain}`}`)
    ),
  ...(channels.length <= mostChannels
    ? []
    : [`and ${channels.length - mostChannels} more: ${commandFor(settings, `channel list --store ${store.id}`)}`])
]

/** Quoted for sh, bash and zsh, whatever is in the value. */
const quoted = (value: string): string => `'${value.replaceAll("'", "'\\''")}'`

/** One line that sets what the documents' examples use. It has no comment: zsh takes `#` for a word at its prompt. */
const exportLine = (values: Readonly<Record<string, string | undefined>>): string =>
  `export ${Object.entries(values)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${quoted(value)}`]))
    .join(" ")}`

/**
 * The next steps in order: the address, the variables of the examples, a first request with them, and the reference.
 */
const nextLines = (
  shown: ReadonlyArray<Shown>,
  { url, listening }: Address,
  apiKey: string | undefined
): ReadonlyArray<string> => {
  const [channel] = shown
    .filter(({ store }) => !store.suspended)
    .flatMap(({ channels }) => channels.filter((one) => one.storefrontReadEnabled))
  const origin = channel === undefined || channel.domain === null ? "" : ` -H 'Origin: https://${channel.domain}'`
  return [
    `listening on ${listening}`,
    "",
    "Next, in another shell:",
    "",
    exportLine({ API: url, VC: channel?.id, KEY: apiKey }),
    ...(channel === undefined ? [] : [`curl -s${origin} "$API/vc/$VC/products?limit=1"`]),
    "",
    `Every request there is, to read in a browser: ${url}/docs`
  ]
}

/** `storeId`: if there are several stores. */
const keyCommand = (settings: Settings, storeId: string | undefined): string =>
  commandFor(settings, `keys create --name admin --every-scope${storeId === undefined ? "" : ` --store ${storeId}`}`)

/** The command as it is typed here: through npm in a checkout, elsewhere as the installed command. */
const commandFor = ({ databaseUrl, dataDir }: Settings, words: string): string => {
  const program =
    process.argv[1]?.replaceAll("\\", "/").endsWith("scripts/commerce.ts") === true
      ? "npm run -s commerce --"
      : "npx commerce"
  const where = databaseUrl !== undefined || dataDir === ".commerce" ? "" : ` --data-dir ${quoted(dataDir)}`
  return `${program} ${words}${where}`
}
