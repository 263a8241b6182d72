import { describe, expect, it, test } from 'vitest'
import { chunkFrame, exceptionFrame, frame } from '../../../../tools/fake-upstream/clouds/bedrock-frames.ts'
import type { RequestPurpose, UpstreamHandler, UpstreamRequest } from '../../upstream-client.ts'
import type { DialectUpstream } from '../dialect.ts'
import { bedrock } from './bedrock.ts'

const HOST = 'https://bedrock-runtime.us-east-1.amazonaws.com'
const MANTLE = 'https://bedrock-mantle.us-east-1.api.aws'
const ANTHROPIC: DialectUpstream = { protocol: 'anthropic', baseUrl: HOST, region: null, apiVersion: null }
const OPENAI: DialectUpstream = { ...ANTHROPIC, protocol: 'openai' }

function asking(
  path: string,
  asks: Partial<RequestPurpose> = {},
  headers: Record<string, string> = {},
): UpstreamRequest {
  return {
    method: 'POST',
    path,
    headers,
    body: [Buffer.from('{"model":"m","max_tokens":1,'), Buffer.from('"messages":[ 1.0 ],"stream":true}')],
    asks: { wire: 'anthropic-messages', model: 'a:b/c', form: 'whole', ...asks },
  }
}

describe('outbound', () => {
  test.for([
    [ANTHROPIC, 'whole', '/model/a%3Ab%2Fc/invoke'],
    [ANTHROPIC, 'stream', '/model/a%3Ab%2Fc/invoke-with-response-stream'],
    [ANTHROPIC, 'count_tokens', '/model/a%3Ab%2Fc/count-tokens'],
    [{ ...ANTHROPIC, baseUrl: `${HOST}/anthropic` }, 'whole', '/v1/messages?beta=true'],
    [{ ...ANTHROPIC, baseUrl: `${HOST}/anthropic/v1` }, 'whole', '/messages?beta=true'],
    [{ ...ANTHROPIC, baseUrl: MANTLE }, 'stream', '/anthropic/v1/messages?beta=true'],
    [OPENAI, 'whole', '/openai/v1/messages?beta=true'],
    [{ ...OPENAI, baseUrl: `${HOST}/openai` }, 'whole', '/v1/messages?beta=true'],
    [{ ...OPENAI, baseUrl: `${HOST}/openai/v1` }, 'whole', '/messages?beta=true'],
    [{ ...OPENAI, baseUrl: MANTLE }, 'whole', '/v1/messages?beta=true'],
    [{ ...OPENAI, baseUrl: `${MANTLE}/openai/v1` }, 'whole', '/messages?beta=true'],
  ] as const)('%j goes, %s, to %s', ([of, form, path]) => {
    expect(bedrock(of).outbound(asking('/messages?beta=true', { form })).path).toBe(path)
  })

  it('passes on as the same object what already is as Bedrock wants it', () => {
    const native = asking('/messages')
    expect(bedrock({ ...ANTHROPIC, baseUrl: `${HOST}/anthropic/v1` }).outbound(native)).toBe(native)
    const converse = asking('/model/a%3Ab/converse-stream', { form: 'stream' })
    expect(bedrock({ ...ANTHROPIC, protocol: 'converse' }).outbound(converse)).toBe(converse)
  })

  it('leaves the bytes of the body but for the model, the stream and what moves in from headers', () => {
    const headers = {
      'anthropic-version': '2023-06-01',
      'anthropic-beta': 'effort-2025-11-24,unknown-2030-01-01, context-1m-2025-08-07',
      'x-app': 'cli',
    }
    const sent = bedrock(ANTHROPIC).outbound(asking('/messages', {}, headers))
    expect(Buffer.concat(sent.body).toString()).toBe(
      '{"anthropic_version":"bedrock-2023-05-31","anthropic_beta":["effort-2025-11-24","context-1m-2025-08-07"],"max_tokens":1,"messages":[ 1.0 ]}',
    )
    expect(sent.headers).toEqual({ accept: 'application/json', 'content-type': 'application/json', 'x-app': 'cli' })
  })

  it('leaves a version and features that the client has put into the body itself', () => {
    const own = '{"anthropic_version":"bedrock-2099-01-01","anthropic_beta":["mine"],"model":"m"}'
    const request = { ...asking('/messages', {}, { 'anthropic-beta': 'effort-2025-11-24' }), body: [Buffer.from(own)] }
    expect(Buffer.concat(bedrock(ANTHROPIC).outbound(request).body).toString()).toBe(
      '{"anthropic_version":"bedrock-2099-01-01","anthropic_beta":["mine"]}',
    )
  })

  test.for([
    ['us.anthropic.claude-x-v1:0', 'anthropic.claude-x-v1%3A0'],
    ['us-gov.anthropic.claude-x', 'anthropic.claude-x'],
    ['global.anthropic.claude-x', 'anthropic.claude-x'],
    ['anthropic.claude-x', 'anthropic.claude-x'],
    ['arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-x', 'anthropic.claude-x'],
    [
      'arn:aws:bedrock:us-east-1:1:application-inference-profile/ab1',
      'arn%3Aaws%3Abedrock%3Aus-east-1%3A1%3Aapplication-inference-profile%2Fab1',
    ],
  ] as const)('tokens of %s are counted by %s', ([model, counted]) => {
    const { path } = bedrock(ANTHROPIC).outbound(asking('/messages/count_tokens', { form: 'count_tokens', model }))
    expect(path).toBe(`/model/${counted}/count-tokens`)
  })

  it('refuses a model whose id would lead to another path', () => {
    for (const model of ['', '.', '..']) {
      expect(() => bedrock(ANTHROPIC).outbound(asking('/messages', { model }))).toThrow('id')
    }
  })
})

