import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FILE_BYTES, frameOf, HEAD_BYTES, placeFor, readFrame, type ReadBytes } from './journal-frames.ts'

const EPOCH = 0xa1b2_c3d4_e5f6

/** A file in memory, with what an earlier owner left in it. */
function aFile(seed = 0): { bytes: Buffer; read: ReadBytes } {
  const bytes = Buffer.alloc(FILE_BYTES, seed)
  return { bytes, read: (offset, count) => bytes.subarray(offset, Math.min(offset + count, bytes.length)) }
}

function put(bytes: Buffer, batch: Uint8Array, { epoch = EPOCH, place }: { epoch?: number; place: number }): number {
  const at = placeFor(HEAD_BYTES + batch.length, place)
  const frame = frameOf(batch, { epoch, place: at })
  frame.copy(bytes, at % FILE_BYTES)
  return at + frame.length
}

function readAll(read: ReadBytes, place: number): { batches: Uint8Array[]; end: number } {
  const batches: Uint8Array[] = []
  for (;;) {
    const found = readFrame(read, { epoch: EPOCH, place })
    if (found === null) return { batches, end: place }
    batches.push(found.batch)
    place = found.end
  }
}

const someBytes = (length: number, fill: number) => Buffer.alloc(length, fill)

test('what is written around the file many times is read once each, in its order', () => {
  const { bytes, read } = aFile()
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 300_000 }), { minLength: 1, maxLength: 12 }), (lengths) => {
      bytes.fill(0)
      let [written, folded] = [0, 0]
      for (let round = 0; round < 8; round++) {
        const batches = lengths.map((length, index) => someBytes(length, round * 16 + index))
        for (const batch of batches) written = put(bytes, batch, { place: written })
        const all = readAll(read, folded)
        expect(all.batches.map((batch) => batch.length)).toEqual(lengths)
        expect(all.batches.every((batch, index) => batch.length === 0 || batch[0] === round * 16 + index)).toBe(true)
        expect(all.end).toBe(written)
        folded = all.end
      }
    }),
    { numRuns: 10 },
  )
})

test('a frame that was cut anywhere, or has a bit that differs, is not read, and those before it are', () => {
  const { bytes, read } = aFile()
  const first = put(bytes, someBytes(40, 1), { place: 0 })
  const end = put(bytes, someBytes(50, 2), { place: first })
  const whole = Buffer.from(bytes.subarray(0, end))
  for (let cut = first; cut < end; cut++) {
    bytes.fill(0, 0, end + 8)
    whole.copy(bytes, 0, 0, cut)
    expect(readAll(read, 0)).toMatchObject({ end: first })
    whole.copy(bytes)
    bytes[cut] = (bytes[cut] ?? 0) ^ 4
    expect(readAll(read, 0)).toMatchObject({ end: first })
  }
})

test('what another owner left is not read, wherever it stands', () => {
  const { bytes, read } = aFile()
  put(bytes, someBytes(40, 1), { epoch: EPOCH + 1, place: 0 })
  expect(readAll(read, 0).batches).toEqual([])
  const end = put(bytes, someBytes(40, 2), { place: 0 })
  put(bytes, someBytes(40, 3), { epoch: EPOCH + 1, place: end })
  expect(readAll(read, 0)).toMatchObject({ end })
})

test('nor what an earlier round left at the same offset', () => {
  const { bytes, read } = aFile()
  put(bytes, someBytes(40, 1), { place: 0 })
  expect(readAll(read, FILE_BYTES).batches).toEqual([])
})

test('bytes that are not of a journal hold nothing', () => {
  for (const seed of [0, 1, 0x7f, 0xff]) expect(readAll(aFile(seed).read, 0).batches).toEqual([])
})
