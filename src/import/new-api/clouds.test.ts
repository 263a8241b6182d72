import { expect, test } from 'vitest'
import { rowsInMemory } from '../../../test/support/import-sources/rows-in-memory.ts'
import { ImportNotes, type ProductWithDatabase } from '../import-plan.ts'
import { notesReport } from '../report.ts'
import type { Row } from '../source.ts'
import { planChannels } from './channels.ts'
import { readGroups } from './groups.ts'

const CHANNEL = { id: '7', name: 'cloud', status: '1', group: 'default', base_url: '' }

async function planned(product: ProductWithDatabase, row: Row) {
  const notes = new ImportNotes()
  const groups = readGroups(new Map(), { product, userGroups: new Set(), notes })
  const source = rowsInMemory({ channels: [{ ...CHANNEL, ...row }] })
  const { upstreams, served } = await planChannels(source, { product, groups, geminiVersion: null, notes })
  const asked = served.map(({ name, target }) => `${name} → ${target.model} at ${target.upstream}`)
  return { upstreams, asked, said: notesReport(notes.notes).join('\n') }
}

const RESOURCE = 'https://house.openai.azure.com'

/** `relay/channel/openai/adaptor.go` of new-api, `relay/adaptor/openai/adaptor.go` of one-api. */
test.for([
  ['new-api', { other: '2024-10-21' }, 'openai-chat', '2024-10-21', 'gpt-4.1'],
  ['new-api', {}, 'openai', '2025-04-01-preview', 'gpt-4.1'],
  // Deployments of channels from before 2025-05-10 are asked for without dots (songquanpeng/one-api#67).
  ['new-api', { other: '2024-10-21', created_time: '1700000000' }, 'openai-chat', '2024-10-21', 'gpt-41'],
  ['one-api', { other: '2024-10-21' }, 'openai-chat', '2024-10-21', 'gpt-41'],
  ['one-api', { config: '{"api_version":"2024-06-01"}' }, 'openai-chat', '2024-06-01', 'gpt-41'],
] as const)('%s asks Azure with %j as %s, version %s', async ([product, more, protocol, apiVersion, model]) => {
  const row = { type: '3', key: 'azure-key', models: 'gpt-4.1', base_url: `${RESOURCE}/`, ...more }
  const { upstreams, asked, said } = await planned(product, row)
  expect(upstreams).toMatchObject([
    {
      id: '7',
      name: 'cloud',
      dialect: 'azure',
      protocol,
      baseUrl: `${RESOURCE}/openai`,
      apiVersion,
      credentials: [{ name: 'default', secret: 'azure-key', isDisabled: false }],
    },
  ])
  expect(asked).toEqual([`gpt-4.1 → ${model} at cloud`])
  expect(said).toBe('')
})

const AWS_MODELS =
  'claude-sonnet-4-20250514,claude-opus-4-1-20250805,claude-3-5-sonnet-20241022,claude-sonnet-5,other-id'

/** `relay/channel/aws` of new-api: the maker's name becomes an id of Bedrock, or an inference profile in its geography. */
test.for([
  [
    'us-east-1',
    [
      'us.anthropic.claude-sonnet-4-20250514-v1:0',
      'us.anthropic.claude-opus-4-1-20250805-v1:0',
      'us.anthropic.claude-3-5-sonnet-20241022-v2:0',
      'us.anthropic.claude-sonnet-5',
    ],
  ],
  [
    'eu-central-1',
    [
      'eu.anthropic.claude-sonnet-4-20250514-v1:0',
      'anthropic.claude-opus-4-1-20250805-v1:0',
      'anthropic.claude-3-5-sonnet-20241022-v2:0',
      'eu.anthropic.claude-sonnet-5',
    ],
  ],
  [
    'ap-northeast-1',
    [
      'apac.anthropic.claude-sonnet-4-20250514-v1:0',
      'anthropic.claude-opus-4-1-20250805-v1:0',
      'apac.anthropic.claude-3-5-sonnet-20241022-v2:0',
      'apac.anthropic.claude-sonnet-5',
    ],
  ],
  [
    'ca-central-1',
    [
      'anthropic.claude-sonnet-4-20250514-v1:0',
      'anthropic.claude-opus-4-1-20250805-v1:0',
      'anthropic.claude-3-5-sonnet-20241022-v2:0',
      'anthropic.claude-sonnet-5',
    ],
  ],
] as const)('new-api asks Bedrock in %s for its ids', async ([region, ids]) => {
  const models = AWS_MODELS.replace(',other-id', '')
  const { upstreams, asked, said } = await planned('new-api', { type: '33', key: `AKIA1|aws/secret|${region}`, models })
  expect(upstreams).toMatchObject([
    {
      dialect: 'bedrock',
      protocol: 'anthropic',
      baseUrl: `https://bedrock-runtime.${region}.amazonaws.com`,
      credentials: [{ secret: 'aws/secret', kind: 'aws', settings: { source: 'keys', access_key_id: 'AKIA1' } }],
    },
  ])
  expect(asked.map((line) => line.split(' ')[2])).toEqual(ids)
  expect(said).toBe('')
})

