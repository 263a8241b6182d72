import type { ProvenRecord } from '../reading.ts'
import { RECORD_COLUMNS } from '../reading.ts'

/** A row of the database as one line of JSON: what is null is left out, and amounts are texts. */
export function lineOf(row: object): string {
  const given = Object.entries(row).filter(([, value]) => value !== null)
  return JSON.stringify(Object.fromEntries(given), (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
}

/** The id that a line is about. Throws for what is not such a line. */
export function idOfLine(line: string): string {
  const { id } = parsed(line)
  if (typeof id !== 'string') throw new Error('a line of the archive has no id')
  return id
}

/** What the proof reads of a usage record, from its line. Throws for what is not such a line. */
export function recordOfLine(line: string): ProvenRecord {
  const given = parsed(line)
  const columns = RECORD_COLUMNS.map((name) => {
    const value = given[name] ?? null
    const isAmount = name.endsWith('_nano') || name.endsWith('_ppm')
    return [name, isAmount && typeof value === 'string' ? BigInt(value) : value]
  })
  return Object.fromEntries(columns) as ProvenRecord
}

function parsed(line: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(line)
  if (typeof value !== 'object' || value === null) throw new Error('a line of the archive is not an object')
  return value as Readonly<Record<string, unknown>>
}
