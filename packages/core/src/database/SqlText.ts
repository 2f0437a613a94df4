/** Names and values inside a statement's text, where a parameter cannot stand. */

export const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** For several statements in one message, which cannot have parameters. */
export const quoteLiteral = (value: string): string => {
  const doubled = value.replaceAll("'", "''")
  return value.includes("\\") ? ` E'${doubled.replaceAll("\\", "\\\\")}'` : `'${doubled}'`
}
