import { expect, test } from 'vitest'
import type { RemoteProtocol } from '../../core/upstream-protocol.ts'
import { readListAnswer } from './model-list-answer.ts'

const SECRET = 'a-credential-of-tests'

interface About {
  readonly status?: number
  readonly protocol?: RemoteProtocol
  readonly isCut?: boolean
}

function read(body: string | object, { status = 200, protocol = 'openai-chat', isCut = false }: About = {}) {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  return readListAnswer({ status, body: bytes, isCut }, { protocol, secrets: [SECRET] })
}

const deep = (levels: number) => `{"data":${'['.repeat(levels)}${']'.repeat(levels)}}`
const NO_CREDIT = 'run out of credit'

test.for<readonly [what: string, body: string | object, result: string, says: string | RegExp, from?: string]>([
  ['a page', '<!DOCTYPE html><html><title>Sign in</title>', 'web_page', 'web page', 'maximhq/bifrost#532'],
  ['a page behind blanks', '\n\n <html lang="en">', 'web_page', 'check its base URL'],
  ['a page with a byte order mark', '\uFEFF<html>', 'web_page', 'web page'],
  ['XML', '<?xml version="1.0"?><Error/>', 'web_page', 'web page'],
  ['nothing', '', 'empty', 'nothing'],
  ['blanks', ' \n', 'empty', 'nothing'],
  ['a word', 'OK', 'not_a_list', 'something else'],
  ['a text in quotes', '"pong"', 'not_a_list', 'something else'],
  ['null', 'null', 'not_a_list', 'something else'],
  ['a greeting', { message: 'Welcome to the API' }, 'not_a_list', /else than a list of models: check its base URL\.$/],
  ['an empty object', {}, 'not_a_list', 'something else'],
  ['an empty array', [], 'not_a_list', 'something else'],
  ['half of a list', '{"object":"list","data":[{"id":"gpt-4', 'not_a_list', 'something else'],
  ['a list of numbers', { data: [1, 2] }, 'not_a_list', 'something else'],
  ['a list of other things', { data: [{ email: 'ada@example.test' }] }, 'not_a_list', 'something else'],
  ['a list within a list', { data: { data: [{ id: 'a' }] } }, 'not_a_list', 'something else'],
  ['a million brackets', deep(1_000_000), 'not_a_list', 'something else'],
  ['a million empty objects', `{"data":[${'{},'.repeat(1_000_000)}{}]}`, 'not_a_list', 'something else'],
  ['Google’s list', { models: [{ name: 'models/gemini-2.5-flash' }] }, 'other_protocol', 'check its protocol'],
  ['an error', { error: { message: 'no', code: 500 } }, 'error_answer', 'error under a good status. It said: no'],
  [
    'an error in a text',
    { error: 'model name is empty' },
    'error_answer',
    'It said: model name',
    'qualcomm/GenieX#640',
  ],
  ['an error beside a list', { error: { message: 'no' }, data: [{ id: 'a' }] }, 'error_answer', 'It said: no'],
  ['an error in an array', [{ error: { message: 'no', code: 401 } }], 'credential_refused', 'refused the credential'],
  ['a wrong key', { error: { message: 'invalid key', code: 401 } }, 'credential_refused', 'It said: invalid key'],
  [
    'a wrong key by its name',
    { error: { message: 'x', type: 'authentication_error' } },
    'credential_refused',
    'refused',
  ],
  ['a wrong key outside', { code: 401, message: 'Unauthorized' }, 'credential_refused', 'It said: Unauthorized'],
  ['a wrong key with an empty list', { code: 401, data: [] }, 'credential_refused', 'refused the credential'],
  ['no credit', { error: { message: 'x', code: 'insufficient_quota' } }, 'no_credit', NO_CREDIT],
  ['too many', { error: { message: 'x', code: 'rate_limit_exceeded' } }, 'too_many_requests', 'too many'],
])('under 200 %s is not taken for a list of models', ([, body, result, says]) => {
  const answer = read(body)
  expect(answer).toMatchObject({ isGood: false, result, listed: null })
  expect(answer.detail).toMatch(says)
})

test.for<
  readonly [what: string, body: string | object, names: readonly string[], protocol?: RemoteProtocol, from?: string]
