import { expect, test } from 'vitest'
import { Fault } from '../../core/faults.ts'
import { refuseArrayStream } from './gemini-paths.ts'
import { familyOfPath, recognise } from './paths.ts'

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
  ['POST', '/v1/completions', 'openai-completions', null],
  ['POST', '/completions', 'openai-completions', '/v1'],
  ['POST', '/v1/v1/moderations', 'openai-moderations', '/v1'],
  ['POST', '//images//generations', 'openai-images', '/v1'],
  ['POST', '/v1/images/edits/', 'openai-images', '/v1'],
  ['POST', '/openai/v1/audio/speech', 'openai-speech', '/v1'],
  ['POST', '/audio/transcriptions', 'openai-transcriptions', '/v1'],
  ['POST', '/v1/audio/translations', 'openai-transcriptions', null],
  ['POST', '/rerank', 'rerank', '/v1'],
] as const)('%s %s is %s, base path meant: %s', ([method, path, wire, meantBasePath]) => {
  const recognised = recognise(method, path, ORIGIN)
  expect(recognised.route).toMatchObject({ kind: 'generate', wire })
  expect(recognised.meantBasePath).toBe(meantBasePath)
})

test.for([
  ['/v1beta/models/m1:generateContent', 'm1', false, null],
  ['/v1/models/m1:streamGenerateContent', 'm1', true, null],
  ['/v1alpha/models/m1:streamGenerateContent', 'm1', true, null],
  ['/v1beta/models/demo/echo:generateContent', 'demo/echo', false, null],
  ['/v1beta/models/demo%2Fecho:streamGenerateContent', 'demo/echo', true, null],
  ['/v1beta/models/llama:8b%3AgenerateContent', 'llama:8b', false, null],
  ['/v1beta/v1beta/models/m1:generateContent', 'm1', false, ''],
  ['/v1/v1beta/models/m1:generateContent', 'm1', false, ''],
  ['//v1beta//models/m1:generateContent', 'm1', false, ''],
  ['/models/m1:generateContent', 'm1', false, ''],
  ['/gemini/v1beta/models/m1:streamGenerateContent', 'm1', true, ''],
  ['/gemini/models/m1:streamGenerateContent/', 'm1', true, ''],
] as const)('POST %s asks for the model %s, streamed: %s, base path meant: %s', ([path, model, isStream, meant]) => {
  const recognised = recognise('POST', path, ORIGIN)
  expect(recognised.route).toMatchObject({ kind: 'generate', wire: 'gemini', model, isStream })
  expect(recognised.meantBasePath).toBe(meant)
  expect(familyOfPath(path, true)).toBe('gemini')
})

test.for([
  ['/v1/models/demo/echo', 'demo/echo', null],
  ['/v1/models//m1', 'm1', '/v1'],
  ['/v1/models/m1/', 'm1', '/v1'],
  ['/v1/models/demo//echo', 'demo/echo', '/v1'],
  ['//v1//models//m1//', 'm1', '/v1'],
  ['/v1/models/demo%2F%2Fecho', 'demo//echo', null],
] as const)('GET %s asks for the model %s, base path meant: %s', ([path, name, meantBasePath]) => {
  expect(recognise('GET', path, ORIGIN)).toEqual({ route: { kind: 'model', name }, meantBasePath })
})

test('Google’s form has counts, and lists of models in its own shape', () => {
  expect(recognise('POST', '/v1beta/models/demo/echo:countTokens', ORIGIN).route).toMatchObject({
    kind: 'count_tokens',
    wire: 'gemini',
    model: 'demo/echo',
  })
  expect(recognise('GET', '/v1beta/models', ORIGIN)).toEqual({
    route: { kind: 'models', family: 'gemini' },
    meantBasePath: null,
  })
  expect(recognise('GET', '/v1beta/v1beta/models/demo%2Fecho', ORIGIN)).toEqual({
    route: { kind: 'model', name: 'demo/echo', family: 'gemini' },
    meantBasePath: '',
  })
  expect(recognise('GET', '/v1/models/llama:8b', ORIGIN).route).toEqual({ kind: 'model', name: 'llama:8b' })
})

test.for([
  ['POST', '/v1beta/models/m1:embedContent', 'path_unknown', '/v1/embeddings'],
  ['POST', '/v1beta/models/m1:batchEmbedContents', 'path_unknown', '/v1/embeddings'],
  ['POST', '/v1beta/models/m1:predict', 'path_unknown', ':generateContent'],
  ['POST', '/v1beta/models/m1', 'path_unknown', ':generateContent'],
  ['POST', '/v1beta/models/:generateContent', 'path_unknown', ':generateContent'],
  ['POST', '/v1beta/models/%:generateContent', 'path_unknown', ':generateContent'],
  ['POST', '/v1beta/cachedContents', 'path_unknown', ':generateContent'],
  ['DELETE', '/v1beta/models/m1:generateContent', 'path_unknown', 'takes POST'],
  ['POST', '/v1beta/models/m1:generateContent/v1beta/models/m1:generateContent', 'base_url_wrong', ORIGIN],
] as const)('%s %s is %s, and says %s', ([method, path, code, words]) => {
  const fault = faultOf(() => recognise(method, path, ORIGIN))
  expect(fault.code).toBe(code)
  expect(fault.message).toContain(words)
})

