import { expect, test } from 'vitest'
import { openaiTranscriptions } from './openai-transcriptions.ts'

const contentType = 'multipart/form-data; boundary=----b'

function form(fields: Readonly<Record<string, string>>, file = Buffer.alloc(40_000)): Buffer {
  const texts = Object.entries(fields).map(
    ([name, value]) => `------b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const head =
    '------b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\nContent-Type: audio/mpeg\r\n\r\n'
  return Buffer.concat([Buffer.from(texts.join('') + head), file, Buffer.from('\r\n------b--\r\n')])
}

const read = (body: Buffer) => openaiTranscriptions.readRequest(body, { contentType })

test('a form is read for its model, its stream and the length of its sound', () => {
  const head = read(form({ model: 'whisper-1', stream: 'true', language: 'de' }))
  expect(head).toMatchObject({ model: 'whisper-1', stream: true, inputIsNoText: true })
  // An unknown format: one second for 4,000 bytes, ten tokens each.
  expect(head.units?.seconds).toEqual({ expected: 10, most: 100, isKnown: false })
  expect(head.estimatedInputTokens).toBeGreaterThan(100)
  expect(head.estimatedInputTokens).toBeLessThan(250)
})

test('in a form the model is renamed as text, and everything else passes byte for byte', () => {
  const file = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
  const body = form({ language: 'de', model: 'public', prompt: 'model' }, file)
  const head = read(body)
  const change = { model: 'at/the-upstream', askForUsage: false }
  const sent = Buffer.concat(openaiTranscriptions.rewriteRequest(body, head, change))
  expect(sent).toEqual(form({ language: 'de', model: 'at/the-upstream', prompt: 'model' }, file))
  expect(openaiTranscriptions.rewriteRequest(body, head, { ...change, model: 'public' })).toEqual([body])
})

test('a model’s name cannot end its part', () => {
  const body = form({ model: 'public' })
  const model = 'x\r\n------b\r\nContent-Disposition: form-data; name="model"\r\n\r\ny'
  const sent = Buffer.concat(openaiTranscriptions.rewriteRequest(body, read(body), { model, askForUsage: false }))
  expect(read(sent).model).not.toBe('y')
})

test.for([
  ['no model', form({ language: 'de' }), 'model'],
  ['an empty model', form({ model: '' }), 'model'],
  ['a long model', form({ model: 'm'.repeat(257) }), 'model'],
  [
    'a second model',
    Buffer.from(form({ model: 'a', other: 'b' }).toString('latin1').replace('other', 'model')),
    'model',
  ],
  ['another spelling of the model', form({ model: 'a', Model: 'b' }), 'model'],
] as const)('a form with %s is refused', ([, body, param]) => {
  expect(() => read(body)).toThrow(expect.objectContaining({ code: 'request_invalid', details: { param } }))
})

test.for(['application/x-www-form-urlencoded', 'text/plain', 'application/jsonp'])(
  'a body of type %s is refused: its upstream might read another model from it',
  (type) => {
    const body = Buffer.from('{"model":"cheap","x":"&model=dear&"}')
    expect(() => openaiTranscriptions.readRequest(body, { contentType: type })).toThrow('multipart/form-data')
    expect(openaiTranscriptions.readRequest(body, { contentType: 'application/json; charset=utf-8' }).model).toBe(
      'cheap',
    )
  },
)

test('JSON that is announced as a form is refused', () => {
  expect(() => read(Buffer.from('{"model":"cheap"}'))).toThrow('must begin with the boundary')
})

test('a header of the file cannot make it longer or shorter than its bytes allow', () => {
  const flac = Buffer.alloc(400_000)
  flac.write('fLaC', 0, 'latin1')
  flac.writeUIntBE(8_000 << 4, 18, 3)
  for (const [samples, seconds] of [
    [1, 1],
    [0xffff_ffff, 1_000],
  ] as const) {
    flac.writeUInt32BE(samples, 22)
    expect(read(form({ model: 'm' }, flac)).units?.seconds?.expected).toBe(seconds)
  }
})

test('subtitles are read for their words', () => {
  const srt = '1\n00:00:00,000 --> 00:00:01,000\nHello\n\n2\n00:00:01,000 --> 00:00:02,000\nyou\n\n'
  const answer = openaiTranscriptions.readAnswer(Buffer.from(srt))
  expect(answer.kind === 'answer' && answer.producedText().split(/\s+/).join(' ').trim()).toBe('Hello you')
})

test('an error with a good status is a failure', () => {
  expect(openaiTranscriptions.readAnswer(Buffer.from('{"error":{"message":"No"}}'))).toMatchObject({
    kind: 'failed',
    error: { message: 'No' },
  })
})

test('sound that is elsewhere may be as long as it says', () => {
  const body = Buffer.from(
    form({ model: 'm', url: 'https://sound.test/a.mp3' }).toString('latin1').replace('; filename="a"', ''),
  )
  expect(read(body).units?.seconds).toEqual({ expected: 1, most: 86_400, isKnown: false })
})
