/**
 * Input text without leading and trailing white space; null if nothing is left. Fields that may be empty are stored
 * like this.
 */
export const trimmedText = (text: string | null | undefined): string | null => {
  const trimmed = text?.trim() ?? ""
  return trimmed === "" ? null : trimmed
}
