import { describe, expect, onTestFinished, test } from 'vitest'
import { version } from '../../src/app/installation/version.ts'
import { ConfigurationError, readEnvironment } from '../../src/app/installation/environment.ts'
import { freshEnvironment, startGateway } from '../support/gateway-for-test.ts'
import { type GatewayUnderTest, gatewayUnderTest } from '../support/gateway-under-test.ts'
import { type OtlpReceiver, otlpReceiver, type SentPoint, type SentSpan } from '../support/otlp-receiver.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { putModelOf } from '../support/put-model.ts'
import { type Script, scriptedUpstream, type ScriptedUpstream } from '../support/scripted-upstream.ts'
import { inSuite, isLongSuite } from '../support/run/suite.ts'
import { scrape } from '../support/scrape.ts'

// What a collector of OpenTelemetry gets of real requests.

const SERVER = 2
const CLIENT = 3
const PARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
const CANARIES = ['canary-text', 'canary-answer', 'canary-agent', 'canary-session', 'canary-model', 'canary-user']

const overloaded: Script = (request, response) => {
  request.resume()
  response.writeHead(503, { 'content-type': 'application/json' }).end('{"error":{"message":"canary-answer"}}')
}
const answering: Script = (request, response) => {
  request.resume()
  const usage = { prompt_tokens: 50, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 20 } }
  const choices = [{ index: 0, message: { role: 'assistant', content: 'canary-answer' }, finish_reason: 'stop' }]
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ id: 'x', object: 'chat.completion', choices, usage }))
}

interface Traced {
  readonly gateway: GatewayUnderTest
  readonly collector: OtlpReceiver
  readonly secret: string
  chat(model: string, options?: { stream?: boolean; traceparent?: string }): Promise<number>
  upstream(script: Script): Promise<ScriptedUpstream>
  /** Ends the gateway, so that all has been sent. */
  ended(): Promise<void>
}

