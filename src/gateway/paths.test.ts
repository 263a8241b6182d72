import { expect, test } from 'vitest'
import { Fault } from '../core/faults.ts'
import { recognise } from './paths.ts'

const ORIGIN = 'http://127.0.0.1:8787'

test.for([
  ['POST', '/v1/chat/completions', 'openai-chat', null],
  ['POST', '/v1/messages', 'anthropic-messages', null],
  ['POST', '/chat/completions', 'openai-chat', '/v1'],
  ['POST', '/v1/v1/chat/completions', 'openai-chat', '/v1'],
  ['POST', '//v1//responses', 'openai-responses', '/v1'],
  ['POST', '/v1/v1/messages', 'anthropic-messages', ''],
  ['POST', '/messages', 'anthropic-messages', ''],
  ['POST', '/anthropic/v1/messages', 'anthropic-messages', ''],
  ['POST', '/anthropic/messages', 'anthropic-messages', ''],
  ['POST', '/v1/embeddings/', 'openai-embeddings', '/v1'],
] as const)('%s %s is %s, base path meant: %s', ([method, path, wire, meantBasePath]) => {
  const recognised = recognise(method, path, ORIGIN)
  expect(recognised.route).toMatchObject({ kind: 'generate', wire })
  expect(recognised.meantBasePath).toBe(meantBasePath)
})

test('models are listed with and without /v1, and a name may hold slashes', () => {
  expect(recognise('GET', '/v1/models', ORIGIN).route).toEqual({ kind: 'models' })
  expect(recognise('GET', '/models', ORIGIN)).toEqual({ route: { kind: 'models' }, meantBasePath: '/v1' })
  expect(recognise('GET', '/v1/models/demo/echo', ORIGIN).route).toEqual({ kind: 'model', name: 'demo/echo' })
  expect(recognise('GET', '/v1/models/demo%2Fecho', ORIGIN).route).toEqual({ kind: 'model', name: 'demo/echo' })
})

test.for([
  ['/v1/usage', null],
  ['/usage', '/v1'],
  ['/v1/v1/usage', '/v1'],
  ['//v1//usage/', '/v1'],
  ['/anthropic/v1/usage', ''],
] as const)('%s is the usage of a key, base path meant: %s', ([path, meantBasePath]) => {
  expect(recognise('GET', path, ORIGIN)).toEqual({ route: { kind: 'usage' }, meantBasePath })
})

test.for([
  ['/v1/requests/req_7', null],
  ['/requests/req_7', '/v1'],
  ['/v1/v1/requests/req_7', '/v1'],
  ['/v1/requests//req_7/', '/v1'],
  ['/anthropic/requests/req_7', ''],
  ['/v1/requests/req%5F7', null],
] as const)('%s is a receipt, base path meant: %s', ([path, meantBasePath]) => {
  expect(recognise('GET', path, ORIGIN)).toEqual({ route: { kind: 'receipt', requestId: 'req_7' }, meantBasePath })
})

test.for([
  ['POST', '/v1/chat/completions/chat/completions', '/v1'],
  ['GET', '/v1/chat/completions/v1/usage', '/v1'],
  ['GET', '/v1/chat/completions/models', '/v1'],
  ['POST', '/v1/messages/v1/messages', ''],
  ['POST', '/v1/responses/chat/completions', '/v1'],
  ['POST', '/v1/chat/completions/v1/messages', ''],
] as const)('%s %s tells the base URL to enter', ([method, path, basePath]) => {
  const fault = faultOf(() => recognise(method, path, ORIGIN))
  expect(fault.code).toBe('base_url_wrong')
  expect(fault.details.hint).toBe(ORIGIN + basePath)
  expect(fault.message).toContain(`Enter ${ORIGIN}${basePath} as base URL`)
})

test.for([
  '/',
  '/v1/requests',
  '/v1/requests/',
  '/v1/usages',
  '/v1/requests/%',
  '/v2/chat',
  '/v1',
  '/v1/modelsX',
  '/v1/models/%',
  '/chat',
])('%s is unknown, and says what exists', (path) => {
  const fault = faultOf(() => recognise('GET', path, ORIGIN))
  expect(fault.code).toBe('path_unknown')
  expect(fault.message).toContain(`${ORIGIN}/v1`)
})

test('the wrong method on a known path is told apart from an unknown path', () => {
  expect(faultOf(() => recognise('GET', '/v1/chat/completions', ORIGIN)).message).toContain('takes POST')
  for (const path of ['/v1/models', '/usage', '/v1/requests/req_7']) {
    const fault = faultOf(() => recognise('POST', path, ORIGIN))
    expect(fault).toMatchObject({ code: 'path_unknown', message: expect.stringContaining('takes GET') })
  }
})

function faultOf(act: () => unknown): Fault {
  try {
    act()
  } catch (error) {
    if (error instanceof Fault) return error
  }
  throw new Error('no fault was thrown')
}
