/**
 * Loads a package on first use: native packages, and those that an instance may never need. A host that imports the
 * library pays for none of them. Loading costs a few milliseconds, once; a package that cannot be loaded fails each
 * time with its own error.
 */
export const loadedOnce = <Module>(load: () => Promise<Module>): (() => Promise<Module>) => {
  let loaded: Promise<Module> | undefined
  return () => (loaded ??= load())
}
