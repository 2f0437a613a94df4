/**
 * The part of mustache.js 4.2.0 that is used: its parser, and its writer with a context of our own. The package has no
 * types.
 */
declare module "mustache" {
  namespace mustache {
    /** kind is `text`, `name`, `&`, `#` or `^`; the last two have children. */
    type Token = readonly [kind: string, value: string, start: number, end: number, children?: ReadonlyArray<Token>]
    interface Config {
      readonly escape: (value: unknown) => string
    }
    class Context {
      constructor(view: unknown, parent?: Context)
      readonly view: unknown
      readonly parent: Context | undefined
      push(view: unknown): Context
      lookup(name: string): unknown
    }
    class Writer {
      templateCache: undefined
      parse(template: string): ReadonlyArray<Token>
      renderTokens(
        tokens: ReadonlyArray<Token>,
        context: Context,
        partials: undefined,
        template: undefined,
        config: Config
      ): string
      unescapedValue(token: Token, context: Context): unknown
    }
  }
  export = mustache
}
