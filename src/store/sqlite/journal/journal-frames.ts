import { crc32 } from 'node:zlib'

/**
 * The layout of a journal file: batches of settlements, each in a frame, around and around in a file that never grows. To
 * write one dirties no block that was not there before, so that a sync of it is a single write of the disk.
 *
 * A place is counted as if the file had no end, and stands in it at the rest of its division by `FILE_BYTES`. No frame goes
 * over the end: where the room up to it is too short, the next one stands at the beginning.
 *
 * A frame, numbers little endian: the epoch (8 bytes), its place (8), how long the batch is (4), the CRC-32 of these and of
 * the batch (4), the batch (`packed-settlements.ts`). What an earlier round or an earlier owner left has another place or
 * another epoch; a frame that was cut short by a loss of power has another sum.
 */
export const FILE_BYTES = 4 * 1024 * 1024
export const HEAD_BYTES = 24
/** A frame with a longer batch finds no room; such a batch goes to the books at once. */
export const BATCH_BYTES_LIMIT = FILE_BYTES / 4
const PLACE_AT = 8
const LENGTH_AT = 16
const SUM_AT = 20

/** Where a journal file is read or written. */
export interface FilePlace {
  /** Chosen at random by each owner of the file: 48 bits. */
  readonly epoch: number
  readonly place: number
}

/** Reads `count` bytes from the offset; fewer where the file ends before. */
export type ReadBytes = (offset: number, count: number) => Uint8Array

/** The frame of a batch. */
export function frameOf(batch: Uint8Array, { epoch, place }: FilePlace): Buffer {
  const frame = Buffer.allocUnsafe(HEAD_BYTES + batch.length)
  frame.writeDoubleLE(epoch, 0)
  frame.writeDoubleLE(place, PLACE_AT)
  frame.writeUInt32LE(batch.length, LENGTH_AT)
  frame.set(batch, HEAD_BYTES)
  frame.writeUInt32LE(sumOf(frame), SUM_AT)
  return frame
}

/** Where a frame of so many bytes stands that is written next, with the frame before it ending at `place`. */
export function placeFor(frameBytes: number, place: number): number {
  const isFitting = (place % FILE_BYTES) + frameBytes <= FILE_BYTES
  return isFitting ? place : nextRound(place)
}

/** A batch that was read, and where its frame ends. */
export interface FoundBatch {
  readonly batch: Uint8Array
  readonly end: number
}

/** The batch behind `place`; null: none was written there, or not to its end. */
export function readFrame(read: ReadBytes, { epoch, place }: FilePlace): FoundBatch | null {
  const found = frameAt(read, { epoch, place })
  if (found !== null || place % FILE_BYTES === 0) return found
  return frameAt(read, { epoch, place: nextRound(place) })
}

function frameAt(read: ReadBytes, { epoch, place }: FilePlace): FoundBatch | null {
  const offset = place % FILE_BYTES
  const head = bufferOf(read(offset, HEAD_BYTES))
  if (head.length < HEAD_BYTES || head.readDoubleLE(0) !== epoch || head.readDoubleLE(PLACE_AT) !== place) return null
  const length = head.readUInt32LE(LENGTH_AT)
  if (length > BATCH_BYTES_LIMIT) return null
  const frame = bufferOf(read(offset, HEAD_BYTES + length))
  if (frame.length < HEAD_BYTES + length || frame.readUInt32LE(SUM_AT) !== sumOf(frame)) return null
  return { batch: frame.subarray(HEAD_BYTES), end: place + frame.length }
}

function nextRound(place: number): number {
  return (Math.floor(place / FILE_BYTES) + 1) * FILE_BYTES
}

function sumOf(frame: Buffer): number {
  return crc32(frame.subarray(HEAD_BYTES), crc32(frame.subarray(0, SUM_AT)))
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