interface Answer {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly pieces: readonly (Buffer | string)[]
}

/** What the gateway hears of an answer. */
function heard(of: DialectUpstream, request: UpstreamRequest, { status = 200, headers = {}, pieces }: Answer) {
  const news: { status: number; type: unknown; body: string; end: string; calls: number } = {
    status: 0,
    type: '',
    body: '',
    end: '',
    calls: 0,
  }
  const handler: UpstreamHandler = {
    onHead: (received, { 'content-type': type }) => Object.assign(news, { status: received, type }),
    onData(chunk) {
      news.body += chunk.toString()
      news.calls += 1
    },
    onEnd: () => (news.end += 'end'),
    onFailure: ({ code }) => (news.end += code),
  }
  const hears = bedrock(of).inbound(request, handler)
  hears.onHead(status, headers)
  for (const piece of pieces) hears.onData(Buffer.from(piece))
  if (news.end === '') hears.onEnd()
  return news
}

const FRAMED = { 'content-type': 'application/vnd.amazon.eventstream' }
const STREAM = asking('/messages', { form: 'stream' })
const THINKING = '{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm é"}}'

describe('a stream of an invocation', () => {
  it('is heard as Anthropic’s, byte for byte in its events, in one piece for each that comes', () => {
    const { body, type, end, calls } = heard(ANTHROPIC, STREAM, {
      headers: FRAMED,
      pieces: [
        Buffer.concat([
          chunkFrame('{"type":"ping"}'),
          chunkFrame(THINKING),
          chunkFrame('{\n"type": "message_stop"\n}'),
        ]),
      ],
    })
    expect(type).toBe('text/event-stream; charset=utf-8')
    expect(body).toBe(
      `event: ping\ndata: {"type":"ping"}\n\nevent: content_block_delta\ndata: ${THINKING}\n\nevent: message_stop\ndata: { "type": "message_stop" }\n\n`,
    )
    expect([end, calls]).toEqual(['end', 1])
  })

  it('ends with an exception, whatever follows it, and be it damaged', () => {
    const { body, end } = heard(ANTHROPIC, STREAM, {
      headers: FRAMED,
      pieces: [
        Buffer.concat([
          chunkFrame(THINKING),
          exceptionFrame('throttlingException', 'Slow "down".'),
          Buffer.alloc(40, chunkFrame(THINKING).subarray(8)),
        ]),
      ],
    })
    expect(body).toBe(
      `event: content_block_delta\ndata: ${THINKING}\n\nevent: error\ndata: {"type":"error","error":{"type":"rate_limit_error","code":"ThrottlingException","message":"Slow \\"down\\"."}}\n\n`,
    )
    expect(end).toBe('end')
  })

  it('ends with an error that AWS has no exception for', () => {
    const headers = { ':message-type': 'error', ':error-code': 'InternalFailure', ':error-message': 'Broken.' }
    expect(heard(ANTHROPIC, STREAM, { headers: FRAMED, pieces: [frame(headers, {})] }).body).toContain(
      '{"type":"api_error","code":"InternalFailure","message":"Broken."}',
    )
  })

  it('says nothing of frames without an event, as of those that keep a connection alive', () => {
    const pieces = [frame({ ':message-type': 'event', ':event-type': 'other' }, { p: 'x' })]
    expect(heard(ANTHROPIC, STREAM, { headers: FRAMED, pieces })).toMatchObject({ body: '', end: 'end' })
  })

  it('fails where it is damaged, after what came before, and where it is cut off within a frame', () => {
    const damaged = chunkFrame(THINKING)
    damaged[30] = 0
    const broken = heard(ANTHROPIC, STREAM, {
      headers: FRAMED,
      pieces: [Buffer.concat([chunkFrame(THINKING), damaged])],
    })
    expect(broken).toMatchObject({ body: expect.stringContaining('hm é') as string, end: 'upstream_malformed' })
    const cut = heard(ANTHROPIC, STREAM, { headers: FRAMED, pieces: [chunkFrame(THINKING).subarray(0, 40)] })
    expect(cut.end).toBe('upstream_unavailable')
  })

  const DELTA = { type: 'message_delta', delta: { stop_reason: 'end_turn' } }
  const METRICS = {
    inputTokenCount: 7,
    outputTokenCount: 5,
    cacheReadInputTokenCount: 30,
    cacheWriteInputTokenCount: 0,
  }
  test.for([
    // The stream's own counts go before.
    [{ input_tokens: 8, cache_read_input_tokens: 1, cache_creation_input_tokens: 0 }, { output_tokens: 6 }, undefined],
    [
      { input_tokens: 8 },
      { output_tokens: 6 },
      { output_tokens: 6, input_tokens: 8, cache_read_input_tokens: 30, cache_creation_input_tokens: 0 },
    ],
    [
      { input_tokens: 0, output_tokens: 1 },
      undefined,
      { input_tokens: 7, cache_read_input_tokens: 30, cache_creation_input_tokens: 0 },
    ],
    [null, null, { input_tokens: 7, cache_read_input_tokens: 30, cache_creation_input_tokens: 0, output_tokens: 5 }],
  ] as const)('with the usage %j and %j is heard with %j at its end', ([start, end, expected]) => {
    const events = [
      { type: 'message_start', message: { role: 'assistant', ...(start !== null && { usage: start }) } },
      { ...DELTA, ...(end !== null && end !== undefined && { usage: end }) },
      { type: 'message_stop', 'amazon-bedrock-invocationMetrics': METRICS },
    ]
    const pieces = events.map((event) => chunkFrame(JSON.stringify(event)))
    const { body } = heard(ANTHROPIC, STREAM, { headers: FRAMED, pieces })
    const delta = /event: message_delta\ndata: (.*)\n/.exec(body)?.[1] ?? ''
    expect(JSON.parse(delta)).toEqual({ ...DELTA, usage: expected ?? end })
  })

  it('hands on at its end what it held back', () => {
    const { body, end } = heard(ANTHROPIC, STREAM, { headers: FRAMED, pieces: [chunkFrame(JSON.stringify(DELTA))] })
    expect([body, end]).toEqual([`event: message_delta\ndata: ${JSON.stringify(DELTA)}\n\n`, 'end'])
  })

  it('is heard as it is where a server on the way writes server-sent events', () => {
    const headers = { 'content-type': 'text/event-stream' }
    expect(heard(ANTHROPIC, STREAM, { headers, pieces: ['event: ping\n\n'] })).toMatchObject({
      body: 'event: ping\n\n',
      end: 'end',
    })
  })
})

