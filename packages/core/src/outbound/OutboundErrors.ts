import { Schema } from "effect"

/**
 * A place this process may not speak to: a private address, a name for one, a scheme or a port. Nothing was sent.
 * `reason` names no address.
 */
export class OutboundBlocked extends Schema.TaggedError<OutboundBlocked>()("OutboundBlocked", {
  reason: Schema.String
}) {}

/** No complete answer's head: the name is unknown, nobody listens, TLS fails, the connection broke, time was up. */
export class OutboundFailed extends Schema.TaggedError<OutboundFailed>()("OutboundFailed", {
  kind: Schema.Literals(["dns", "connect", "tls", "timeout", "broken"]),
  reason: Schema.String
}) {}
