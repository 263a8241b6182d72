import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import OpenAI, { toFile } from 'openai'
import { expect, onTestFinished, test } from 'vitest'
import { scriptedUpstream } from '../support/scripted-upstream.ts'
import { temporaryDirectory } from '../support/test-servers.ts'
import { freshEnvironment, startGateway } from '../support/gateway-for-test.ts'
import { type Environment, type GatewayProcess, runTollgate } from '../support/gateway-process.ts'

/** The endpoints beside chat, as a user calls them: the official SDK, against a gateway of its own process. */

const SECRET = 'endpoints-8c1f5e72a9d04b36'

/** Prices as providers have them; each model is charged by another measure. */
const MODELS = `
models:
  - { name: words, price: { input: "1", output: "2" }, targets: [{ upstream: behind, model: demo/echo }] }
  - { name: pictures, price: { per_image: "0.04" }, targets: [{ upstream: behind, model: demo/echo }] }
  - { name: voice, price: { per_million_characters: "15" }, targets: [{ upstream: behind, model: demo/echo }] }
  - { name: ears, price: { per_second: "0.0001" }, targets: [{ upstream: behind, model: demo/echo }] }
  - { name: ranks, price: { per_request: "0.002" }, targets: [{ upstream: behind, model: demo/echo }] }
groups: [{ name: default, models: ["*"] }]
accounts: [{ email: ada@example.test, balance: "1" }]
keys: [{ account: ada@example.test, name: laptop, group: default, custom_key: ${SECRET} }]
`

interface Place {
  readonly gateway: GatewayProcess
  readonly environment: Environment
  readonly client: OpenAI
}

async function place(upstream: string): Promise<Place> {
  const file = join(await temporaryDirectory(), 'tollgate.yaml')
  await writeFile(file, `upstreams: [{ name: behind, ${upstream} }]${MODELS}`)
  const environment = await freshEnvironment({ TOLLGATE_CONFIG: file, TOLLGATE_DEMO: '0' })
  const gateway = await startGateway(environment)
  const client = new OpenAI({ apiKey: SECRET, baseURL: `${gateway.origin}/v1`, maxRetries: 0 })
  return { gateway, environment, client }
}

interface Receipt {
  readonly cost: string
  readonly usage_source: string
  readonly protocol: string
  readonly units?: Record<string, number | null>
  readonly tokens: Record<string, number | null>
}

async function receiptOf({ gateway }: Place, response: Response): Promise<Receipt> {
  const id = response.headers.get('x-request-id')
  const headers = { authorization: `Bearer ${SECRET}` }
  return (await (await fetch(`${gateway.origin}/v1/requests/${id}`, { headers })).json()) as Receipt
}

/** A second of silence. */
function wav(): Buffer {
  const head = Buffer.alloc(44)
  head.write('RIFF', 0, 'latin1')
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(8_000, 24)
  head.writeUInt32LE(8_000, 28)
  head.writeUInt16LE(8, 34)
  return Buffer.concat([head, Buffer.alloc(8_000, 128)])
}

