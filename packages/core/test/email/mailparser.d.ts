/** The little of mailparser that tests use. */
declare module "mailparser" {
  interface AddressObject {
    readonly value: ReadonlyArray<{ readonly name: string; readonly address?: string }>
    readonly text: string
  }
  interface ParsedMail {
    readonly subject?: string
    readonly from?: AddressObject
    readonly to?: AddressObject
    readonly replyTo?: AddressObject
    readonly messageId?: string
    readonly html: string | false
    readonly text?: string
    readonly headers: ReadonlyMap<string, unknown>
    readonly headerLines: ReadonlyArray<{ readonly key: string; readonly line: string }>
  }
  function simpleParser(source: string | Buffer): Promise<ParsedMail>
  export { simpleParser, type ParsedMail }
}