test('a stream in Google’s form has to be asked for as events', () => {
  const { route } = recognise('POST', '/v1beta/models/m1:streamGenerateContent', ORIGIN)
  expect(route).toMatchObject({ wantsEventStream: true })
  const fault = faultOf(() => refuseArrayStream('?alt=json'))
  expect(fault).toMatchObject({ code: 'request_invalid', message: expect.stringContaining('?alt=sse') })
  refuseArrayStream('?alt=sse')
  const whole = recognise('POST', '/v1beta/models/m1:generateContent', ORIGIN).route
  expect(whole).toMatchObject({ wantsEventStream: false })
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
  ['POST', '/v1/responses/responses', '/v1'],
  ['POST', '/v1/chat/completions/v1/messages', ''],
  ['GET', '/v1/responses/models', '/v1'],
  ['GET', '/v1/responses/usage', '/v1'],
] as const)('%s %s tells the base URL to enter', ([method, path, basePath]) => {
  const fault = faultOf(() => recognise(method, path, ORIGIN))
  expect(fault.code).toBe('base_url_wrong')
  expect(fault.details.hint).toBe(ORIGIN + basePath)
  expect(fault.message).toContain(`Enter ${ORIGIN}${basePath} as the base URL`)
})

test.for([
  ['POST', '/v1/messages/batches', 'POST /v1/messages and POST /v1/messages/count_tokens'],
  ['GET', '/v1/messages/batches/msgbatch_1/results', 'POST /v1/messages and POST /v1/messages/count_tokens'],
  ['POST', '/v1/messages/count_tokens/more', 'POST /v1/messages/count_tokens'],
  ['GET', '/v1/chat/completions/chatcmpl_1', 'POST /v1/chat/completions'],
  ['GET', '/chat/completions/chatcmpl_1/messages', 'POST /v1/chat/completions'],
  ['DELETE', '/v1/chat/completions/chatcmpl_1', 'POST /v1/chat/completions'],
] as const)('%s %s is a part of an API that is not served, and the base URL is right', ([method, path, served]) => {
  const fault = faultOf(() => recognise(method, path, ORIGIN))
  expect(fault.code).toBe('path_unknown')
  expect(fault.message).toContain(`does not serve ${method} ${path}. Of this API, it serves ${served}`)
  expect(fault.details.hint).toBeUndefined()
})

test.for([
  ['POST', '/v1/files', 'POST /v1/chat/completions', 'higress-group/higress#3031'],
  ['GET', '/v1/files', 'POST /v1/messages', 'UofT-DSI/deploying-ai#55'],
  ['GET', '//files', 'POST /v1/chat/completions', 'chatanywhere/GPT_API_free#266'],
  ['POST', '//v1//files', 'POST /v1/chat/completions', 'chatanywhere/GPT_API_free#326'],
  ['PUT', '/v1/files/report.pdf', 'POST /v1/chat/completions', 'Open-EO/openeo-python-driver#263'],
  ['GET', '/v1/files/file-1/content', 'POST /v1/chat/completions', 'Portkey-AI/gateway#754'],
  ['GET', '/v1/batches/batch_1', 'POST /v1/responses', 'BerriAI/litellm#37148'],
  ['POST', '/v1/batches/batch_1/cancel', 'POST /v1/responses', 'BerriAI/litellm#37201'],
  ['GET', '/v1/batches', 'POST /v1/responses', 'BerriAI/litellm#36242'],
  ['POST', '/v1/videos', 'POST /v1/images/generations', 'awsl-project/maxx#839'],
  ['GET', '/videos/video_1/content', 'POST /v1/images/generations', 'BerriAI/litellm#17143'],
  ['GET', '/v1/realtime', 'POST /v1/responses', null],
  ['POST', '/v1/realtime/client_secrets', 'POST /v1/responses', null],
  ['POST', '/v1/conversations', 'POST /v1/responses', null],
  ['DELETE', '/v1/conversations/conv_1/items/msg_1', 'POST /v1/responses', null],
  ['POST', '/v1/images/variations', 'POST /v1/images/generations and POST /v1/images/edits', null],
  ['POST', '/v1/uploads/upload_1/parts', 'POST /v1/chat/completions', null],
  ['POST', '/v1/vector_stores/vs_1/search', 'POST /v1/embeddings', null],
  ['GET', '/v1/assistants', 'POST /v1/chat/completions', null],
  ['POST', '/v1/threads/thread_1/runs', 'POST /v1/chat/completions', null],
  ['HEAD', '/v1/fine_tuning/jobs/ftjob_1', 'POST /v1/chat/completions', null],
  ['POST', '/v1/fine_tuning/alpha/graders/run', 'POST /v1/chat/completions', null],
  ['GET', '/v1/containers/cntr_1/files', 'POST /v1/responses', null],
  ['PATCH', '/v1/evals/eval_1', 'POST /v1/chat/completions', null],
  ['GET', '/v1/audio/voices', 'POST /v1/audio/speech', null],
  ['GET', '/v1/skills', 'POST /v1/messages', null],
  ['POST', '/v1/complete', 'POST /v1/messages', null],
  ['GET', '/anthropic/v1/organizations/me', 'POST /v1/messages', null],
  ['GET', '/openai/v1/files', 'POST /v1/chat/completions', null],
  ['GET', '/v1beta/files/owui-1', ':generateContent', 'QuantumNous/new-api#1474'],
  ['POST', '/upload/v1beta/files', ':generateContent', null],
  ['POST', '/v1beta/cachedContents', ':generateContent', null],
  ['GET', '/v1beta/batches/b1', ':generateContent', null],
] as const)('%s %s is not served, with the base URL right: %s (%s)', ([method, path, served]) => {
  const fault = faultOf(() => recognise(method, path, ORIGIN))
  expect(fault.code).toBe('path_unknown')
  expect(fault.message).toContain(`does not serve ${method} ${path}. `)
  expect(fault.message).toContain(served)
  expect(fault.message).toMatch(/The base URL is right\.$/)
  expect(fault.details.hint).toBeUndefined()
})

