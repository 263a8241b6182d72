import { expect, test } from 'vitest'
import { fillLink } from '../../console/setup/fill-link.ts'
import type { SetupValues } from '../../console/setup/placeholders.ts'
import { customImport, type ImportLink, type ImportOption, type ImportTargetView } from '../../src/contract/setup.ts'
import { keySetup } from '../../src/control/keys/setup/key-setup.ts'
import { setupModel } from '../support/setup-model.ts'
import { readCcSwitchLink, usageOf } from './import-links/cc-switch-link.ts'
import { readImportLink } from './import-links/chat-links.ts'

// Every link is filled in as the console does it and read again by a parser written from the format that the program
// documents, which knows nothing of how the link was made.

const ORIGIN = 'https://gateway.example.test'
const KEY = 'sk-tg-0123456789abcdefghijABCDEFGHIJ0123456789abcdef'
const models = [
  model('模型/gpt & co', ['openai-chat', 'openai-responses']),
  model('claude-haiku-4-5', ['anthropic-messages']),
  model('claude-opus-4-1', ['anthropic-messages']),
  model('claude-sonnet-4-5', ['anthropic-messages']),
]

test.for([
  ['claude', ORIGIN, 'claude-sonnet-4-5'],
  ['codex', `${ORIGIN}/v1`, '模型/gpt & co'],
  ['grokbuild', `${ORIGIN}/v1`, '模型/gpt & co'],
  ['opencode', `${ORIGIN}/v1`, '模型/gpt & co'],
  ['openclaw', `${ORIGIN}/v1`, '模型/gpt & co'],
  ['hermes', `${ORIGIN}/v1`, '模型/gpt & co'],
])('CC Switch imports for %s', ([app = '', endpoint = '', name]) => {
  const link = filled('cc-switch', app)
  expect(link.length).toBeLessThan(2_000)
  const read = readCcSwitchLink(link)
  expect(read).toMatchObject({ app, name: 'Tollgate Zoës MacBook 模型', endpoint, apiKey: KEY, model: name })
  const sizes = { haikuModel: 'claude-haiku-4-5', sonnetModel: 'claude-sonnet-4-5', opusModel: 'claude-opus-4-1' }
  expect(read).toMatchObject(app === 'claude' ? sizes : {})
  expect('haikuModel' in read).toBe(app === 'claude')
})

test('the script for CC Switch reads what GET /v1/usage answers, as numbers', () => {
  const read = readCcSwitchLink(filled('cc-switch', 'claude'))
  const usage = { isValid: true, invalidMessage: null, remaining: '8.5', unit: 'USD', planName: 'pro', balance: '9' }
  const quota = { limit: '20', used: '11.5', remaining: '8.5' }
  expect(usageOf(read, { ...usage, quota })).toEqual({
    request: {
      url: `${ORIGIN}/v1/usage`,
      method: 'GET',
      headers: { Authorization: `Bearer ${KEY}` },
    },
    shown: {
      isValid: true,
      invalidMessage: null,
      remaining: 8.5,
      unit: 'USD',
      planName: 'pro',
      total: 20,
      used: 11.5,
    },
  })
  const unlimited = usageOf(read, { ...usage, remaining: null, quota: { ...quota, limit: null } })
  expect(unlimited.shown).toMatchObject({ remaining: null, total: null })
})

test.for([
  ['http://192.168.1.20:8787', false],
  ['http://localhost.example.test', false],
  ['http://127.0.0.1:8787', true],
  ['http://localhost:8787', true],
  ['http://[::1]:8787', true],
  ['https://gateway.example.test', true],
] as const)('at %s the CC Switch link has a usage script: %s', ([origin, hasScript]) => {
  const link = filled('cc-switch', 'claude', origin)
  expect('usageScript' in readCcSwitchLink(link)).toBe(hasScript)
})

test.for([
  ['cherry-studio', 'openai', { baseUrl: ORIGIN, type: 'openai' }],
  ['cherry-studio', 'anthropic', { baseUrl: ORIGIN, type: 'anthropic' }],
  ['chatbox', 'openai', { baseUrl: `${ORIGIN}/v1/chat/completions`, type: 'openai', models: ['模型/gpt & co'] }],
  ['aionui', 'openai', { baseUrl: `${ORIGIN}/v1` }],
  ['deepchat', 'openai', { baseUrl: `${ORIGIN}/v1`, type: 'openai' }],
  ['deepchat', 'anthropic', { baseUrl: ORIGIN, type: 'anthropic' }],
  ['aqbot', 'openai', { baseUrl: ORIGIN, type: 'openai' }],
  ['aqbot', 'openai_responses', { baseUrl: ORIGIN, type: 'openai_responses' }],
  ['aqbot', 'anthropic', { baseUrl: ORIGIN, type: 'anthropic' }],
  ['nextchat', 'openai', { baseUrl: ORIGIN, isSentToServer: false }],
  ['opencat', 'openai', { baseUrl: ORIGIN }],
  ['ama', 'openai', { baseUrl: ORIGIN }],
  ['kelivo', 'openai', { baseUrl: `${ORIGIN}/v1`, type: 'openai' }],
  ['lobechat', 'openai', { baseUrl: `${ORIGIN}/v1`, isSentToServer: true }],
] as const)('%s imports the key for %s', ([id, option, about]) => {
  const read = readImportLink(filled(id, option))
  expect(read).toMatchObject({ apiKey: KEY, ...about })
  // Programs without a field for it show one of their own.
  expect([undefined, 'Tollgate Zoës MacBook 模型']).toContain(read.name)
})

