import { expect, test } from 'vitest'
import { readErrorAnswer } from './upstream-error.ts'

const SILENT = { message: null, type: null, code: null, param: null }

test.for([
  ['{"error":{"message":"m","type":"t","code":"c","param":"p"}}', { message: 'm', type: 't', code: 'c', param: 'p' }],
  [
    '{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 200001 tokens > 200000 maximum"},"request_id":"r"}',
    { message: 'prompt is too long: 200001 tokens > 200000 maximum', type: 'invalid_request_error' },
  ],
  [
    '{"error":{"message":"too long","code":"context_length_exceeded","type":null,"param":"messages"}}',
    { message: 'too long', code: 'context_length_exceeded', param: 'messages' },
  ],
  ['[{"error":{"code":400,"message":"bad","status":"INVALID_ARGUMENT"}}]', { message: 'bad', code: '400' }],
  ['{"error":"no such model"}', { message: 'no such model' }],
  ['{"code":"permission-denied","error":"no credits"}', { message: 'no credits', code: 'permission-denied' }],
  ['{"message":"m","code":7}', { message: 'm', code: '7' }],
  ['{"detail":"Not here"}', { message: 'Not here' }],
  ['{"detail":[{"loc":["body"],"msg":"field required"}]}', {}],
  ['"only words"', { message: 'only words' }],
  ['upstream connect error', { message: 'upstream connect error' }],
  ['<html><body>502 Bad Gateway</body></html>', {}],
  ['', {}],
  ['null', {}],
  // As the event of a stream, with the status of an error.
  [
    'event: error\ndata: {"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}\n\n',
    { type: 'rate_limit_error', message: 'slow down' },
  ],
  ['data: {"error":{"message":"m","code":"c"}}\n\ndata: [DONE]\n\n', { message: 'm', code: 'c' }],
  ['data:{"error":{"message":"m"}}\r\n\r\n', { message: 'm' }],
  ['data: {"error":{"message":"m"}}\r\r', { message: 'm' }],
  [': ping\n\nevent: ping\ndata: {"type":"ping"}\n\ndata: {"error":"no credit"}\n\n', { message: 'no credit' }],
  ['data: {"error":\ndata: {"message":"m"}}', { message: 'm' }],
  ['\uFEFF{"error":{"message":"m"}}', { message: 'm' }],
  ['\uFEFF\n event: no\n', { message: 'event: no' }],
] as const)('reads %s', ([body, expected]) => {
  expect(readErrorAnswer(Buffer.from(body))).toEqual({ ...SILENT, ...expected })
})

test.for([
  [
    'Incorrect API key provided: sk-proj-********abcd. You can find it at https://vendor.test/keys.',
    'Incorrect API key provided: (credential removed) You can find it at (link removed)',
  ],
  ['bad header Bearer abcdefgh12345', 'bad header (credential removed)'],
] as const)('%s passes without its links and credentials', ([message, shown]) => {
  expect(readErrorAnswer(Buffer.from(JSON.stringify({ error: { message } }))).message).toBe(shown)
})

test('a message is no longer than a person reads', () => {
  const answer = readErrorAnswer(
    Buffer.from(JSON.stringify({ error: { message: 'x'.repeat(9_999), code: 'y'.repeat(999) } })),
  )
  expect(answer.message).toHaveLength(2_000)
  expect(answer.code).toHaveLength(128)
})
