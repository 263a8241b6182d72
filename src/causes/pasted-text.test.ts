import { expect, test } from 'vitest'
import { type FactValues, type FaultFacts, KEY_MISTAKES } from '../core/fact-values.ts'
import { type FaultCode, FAULTS } from '../core/faults.ts'
import { plainMessage } from '../core/plain-fault.ts'
import { explainEnglish, sentence } from './english.ts'
import { readPasted } from './pasted-text.ts'
import { checksumOf } from './secret-checksum.ts'
import { reportedFault } from './reported-fault.ts'

const origin = 'http://127.0.0.1:8787'
const BODY = 'sk-tg-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcd'
const KEY = BODY + checksumOf(BODY)
const ID = 'req_01k9x0000000000000000000aa'
const END = KEY.slice(-4)
const read = (text: string) => readPasted(text, { origin })
const codes = (text: string) => read(text).found.map(({ code }) => code)

test.for([
  ['a request ID', ID, { request: ID, seen: ['request'] }],
  ['a whole key', KEY, { end: END, found: [], seen: ['key'] }],
  ['the end of a key', END, { end: END, seen: ['key_end'] }],
  ['a key as lists show it', `${KEY.slice(0, 10)}…${END}`, { end: END, seen: ['key_end'] }],
  ['a base URL of this gateway', 'http://localhost:8787/v1', { found: [], elsewhere: null, seen: ['address'] }],
  ['another host', 'https://api.openai.com/v1', { elsewhere: 'https://api.openai.com' }],
  ['a refused connection', 'connect ECONNREFUSED 127.0.0.1:8787', { failure: 'refused', seen: ['failure'] }],
  ['a web page for an answer', `Unexpected token '<', "<!DOCTYPE "... is not valid JSON`, { failure: 'not_a_gateway' }],
  ['a host that does not exist', 'curl: (6) Could not resolve host: gate.example', { failure: 'unknown_host' }],
] as const)('%s is recognised', ([, text, expected]) => {
  expect(read(text)).toMatchObject(expected)
})

test.for<[string, string, FaultCode, FaultFacts]>([
  ['four missing at its end', KEY.slice(0, -4), 'key_malformed', { mistake: 'missing', missing: 4, where: 'end' }],
  ['four missing at its start', KEY.slice(4), 'key_malformed', { mistake: 'missing', missing: 4, where: 'start' }],
  ['quotation marks', `"${KEY}"`, 'key_malformed', { mistake: 'quoted' }],
  ['a changed character', KEY.replace('7', '8'), 'key_malformed', { mistake: 'checksum' }],
  ['a key of another vendor', 'sk-proj-abcdefghijklmnop1234', 'key_unknown', { foreign: 'OpenAI' }],
  ['an access token', `tg-pat-${'a1'.repeat(20)}`, 'key_unknown', { access_token: true }],
  ['an endpoint as a base URL', `${origin}/v1/chat/completions`, 'base_url_wrong', { enter: `${origin}/v1` }],
  ['Anthropic’s endpoint as one', `${origin}/v1/messages`, 'base_url_wrong', { enter: origin }],
  ['a path that is not there', `${origin}/v2/foo`, 'path_unknown', { path: '/v2/foo' }],
  ['the console as a base URL', `${origin}/console/keys`, 'path_unknown', { path: '/console' }],
])('%s is found without a look-up', ([, text, code, facts]) => {
  expect(read(text).found).toMatchObject([{ code, facts }])
})

test.for<[string, string, object]>([
  ['its base URL', 'https://host.test/gate/v1', { found: [], elsewhere: null }],
  ['an endpoint', 'https://host.test/gate/v1/messages', { found: [{ facts: { enter: 'https://host.test/gate' } }] }],
  ['a path that is not there', 'https://host.test/gate/v2/x', { found: [{ facts: { path: '/v2/x' } }] }],
  ['the host without the path', 'https://host.test/v1', { elsewhere: 'https://host.test' }],
  ['a longer path', 'https://host.test/gates/v1', { elsewhere: 'https://host.test' }],
])('under a path of another site, %s is judged by what is below it', ([, text, expected]) => {
  expect(readPasted(text, { origin: 'https://host.test/gate' })).toMatchObject(expected)
})

