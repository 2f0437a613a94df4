/**
 * What is used of undici, a hundred modules that an instance without webhooks never loads. By name, because a bundler
 * gives who loads a CommonJS package directly its default export alone.
 */
export { buildConnector, Pool } from "undici"
