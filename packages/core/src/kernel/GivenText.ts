/**
 * Text as a person gives it, without the blanks around it; null where that leaves none. Fields that may be empty are
 * stored like this.
 */
export const trimmedText = (text: string | null | undefined): string | null => {
  const trimmed = text?.trim() ?? ""
  return trimmed === "" ? null : trimmed
}
