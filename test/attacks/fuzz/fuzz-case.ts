/** One fuzzed request as bytes. The same seed, number and sender give the same one. */
import { Chance } from '../../faults/chance.ts'
import {
  FIELD_NAMES,
  GENERATIONS,
  HEADER_NAMES,
  HEADER_VALUES,
  IDS,
  JSON_VALUES,
  METHODS,
  PATHS,
  QUERIES,
  RUNS,
} from './fuzz-words.ts'

/** `stranger`: has no credential that holds; `holder`: has a key. */
export type Sender = 'stranger' | 'holder'

export interface FuzzCase {
  readonly index: number
  readonly bytes: Buffer
  /** The body is shorter than announced, or the head has no end: its sender leaves without an answer. */
  readonly isPartial: boolean
  readonly isHead: boolean
}

export interface FuzzSource {
  readonly seed: number
  readonly sender: Sender
  readonly secret: string
  readonly model: string
  /** Whether the console was built: without it each of its pages is refused with 503. */
  readonly hasConsole: boolean
}

/** Node takes heads up to 16 KB; one that is longer is refused before anything reads it. */
const LONGEST_HEADER = 15_500
const SEED_STEP = 2_654_435_761

export function fuzzCase(index: number, source: FuzzSource): FuzzCase {
  const chance = new Chance(source.seed * SEED_STEP + index * 2_246_822_519 + (source.sender === 'holder' ? 1 : 0))
  const secret = source.sender === 'holder' ? source.secret : strangersSecret(chance)
  const fill = (text: string): string => text.replaceAll('SECRET', secret)
  // Half of them would be served but for what is changed in them.
  const [path, needed] = chance.isHit(50) ? chance.pick(GENERATIONS) : [null, []]
  const usualMethod = path === null ? chance.pick(METHODS) : 'POST'
  const method = chance.isHit(3) ? junk(chance, 12) : usualMethod
  const target = fill(path === null ? targetOf(chance, source) : placed(path, source.model) + chance.pick(QUERIES))
  const body = bodyOf(chance, source.model, needed)
  const isPartial = chance.isHit(1)
  const head = [
    `${method} ${target} HTTP/${chance.isHit(2) ? chance.pick(['1.0', '2.0', '0.9', '1.2']) : '1.1'}`,
    ...headersOf(chance, source, secret).map(fill),
  ]
  const isBodyless = ['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(method) && !chance.isHit(10)
  const framed = isBodyless ? { headers: [], body: Buffer.alloc(0) } : framedBody(chance, body)
  const text = `${[...head, ...framed.headers].join('\r\n')}\r\n\r\n`
  const bytes = Buffer.concat([Buffer.from(text, 'latin1'), framed.body])
  const cut = isPartial ? bytes.subarray(0, chance.between(1, bytes.length - 1)) : bytes
  return { index, bytes: cut, isPartial: isPartial || framed.isShort === true, isHead: method === 'HEAD' }
}

/** Wrong in the ways in which keys are entered wrongly. */
function strangersSecret(chance: Chance): string {
  return chance.pick([
    '',
    'sk-tg-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    'sk-live-1',
    'tga_AAAAAAAA',
    'null',
    'x'.repeat(60),
  ])
}

function placed(path: string, id: string): string {
  return path.replace('ID', () => encodeURIComponent(id))
}

function targetOf(chance: Chance, { model, hasConsole }: FuzzSource): string {
  const id = (): string => (chance.isHit(30) ? encodeURIComponent(model) : chance.pick(IDS))
  const path = chance.pick(hasConsole ? PATHS : PATHS.filter((one) => !one.startsWith('/console'))).replace('ID', id)
  const shape = chance.between(0, 99)
  if (shape < 2) return junk(chance, 60)
  if (shape < 4) return `http://other.test${path}`
  if (shape < 6) return path.toUpperCase()
  if (shape < 8) return `/.${path}/../${path}`
  if (shape < 9) return path + chance.pick(RUNS).trim().repeat(chance.between(1, 6_000))
  if (shape < 10) return '*'
  return path + chance.pick(QUERIES)
}

function headersOf(chance: Chance, { sender }: FuzzSource, secret: string): string[] {
  const headers = [`Host: ${chance.isHit(3) ? chance.pick(RUNS).repeat(40) : 'gateway.test'}`]
  const carriesKey = sender === 'holder' || chance.isHit(60)
  // What is read before its sender is known is what a stranger can make dear.
  if (sender === 'stranger' && chance.isHit(10)) {
    headers.push(
      `${chance.pick(['Authorization', 'Authorization', 'x-api-key', 'x-goog-api-key'])}: ${longValue(chance)}`,
    )
  } else if (carriesKey && secret !== '') {
    headers.push(chance.pick([`Authorization: Bearer ${secret}`, `x-api-key: ${secret}`, `x-goog-api-key: ${secret}`]))
  }
  // Each has an address of its own, or throttling by address would be all that is ever seen.
  if (chance.isHit(90)) {
    headers.push(`X-Forwarded-For: 10.${chance.between(0, 255)}.${chance.between(0, 255)}.${chance.between(1, 254)}`)
  }
  if (chance.isHit(5)) headers.push(`${chance.pick(HEADER_NAMES)}: ${longValue(chance)}`)
  const count = chance.between(0, 4)
  for (let at = 0; at < count; at++) headers.push(`${chance.pick(HEADER_NAMES)}: ${chance.pick(HEADER_VALUES)}`)
  if (chance.isHit(1)) headers.push(`${junk(chance, 10)}: ${junk(chance, 30)}`)
  return headers
}

/** A long run between two short texts, where a pattern that goes back takes the square of its length. */
function longValue(chance: Chance): string {
  const begin = chance.pick(['', 'Bearer ', 'Bearer a', '"', 'a', 'sk-tg-', 'multipart/form-data; boundary='])
  const run = chance.pick(RUNS)
  const end = chance.pick(['', 'a', 'x', '"', '!', ' z'])
  const unit = chance.isHit(20) ? run + chance.pick(RUNS) : run
  const most = LONGEST_HEADER - begin.length - end.length - 400
  const length = chance.isHit(70) ? most : chance.between(100, most)
  return begin + unit.repeat(Math.floor(length / unit.length)) + end
}

interface Framed {
  readonly headers: readonly string[]
  readonly body: Buffer
  readonly isShort?: true
}

function framedBody(chance: Chance, body: Buffer): Framed {
  const type = chance.isHit(85) ? ['Content-Type: application/json'] : []
  const shape = chance.between(0, 99)
  if (shape < 10) return { headers: [...type, 'Transfer-Encoding: chunked'], body: chunked(chance, body) }
  if (shape === 10) {
    const headers = [...type, `Content-Length: ${body.length}`, 'Transfer-Encoding: chunked']
    return { headers, body: chunked(chance, body) }
  }
  if (shape === 11) return { headers: [...type, `Content-Length: ${body.length + 5}`], body, isShort: true }
  if (shape === 12) return { headers: [...type, 'Content-Length: -1'], body }
  return { headers: [...type, `Content-Length: ${body.length}`], body }
}

function chunked(chance: Chance, body: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at < body.length;) {
    const size = Math.min(chance.between(1, 4_000), body.length - at)
    const extension = chance.isHit(5) ? ';x=y' : ''
    parts.push(Buffer.from(`${size.toString(16)}${extension}\r\n`), body.subarray(at, at + size), Buffer.from('\r\n'))
    at += size
  }
  return Buffer.concat([...parts, Buffer.from(chance.isHit(5) ? '0\r\nx-trailer: 1\r\n\r\n' : '0\r\n\r\n')])
}