describe('Converse', () => {
  const request = asking('/model/a%3Ab/converse-stream', { form: 'stream', wire: 'bedrock-converse' })
  const CONVERSE: DialectUpstream = { ...ANTHROPIC, protocol: 'converse' }

  it('is heard as server-sent events, named as AWS names them', () => {
    const event = (name: string, payload: object) => frame({ ':message-type': 'event', ':event-type': name }, payload)
    const pieces = [event('messageStart', { role: 'assistant' }), event('metadata', { usage: { inputTokens: 1 } })]
    expect(heard(CONVERSE, request, { headers: FRAMED, pieces }).body).toBe(
      'event: messageStart\ndata: {"role":"assistant"}\n\nevent: metadata\ndata: {"usage":{"inputTokens":1}}\n\n',
    )
  })

  const ERROR = { ':message-type': 'error', ':error-code': 'InternalFailure', ':error-message': 'Broken.' }
  test.for([
    [exceptionFrame('throttlingException', 'Slow.'), 'Slow.', 'rate_limit_error', 'ThrottlingException'],
    [frame(ERROR, {}), 'Broken.', 'api_error', 'InternalFailure'],
  ] as const)(
    'is ended by an exception (%#) as by an error that says what it means',
    ([piece, message, type, code]) => {
      const body = `event: error\ndata: ${JSON.stringify({ message, type, code })}\n\n`
      expect(heard(CONVERSE, request, { headers: FRAMED, pieces: [piece] })).toMatchObject({ body, end: 'end' })
    },
  )

  it('is refused in a body that names the exception', () => {
    const headers = { 'x-amzn-errortype': 'ThrottlingException:http://internal.amazon.com/coral/' }
    expect(heard(CONVERSE, request, { status: 429, headers, pieces: ['{"message":"Slow."}'] })).toMatchObject({
      status: 429,
      body: '{"message":"Slow.","type":"rate_limit_error","code":"ThrottlingException"}',
    })
  })
})

