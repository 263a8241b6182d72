import { isHeaderValue, objectionToHeader } from '../../routing/upstream-settings.ts'
import type { ImportNotes } from '../import-notes.ts'
import { entriesOf } from '../source.ts'
import { isNamed, type NamedVariables, placeholderIn } from './named-variables.ts'
import type { Deployment } from './read-config.ts'

/** Fields of a deployment that are sent as one header each. */
const ONE_HEADER = {
  organization: 'openai-organization',
  custom_user_agent: 'user-agent',
}
export const HEADER_FIELDS = [...Object.keys(ONE_HEADER), 'extra_headers', 'headers', 'default_headers']

/**
 * The headers that a deployment adds, in lower case as they are sent here. Those that the gateway writes by itself, and values
 * that no header can have, are named without their values. `to`: where they go.
 */
export function headersOf(
  { id, params }: Deployment,
  { variables, to, notes }: { readonly variables: NamedVariables; readonly to: string; readonly notes: ImportNotes },
): Readonly<Record<string, string>> {
  const written = [
    ...['default_headers', 'headers', 'extra_headers'].flatMap((field) => entriesOf(params.get(field))),
    ...Object.entries(ONE_HEADER).map(([field, name]) => [name, params.get(field)] as const),
  ]
  const headers: Record<string, string> = {}
  for (const [given, value] of written) {
    if (value === undefined || value === null) continue
    const name = given.trim().toLowerCase()
    const text = valueOf(value, variables, to)
    const objection = objectionToHeader(name)
    if (objection === null && text !== null && isHeaderValue(text)) headers[name] = text
    else notes.note('model_list', id, `have a header ${name} that is not carried: ${reasonFor(objection, text)}`)
  }
  return headers
}

function reasonFor(objection: string | null, text: string | null): string {
  if (objection !== null) return `this gateway sends ${objection}`
  return text === null ? 'its value is not here' : 'its value cannot stand in a header'
}

function valueOf(value: unknown, variables: NamedVariables, to: string): string | null {
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
  if (typeof text !== 'string') return null
  const trimmed = text.trim()
  if (placeholderIn(trimmed) !== null) return null
  return isNamed(trimmed) ? variables.resolve(trimmed, to) : trimmed
}