test('keys of one channel in several regions are an upstream each, and an API key of Bedrock is sent as it is', async () => {
  const row = {
    type: '33',
    key: 'AKIA1|s1|us-east-1\nABSK-2|eu-west-1\nAKIA3|s3|us-east-1\nnone',
    channel_info: '{"is_multi_key":true,"multi_key_status_list":{"2":2}}',
    settings: '{"aws_key_type":"ak_sk"}',
    models: 'claude-sonnet-5',
  }
  const { upstreams, asked, said } = await planned('new-api', row)
  expect(upstreams.map(({ id, baseUrl }) => [id, new URL(baseUrl).host])).toEqual([
    ['7', 'bedrock-runtime.us-east-1.amazonaws.com'],
    ['7 eu-west-1 anthropic', 'bedrock-runtime.eu-west-1.amazonaws.com'],
  ])
  expect(upstreams.map(({ credentials }) => credentials)).toMatchObject([
    [
      { name: 'key 1', secret: 's1', isDisabled: false },
      { name: 'key 3', secret: 's3', isDisabled: true },
    ],
    [{ name: 'key 2', secret: 'ABSK-2', isDisabled: false }],
  ])
  expect(upstreams[1]?.credentials[0]?.kind).toBeUndefined()
  const [, other] = upstreams
  expect(asked).toEqual([
    'claude-sonnet-5 → us.anthropic.claude-sonnet-5 at cloud',
    `claude-sonnet-5 → eu.anthropic.claude-sonnet-5 at ${other?.name}`,
  ])
  expect(said).toContain('channels 7: have keys that are none of AWS with a region')
})

test('one-api has the keys of AWS beside the channel', async () => {
  const config = '{"region":"us-west-2","ak":"AKIA9","sk":"s9"}'
  const row = { type: '33', key: 'AKIA9|s9|us-west-2', config, models: 'claude-3-haiku-20240307' }
  const { upstreams, asked, said } = await planned('one-api', row)
  expect(upstreams).toMatchObject([
    {
      baseUrl: 'https://bedrock-runtime.us-west-2.amazonaws.com',
      credentials: [{ secret: 's9', settings: { access_key_id: 'AKIA9' } }],
    },
  ])
  expect(asked).toEqual(['claude-3-haiku-20240307 → anthropic.claude-3-haiku-20240307-v1:0 at cloud'])
  expect(said).toBe('')
})

const FILE = { type: 'service_account', project_id: 'house-1', private_key: 'p' }

