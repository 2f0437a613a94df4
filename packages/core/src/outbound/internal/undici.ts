/**
 * The parts of undici that are used; its hundred modules are never loaded by an instance without webhooks. Exported by
 * name, because in a bundle a dynamic import of a CommonJS package has only its default export.
 */
export { buildConnector, Pool } from "undici"
