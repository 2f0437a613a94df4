/** The columns that are read from email_message. */
export const messageColumns =
  "id, event_id, event_type, to_address, from_name, from_address, reply_to, subject, html, plain_text, sealed, " +
  "priority, unsubscribe_url, expires_at, status, attempts, created_at"
