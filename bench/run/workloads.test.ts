import { expect, test } from 'vitest'
import { readOptions } from './options.ts'
import { writeBody } from './request-body.ts'
import { jobOf, WORKLOADS } from './workloads.ts'

test.for(Object.values(WORKLOADS))('bodies of $name have the same size for every subject', (workload) => {
  const { gatewayModel, upstreamModel, translatedModel } = workload
  for (const model of [gatewayModel, upstreamModel, ...(translatedModel === null ? [] : [translatedModel])]) {
    const target = { port: 1, model, authorization: 'Bearer k' }
    const { body } = jobOf(workload, target, { durationMs: 1, expect: { kind: 'object' } })
    expect(Buffer.byteLength(body)).toBe(workload.bodyBytes)
    expect(JSON.parse(body)).toMatchObject({ model, stream: workload.stream })
  }
})

test('a large body is an agent’s: turns with tool calls and code, and tools', () => {
  const body = JSON.parse(writeBody({ wire: 'chat', model: 'm', stream: false, bytes: 204_800 })) as Record<
    string,
    unknown[]
  >
  expect(body['messages']?.length).toBeGreaterThan(100)
  expect(body['tools']).toHaveLength(24)
  expect(JSON.stringify(body['messages'])).toContain('\\t')
})

test('a body that is too short for its frame is refused', () => {
  expect(() => writeBody({ wire: 'chat', model: 'm', stream: false, bytes: 50 })).toThrow('too short')
})

test.for([
  [[], { workloads: Object.keys(WORKLOADS), starts: 2, beside: null, workers: null }],
  [['--quick'], { workloads: ['plain', 'stream', 'large', 'latency', 'translated-stream'], starts: 1 }],
  [['--only', 'wide,plain', '--workers', '2'], { workloads: ['wide', 'plain'], workers: 2 }],
  [['--peer', 'own=/opt/it'], { peers: [{ name: 'own', command: ['/opt/it'], isBare: false }] }],
  [['--peer', 'bare'], { peers: [{ name: 'bare', isBare: true }] }],
  [['--only', 'stream', '--beside', 'x.js'], { workloads: ['stream', 'paced'], starts: 0, beside: 'x.js' }],
] as const)('options %j are understood', ([argv, options]) => {
  expect(readOptions(argv)).toMatchObject(options)
})

test.for([
  [['--only', 'everything'], '--only takes plain, crowd, stream'],
  [['--only', 'plain,everything'], '--only takes plain'],
  [['--workers', '0'], 'from 1'],
  [['--peer', '/opt/it'], 'name=/path'],
  [['--fast'], '--fast'],
] as const)('options %j are refused with the usage', ([argv, words]) => {
  expect(() => readOptions(argv)).toThrow(words)
  expect(() => readOptions(argv)).toThrow('npm run bench -- run [options]')
})
