/** What the catalogue of the database says of a table. */
export interface ColumnFacts {
  readonly name: string
  readonly type: string
  /** Not null. */
  readonly required: boolean
  /** By the database: an identity or a generated column, which is carried where `Carried.numbered` says so. */
  readonly made: boolean
  /** An identity: the order in which rows were written. */
  readonly counts: boolean
}

export interface TableFacts {
  readonly name: string
  readonly columns: ReadonlyArray<ColumnFacts>
  /** The columns of the primary key. */
  readonly key: ReadonlyArray<string>
  /** Tables that its foreign keys name, itself excepted. */
  readonly needs: ReadonlyArray<string>
  /** The column that names another row of the table. */
  readonly parent: string | null
}
