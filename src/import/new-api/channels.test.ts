import { expect, test } from 'vitest'
import { rowsInMemory } from '../../../test/support/import-sources/rows-in-memory.ts'
import { ImportNotes, type ProductWithDatabase } from '../import-plan.ts'
import { notesReport } from '../report.ts'
import type { Row } from '../source.ts'
import { planChannels } from './channels.ts'
import { readGroups } from './groups.ts'

const CHANNEL = { key: 'sk-a', status: '1', models: 'm', group: 'default', base_url: '' }

async function planned(product: ProductWithDatabase, ...rows: readonly Row[]) {
  const notes = new ImportNotes()
  const groups = readGroups(new Map(), { product, userGroups: new Set(), notes })
  const channels = rows.map((row, i) => ({ ...CHANNEL, id: String(i + 1), name: `channel ${i + 1}`, ...row }))
  const plan = await planChannels(rowsInMemory({ channels }), { product, groups, geminiVersion: null, notes })
  return { ...plan, said: notesReport(notes.notes).join('\n') }
}

async function headersOf(header_override: unknown, more: Row = {}) {
  const row = { type: '1', header_override: JSON.stringify(header_override), ...more }
  const { upstreams, said } = await planned('new-api', row)
  return { headers: upstreams[0]?.headers, said }
}

test('headers that a channel adds are carried in lower case, as every case is the same header there', async () => {
  // From QuantumNous/new-api#2389: a gateway that takes its own credential in a header.
  const written = {
    'X-House': 'yes',
    'cf-aig-Authorization': 'Bearer a',
    'HTTP-Referer': 'https://a.test',
    ' User-Agent ': 'ua/1',
  }
  const { headers, said } = await headersOf(written)
  expect(headers).toEqual({
    'x-house': 'yes',
    'cf-aig-authorization': 'Bearer a',
    'http-referer': 'https://a.test',
    'user-agent': 'ua/1',
  })
  expect(said).toBe('')
})

test('of headers that differ in case only one is carried, and the other is named where it says something else', async () => {
  const twice = await headersOf({ 'X-House': 'yes', 'x-house': 'no' })
  expect([twice.headers, twice.said]).toEqual([
    { 'x-house': 'yes' },
    expect.stringContaining('override x-house in a way'),
  ])
  expect(await headersOf({ 'X-House': 'yes', 'x-house': 'yes' })).toEqual({ headers: { 'x-house': 'yes' }, said: '' })
})

const NEVER_SENT = `TE Expect Host Content-Length Transfer-Encoding Connection Upgrade Keep-Alive Trailer
  Authorization x-api-key X-Goog-Api-Key api-key Cookie Proxy-Authorization Accept-Encoding Content-Encoding
  x:y Ünicode * re:^x- regex:.*`.split(/\s+/)

test.for([...NEVER_SENT, '', 'a header'])(
  'a header that no upstream may have is left out and named: %s',
  async (name) => {
    const { headers, said } = await headersOf({ [name]: 'something', 'X-Kept': 'yes' })
    expect([headers, said]).toEqual([{ 'x-kept': 'yes' }, expect.stringContaining('in a way that is not carried')])
  },
)

test.for([
  'a\tb',
  'ünicode',
  'a\nb: c',
  '{api_key}',
  'Bearer {api_key}',
  '{client_header:x-user}',
  7,
  true,
  null,
  ['a'],
])('a value that no upstream may have is left out, and its header is named: %j', async (value) => {
  const { headers, said } = await headersOf({ 'X-House': value, 'X-Kept': 'yes' })
  expect([headers, said]).toEqual([{ 'x-kept': 'yes' }, expect.stringContaining('override X-House in a way')])
})

test('braces in a header’s value that nothing is put in for are carried, and an empty value is not', async () => {
  expect(await headersOf({ 'X-Json': '{"a":1}', 'X-Empty': '' })).toEqual({
    headers: { 'x-json': '{"a":1}' },
    said: '',
  })
})

test('the organization is sent by channels of OpenAI’s type alone, under the name that a column has', async () => {
  for (const column of ['open_ai_organization', 'openai_organization']) {
    expect((await headersOf({}, { [column]: 'org-1' })).headers).toEqual({ 'openai-organization': 'org-1' })
    expect((await headersOf({}, { [column]: 'org-1', type: '20' })).headers).toEqual({})
  }
})

test('where weights of a priority differ it is said how else they may be drawn, and nowhere else', async () => {
  const row = { type: '1', models: 'm' }
  const { said, served } = await planned('new-api', { ...row, weight: '9' }, { ...row, weight: '0' })
  expect(served.map(({ target }) => target.weight)).toEqual([9, 0])
  expect(said).toContain('channels 1, 2: are drawn by their weights')
  expect((await planned('new-api', { ...row, weight: '9', priority: '1' }, { ...row, weight: '0' })).said).toBe('')
  expect((await planned('new-api', { ...row, weight: '3' }, { ...row, weight: '3' })).said).toBe('')
  expect((await planned('one-api', { ...row, weight: '9' }, { ...row, weight: '0' })).said).toBe('')
})

test('types that speak no protocol of this gateway are named, with disabled credentials, and personal ones are refused', async () => {
  const base_url = 'https://cloud.example.test'
  const { upstreams, served, said } = await planned('new-api', ...['15', '18'].map((type) => ({ type, base_url })), {
    type: '57',
    base_url,
  })
  expect(upstreams.map(({ credentials: [only] }) => only?.isDisabled)).toEqual([true, true])
  expect(served).toEqual([])
  for (const [i, type] of ['15', '18'].entries())
    expect(said).toContain(`channels ${i + 1}: are of type ${type}, which is not carried`)
  expect(said).toContain('channels 3: are personal subscriptions')
})

test('chains of a map of models are followed to their end, and models that lead back to themselves are not served', async () => {
  const mapping = { a: 'b', b: 'c', c: '', one: 'two', two: 'three', three: 'one', self: 'self', into: 'one' }
  const model_mapping = JSON.stringify(mapping)
  const { served, said } = await planned(
    'new-api',
    { type: '1', models: 'a,b,plain,one,into,self', model_mapping },
    { type: '1', models: 'one' },
  )
  expect(served.map(({ name, target }) => `${name} → ${target.model} at ${target.upstream}`)).toEqual([
    'a → c at channel 1',
    'b → c at channel 1',
    'plain → plain at channel 1',
    'self → self at channel 1',
    'one → one at channel 2',
  ])
  expect(said).toContain('channels 1: map models in a circle: those are not served')
})

test('one-api looks a model up in its map once', async () => {
  const model_mapping = JSON.stringify({ a: 'b', b: 'c', one: 'one' })
  const { served } = await planned('one-api', { type: '1', models: 'a,b,one', model_mapping })
  expect(served.map(({ name, target }) => `${name} → ${target.model}`)).toEqual(['a → b', 'b → c', 'one → one'])
})