>([
  ['a list', { object: 'list', data: [{ id: 'b' }, { id: 'a' }] }, ['a', 'b']],
  ['one without a single model', { object: 'list', data: [] }, []],
  ['Ollama’s without models', { object: 'list', data: null }, []],
  ['a bare one', [{ id: 'a', object: 'model' }], ['a'], 'openai-chat', 'longy2k/obsidian-bmo-chatbot#51'],
  [
    'a bare one with odd fields',
    [{ id: 'gpt-3.5-turbo', permission: {} }],
    ['gpt-3.5-turbo'],
    'openai',
    'songquanpeng/one-api#128',
  ],
  ['one behind a byte order mark', '\uFEFF{"data":[{"id":"a"}]}', ['a']],
  ['one with good news around it', { code: 0, message: 'success', data: [{ id: 'a' }] }, ['a']],
  ['one with an error that is none', { error: null, data: [{ id: 'a' }] }, ['a']],
  ['Anthropic’s', { data: [{ type: 'model', id: 'claude' }], has_more: false }, ['claude'], 'anthropic'],
  ['Google’s', { models: [{ name: 'models/gemini' }] }, ['gemini'], 'gemini'],
  ['one with brackets in texts', { data: [{ id: 'a', about: '['.repeat(100) }] }, ['a']],
])('%s is one', ([, body, names, protocol = 'openai-chat']) => {
  expect(read(body, { protocol })).toMatchObject({ isGood: true, result: 'listed', said: null, listed: { names } })
})

test('what is longer than any list is not taken for one, whatever its beginning looks like', () => {
  expect(read({ data: [{ id: 'a' }] }, { isCut: true })).toMatchObject({ isGood: false, result: 'too_long' })
})

test.for([
  [402, {}, 'no_credit'],
  [402, { error: { message: 'Payment Required' } }, 'no_credit'],
  [429, { error: { message: 'You exceeded your current quota', code: 'insufficient_quota' } }, 'no_credit'],
  [403, { error: { message: 'x', code: 'INSUFFICIENT_BALANCE' } }, 'no_credit'],
  [429, { error: { message: 'x', code: '1113' } }, 'no_credit'],
  [403, { error: { message: 'x', code: '30001' } }, 'no_credit'],
  [429, { error: { message: 'slow down' } }, 'too_many_requests'],
  [400, { error: { message: 'x', code: 'invalid_api_key' } }, 'credential_refused'],
  [401, {}, 'credential_refused'],
  [404, {}, 'no_list'],
  [405, {}, 'no_list'],
  [501, '<html>', 'no_list'],
  [500, { data: [{ id: 'a' }] }, 'status'],
  [302, '', 'redirect'],
] as const)('a status of %i with %j is understood as it is where a call meets it', ([status, body, result]) => {
  expect(read(body, { status })).toMatchObject({ isGood: false, result, listed: null })
})

test('a missing list says that a test request proves the credential', () => {
  expect(read({ error: { message: 'Not Found' } }, { status: 404 }).detail).toContain(
    'Where the provider has no such list, a test request proves address and credential.',
  )
})

test('a refusal of a cloud says what to do about it', () => {
  const { detail } = read({ message: 'The security token included in the request is invalid.' }, { status: 403 })
  expect(detail).toMatch(/It said: The security token .* is invalid\. AWS does not accept .* Enter the access key ID/)
})

test('what is not an error is never repeated, and no error repeats the credential', () => {
  for (const body of [{ detail: 'a secret of an inner service' }, { message: 'inner' }, 'inner', '<title>inner']) {
    expect(read(body)).toMatchObject({ said: null })
    expect(read(body).detail).not.toContain('inner')
  }
  expect(read({ error: { message: `bad key ${SECRET}`, code: 401 } }).said).toBe('bad key …')
})

test.for([
  ['openai-chat', { id: 'a', type: 'model' }],
  ['anthropic', { id: 'a', object: 'model' }],
] as const)('a list at %s in the form of another is known as such, and can be read', ([protocol, entry]) => {
  expect(read({ data: [entry] }, { protocol }).listed).toEqual({ names: ['a'], isWhole: true, isOfOther: true })
})