describe('a refusal', () => {
  const OF_AWS: readonly (readonly [number, string, string, number, string])[] = [
    [400, 'ValidationException', 'max_tokens: must be positive', 400, 'invalid_request_error'],
    [400, 'ValidationException', 'The provided model identifier is invalid.', 404, 'not_found_error'],
    [
      400,
      'ValidationException',
      'Invocation of model ID a.b with on-demand throughput isn’t supported. Retry',
      404,
      'not_found_error',
    ],
    [400, 'ValidationException', 'messages.0: The provided model identifier is invalid.', 400, 'invalid_request_error'],
    [400, 'ValidationException', 'Operation not allowed', 403, 'permission_error'],
    [400, 'ValidationException', 'Your account is not authorized to invoke this API.', 403, 'permission_error'],
    [400, 'ValidationException', 'messages.0: Operation not allowed', 400, 'invalid_request_error'],
    [400, 'ServiceQuotaExceededException', 'Quota.', 429, 'rate_limit_error'],
    [429, 'ThrottlingException', 'Slow.', 429, 'rate_limit_error'],
    [429, 'ModelNotReadyException', 'Wait.', 429, 'rate_limit_error'],
    [403, 'AccessDeniedException', "You don't have access to the model.", 403, 'permission_error'],
    [
      403,
      'UnrecognizedClientException',
      'The security token included in the request is invalid.',
      401,
      'authentication_error',
    ],
    [
      403,
      'ExpiredTokenException',
      'The security token included in the request is expired',
      401,
      'authentication_error',
    ],
    [
      403,
      'InvalidSignatureException',
      'The request signature we calculated does not match',
      401,
      'authentication_error',
    ],
    [404, 'ResourceNotFoundException', 'Legacy.', 404, 'not_found_error'],
    [408, 'ModelTimeoutException', 'Late.', 408, 'timeout_error'],
    [424, 'ModelErrorException', 'Broken.', 500, 'api_error'],
    [500, 'InternalServerException', 'Broken.', 500, 'api_error'],
    [503, 'ServiceUnavailableException', 'Busy.', 503, 'overloaded_error'],
    [418, 'NewException', 'New.', 418, 'api_error'],
  ]
  test.for(OF_AWS)('%i %s (%s) is heard as %i %s', ([status, name, message, heardAs, type]) => {
    const headers = { 'x-amzn-errortype': `${name}:http://internal.amazon.com/coral/` }
    const news = heard(ANTHROPIC, asking('/messages'), { status, headers, pieces: [JSON.stringify({ message })] })
    expect(news).toMatchObject({ status: heardAs, type: 'application/json', end: 'end' })
    expect(JSON.parse(news.body)).toEqual({ type: 'error', error: { type, code: name, message } })
  })

  it('of an API key is one of the credential, by its message alone', () => {
    const pieces = ['{"Message":"Authentication failed: Please make sure your API Key is valid."}']
    expect(heard(ANTHROPIC, STREAM, { status: 403, pieces }).status).toBe(401)
    const ofOpenai = heard(OPENAI, asking('/chat/completions'), { status: 403, pieces })
    expect(JSON.parse(ofOpenai.body)).toMatchObject({ error: { type: 'authentication_error', param: null } })
  })

  it('of the wire’s own provider, of a server on the way, or that is too long, is heard as it is', () => {
    for (const body of [
      '{"error":{"message":"m","code":"c"}}',
      '<html>Bad gateway</html>',
      '',
      `{"message":"${'x'.repeat(300_000)}"}`,
    ]) {
      expect(heard(OPENAI, asking('/chat/completions'), { status: 502, pieces: [body] })).toMatchObject({
        status: 502,
        body,
        end: 'end',
      })
    }
  })

  it('with a good status is one all the same, and a whole answer in the place of a stream is none', () => {
    const refused = heard(ANTHROPIC, STREAM, { pieces: ['{"message":"The model returned the following errors: x"}'] })
    expect(refused).toMatchObject({ status: 400 })
    const whole = '{"type":"message","content":[]}'
    expect(heard(ANTHROPIC, STREAM, { pieces: [whole] })).toMatchObject({ status: 200, body: whole })
  })
})

