import type { ImportNotes, PlannedUpstream } from '../import-plan.ts'
import { readSourceProxy, UNKNOWN_PROXY } from '../proxies.ts'
import { noteOtherKeys, objectIn } from '../set-values.ts'
import { type Row, textIn } from '../source.ts'
import { OPENAI } from './channel-types.ts'
import { isHeaderValue, objectionToHeader } from '../../routing/upstream-settings.ts'

const TABLE = 'channels'
/** Columns of overrides, each of which is listed as a whole. */
const OVERRIDES = ['param_override', 'status_code_mapping', 'system_prompt']
/** What a key of a cloud is, which the key shows as well or is read with it. */
const KEY_TYPES = ['vertex_key_type', 'aws_key_type']
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
  noteOtherKeys(row, 'settings', { table: TABLE, notes, carried: KEY_TYPES })
  const proxy = objectIn(row, 'setting', { table: TABLE, notes }).get('proxy')
  const isProxied = typeof proxy === 'string' && proxy.trim() !== ''
  const proxyUrl = isProxied ? readSourceProxy(proxy) : null
  const isLost = isProxied && proxyUrl === null
  if (isLost) notes.note(TABLE, textIn(row, 'id'), UNKNOWN_PROXY)
  return { proxyUrl, isLost, headers: headersOf(row, notes) }
}

/** The source sends these in any case, with what it puts in for `{api_key}` and `{client_header:…}`. */
function headersOf(row: Row, notes: ImportNotes): Readonly<Record<string, string>> {
  const written = [...objectIn(row, 'header_override', { table: TABLE, notes })]
  const isPlain = ([name, value]: (typeof written)[number]) =>
    !FORWARDED.test(name.trim()) && !(typeof value === 'string' && FILLED_IN.test(value))
  const { headers, left } = sentHeaders(written.filter(isPlain))
  const names = [...written.filter((entry) => !isPlain(entry)).map(([name]) => name), ...left]
  if (names.length > 0) {
    const listed = names.slice(0, NAMES_SHOWN).map((name) => name.slice(0, LONGEST_NAME))
    const what = `override ${listed.join(', ')} in a way that is not carried: such headers are left out`
    notes.note(TABLE, textIn(row, 'id'), what)
  }
  return { ...organizationOf(row), ...headers }
}

/** Names of headers of the caller that go on. */
const FORWARDED = /^(?:\*$|re:|regex:)/i
const FILLED_IN = /\{api_key\}|^\s*\{client_header:/
const NAMES_SHOWN = 20
const LONGEST_NAME = 60

/** The column is called by either name, as the release has it. */
function organizationOf(row: Row): Readonly<Record<string, string>> {
  const organization = (textIn(row, 'open_ai_organization') || textIn(row, 'openai_organization')).trim()
  const isSent = textIn(row, 'type') === OPENAI && organization !== ''
  return isSent ? sentHeaders([['openai-organization', organization]]).headers : {}
}

interface SentHeaders {
  /** Headers by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Names, as they are written, of those that cannot be sent, or are twice there with other values. */
  readonly left: readonly string[]
}

/** Picks, of the headers that another gateway sends with every request, those that an upstream may have here. Empty ones are none. */
function sentHeaders(written: Iterable<readonly [name: string, value: unknown]>): SentHeaders {
  const kept = new Map<string, string>()
  const left: string[] = []
  for (const [name, value] of written) {
    const lower = name.trim().toLowerCase()
    if (value === '') continue
    const isSent =
      typeof value === 'string' &&
      isHeaderValue(value) &&
      objectionToHeader(lower) === null &&
      (kept.get(lower) ?? value) === value
    if (isSent) kept.set(lower, value)
    else left.push(name)
  }
  return { headers: Object.fromEntries(kept), left }
}
