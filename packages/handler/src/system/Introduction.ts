/** The text that opens the API reference, in markdown. */
export const introduction = "The interface of a headless commerce back end."