test('every endpoint answers the official SDK, and is charged by its own measure', async () => {
  const here = await place('protocol: demo')
  const { client } = here

  const completion = await client.completions.create({ model: 'words', prompt: 'one two three' }).withResponse()
  expect(completion.data.choices[0]?.text).toBe('one two three')
  // 3 × $1 and 3 × $2 for a million.
  expect(await receiptOf(here, completion.response)).toMatchObject({ cost: '0.000009', usage_source: 'reported' })
  const stream = await client.completions.create({ model: 'words', prompt: 'one two', stream: true })
  expect((await Array.fromAsync(stream)).map(({ choices }) => choices[0]?.text).join('')).toBe('one two')

  const moderation = await client.moderations.create({ model: 'words', input: 'hello' }).withResponse()
  expect(moderation.data.results[0]?.flagged).toBe(false)
  expect(await receiptOf(here, moderation.response)).toMatchObject({ usage_source: 'estimated' })

  const images = await client.images.generate({ model: 'pictures', prompt: 'a cat', n: 2 }).withResponse()
  expect(
    images.data.data?.map(({ b64_json: image }) => Buffer.from(image ?? '', 'base64').toString('latin1', 1, 4)),
  ).toEqual(['PNG', 'PNG'])
  expect(images.response.headers.get('x-tollgate-cost')).toBe('0.08')
  expect(await receiptOf(here, images.response)).toMatchObject({ cost: '0.08', units: { images: 2 } })
  const picture = await toFile(Buffer.from('png'), 'a.png', { type: 'image/png' })
  const edit = await client.images.edit({ model: 'pictures', prompt: 'a hat', image: picture }).withResponse()
  expect(edit.response.headers.get('x-tollgate-cost')).toBe('0.04')

  const speech = await client.audio.speech.create({ model: 'voice', voice: 'alloy', input: 'Hello there' })
  expect(speech.headers.get('content-type')).toBe('audio/wav')
  const sound = Buffer.from(await speech.arrayBuffer())
  expect(sound.toString('latin1', 0, 4)).toBe('RIFF')
  // 11 characters × $15 for a million.
  expect(speech.headers.get('x-tollgate-cost')).toBe('0.000165')

  const file = await toFile(sound, 'sound.wav')
  const heard = await client.audio.transcriptions.create({ model: 'ears', file }).withResponse()
  expect(heard.data.text).toBe('demo transcription')
  expect(await receiptOf(here, heard.response)).toMatchObject({ cost: '0.0001', units: { seconds: 1 } })
  const srt = await client.audio.transcriptions.create({ model: 'ears', file, response_format: 'srt' }).withResponse()
  expect(srt.data).toContain('00:00:00,000 --> 00:00:01,000\ndemo transcription')
  expect(await receiptOf(here, srt.response)).toMatchObject({ cost: '0.0001', usage_source: 'estimated' })
  const verbose = await client.audio.transcriptions.create({ model: 'ears', file, response_format: 'verbose_json' })
  expect(verbose.duration).toBe(1)
  const words = await client.audio.transcriptions.create({ model: 'words', file, stream: true })
  expect((await Array.fromAsync(words)).at(-1)).toMatchObject({
    type: 'transcript.text.done',
    text: 'demo transcription',
  })

  const body = { model: 'ranks', query: 'cat', documents: ['a dog', 'a cat'] }
  const ranked = (await client.post('/rerank', { body })) as { results: { index: number }[] }
  expect(ranked.results.map(({ index }) => index)).toEqual([1, 0])

  await here.gateway.stop()
  const proof = await runTollgate(here.environment, ['check-ledger'])
  expect(proof.stdout.trim().split('\n').at(-1)).toMatch(/^ok/)
})

test('what only has a price per image is not given away on other endpoints, nor to those who cannot pay it', async () => {
  const here = await place('protocol: demo')
  const chat = here.client.chat.completions.create({ model: 'pictures', messages: [{ role: 'user', content: 'hi' }] })
  await expect(chat).rejects.toMatchObject({
    status: 503,
    code: 'model_unpriced',
    message: expect.stringContaining('price.per_request, or price.input and price.output') as string,
  })
  const file = await toFile(wav(), 'a.wav')
  await expect(here.client.audio.transcriptions.create({ model: 'voice', file })).rejects.toMatchObject({ status: 503 })
  // 26 × $0.04 of the one dollar that is there.
  await expect(here.client.images.generate({ model: 'pictures', prompt: 'cats', n: 26 })).rejects.toMatchObject({
    status: 402,
    code: 'insufficient_quota',
  })
  const listed = await Array.fromAsync(here.client.models.list())
  expect(listed.find(({ id }) => id === 'pictures')).toMatchObject({
    pricing: { per_image: '0.04' },
    supported_protocols: ['openai-images'],
  })
})

interface Upstream {
  readonly url: string
  /** What it got last. */
  readonly last: () => { path: string; type: string; body: Buffer }
  answer: { type: string; chunks: readonly (string | Buffer)[] }
}

