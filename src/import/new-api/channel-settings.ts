import type { ImportNotes } from '../import-notes.ts'
import type { PlannedUpstream } from '../import-plan.ts'
import { readSourceProxy, UNKNOWN_PROXY } from '../proxies.ts'
import { noteOtherKeys, objectIn } from '../set-values.ts'
import { type Row, textIn } from '../source.ts'

const TABLE = 'channels'
/** Columns of overrides, each of which is listed as a whole. */
const OVERRIDES = ['param_override', 'status_code_mapping', 'system_prompt']
const REASONS = {
  pass_through_body_enabled: ': what is asked in the upstream’s own protocol goes on as it came here anyway',
}

/**
 * How the provider of a channel is reached; `isLost`: by a proxy that cannot be used here. Every other setting of the channel is
 * noted.
 */
export function passageOf(
  row: Row,
  notes: ImportNotes,
): Pick<PlannedUpstream, 'proxyUrl' | 'headers'> & { readonly isLost: boolean } {
  for (const column of OVERRIDES) {
    if (!['', '{}', 'null'].includes(textIn(row, column).trim()))
      notes.note(TABLE, textIn(row, 'id'), `have a ${column}, which is not carried`)
  }
  noteOtherKeys(row, 'setting', { table: TABLE, notes, carried: ['proxy'], reasons: REASONS })
  noteOtherKeys(row, 'settings', { table: TABLE, notes, carried: [] })
  const proxy = objectIn(row, 'setting', { table: TABLE, notes }).get('proxy')
  const isProxied = typeof proxy === 'string' && proxy.trim() !== ''
  const proxyUrl = isProxied ? readSourceProxy(proxy) : null
  const isLost = isProxied && proxyUrl === null
  if (isLost) notes.note(TABLE, textIn(row, 'id'), UNKNOWN_PROXY)
  return { proxyUrl, isLost, headers: headersOf(row, notes) }
}

function headersOf(row: Row, notes: ImportNotes): Readonly<Record<string, string>> {
  const organization = textIn(row, 'openai_organization').trim()
  const written = [...objectIn(row, 'header_override', { table: TABLE, notes })]
  const plain = written.filter(
    (entry): entry is [string, string] =>
      /^[\w-]{1,100}$/.test(entry[0]) && typeof entry[1] === 'string' && isPlainHeader(entry[0], entry[1]),
  )
  if (plain.length < written.length) {
    notes.note(TABLE, textIn(row, 'id'), 'override headers in a way that is not carried: those are left out')
  }
  return { ...(organization === '' ? {} : { 'openai-organization': organization }), ...Object.fromEntries(plain) }
}

function isPlainHeader(name: string, value: string): boolean {
  const isOfConnection =
    /^(?:host|connection|content-length|transfer-encoding|authorization|x-api-key|x-goog-api-key)$/i
  return !value.includes('{') && /^[\x20-\x7e]{1,1000}$/.test(value) && !isOfConnection.test(name)
}
