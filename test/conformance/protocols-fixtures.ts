import { readdirSync, readFileSync } from 'node:fs'
import { NO_TOKENS, type TokenCounts } from '../../src/core/tokens.ts'
import { PROTOCOLS } from '../../src/protocols/protocol-of.ts'
import type { StreamingProtocol, StreamReader, UpstreamError } from '../../src/protocols/protocol.ts'

/** One recorded or hand-written stream, with what must come of it. Bytes are kept as Latin-1 strings to be compared. */
export interface StreamFixture {
  readonly name: string
  readonly what: string
  readonly protocol: StreamingProtocol
  readonly chunks: Buffer[]
  readonly expected: Outcome
  /** Whether its end is seen in the stream itself, and not from the closed connection. */
  readonly endsByItself: boolean
  readonly open: () => StreamReader
}

export interface Outcome {
  readonly end: 'complete' | 'failed' | 'cut'
  readonly sent: string
  readonly held: string
  readonly usage: TokenCounts
  readonly usageIsFinal: boolean
  readonly text: string
  readonly error: UpstreamError | undefined
}

/** The wires that have streams. */
export function streamingProtocols(): StreamingProtocol[] {
  return Object.values(PROTOCOLS).filter((protocol) => protocol.streams)
}

/** `test/fixtures/protocols/<wire>/*.json`: `dropped` are pieces of the chunks that must not reach the client. */
interface FixtureFile {
  readonly what: string
  /** The client gets an `event:` line for each event that lacks one. */
  readonly namesAdded?: true
  readonly dropUsageChunk?: boolean
  readonly choices?: number
  readonly chunks: string[]
  readonly expect: Omit<Outcome, 'sent' | 'error'> & { readonly dropped: string[]; readonly error?: UpstreamError }
}

export function fixturesOf(protocol: StreamingProtocol): StreamFixture[] {
  const folder = new URL(`../fixtures/protocols/${protocol.wire}/`, import.meta.url)
  return readdirSync(folder).map((file) => {
    const fixture = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as FixtureFile
    const { dropped, error, ...expected } = fixture.expect
    const options = { dropUsageChunk: fixture.dropUsageChunk ?? false, choices: fixture.choices ?? 1 }
    return {
      name: `${protocol.wire}/${file.replace('.json', '')}`,
      what: fixture.what,
      protocol,
      chunks: fixture.chunks.map((chunk) => Buffer.from(chunk)),
      expected: {
        ...expected,
        usage: { ...NO_TOKENS, ...expected.usage },
        held: latin1(withNames(fixture, expected.held)),
        sent: latin1(withNames(fixture, sentOf(fixture, dropped))),
        error,
      },
      endsByItself: expected.end === 'failed' || (expected.end === 'complete' && /\n\r?\n$/.test(expected.held)),
      open: () => protocol.openStream(options),
    }
  })
}

export function outcomeOf(fixture: StreamFixture, chunks: readonly Buffer[]): Outcome {
  return playStream(fixture.open(), chunks)
}

export function playStream(reader: StreamReader, chunks: readonly Buffer[]): Outcome {
  const sent = chunks.map((chunk) => reader.push(chunk)?.toString('latin1') ?? '').join('')
  const end = reader.finish()
  return {
    end: end.kind,
    sent,
    held: end.held.toString('latin1'),
    usage: reader.usage,
    usageIsFinal: reader.usageIsFinal,
    text: reader.producedText(),
    error: end.kind === 'failed' ? end.error : undefined,
  }
}

export function cutAt(bytes: Buffer, places: readonly number[]): Buffer[] {
  const sorted = [0, ...places.toSorted((one, other) => one - other), bytes.length]
  return sorted.slice(1).map((place, i) => Buffer.from(bytes.subarray(sorted[i], place)))
}

/** The parts of the body that the pieces left out; undefined when they are not in the body's order. */
export function gapsIn(body: Buffer, pieces: readonly Buffer[]): string[] | undefined {
  const gaps: string[] = []
  let at = 0
  for (const piece of pieces.filter((view) => isWithin(body, view))) {
    const start = piece.byteOffset - body.byteOffset
    if (start < at) return undefined
    if (start > at) gaps.push(body.toString('utf8', at, start))
    at = start + piece.length
  }
  return at === body.length ? gaps : [...gaps, body.toString('utf8', at)]
}

function isWithin(body: Buffer, piece: Buffer): boolean {
  if (piece.buffer !== body.buffer || piece.byteOffset < body.byteOffset) return false
  return piece.byteOffset + piece.length <= body.byteOffset + body.length
}

function latin1(text: string): string {
  return Buffer.from(text).toString('latin1')
}

function sentOf({ chunks, expect }: FixtureFile, dropped: readonly string[]): string {
  let sent = chunks.join('')
  for (const piece of [...dropped, ...(expect.held === '' ? [] : [expect.held])]) {
    const at = sent.lastIndexOf(piece)
    if (at < 0) throw new Error(`the fixture's chunks do not contain ${piece}`)
    sent = sent.slice(0, at) + sent.slice(at + piece.length)
  }
  return sent
}

function withNames({ namesAdded }: FixtureFile, events: string): string {
  return namesAdded === true ? events.replaceAll(/(?<=^|\n\n)data: \{"type":"(\w+)"/g, 'event: $1\n$&') : events
}