/** `relay/channel/vertex`: a protocol by the model, and a location by the name that clients ask for. */
test('a channel of Vertex AI is an upstream for each protocol and location', async () => {
  const row = {
    type: '41',
    key: JSON.stringify(FILE, null, 2),
    other: '{"default":"global","claude-sonnet-4-5-20250929":"us-east5"}',
    models: 'gemini-2.5-pro,claude-sonnet-4-5-20250929,claude-opus-5,meta/llama-4-scout-maas,imagen-4',
  }
  const { upstreams, asked, said } = await planned('new-api', row)
  const at = (host: string, location: string) => `https://${host}/v1/projects/house-1/locations/${location}`
  expect(upstreams.map(({ id, protocol, baseUrl }) => [id, protocol, baseUrl])).toEqual([
    ['7', 'gemini', at('aiplatform.googleapis.com', 'global')],
    ['7 house-1 us-east5 anthropic', 'anthropic', at('us-east5-aiplatform.googleapis.com', 'us-east5')],
    ['7 house-1 global anthropic', 'anthropic', at('aiplatform.googleapis.com', 'global')],
    ['7 house-1 global openai-chat', 'openai-chat', at('aiplatform.googleapis.com', 'global')],
  ])
  for (const { credentials } of upstreams)
    expect(credentials).toMatchObject([
      { kind: 'gcp', settings: { source: 'service_account' }, secret: JSON.stringify(FILE), isDisabled: false },
    ])
  expect(asked.map((line) => line.split(' at ')[0])).toEqual([
    'gemini-2.5-pro → gemini-2.5-pro',
    'claude-sonnet-4-5-20250929 → claude-sonnet-4-5@20250929',
    'claude-opus-5 → claude-opus-5',
    'meta/llama-4-scout-maas → meta/llama-4-scout-maas',
  ])
  expect(said).toContain('channels 7: ask imagen-4 in a form that is not spoken here')
})

test('several key files of a channel are credentials of one upstream, and an API key is asked without a project', async () => {
  const several = {
    type: '41',
    key: JSON.stringify([FILE, { ...FILE, private_key: 'q' }]),
    channel_info: '{"is_multi_key":true}',
    other: 'global',
    models: 'gemini-2.5-pro',
  }
  expect((await planned('new-api', several)).upstreams.map(({ credentials }) => credentials.length)).toEqual([2])
  const row = { type: '41', key: 'AQ.key', settings: '{"vertex_key_type":"api_key"}', models: 'gemini-2.5-pro' }
  const { upstreams, said } = await planned('new-api', row)
  expect(upstreams).toMatchObject([
    { baseUrl: 'https://aiplatform.googleapis.com/v1', credentials: [{ secret: 'AQ.key', isDisabled: false }] },
  ])
  expect(said).toBe('')
})

test('one-api has the key file, the project and the region beside the channel', async () => {
  const config = JSON.stringify({
    region: 'us-central1',
    vertex_ai_project_id: 'house-3',
    vertex_ai_adc: JSON.stringify(FILE),
  })
  const { upstreams, said } = await planned('one-api', { type: '42', key: 'x', config, models: 'gemini-1.5-pro' })
  expect(upstreams).toMatchObject([
    {
      baseUrl: 'https://us-central1-aiplatform.googleapis.com/v1/projects/house-3/locations/us-central1',
      credentials: [{ kind: 'gcp', secret: JSON.stringify(FILE) }],
    },
  ])
  expect(said).toBe('')
})

test.for([
  [{ type: '3', key: 'k', models: 'm' }, 'are of type 3 and name no base URL that can be used'],
  [{ type: '33', key: 'AKIA|s', models: 'm' }, 'are of type 33 and have no key of AWS with its region'],
  [{ type: '33', key: 'a|b|c|us-east-1', models: 'm' }, 'are of type 33 and have no key of AWS with its region'],
  [{ type: '41', key: '{"type":"authorized_user"}', models: 'm' }, 'are of type 41 and have no key file of Google’s'],
  [
    { type: '41', key: JSON.stringify(FILE), other: 'not a place', models: 'gemini-x' },
    'are of type 41 and name no project and location',
  ],
] as const)('%j is not carried, with the reason', async ([row, sentence]) => {
  const { upstreams, said } = await planned('new-api', row)
  expect([upstreams, said]).toEqual([[], expect.stringContaining(sentence)])
})

test('a channel that is disabled by hand keeps its upstreams with disabled credentials, and serves nothing', async () => {
  const row = { type: '33', key: 'AKIA1|s1|us-east-1', status: '2', models: 'claude-sonnet-5' }
  const { upstreams, asked, said } = await planned('new-api', row)
  expect([upstreams[0]?.credentials[0]?.isDisabled, asked]).toEqual([true, []])
  expect(said).toContain('have no credential that is enabled')
})