/** A provider that says whatever it is given, and keeps what it was sent. */
async function provider(): Promise<Upstream> {
  let last = { path: '', type: '', body: Buffer.alloc(0) }
  const { url, close } = await scriptedUpstream(async (request, response) => {
    last = { path: request.url ?? '', type: request.headers['content-type'] ?? '', body: await buffer(request) }
    response.writeHead(200, { 'content-type': upstream.answer.type })
    for (const chunk of upstream.answer.chunks) response.write(chunk)
    response.end()
  })
  onTestFinished(close)
  const upstream: Upstream = {
    url: `${url}/v1`,
    last: () => last,
    answer: { type: 'application/json', chunks: ['{}'] },
  }
  return upstream
}

test('a form reaches the upstream byte for byte but for the model, and a file comes back as it was', async () => {
  const behind = await provider()
  const here = await place(`protocol: openai-chat, base_url: "${behind.url}", credential: c`)
  const authorization = `Bearer ${SECRET}`
  const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, i) => (i * 7) % 256))
  const form = (model: string): Buffer =>
    Buffer.concat([
      Buffer.from('--bOuNd\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n'),
      bytes,
      Buffer.from(`\r\n--bOuNd\r\nContent-Disposition: form-data; name="model"\r\n\r\n${model}\r\n--bOuNd--\r\n`),
    ])
  behind.answer = { type: 'text/plain; charset=utf-8', chunks: ['Grüße\n'] }
  const heard = await fetch(`${here.gateway.origin}/audio/transcriptions`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'multipart/form-data; boundary=bOuNd' },
    body: new Uint8Array(form('ears')),
  })
  expect([heard.status, heard.headers.get('content-type'), await heard.text()]).toEqual([
    200,
    'text/plain; charset=utf-8',
    'Grüße\n',
  ])
  expect(behind.last()).toEqual({
    path: '/v1/audio/transcriptions',
    type: 'multipart/form-data; boundary=bOuNd',
    body: form('demo/echo'),
  })
  behind.answer = { type: 'audio/mpeg', chunks: [bytes] }
  const speech = await fetch(`${here.gateway.origin}/v1/audio/speech`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: '{"model":"voice","input":"hi","unknown":[1]}',
  })
  expect(speech.headers.get('content-type')).toBe('audio/mpeg')
  expect(Buffer.from(await speech.arrayBuffer())).toEqual(bytes)
  expect(behind.last().body.toString()).toBe('{"model":"demo/echo","input":"hi","unknown":[1]}')
})

const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`

test('events of images, sound and transcripts pass as they are, and are charged by what the last one says', async () => {
  const behind = await provider()
  const here = await place(`protocol: openai, base_url: "${behind.url}", credential: c`)
  const usage = { input_tokens: 10, output_tokens: 100, total_tokens: 110 }
  const cases = [
    [
      '/images/generations',
      { stream: true, partial_images: 1 },
      'image_generation.partial_image',
      'image_generation.completed',
    ],
    ['/audio/speech', { input: 'hi', stream_format: 'sse' }, 'speech.audio.delta', 'speech.audio.done'],
  ] as const
  for (const [path, fields, first, last] of cases) {
    const events = [event({ type: first, b64_json: 'aGk=' }), event({ type: last, usage })]
    behind.answer = { type: 'text/event-stream', chunks: events }
    const response = await fetch(`${here.gateway.origin}/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'words', ...fields }),
    })
    expect(await response.text()).toBe(events.join(''))
    // 10 × $1 and 100 × $2 for a million.
    expect(await receiptOf(here, response)).toMatchObject({ cost: '0.00021', usage_source: 'reported' })
  }
  behind.answer = { type: 'text/event-stream', chunks: [event({ type: 'speech.audio.delta', audio: 'aGk=' })] }
  const cut = await fetch(`${here.gateway.origin}/v1/audio/speech`, {
    method: 'POST',
    headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
    body: '{"model":"words","input":"hi","stream_format":"sse"}',
  })
  await expect(cut.text()).rejects.toThrow('terminated')
})
