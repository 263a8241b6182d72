import { expect, test } from 'vitest'
import { CAPTURE_BODY_BYTES } from '../../core/limits.ts'
import { KeptBytes } from './kept-bytes.ts'

function kept(pieces: readonly (string | Buffer)[], secrets: readonly string[] = []) {
  const bytes = new KeptBytes(() => true)
  for (const piece of pieces) bytes.add(Buffer.from(piece))
  return bytes.without(secrets)
}

test('a body is kept as it came, whatever pieces it came in', () => {
  const text = 'data: {"text":"你好"}\n\n'
  const single = [...Buffer.from(text)].map((byte) => Buffer.from([byte]))
  expect(kept(single)).toEqual({ encoding: 'utf8', text, bytes: Buffer.byteLength(text), is_cut: false })
  expect(kept([])).toEqual({ encoding: 'utf8', text: '', bytes: 0, is_cut: false })
})

test('a long body is cut at its bound, between two characters', () => {
  const long = '好'.repeat(CAPTURE_BODY_BYTES)
  const { text, ...rest } = kept([long])
  expect(rest).toEqual({ encoding: 'utf8', bytes: CAPTURE_BODY_BYTES * 3, is_cut: true })
  expect(text).toBe('好'.repeat(Math.floor(CAPTURE_BODY_BYTES / 3)))
})

test('what is not text is kept as Base64', () => {
  const bytes = Buffer.from([0xff, 0xfe, 0x00])
  expect(kept([bytes])).toMatchObject({ encoding: 'base64', text: bytes.toString('base64'), is_cut: false })
})

test('no secret is kept, in one piece or several, beside other characters, or across the bound', () => {
  const secret = 'sk-tg-0123456789'
  expect(kept(['你 sk-tg-01', '23456789 好'], [secret]).text).toBe('你 [removed] 好')
  for (let before = CAPTURE_BODY_BYTES - secret.length - 1; before <= CAPTURE_BODY_BYTES; before++) {
    expect(kept(['x'.repeat(before), secret, 'tail'], [secret]).text).not.toContain('sk-')
  }
  // Where there is no room for its other half, and where others before it were replaced by something shorter.
  const refused = new KeptBytes((bytes) => bytes > 10)
  refused.add(Buffer.from('x'.repeat(100) + secret.slice(0, 12)))
  refused.add(Buffer.from(secret.slice(12)))
  expect(refused.without([secret]).text).not.toContain('sk-')
  expect(
    kept(['x'.repeat(7), secret.repeat(CAPTURE_BODY_BYTES / secret.length + 10_000)], [secret]).text,
  ).not.toContain('sk-')
})
