import fc from 'fast-check'
import { expect, test } from 'vitest'
import { audioSeconds } from './audio-seconds.ts'

function wav({ bytes, rate }: { bytes: number; rate: number }): Buffer {
  const head = Buffer.alloc(44)
  head.write('RIFF', 0, 'latin1')
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(16_000, 24)
  head.writeUInt32LE(rate, 28)
  head.writeUInt16LE(16, 34)
  return Buffer.concat([head, Buffer.alloc(bytes)])
}

/** MPEG 1 layer III, 128 kbit/s, 44,100 Hz: frames of 417 bytes and 1,152 samples. */
function mp3(frames: number): Buffer {
  const frame = Buffer.alloc(417)
  frame.set([0xff, 0xfb, 0x90, 0x00])
  return Buffer.concat(Array.from({ length: frames }, () => frame))
}

function ogg(codec: string, samples: bigint): Buffer {
  const page = (position: bigint, content: Buffer): Buffer => {
    const head = Buffer.alloc(28)
    head.write('OggS', 0, 'latin1')
    head.writeBigInt64LE(position, 6)
    return Buffer.concat([head, content])
  }
  return Buffer.concat([page(0n, Buffer.from(codec, 'latin1')), page(samples, Buffer.alloc(99))])
}

function mp4(version: 0 | 1): Buffer {
  const movie = Buffer.alloc(48)
  movie.writeUInt32BE(48, 0)
  movie.write('mvhd', 4, 'latin1')
  movie[8] = version
  movie.writeUInt32BE(1_000, version === 1 ? 28 : 20)
  if (version === 1) movie.writeBigUInt64BE(7_500n, 32)
  else movie.writeUInt32BE(7_500, 24)
  const box = (type: string, content: Buffer): Buffer => {
    const head = Buffer.alloc(8)
    head.writeUInt32BE(8 + content.length, 0)
    head.write(type, 4, 'latin1')
    return Buffer.concat([head, content])
  }
  return Buffer.concat([box('ftyp', Buffer.from('M4A ')), box('mdat', Buffer.alloc(500)), box('moov', movie)])
}

function flac(): Buffer {
  const file = Buffer.alloc(64)
  file.write('fLaC', 0, 'latin1')
  file.writeUIntBE(44_100 << 4, 18, 3)
  file.writeUInt32BE(441_000, 22)
  return file
}

const ID3 = Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\x01\0', 'latin1'), Buffer.alloc(128, 0xff)])
const vorbis = `\x01vorbis\0\0\0\0\x01${Buffer.from([0x44, 0xac, 0, 0]).toString('latin1')}`

test.for([
  ['WAV', wav({ bytes: 48_000, rate: 32_000 }), 1.5],
  ['MP3', mp3(100), (100 * 1_152) / 44_100],
  ['MP3 behind a tag', Buffer.concat([ID3, mp3(10)]), (10 * 1_152) / 44_100],
  ['MP3 that is long', mp3(60_000), (60_000 * 1_152) / 44_100],
  ['Opus', ogg('OpusHead', 96_000n), 2],
  ['Vorbis', ogg(vorbis, 44_100n), 1],
  ['FLAC', flac(), 10],
  ['MP4', mp4(0), 7.5],
  ['MP4 with long times', mp4(1), 7.5],
] as const)('the length of a file of %s is read', ([, file, seconds]) => {
  expect(audioSeconds(file)).toBeCloseTo(seconds, 6)
})

test.for([
  ['a WAV whose header contradicts itself', wav({ bytes: 48_000, rate: 4_000_000 })],
  ['an MP3 that goes on as something else', Buffer.concat([mp3(10), Buffer.alloc(100_000)])],
  ['text', Buffer.from('hello')],
  ['nothing', Buffer.alloc(0)],
] as const)('the length of %s is not known', ([, file]) => {
  expect(audioSeconds(file)).toBeNull()
})

test('any bytes are read without a crash, and to no length below nothing', () => {
  const magic = fc.constantFrom(
    'RIFF....WAVEfmt ',
    'OggS',
    'OggS....OpusHead',
    'fLaC',
    '....ftyp',
    'ID3',
    '\xff\xfb\x90',
    '',
  )
  fc.assert(
    fc.property(magic, fc.uint8Array({ maxLength: 300 }), (start, bytes) => {
      const seconds = audioSeconds(Buffer.concat([Buffer.from(start, 'latin1'), bytes]))
      if (seconds !== null) expect(seconds).toBeGreaterThanOrEqual(0)
    }),
    { numRuns: 2_000 },
  )
})
