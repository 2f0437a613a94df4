/**
 * Packages that are loaded when something is first asked of them: what is compiled for a machine, and what an instance
 * may never need. A host that imports the library pays for none of them. Loading costs a few milliseconds, once; what
 * cannot be loaded fails each time in the package's own words.
 */
export const loadedOnce = <Module>(load: () => Promise<Module>): (() => Promise<Module>) => {
  let loaded: Promise<Module> | undefined
  return () => (loaded ??= load())
}
