/**
 * A provider of images, sound, transcripts and rankings that bills by the unit: it decodes each request as the real ones do
 * (of a name that comes twice, the last one counts) and keeps what each cost. How long a recording is it hears; here the
 * file's name says so: `30s.wav`.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { readBody } from '../../../tools/fake-upstream/incoming-request.ts'
import { listOf, objectOf } from '../../../src/upstreams/demo/json.ts'
import { scriptedUpstream } from '../../support/scripted-upstream.ts'

/** Nano-USD for an image, a character, a second, a search unit; and in the form that models take, in USD. */
const UNIT = { image: 1_000_000n, character: 15_000n, second: 100_000n, search: 2_000_000n }
export const MEDIA_PRICES = {
  images: { per_image: '0.001' },
  speech: { per_million_characters: '15' },
  transcripts: { per_second: '0.0001' },
  ranks: { per_request: '0.002' },
} as const
export type Medium = keyof typeof MEDIA_PRICES

export interface MediaProvider {
  readonly url: string
  /** Nano-USD of each call whose user agent begins so. */
  billsOf(tag: string): readonly bigint[]
  close(): void
}

type Fields = Readonly<Record<string, unknown>>
interface Served {
  readonly bill: bigint
  readonly body: string | object
}

/** Documents that one search unit has. */
const DOCUMENTS = 100

const SERVES: Readonly<Record<string, (fields: Fields) => Served>> = {
  '/images/generations': images,
  '/images/edits': images,
  '/audio/speech': ({ input }) => {
    return { bill: BigInt(Array.from(String(input)).length) * UNIT.character, body: 'sound' }
  },
  '/audio/transcriptions': ({ file, response_format: format }) => {
    const seconds = Number(/^(\d+)s/.exec(file instanceof File ? file.name : '')?.[1] ?? 0)
    const isJson = format === undefined || format === 'json'
    const usage = { type: 'duration', seconds }
    return { bill: BigInt(seconds) * UNIT.second, body: isJson ? { text: 'words', usage } : 'words' }
  },
  '/rerank': ({ documents }) => {
    const units = Math.ceil(listOf(documents).length / DOCUMENTS)
    return { bill: BigInt(units) * UNIT.search, body: { results: [], meta: { billed_units: { search_units: units } } } }
  },
}

function images({ n }: Fields): Served {
  const count = n === undefined ? 1 : Number(n)
  return { bill: BigInt(count) * UNIT.image, body: { data: Array.from({ length: count }, () => ({ b64_json: 'AA' })) } }
}

/** Starts it on a free port of the loopback; rejects when it cannot listen. */
export async function startMediaProvider(): Promise<MediaProvider> {
  const calls: { readonly tag: string; readonly bill: bigint }[] = []
  const { url, close } = await scriptedUpstream((request, response) => {
    const answer = async (body: Buffer | null): Promise<void> => {
      const served = await serve(request, body ?? Buffer.alloc(0))
      if (served !== null) calls.push({ tag: request.headers['user-agent'] ?? '', bill: served.bill })
      send(response, served)
    }
    readBody(request, (body) => void answer(body))
  })
  return {
    url: `${url}/v1`,
    billsOf: (tag) => calls.filter((call) => call.tag.startsWith(tag)).map(({ bill }) => bill),
    close,
  }
}

/** Null: it does not take that. */
async function serve({ url, headers }: IncomingMessage, body: Buffer): Promise<Served | null> {
  const of = SERVES[(url ?? '').replace(/^\/v1/, '')]
  try {
    return of?.(await fieldsOf(body, headers['content-type'] ?? '')) ?? null
  } catch {
    return null
  }
}

async function fieldsOf(body: Buffer, type: string): Promise<Fields> {
  if (!type.startsWith('multipart/')) return objectOf(JSON.parse(body.toString()))
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
  return Object.fromEntries(form)
}

function send(response: ServerResponse, served: Served | null): void {
  if (served === null) return void response.writeHead(400, JSON_TYPE).end('{"error":{"message":"It is not valid."}}')
  const { body } = served
  if (typeof body === 'string') response.writeHead(200, { 'content-type': 'text/plain' }).end(body)
  else response.writeHead(200, JSON_TYPE).end(JSON.stringify(body))
}

const JSON_TYPE = { 'content-type': 'application/json' }