function bodyOf(chance: Chance, model: string, needed: readonly string[]): Buffer {
  const shape = chance.between(0, 99)
  if (shape < 5) return Buffer.from(junk(chance, 300), 'latin1')
  if (shape < 8) return Buffer.from('[{"a":'.repeat(chance.between(1, 2_000)))
  if (shape < 10) return Buffer.from(`{"model":"${'\\u0061'.repeat(chance.between(1, 3_000))}"}`)
  if (shape < 12) return formOf(chance, model)
  const text = jsonOf(chance, model, needed)
  return Buffer.from(chance.isHit(10) ? broken(chance, text) : text)
}

/** An object of known fields with right and wrong values, some of them twice. */
function jsonOf(chance: Chance, model: string, needed: readonly string[]): string {
  const right: Readonly<Record<string, string>> = {
    model: JSON.stringify(model),
    messages: '[{"role":"user","content":"Write 2 words."}]',
    input: '"Write 2 words."',
    prompt: '"Write 2 words."',
    contents: '[{"parts":[{"text":"Write 2 words."}]}]',
    max_tokens: String(chance.between(0, 64)),
    stream: chance.pick(['true', 'false']),
  }
  const usual = Object.entries(right)
    .filter(([name]) => (needed.includes(name) ? chance.isHit(95) : chance.isHit(25)))
    .map(([name, value]) => `"${name}":${value}`)
  const count = chance.isHit(40) ? chance.between(0, 8) : chance.between(0, 2)
  const fields = Array.from({ length: count }, () => {
    const name = chance.pick(FIELD_NAMES)
    const written = chance.isHit(5) ? Array.from(name, escapedLetter).join('') : name
    return `"${written}":${chance.isHit(3) ? longJson(chance) : chance.pick(JSON_VALUES)}`
  })
  return `{${chance.shuffled([...usual, ...fields]).join(chance.isHit(5) ? ' ,\n ' : ',')}}`
}

function longJson(chance: Chance): string {
  const count = chance.between(1, 5_000)
  return chance.pick([
    `"${'a'.repeat(count)}"`,
    `"${'\\n'.repeat(count)}"`,
    `[${'0,'.repeat(count)}0]`,
    '['.repeat(count) + ']'.repeat(count),
    `[${'{"role":"user","content":"x"},'.repeat(Math.ceil(count / 10))}{}]`,
  ])
}

function formOf(chance: Chance, model: string): Buffer {
  const name = chance.pick(['model', 'MODEL', 'mo"del', '', 'file'])
  const part = `--b\r\nContent-Disposition: form-data; name="${name}"${chance.pick(['', '; filename="a.wav"'])}\r\n\r\n${model}\r\n`
  return Buffer.from(part.repeat(chance.between(1, 5)) + chance.pick(['--b--\r\n', '--b', '']))
}

function broken(chance: Chance, text: string): string {
  const at = chance.between(0, text.length - 1)
  if (chance.isHit(40)) return text.slice(0, at)
  const wrong = String.fromCharCode(chance.between(0, 255))
  return text.slice(0, at) + wrong + text.slice(at + (chance.isHit(50) ? 1 : 0))
}

function escapedLetter(letter: string): string {
  return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Any bytes but line ends. */
function junk(chance: Chance, most: number): string {
  const codes = Array.from({ length: chance.between(1, most) }, () => chance.between(1, 255))
  return String.fromCharCode(...codes.map((code) => (code === 10 || code === 13 ? 32 : code)))
}