test('a second key does not take the place of the first in Cherry Studio, and a rotated one does', () => {
  const idOf = (keyId: string) => {
    const target = setupAt(ORIGIN, keyId).imports.find(({ id }) => id === 'cherry-studio')
    const link = target?.options[0]?.link
    return link !== undefined && 'payload' in link ? link.payload['id'] : undefined
  }
  expect(idOf('key_000007')).toBe('tollgate-openai-000007')
  expect(idOf('key_000008')).not.toBe(idOf('key_000007'))
})

test('a link that takes the key to a web server has a warning, and stands after the others', () => {
  const web = setupAt(ORIGIN).imports.filter((target) => /^https?:/.test(linkOf(target)))
  expect(web.map(({ id, warnings }) => [id, warnings])).toEqual([
    ['nextchat', ['key_in_web_address']],
    ['lobechat', ['key_reaches_web_server']],
  ])
  expect(setupAt(ORIGIN).imports.at(-1)?.id).toBe('lobechat')
})

test('the answer itself holds no secret, only its placeholder', () => {
  const answer = JSON.stringify(setupAt(ORIGIN))
  expect(answer).toContain('{key}')
  expect(answer).not.toContain('sk-tg-')
})

test('a name that looks like a placeholder is not filled in with the key', () => {
  const link: ImportLink = { encoding: 'query', prefix: 'app://x', parameters: [{ name: 'n', value: '{name}' }] }
  const url = new URL(fillLink(link, { key: KEY, name: '{key}', models: {} }))
  expect(url.searchParams.get('n')).toBe('{key}')
})

test('the admin’s own link is filled in with percent-encoded values', () => {
  const template = 'app://add?o={origin}&b={base_url}&k={key}&m={model}&n={name}#{model}'
  const setup = keySetup({
    origin: ORIGIN,
    keyName: 'a & b',
    keyId: 'key_000007',
    models,
    customImports: [{ name: 'Own', template }],
  })
  const target = setup.imports.at(-1)
  expect(target).toMatchObject({ name: 'Own', is_custom: true, warnings: [], unavailable: null })
  const url = new URL(fill(target?.options[0]))
  expect(Object.fromEntries(url.searchParams)).toEqual({
    o: ORIGIN,
    b: `${ORIGIN}/v1`,
    k: KEY,
    m: '模型/gpt & co',
    n: 'Tollgate a b',
  })
  expect(decodeURIComponent(url.hash)).toBe('#模型/gpt & co')
})

test.for([
  ['https://chat.example.test/?k={key}', ['key_reaches_web_server']],
  ['HTTPS://chat.example.test/#k={key}', ['key_in_web_address']],
  ['https://chat.example.test/?k={key}#k={key}', ['key_reaches_web_server']],
  ['https://chat.example.test/', []],
  ['app://add?k={key}', []],
] as const)('the admin’s link %s gets the warnings %s', ([template, warnings]) => {
  const setup = keySetup({
    origin: ORIGIN,
    keyName: '',
    keyId: 'key_000007',
    models: [],
    customImports: [{ name: 'Own', template }],
  })
  expect(setup.imports.at(-1)?.warnings).toEqual(warnings)
})

test('targets that an admin took off the list are not offered', () => {
  const setup = keySetup({
    origin: ORIGIN,
    keyName: '',
    keyId: 'key_000007',
    models,
    hiddenImports: ['lobechat', 'nextchat'],
  })
  const offered = setup.imports.map(({ id }) => id)
  expect(offered).not.toContain('lobechat')
  expect(offered).not.toContain('nextchat')
  expect(offered).toContain('cherry-studio')
})

test.for([
  'javascript:alert({key})',
  'JavaScript:alert(1)',
  'data:text/html,{key}',
  'vbscript:x',
  'file:///etc/{key}',
  'blob:x',
  '//evil.example.test/{key}',
  ' javascript:alert(1)',
  'java\tscript:alert(1)',
  'app://x?k={secret}',
  'app://x?k={key}\n',
  'app:',
])('the contract refuses the link %j', (template) => {
  expect(customImport.safeParse({ name: 'Own', template }).success).toBe(false)
})

test.for(['app://x?k={key}', 'https://chat.example.test/#{base_url}', 'ai-provider:v1:{key}'])(
  'the contract takes the link %s',
  (template) => {
    expect(customImport.parse({ name: 'Own', template })).toEqual({ name: 'Own', template })
  },
)

function model(name: string, wires: ('openai-chat' | 'openai-responses' | 'anthropic-messages')[]) {
  return setupModel({ name, wires, contextTokens: 200_000 })
}

function setupAt(origin: string, keyId = 'key_000007') {
  return keySetup({ origin, keyName: "Zoë's (MacBook) 模型", keyId, models })
}

function filled(id: string, option: string, origin = ORIGIN): string {
  const target = setupAt(origin).imports.find((one) => one.id === id)
  return fill(target?.options.find((one) => one.id === option))
}

function linkOf(target: ImportTargetView): string {
  return fill(target.options[0])
}

/** Fills the link with the suggested models, as the console opens it. */
function fill(option: ImportOption | undefined): string {
  if (option === undefined) throw new Error('There is no such import.')
  const chosen = Object.fromEntries(option.slots.map(({ placeholder, suggested }) => [placeholder, suggested]))
  const values: SetupValues = { key: KEY, name: nameShown(option), models: chosen }
  return fillLink(option.link, values)
}

function nameShown(option: ImportOption): string {
  return option.id === 'custom' ? 'Tollgate a b' : setupAt(ORIGIN).provider_name
}
