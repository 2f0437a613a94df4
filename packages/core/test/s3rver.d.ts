/** The parts of the emulator that tests use; it brings no types. */
declare module "s3rver" {
  export default class S3rver {
    constructor(options: {
      readonly address: string
      readonly port: number
      readonly silent: boolean
      readonly directory: string
      readonly configureBuckets: ReadonlyArray<{ readonly name: string; readonly configs: ReadonlyArray<unknown> }>
    })
    run(): Promise<unknown>
    close(): Promise<void>
  }
}
