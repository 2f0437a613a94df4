import { Schema } from "effect"

/**
 * The call is not allowed: a private address, a name that resolves to one, a scheme or a port. Nothing was sent.
 * `reason` names no address.
 */
export class OutboundBlocked extends Schema.TaggedError<OutboundBlocked>()("OutboundBlocked", {
  reason: Schema.String
}) {}

/** No complete response head: the name is unknown, connection refused, TLS failed, connection lost, or timeout. */
export class OutboundFailed extends Schema.TaggedError<OutboundFailed>()("OutboundFailed", {
  kind: Schema.Literals(["dns", "connect", "tls", "timeout", "broken"]),
  reason: Schema.String
}) {}
