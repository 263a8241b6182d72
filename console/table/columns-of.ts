import type { Column } from './column.ts'

type Described<Row> = Omit<Column<Row>, 'id' | 'header'> & Partial<Pick<Column<Row>, 'id'>>

/** The columns of a table in their order, each with the header of its name; `id`: where it is known by another name. */
export function columnsOf<Row, Name extends string>(
  headers: Readonly<Record<Name, string>>,
  columns: { readonly [Each in NoInfer<Name>]?: Described<Row> | undefined },
): readonly Column<Row>[] {
  return Object.entries<Described<Row> | undefined>(columns).flatMap(([name, column]) =>
    column === undefined ? [] : [{ id: name, header: headers[name as Name], ...column }],
  )
}