async function traced(environment: Record<string, string> = {}): Promise<Traced> {
  const collector = await otlpReceiver()
  const gateway = await gatewayUnderTest({
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      ...environment,
    },
  })
  let end: Promise<void> | null = null
  const ended = () => (end ??= gateway.close())
  onTestFinished(ended)
  const { secret } = await gateway.key(await gateway.account())
  return {
    gateway,
    collector,
    secret,
    chat: async (model, { stream = false, traceparent } = {}) => {
      const answer = await fetch(`${gateway.origin}/v1/chat/completions`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${secret}`,
          'user-agent': 'canary-agent',
          'x-session-id': 'canary-session',
          baggage: 'who=canary-user',
          ...(traceparent === undefined ? {} : { traceparent }),
        },
        body: JSON.stringify({
          model,
          stream,
          user: 'canary-user',
          max_tokens: 100,
          messages: [{ role: 'user', content: 'canary-text' }],
        }),
      })
      await answer.text()
      return answer.status
    },
    upstream: async (script) => {
      const upstream = await scriptedUpstream(script)
      onTestFinished(() => upstream.close())
      return upstream
    },
    ended,
  }
}

function attributesOf(span: SentSpan | undefined): Record<string, unknown> {
  return { ...span?.attributes }
}

describe('of a request that is tried at two upstreams', () => {
  test('its span has both attempts below it, goes on with its client’s trace and says what was used', async () => {
    const { gateway, collector, chat, upstream, ended } = await traced()
    const [dead, alive] = [await upstream(overloaded), await upstream(answering)]
    const targets = [
      { port: dead.port, model: 'first', priority: 0, settings: { name: 'dead' } },
      { port: alive.port, model: 'second', priority: 1, settings: { name: 'alive' } },
    ]
    await putModelOf(gateway.store, { name: 'twice', targets })
    await expect.poll(() => chat('twice', { traceparent: PARENT })).toBe(200)
    await ended()
    const spans = collector.spans()
    const request = spans.find(
      ({ kind, attributes }) => kind === SERVER && attributes['tollgate.outcome'] === 'completed',
    )
    expect(request).toMatchObject({
      name: 'chat twice',
      traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
      parentSpanId: '00f067aa0ba902b7',
      isError: false,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': 'twice',
        'gen_ai.usage.input_tokens': 50,
        'gen_ai.usage.output_tokens': 7,
        'gen_ai.usage.cache_read.input_tokens': 20,
        'tollgate.wire': 'openai-chat',
        'tollgate.group': 'default',
        'http.response.status_code': 200,
      },
    })
    expect(attributesOf(request)['tollgate.request.id']).toMatch(/^req_/)
    expect(attributesOf(request)['tollgate.charged_usd']).toBeGreaterThan(0)
    const attempts = spans.filter(({ parentSpanId }) => parentSpanId === request?.spanId)
    expect(attempts).toMatchObject([
      {
        name: 'chat first',
        kind: CLIENT,
        isError: true,
        attributes: {
          'tollgate.upstream': 'dead',
          'tollgate.credential': 'default',
          'tollgate.attempt.class': 'overloaded',
          'error.type': 'overloaded',
          'http.response.status_code': 503,
        },
      },
      {
        name: 'chat second',
        kind: CLIENT,
        isError: false,
        attributes: { 'tollgate.upstream': 'alive', 'tollgate.attempt.class': 'ok', 'http.response.status_code': 200 },
      },
    ])
    expect(attempts.every(({ seconds }) => seconds >= 0 && seconds <= (request?.seconds ?? 0))).toBe(true)
    expect(collector.resources()[0]).toMatchObject({ 'service.name': 'tollgate', 'service.version': version() })
  })

  test('each metric has the name, the unit, the steps and the version of the conventions, and ours are beside them', async () => {
    const { gateway, collector, chat, upstream, ended } = await traced({ OTEL_SERVICE_NAME: 'gateway-of-test' })
    const alive = await upstream(answering)
    await putModelOf(gateway.store, {
      name: 'm1',
      targets: [{ port: alive.port, model: 'up', settings: { name: 'up' } }],
    })
    const stream = 'fake/slow-chunks?chunks=4&delay_ms=20&input=5&output=6'
    await gateway.model(stream, { protocols: ['openai'] })
    await expect.poll(() => chat('m1')).toBe(200)
    await expect.poll(() => chat(stream, { stream: true })).toBe(200)
    const counted = await scrape(gateway.origin)
    await ended()
    const points = collector.points()
    const of = (name: string, attributes: Record<string, unknown> = {}): SentPoint | undefined =>
      points.find(
        (point) =>
          point.name === name && Object.entries(attributes).every(([key, value]) => point.attributes[key] === value),
      )
    const common = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'up',
      'tollgate.upstream': 'up',
    }
    expect(of('gen_ai.client.token.usage', { ...common, 'gen_ai.token.type': 'input' })).toMatchObject({
      unit: '{token}',
      count: 1,
      sum: 50,
      scope: 'tollgate',
      schemaUrl: 'https://opentelemetry.io/schemas/gen-ai/1.42.0',
      bounds: [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864],
    })
    expect(of('gen_ai.client.token.usage', { ...common, 'gen_ai.token.type': 'output' })).toMatchObject({ sum: 7 })
    expect(of('gen_ai.client.operation.duration', common)).toMatchObject({ unit: 's', count: 1 })
    expect(of('gen_ai.server.request.duration', { 'gen_ai.request.model': 'm1' })).toMatchObject({
      unit: 's',
      count: 1,
    })
    const ofStream = { 'gen_ai.request.model': stream }
    expect(of('gen_ai.server.time_to_first_token', ofStream)).toMatchObject({ unit: 's', count: 1 })
    expect(of('gen_ai.server.time_per_output_token', ofStream)).toMatchObject({ unit: 's', count: 1 })
    expect(of('gen_ai.server.time_to_first_token', { 'gen_ai.request.model': 'm1' })).toBe(undefined)
    expect(new Set(points.map(({ name }) => name))).toEqual(new Set([...GEN_AI_NAMES, ...counted.families]))
    const labels = { wire: 'openai-chat', model: 'm1', group: 'default', outcome: 'completed', fault: 'none' }
    expect(of('tollgate_requests_total', labels)).toMatchObject({ value: 1, unit: '1' })
    expect(of('tollgate_request_seconds')).toMatchObject({ count: 2, unit: 's' })
    expect(of('tollgate_charged_usd_total')?.value).toBe(counted.sum('tollgate_charged_usd_total'))
    expect(collector.resources().map((resource) => resource['service.name'])).toContain('gateway-of-test')
  })

  test('refused requests have a span without a model that was only asked for, and nothing holds a text or a secret', async () => {
    const { gateway, collector, secret, chat, upstream, ended } = await traced()
    const alive = await upstream(answering)
    await putModelOf(gateway.store, { name: 'm1', targets: [{ port: alive.port }] })
    await expect.poll(() => chat('m1')).toBe(200)
    expect(await chat('canary-model')).toBe(404)
    await gateway.model('fake/overloaded?tag=otel', { protocols: ['openai'] })
    await expect.poll(() => chat('fake/overloaded?tag=otel')).toBe(503)
    await ended()
    const refused = collector.spans().find(({ attributes }) => attributes['error.type'] === 'model_unknown')
    expect(refused).toMatchObject({ name: 'chat', kind: SERVER, isError: false })
    const failed = collector.spans().filter(({ kind, isError }) => kind === SERVER && isError)
    expect(failed.map(attributesOf)).toContainEqual(
      expect.objectContaining({ 'error.type': 'upstream_overloaded', 'tollgate.outcome': 'failed' }),
    )
    const all = collector.delivered.map(({ bytes }) => bytes.toString()).join('\n')
    for (const canary of [...CANARIES, secret, secret.slice(8, 24), 'upstream-credential-for-tests', alive.port])
      expect(all).not.toContain(String(canary))
  })
})

describe('a client’s trace', () => {
  const askedWith = async (environment: Record<string, string>, model: string) => {
    const { gateway, collector, chat, ended } = await traced(environment)
    await gateway.model(model, { protocols: ['anthropic', 'openai'] })
    await expect.poll(() => chat(model, { traceparent: PARENT })).toBe(200)
    await ended()
    return { headers: gateway.fake.requests.at(-1)?.headers ?? {}, spans: collector.spans() }
  }

  test('stays here unless an admin lets it go on', async () => {
    const { headers } = await askedWith({}, 'fake/echo')
    expect([headers['traceparent'], headers['baggage']]).toEqual([undefined, undefined])
  })

  test('goes on to upstreams from the attempt, where an admin lets it', async () => {
    const { headers, spans } = await askedWith({ TOLLGATE_FORWARDED_HEADERS: 'traceparent' }, 'fake/echo')
    const attempt = spans.findLast(({ kind }) => kind === CLIENT)
    expect(headers['traceparent']).toBe(`00-4bf92f3577b34da6a3ce929d0e0e4736-${attempt?.spanId}-01`)
    expect(headers['baggage']).toBe(undefined)
  })

  test('that is not to be sampled is not sampled here either, and what begins here is as the sampler says', async () => {
    const { gateway, collector, chat, ended } = await traced({ OTEL_TRACES_SAMPLER: 'parentbased_always_off' })
    await gateway.model('fake/echo', { protocols: ['openai'] })
    await expect.poll(() => chat('fake/echo', { traceparent: PARENT })).toBe(200)
    expect(await chat('fake/echo', { traceparent: PARENT.replace(/01$/, '00') })).toBe(200)
    expect(await chat('fake/echo', { traceparent: 'canary-text' })).toBe(200)
    await ended()
    const traces = new Set(collector.spans().map(({ traceId }) => traceId))
    expect(traces).toEqual(new Set(['4bf92f3577b34da6a3ce929d0e0e4736']))
    const duration = collector.points().filter(({ name }) => name === 'gen_ai.server.request.duration')
    expect(duration.reduce((sum, { count }) => sum + (count ?? 0), 0)).toBeGreaterThanOrEqual(3)
  })
})

describe('the collector', () => {
  test.for(inSuite({ long: ['hangs', 'fails', 'away'] as const, short: ['hangs'] as const }))(
    'that %s costs no request, and what waits is bounded',
    async (manner) => {
      const { gateway, collector, chat, ended } = await traced({
        OTEL_BSP_MAX_QUEUE_SIZE: '10',
        OTEL_BSP_SCHEDULE_DELAY: '100',
        OTEL_METRIC_EXPORT_INTERVAL: '100',
      })
      if (manner === 'away') collector.close()
      else collector.manner = manner
      await gateway.model('fake/echo', { protocols: ['openai'] })
      await expect.poll(() => chat('fake/echo')).toBe(200)
      for (let round = 0; round < 10; round++) {
        const statuses = await Promise.all(Array.from({ length: 10 }, () => chat('fake/echo')))
        expect(new Set(statuses)).toEqual(new Set([200]))
      }
      await ended()
      // Two spans of each of a hundred requests: what was delivered are the few that were waiting at a time.
      if (manner === 'hangs') expect(collector.spans().length).toBeLessThan(60)
    },
  )

  test('gets Protobuf unless JSON is asked for, compressed and with the headers that are configured', async () => {
    const { gateway, collector, chat, ended } = await traced({
      OTEL_EXPORTER_OTLP_PROTOCOL: '',
      OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-team=red%20team, authorization=Bearer%20abc',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=of%20tests',
    })
    await gateway.model('fake/echo', { protocols: ['openai'] })
    await expect.poll(() => chat('fake/echo')).toBe(200)
    await ended()
    expect(new Set(collector.delivered.map(({ path }) => path))).toEqual(new Set(['/v1/traces', '/v1/metrics']))
    for (const { headers, bytes } of collector.delivered) {
      expect(headers).toMatchObject({
        'content-type': 'application/x-protobuf',
        'content-encoding': 'gzip',
        'x-team': 'red team',
        authorization: 'Bearer abc',
      })
      expect(bytes.includes('of tests')).toBe(true)
    }
  })

  test('gets one signal alone where only that has an address, or the other is switched off', async () => {
    const collector = await otlpReceiver()
    const about = {
      OTEL_EXPORTER_OTLP_ENDPOINT: '',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/of/traces`,
    }
    const { gateway, chat, ended, collector: other } = await traced(about)
    await gateway.model('fake/echo', { protocols: ['openai'] })
    await expect.poll(() => chat('fake/echo')).toBe(200)
    await ended()
    expect(new Set(collector.delivered.map(({ path }) => path))).toEqual(new Set(['/of/traces']))
    expect(other.delivered).toEqual([])
  })

  test('gets the spans of all threads, each thread as an instance of its own', async () => {
    const { gateway, collector, chat, ended } = await traced({ TOLLGATE_WORKERS: '2' })
    await gateway.model('fake/echo', { protocols: ['openai'] })
    await expect.poll(() => chat('fake/echo')).toBe(200)
    for (let round = 0; round < 5; round++) await Promise.all(Array.from({ length: 8 }, () => chat('fake/echo')))
    const completed = (await scrape(gateway.origin)).sum('tollgate_requests_total', { outcome: 'completed' })
    await ended()
    const spans = collector.spans().filter(({ attributes }) => attributes['tollgate.outcome'] === 'completed')
    expect(spans.length).toBe(completed)
    const instances = new Set(collector.resources().map((resource) => resource['service.instance.id']))
    expect(instances.size).toBe(2)
  })
})

