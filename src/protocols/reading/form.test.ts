import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ABOUT_LINEAR, growthOf } from '../../../test/support/growth.ts'
import { Fault } from '../../core/faults.ts'
import { boundaryOf, formParts } from './form.ts'

const BOUNDARY = 'XyZ'

/** A form as clients write it: headers of each part, and its bytes as Latin-1. */
function formOf(...parts: readonly (readonly [headers: string, value: string])[]): Buffer {
  const text = parts.map(([headers, value]) => `--${BOUNDARY}\r\n${headers}\r\n\r\n${value}\r\n`).join('')
  return Buffer.from(`${text}--${BOUNDARY}--\r\n`, 'latin1')
}

const field = (name: string): string => `Content-Disposition: form-data; name="${name}"`

function read(body: Buffer): [string, string, boolean][] {
  return formParts(body, BOUNDARY).map(({ name, place, isFile }) => [
    name,
    body.toString('latin1', place.start, place.end),
    isFile,
  ])
}

test('parts are found with their bytes, whatever those are', () => {
  const bytes = '\r\n--XyY\r\n\0\xff--'
  const file = 'content-disposition: form-data; filename="a; name=x.mp3"; name=file\r\nContent-Type: audio/mpeg'
  expect(read(formOf([field('model'), 'whisper'], [file, bytes], [field('empty'), '']))).toEqual([
    ['model', 'whisper', false],
    ['file', bytes, true],
    ['empty', '', false],
  ])
})

test('a form may have no part at all', () => {
  expect(formParts(Buffer.from('--XyZ--\r\n'), BOUNDARY)).toEqual([])
})

test('any bytes of a file pass, but for the boundary itself', async () => {
  const values = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('latin1'))
  fc.assert(
    fc.property(fc.array(values, { maxLength: 5 }), (texts) => {
      const parts = texts.map((text, i) => [field(`f${i}`), text] as const)
      expect(read(formOf(...parts)).map(([, text]) => text)).toEqual(texts)
    }),
  )
})

test.for([
  ['another boundary than the one that was named', '--Other\r\n\r\n\r\n--Other--'],
  ['bytes before its first boundary', `\r\n--XyZ\r\n${field('a')}\r\n\r\nx\r\n--XyZ--`],
  ['no end', `--XyZ\r\n${field('a')}\r\n\r\nx`],
  ['a boundary that goes on', `--XyZ\r\n${field('a')}\r\n\r\nx\r\n--XyZmore\r\n\r\n--XyZ--`],
  ['a part without a name', '--XyZ\r\nContent-Disposition: form-data\r\n\r\nx\r\n--XyZ--'],
  ['a part without headers', '--XyZ\r\n\r\nx\r\n--XyZ--'],
  ['a name said twice', `--XyZ\r\n${field('a')}; name="model"\r\n\r\nx\r\n--XyZ--`],
  ['a name in another way of writing', `--XyZ\r\n${field('a')}; name*=utf-8''model\r\n\r\nx\r\n--XyZ--`],
  ['a name with an escape', '--XyZ\r\nContent-Disposition: form-data; name="mo\\del"\r\n\r\nx\r\n--XyZ--'],
  ['two dispositions', `--XyZ\r\n${field('a')}\r\n${field('model')}\r\n\r\nx\r\n--XyZ--`],
  ['a header over two lines', `--XyZ\r\nContent-Disposition: form-data;\r\n name="model"\r\n\r\nx\r\n--XyZ--`],
  ['a part in base64', `--XyZ\r\n${field('a')}\r\nContent-Transfer-Encoding: base64\r\n\r\nx\r\n--XyZ--`],
  ['a line within a line', `--XyZ\r\n${field('a')}\r\nX: y\n${field('model')}\r\n\r\nx\r\n--XyZ--`],
  ['a blank before a colon', `--XyZ\r\n${field('a')}\r\n${field('model').replace(':', ' :')}\r\n\r\nx\r\n--XyZ--`],
  [
    'headers beyond any length',
    `--XyZ\r\n${field('a')}\r\nX: ${'y'.repeat(4_096)}\r\n${field('b')}\r\n\r\nx\r\n--XyZ--`,
  ],
  ['more parts than a form needs', `${`--XyZ\r\n${field('a')}\r\n\r\nx\r\n`.repeat(201)}--XyZ--`],
  ['lone line feeds', `--XyZ\n${field('a')}\n\nx\n--XyZ--`],
] as const)('a form with %s is refused', ([, text]) => {
  expect(() => formParts(Buffer.from(text), BOUNDARY)).toThrow(expect.objectContaining({ code: 'request_invalid' }))
})

test.for([
  ['multipart/form-data; boundary=abc', 'abc'],
  ['Multipart/Form-Data; charset=utf-8; boundary="a b"', null],
  ['multipart/form-data; boundary="a-b=c"', 'a-b=c'],
  ['application/json', undefined],
  [undefined, undefined],
  ['multipart/form-data', null],
  ['multipart/form-data; boundary=a; boundary=b', null],
  ['multipart/form-data; boundary=a, multipart/form-data; boundary=b', null],
  ["multipart/form-data; boundary=a; boundary*=utf-8''b", null],
  ['multipart/mixed; boundary=a', null],
] as const)('of the content type %s the boundary is %s', ([contentType, boundary]) => {
  if (boundary === null) expect(() => boundaryOf(contentType)).toThrow(Fault)
  else expect(boundaryOf(contentType)).toBe(boundary ?? null)
})

test('a form that is broken in any way is refused as the request’s fault, or read within its bytes', () => {
  const whole = formOf([field('model'), 'whisper'], [`${field('file')}; filename="a"`, '\r\n--Xy\0'])
  const damage = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(damage, fc.nat(whole.length), (changes, length) => {
      const broken = Buffer.from(length % 3 === 0 ? whole.subarray(0, length) : whole)
      for (const [at, byte] of changes) if (at < broken.length) broken[at] = byte
      try {
        for (const { place } of formParts(broken, BOUNDARY)) {
          expect(place.start).toBeLessThanOrEqual(place.end)
          expect(place.end).toBeLessThan(broken.length)
        }
      } catch (fault) {
        expect((fault as Fault).code).toBe('request_invalid')
      }
    }),
    { numRuns: 3_000 },
  )
})

test('headers that are made to be slow take no more than their length', () => {
  for (const filler of [' ', ';', '; ', ' ;', 'a=', '; a=b ', '"', '\\"']) {
    const refuse = (length: number) => {
      const header = `Content-Disposition: form-data${filler.repeat(Math.floor(length / filler.length))}x`
      const body = formOf(...Array.from({ length: 20 }, () => [header, 'x'] as const))
      try {
        formParts(body, BOUNDARY)
      } catch (fault) {
        if (fault instanceof Fault) return
        throw fault
      }
      throw new Error('it was not refused')
    }
    expect(growthOf(refuse, { few: 250, many: 4_000 }), filler).toBeLessThan(ABOUT_LINEAR)
  }
})