test('a curl line tells its model, its protocol and its key, and calls an endpoint rightly', () => {
  const line = `curl ${origin}/v1/messages -H "x-api-key: ${KEY.slice(0, -2)}" -H "anthropic-version: 2023-06-01" -d '{"model":"demo/echo"}'`
  const clues = read(line)
  expect(clues).toMatchObject({ model: 'demo/echo', protocol: 'anthropic-messages', elsewhere: null })
  expect(clues.found).toMatchObject([{ code: 'key_malformed', facts: { mistake: 'missing', missing: 2 } }])
})

test.for<[string, string]>([
  ['JSON', `{"baseURL": "${origin}/v1/chat/completions", "apiKey": "${KEY}", "model": "gpt"}`],
  ['TOML', `model = "gpt"\nbase_url = "${origin}/v1/chat/completions"\napi_key = "${KEY}"`],
  ['an environment file', `OPENAI_BASE_URL=${origin}/v1/chat/completions\nOPENAI_API_KEY=${KEY}\nOPENAI_MODEL=gpt`],
])('%s tells its base URL, its key and its model', ([, text]) => {
  expect(read(text)).toMatchObject({ end: END, model: 'gpt', found: [{ code: 'base_url_wrong' }] })
})

test('a variable that a program fills in is not taken for a key', () => {
  expect(codes(`curl ${origin}/v1/models -H "Authorization: Bearer $TOLLGATE_API_KEY"`)).toEqual([])
  expect(codes('{"apiKey": "{env:OPENAI_API_KEY}"}')).toEqual([])
})

test('an error tells its fault by the code and by the sentence, and its request', () => {
  expect(codes('{"error":{"code":429,"details":[{"reason":"rate_limited"}]}}')).toEqual(['rate_limited'])
  expect(codes('< x-tollgate-fault: key_disabled')).toEqual(['key_disabled'])
  const reported = `API Error: 401 {"type":"error","error":{"message":"No API key was sent."},"request_id":"${ID}"}`
  expect(read(reported)).toMatchObject({ request: ID, status: 401, found: [{ code: 'key_missing' }] })
})

test('no clue has more of a key than its last four characters', () => {
  for (const text of [
    KEY,
    `"${KEY}"`,
    `Bearer ${KEY}`,
    `KEY=${KEY}`,
    `${origin}/v1?key=${KEY}`,
    `x ${KEY} y`,
    KEY + KEY,
  ]) {
    const clues = JSON.stringify(read(text))
    expect(clues).not.toContain(KEY.slice(6, 20))
    expect(clues).not.toContain(KEY.slice(-12))
  }
})

test('a text of any length is read in bounded time', () => {
  expect(read('sk-tg-'.repeat(20_000)).seen.length).toBeGreaterThanOrEqual(0)
  expect(read(`${'a '.repeat(60_000)}${ID}`).request).toBeNull()
})

const VALUES = {
  missing: 4,
  extra: 2,
  length: 900,
  where: 'end',
  characters: ['","'],
  end: 'aB3x',
  at: '2026-11-22T12:00:00Z',
  address: '203.0.113.7',
  group: 'default',
  groups: ['default'],
  model: 'gpt-5.5',
  allowed: ['demo/echo'],
  lacks: 'price',
  needed_usd: '1',
  left_usd: '0',
  limit_usd: '2',
  window: '5h',
  max: 10,
  used: 10,
  path: '/v2',
  origin,
  enter: origin,
  limit_mb: 32,
} satisfies Partial<FactValues>

const WHYS = [
  'credential',
  'model_missing',
  'path_missing',
  'not_found',
  'forbidden',
  'redirect',
  'no_credit',
  'endpoint',
  'untargeted',
  'too_large',
] as const

test('the fault of every sentence that the gateway writes is known again', () => {
  for (const code of Object.keys(FAULTS) as FaultCode[]) {
    expect(reportedFault(plainMessage(code)), plainMessage(code)).toBe(code)
    const variants: FaultFacts[] = [
      ...KEY_MISTAKES.map((mistake) => ({ mistake })),
      ...(['requests', 'tokens', 'concurrency', 'spend'] as const).flatMap((limit) =>
        (['key', 'account'] as const).flatMap((scope) => [
          { limit, scope },
          { limit, scope, max: 0 },
        ]),
      ),
      ...WHYS.map((why) => ({ why })),
      { foreign: 'OpenAI' },
      { access_token: true },
      { replaced: true },
      { takes: 'POST' },
      { served: 'POST /v1/x' },
      { where: 'start', mistake: 'missing' },
    ]
    for (const facts of variants) {
      const explained = explainEnglish(code, { ...VALUES, ...facts })
      if (explained !== null) expect(reportedFault(sentence(explained)), sentence(explained)).toBe(code)
    }
  }
})
