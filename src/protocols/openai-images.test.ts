import { expect, test } from 'vitest'
import { openaiImages } from './openai-images.ts'

function edit(fields: Readonly<Record<string, string>>): Buffer {
  const part = (head: string, value: string): string =>
    `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`
  const texts = Object.entries(fields).map(([name, value]) => part(`name="${name}"`, value))
  const images = [0, 1].map((i) => part(`name="image[]"; filename="${i}.png"`, 'PNG'))
  return Buffer.from([...texts, ...images, '--b--\r\n'].join(''))
}

const readEdit = (fields: Readonly<Record<string, string>>) =>
  openaiImages.readRequest(edit(fields), { contentType: 'multipart/form-data; boundary=b' })

test('images that are asked for are held for, and no more are believed', () => {
  const head = openaiImages.readRequest(Buffer.from('{"model":"m","prompt":"a cat","n":3,"quality":"low"}'))
  expect(head.units?.images).toEqual({ expected: 3, most: 3, isKnown: false })
  expect(head).toMatchObject({ choices: 3, expectedOutputTokens: 3 * 708 })
})

test('an edit is a form', () => {
  const head = readEdit({ model: 'm', n: '2', quality: 'medium', stream: '1' })
  expect(head).toMatchObject({ model: 'm', stream: true, choices: 2, expectedOutputTokens: 2 * 1_884 })
  expect(head.estimatedInputTokens).toBeGreaterThan(13_000)
  expect(() => readEdit({ model: 'm', n: 'many' })).toThrow('`n` must be a whole number')
})

test.for(['{"model":"m","n":1,"n":9}', '{"model":"m","N":9}', '{"model":"m","quality":"low","Quality":"high"}'])(
  'what decides the price stands there once: %s is refused',
  (body) => {
    expect(() => openaiImages.readRequest(Buffer.from(body))).toThrow(
      expect.objectContaining({ code: 'request_invalid' }),
    )
  },
)

test.for([
  ['{"data":[{"b64_json":"aGk=","revised_prompt":"say \\"url\\" and \\"b64_json\\""},{"b64_json":"aGk="}]}', 2],
  ['{"data":[{"url":"https://x.test/1"}]}', 1],
  ['{"data":[{"url":null,"b64_json":"aGk="}]}', 1],
  ['{"data":[]}', null],
] as const)('the images of %s are counted', ([body, images]) => {
  const answer = openaiImages.readAnswer(Buffer.from(body))
  expect(answer.kind === 'answer' && (answer.usage.units?.images ?? null)).toBe(images)
})