test.for(['/v1/filesX', '/v1/evalsuite', '/batch', '/v1/videosphere', '/uploaded/v1beta/files'])(
  '%s only begins like a part of an API, and is unknown',
  (path) => {
    const fault = faultOf(() => recognise('GET', path, ORIGIN))
    expect(fault.message).toContain(`Base URL for OpenAI clients: ${ORIGIN}/v1`)
  },
)

test('a file that is sent to Google’s form hears of it in Google’s shape', () => {
  expect(familyOfPath('/upload/v1beta/files', false)).toBe('gemini')
})

test.for([
  ['GET', '/v1/responses/resp_1', '/responses/resp_1'],
  ['HEAD', '/responses/resp_1', '/responses/resp_1'],
  ['DELETE', '/v1/v1/responses/resp_1/', '/responses/resp_1'],
  ['POST', '/v1/responses/resp_1/cancel', '/responses/resp_1/cancel'],
  ['GET', '/v1/responses/resp_1/input_items', '/responses/resp_1/input_items'],
] as const)('%s %s asks for a stored response', ([method, path, upstreamPath]) => {
  const { route } = recognise(method, path, ORIGIN)
  expect(route).toMatchObject({ kind: 'stored_response', responseId: 'resp_1', upstreamPath })
})

test.for([
  ['GET', '/v1/responses/resp_1/unheard', 'GET /v1/responses/{id}'],
  ['PATCH', '/v1/responses/resp_1', 'takes GET'],
  ['GET', '/v1/responses/resp_1/cancel', 'GET /v1/responses/{id}'],
  ['DELETE', '/v1/responses/compact', 'takes POST'],
  ['GET', '/v1/responses/compact/input_items', 'POST /v1/responses/compact'],
  ['GET', '/v1/responses/..%2Fmodels', 'GET /v1/responses/{id}'],
] as const)('%s %s asks for nothing that is served, and hears what is', ([method, path, words]) => {
  const fault = faultOf(() => recognise(method, path, ORIGIN))
  expect(fault.code).toBe('path_unknown')
  expect(fault.message).toContain(words)
})

test('what is served of an API is listed to its end', () => {
  const { message } = faultOf(() => recognise('POST', '/v1/responses/resp_1/unheard', ORIGIN))
  expect(message).toContain(
    'it serves POST /v1/responses, POST /v1/responses/compact, POST /v1/responses/input_tokens, GET /v1/responses/{id}, ',
  )
  expect(message).toMatch(/ and [A-Z]+ \/v1\/responses\/\{id\}\/[a-z_]+\. The base URL is right\.$/)
})

test('a fault on a path below another API’s endpoint has that API’s shape', () => {
  expect(familyOfPath('/v1/chat/completions/chatcmpl_1/messages', false)).toBe('openai')
  expect(familyOfPath('/v1/messages/batches', false)).toBe('anthropic')
  expect(familyOfPath('//messages/batches', false)).toBe('anthropic')
  expect(familyOfPath('/tollgate/v1/messages', false)).toBe('anthropic')
})

test('HEAD asks for what GET asks for, and for nothing else', () => {
  for (const path of ['/v1/models', '/models', '/v1/models/demo/echo', '/v1beta/models', '/v1/usage', '/api.json']) {
    expect(recognise('HEAD', path, ORIGIN)).toEqual(recognise('GET', path, ORIGIN))
  }
  expect(faultOf(() => recognise('HEAD', '/v1/chat/completions', ORIGIN)).message).toContain('takes POST')
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

test('the wrong method on a known path is distinguished from an unknown path', () => {
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

test('what Google’s form generates by is not the name of a model: GET is answered with POST', () => {
  expect(() => recognise('GET', '/v1beta/models/x:generateContent', 'http://here')).toThrow(/takes POST, not GET/)
})
