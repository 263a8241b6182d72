import { readAddressRange } from '../access/address-range.ts'
import { objectionToCustomKey } from '../access/custom-key.ts'
import type { ImportNotes, PlannedAccount } from './import-plan.ts'
import { type Row, type SourceReader, textIn } from './source.ts'

/** Plans what each row of a table becomes. One of which `plan` returns a sentence becomes nothing, and that is noted. */
export async function plannedRows<Planned extends object>(
  source: SourceReader,
  {
    table,
    columns,
    notes,
  }: { readonly table: string; readonly columns: readonly string[]; readonly notes: ImportNotes },
  plan: (row: Row, id: string) => Planned | string,
): Promise<readonly Planned[]> {
  const planned: Planned[] = []
  for await (const row of source.rows(table, columns)) {
    const id = textIn(row, 'id')
    const made = plan(row, id)
    if (typeof made === 'string') notes.note(table, id, made)
    else planned.push(made)
  }
  return planned
}

/** An address that no client has. */
const NOWHERE = ['255.255.255.255/32']

/** What is noted of the row of a key. */
interface KeyRow {
  readonly table: string
  readonly id: string
  readonly notes: ImportNotes
}

/** The addresses that a key may be used from. What is none is left out, and noted. */
export function allowedIps(written: readonly string[], { table, id, notes }: KeyRow): readonly string[] {
  const ranges = written.map((text) => readAddressRange(text))
  if (ranges.includes(null)) notes.note(table, id, 'have addresses that are none: those are left out')
  const known = [...new Set(ranges.filter((range) => range !== null))]
  // An empty list would allow all.
  return written.length > 0 && known.length === 0 ? NOWHERE : known
}

export function noteWeakKey(
  secret: string,
  { email, keyName, table, id, notes }: KeyRow & Pick<PlannedAccount, 'email'> & { readonly keyName: string },
): void {
  if (objectionToCustomKey(secret, { email, keyName }) !== null)
    notes.note(table, id, 'are weak keys, which could be guessed: they work, and should be replaced')
}

/** A name that no other row has yet: what is wanted, or that with the id behind it. */
export function freeName(wanted: string, id: string, names: Set<string>): string {
  const name = names.has(wanted) ? `${wanted} (${id})` : wanted
  names.add(name)
  return name
}