it('a count of tokens is heard in Anthropic’s words', () => {
  const request = asking('/messages/count_tokens', { form: 'count_tokens' })
  expect(heard(ANTHROPIC, request, { pieces: ['{"inputTokens":', '17}'] }).body).toBe('{"input_tokens":17}')
})

describe('the list of models', () => {
  const MODELS = {
    modelSummaries: [
      { modelId: 'anthropic.claude-a', inferenceTypesSupported: ['ON_DEMAND'] },
      { modelId: 'anthropic.claude-b', inferenceTypesSupported: ['INFERENCE_PROFILE'] },
      { modelId: 'openai.gpt-oss-120b-1:0', inferenceTypesSupported: ['ON_DEMAND', 'PROVISIONED'] },
      { modelId: 7 },
      null,
    ],
  }
  const PROFILES = {
    inferenceProfileSummaries: [
      { inferenceProfileId: 'us.anthropic.claude-b', status: 'ACTIVE', type: 'SYSTEM_DEFINED' },
      { inferenceProfileId: 'us.meta.llama', status: 'ACTIVE', type: 'SYSTEM_DEFINED' },
      {
        inferenceProfileId: 'ab1',
        inferenceProfileArn: 'arn:aws:bedrock:us-east-1:1:application-inference-profile/ab1',
        status: 'ACTIVE',
        type: 'APPLICATION',
      },
      null,
    ],
    nextToken: 'a/b',
  }

  it('is that of the region’s control plane: models on demand, then profiles, page by page', () => {
    const { list } = bedrock(ANTHROPIC)
    expect(list?.url).toBe('https://bedrock.us-east-1.amazonaws.com/foundation-models?byOutputModality=TEXT')
    const profiles = 'https://bedrock.us-east-1.amazonaws.com/inference-profiles?maxResults=1000'
    expect(list?.read(MODELS)).toEqual({ names: ['anthropic.claude-a'], nextUrl: profiles })
    expect(list?.read(PROFILES)).toEqual({
      names: ['us.anthropic.claude-b', 'arn:aws:bedrock:us-east-1:1:application-inference-profile/ab1'],
      nextUrl: `${profiles}&nextToken=a%2Fb`,
    })
    expect(list?.read({ ...PROFILES, nextToken: undefined }).nextUrl).toBeNull()
    for (const body of [null, 'x', {}, []]) expect(list?.read(body)).toEqual({ names: [], nextUrl: null })
  })

  it('names to each protocol the models that it can ask for', () => {
    expect(bedrock(OPENAI).list?.read(MODELS).names).toEqual(['openai.gpt-oss-120b-1:0'])
    expect(bedrock(OPENAI).list?.read(PROFILES).names).toEqual(['us.meta.llama'])
  })
})
