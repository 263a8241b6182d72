/**
 * How long a sound takes, from its file, in seconds; null for a format that isn't known here. WAV by its header, MP3 by
 * walking its frames, Ogg (Opus, Vorbis) by the position in its last pages, FLAC and MP4 by what their headers say. Never
 * throws, and reads only as much as it needs.
 */
export function audioSeconds(file: Buffer): number | null {
  const magic = file.toString('latin1', 0, 12)
  if (magic.startsWith('RIFF') && magic.endsWith('WAVE')) return wavSeconds(file)
  if (magic.startsWith('OggS')) return oggSeconds(file)
  if (magic.startsWith('fLaC')) return flacSeconds(file)
  if (magic.slice(4, 8) === 'ftyp') return mp4Seconds(file)
  return mp3Seconds(file)
}

/**
 * The rate that is assumed for what cannot be read: 32 kbit/s, which speech is hardly ever stored below. So more seconds are estimated than there
 * are, up to four times as many for a browser's recording.
 */
export const UNKNOWN_BYTES_PER_SECOND = 4_000

function wavSeconds(file: Buffer): number | null {
  if (file.length < 44 || file.toString('latin1', 12, 16) !== 'fmt ') return null
  const [tracks, rate, bytesPerSecond, bits] = [
    file.readUInt16LE(22),
    file.readUInt32LE(24),
    file.readUInt32LE(28),
    file.readUInt16LE(34),
  ]
  // Compressed kinds, and headers that contradict themselves.
  if (bytesPerSecond === 0 || bytesPerSecond !== (rate * tracks * bits) / 8) return null
  return (file.length - 44) / bytesPerSecond
}

function oggSeconds(file: Buffer): number | null {
  const head = file.toString('latin1', 0, 256)
  const vorbis = head.indexOf('\x01vorbis')
  const rate = vorbis >= 0 && file.length > vorbis + 16 ? file.readUInt32LE(vorbis + 12) : 48_000
  if (vorbis < 0 && !head.includes('OpusHead')) return null
  const last = file.lastIndexOf('OggS')
  if (rate === 0 || file.length < last + 14) return null
  const samples = file.readBigInt64LE(last + 6)
  return samples < 0n ? null : Number(samples) / rate
}

function flacSeconds(file: Buffer): number | null {
  if (file.length < 26) return null
  const rate = file.readUIntBE(18, 3) >> 4
  const samples = ((file[21] ?? 0) & 0x0f) * 2 ** 32 + file.readUInt32BE(22)
  return rate === 0 || samples === 0 ? null : samples / rate
}

/** The `mvhd` box within `moov`, which stands among the few boxes at the top. */
function mp4Seconds(file: Buffer): number | null {
  for (let at = 0, boxes = 0; at + 8 <= file.length && boxes < BOXES_LIMIT; boxes++) {
    const size = file.readUInt32BE(at)
    const isMovie = file.toString('latin1', at + 4, at + 8) === 'moov'
    if (isMovie) return movieSeconds(file, at + 8)
    if (size < 8) return null
    at += size
  }
  return null
}

function movieSeconds(file: Buffer, at: number): number | null {
  if (file.toString('latin1', at + 4, at + 8) !== 'mvhd' || file.length < at + 40) return null
  const isLong = file[at + 8] === 1
  const scale = file.readUInt32BE(at + (isLong ? 28 : 20))
  const duration = isLong ? Number(file.readBigUInt64BE(at + 32)) : file.readUInt32BE(at + 24)
  return scale === 0 ? null : duration / scale
}

const BOXES_LIMIT = 64

function mp3Seconds(file: Buffer): number | null {
  const start = behindTag(file)
  let at = start
  let seconds = 0
  let frames = 0
  for (let frame = frameAt(file, at); frame !== null; frame = frameAt(file, at)) {
    seconds += frame.seconds
    frames += 1
    at += frame.bytes
    // The rest is like the beginning: more is not worth the time it takes from other requests.
    if (frames === FRAMES_LIMIT) return (seconds * (file.length - start)) / (at - start)
  }
  // A few bytes of anything look like one frame. What stands behind the last is tags, or else no MP3.
  return frames < 3 || file.length - at > TRAILER_BYTES ? null : seconds
}

/** Twenty minutes of usual sound, and some milliseconds to read. */
const FRAMES_LIMIT = 50_000
/** ID3v1, APE and Lyrics3 tags, mostly far below that. */
const TRAILER_BYTES = 64 * 1024

/** ID3v2: ten bytes, and the size in seven bits each. */
function behindTag(file: Buffer): number {
  if (file.toString('latin1', 0, 3) !== 'ID3' || file.length < 10) return 0
  const size = [6, 7, 8, 9].reduce((sum, at) => sum * 128 + ((file[at] ?? 0) & 0x7f), 0)
  return 10 + size
}

/** Kilobits a second of layer III, by the index in the header: MPEG 1, and MPEG 2 and 2.5. */
const RATES_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0]
const RATES_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0]
const SAMPLE_RATES = [44_100, 48_000, 32_000, 0]

function frameAt(file: Buffer, at: number): { seconds: number; bytes: number } | null {
  // Read one by one: a large file has a million frames.
  const one = file[at] ?? 0
  const two = file[at + 1] ?? 0
  const three = file[at + 2] ?? 0
  const [version, layer] = [(two >> 3) & 3, (two >> 1) & 3]
  if (one !== 0xff || (two & 0xe0) !== 0xe0 || layer !== 1 || version === 1) return null
  const isFirst = version === 3
  const kilobits = (isFirst ? RATES_1 : RATES_2)[three >> 4] ?? 0
  const rate = (SAMPLE_RATES[(three >> 2) & 3] ?? 0) / (isFirst ? 1 : version === 2 ? 2 : 4)
  if (kilobits === 0 || rate === 0) return null
  const samples = isFirst ? 1_152 : 576
  return {
    seconds: samples / rate,
    bytes: Math.floor((samples / 8) * ((kilobits * 1_000) / rate)) + ((three >> 1) & 1),
  }
}