// That nothing leads to it is in test/architecture/loaded-late.test.ts; this is what Node itself says, of three gateways.
if (isLongSuite) {
  test(
    'nothing of OpenTelemetry is loaded while no collector is configured',
    { timeout: 4 * PATIENCE_MS },
    async () => {
      const hook = 'data:text/javascript,' + encodeURIComponent(TELLS_WHAT_IS_LOADED)
      const launcher = new URL('../../src/main.ts', import.meta.url).pathname
      const command = [process.execPath, '--import', hook, launcher]
      const loaded = async (more: Record<string, string>) => {
        const gateway = await startGateway(await freshEnvironment(more), { command, until: /sk-tg-\w+/ })
        const authorization = `Bearer ${/sk-tg-\w+/.exec(gateway.printed())?.[0]}`
        const body = '{"model":"demo/echo","messages":[{"role":"user","content":"Hello"}]}'
        const answer = await fetch(`${gateway.origin}/v1/chat/completions`, {
          method: 'POST',
          headers: { authorization },
          body,
        })
        expect(answer.status).toBe(200)
        expect(await gateway.stop()).toBe(0)
        return gateway.printed().match(/(?<=loaded: ).*/g) ?? []
      }
      expect(await loaded({})).toEqual([])
      expect(await loaded({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_SDK_DISABLED: 'true' })).toEqual([])
      expect((await loaded({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })).join()).toContain('sdk-trace')
    },
  )
}

test.for([
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', '127.0.0.1:4318'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://user:password@127.0.0.1:4318'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'no pair'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'x=%0d%0ay'],
  ['OTEL_TRACES_SAMPLER', 'sometimes'],
  ['OTEL_TRACES_SAMPLER_ARG', '2'],
] as const)('%s = %s is refused at the start', ([name, value]) => {
  expect(() => readEnvironment({ [name]: value })).toThrow(ConfigurationError)
})

const GEN_AI_NAMES = [
  'gen_ai.client.token.usage',
  'gen_ai.client.operation.duration',
  'gen_ai.server.request.duration',
  'gen_ai.server.time_to_first_token',
  'gen_ai.server.time_per_output_token',
]

const TELLS_WHAT_IS_LOADED = `
import { registerHooks } from 'node:module'
registerHooks({ load(url, context, next) {
  if (url.includes('/@opentelemetry/')) console.log('loaded: ' + url)
  return next(url, context)
} })`
